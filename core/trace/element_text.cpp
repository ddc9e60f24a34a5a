#include "core/trace/element_text.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace ringscope {
namespace {

template <class T>
T loaded(const std::byte* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

}  // namespace

double element_as_double(ElementType type, const std::byte* element) {
  return with_type(type, [&](auto tag) -> double {
    using T = typename decltype(tag)::type;
    const T value = loaded<T>(element);
    if constexpr (std::is_same_v<T, bf16>)
      return std::bit_cast<float>(std::uint32_t{value.bits} << 16);
    else
      return static_cast<double>(value);
  });
}

std::string element_text(ElementType type, const std::byte* element, bool with_bits) {
  const std::string text = with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T> || std::is_same_v<T, double>)
      return fmt::format("{}", loaded<T>(element));
    else
      return fmt::format("{}", static_cast<float>(element_as_double(type, element)));
  });
  if (!with_bits) return text;
  std::uint64_t bits = 0;
  std::memcpy(&bits, element, bytes_of(type));
  return text + fmt::format(" (0x{:0{}x})", bits, 2 * bytes_of(type));
}

TextPair telling_texts(ElementType type, const std::byte* first, const std::byte* second) {
  TextPair pair{element_text(type, first), element_text(type, second)};
  if (pair.first == pair.second)
    pair = {element_text(type, first, true), element_text(type, second, true)};
  return pair;
}

}  // namespace ringscope
