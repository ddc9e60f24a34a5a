#include "core/replay/numbers.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

namespace ringscope {
namespace {

float to_float(bf16 value) { return std::bit_cast<float>(std::uint32_t{value.bits} << 16); }

// Numbers up to so many characters are written without an exponent.
constexpr std::size_t longest_plain = 9;
constexpr double longest_whole = 1e9;

template <class Float>
std::string shortest(Float value) {
  std::array<char, 400> text;
  const auto write = [&](std::chars_format format) {
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format).ptr;
    return std::string(text.data(), end);
  };
  const std::string plain = write(std::chars_format::fixed);
  return plain.size() <= longest_plain ? plain : write(std::chars_format::general);
}

// The fewest digits that `narrow` reads as the same number of a type with no text of its own.
template <class Narrow>
std::string shortest_through(double value, Narrow&& narrow) {
  std::array<char, 40> text;
  for (int digits = 1; digits <= 9; ++digits) {
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                   std::chars_format::scientific, digits - 1)
                         .ptr;
    double read = 0;
    std::from_chars(text.data(), end, read);
    if (narrow(read) == narrow(value)) return shortest(read);
  }
  return shortest(value);
}

// To the nearest bf16, ties to even.
float through_bf16(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const std::uint32_t rounded = bits + 0x7fffu + (bits >> 16 & 1u);
  return to_float(bf16{static_cast<std::uint16_t>(rounded >> 16)});
}

float through_f16(double value) { return static_cast<float>(static_cast<f16>(value)); }

}  // namespace

Number number_at(std::span<const std::byte> bytes, ElementType type) {
  return with_type(type, [&]<class T>(std::type_identity<T>) {
    T element;
    std::memcpy(&element, bytes.data(), sizeof(T));
    Number number;
    if constexpr (std::is_integral_v<T>) {
      number.integer = true;
      number.whole = element;
    } else if constexpr (std::is_same_v<T, bf16>) {
      number.real = to_float(element);
    } else {
      number.real = static_cast<double>(element);
    }
    return number;
  });
}

std::string text_of(const Number& number, ElementType type) {
  if (number.integer) return std::to_string(number.whole);
  const double real = number.real;
  if (std::isnan(real)) return "nan";
  if (std::isinf(real)) return real < 0 ? "-inf" : "inf";
  // Whole numbers are written in full, so that an addition of them can be followed.
  if (std::trunc(real) == real && std::abs(real) < longest_whole) return shortest(real);
  // A mean on its way is shown as its sum, which may lie beyond its type.
  if (type == ElementType::f16 && through_f16(real) == real)
    return shortest_through(real, through_f16);
  if (type == ElementType::bf16 && static_cast<double>(through_bf16(real)) == real)
    return shortest_through(real, through_bf16);
  if (type != ElementType::f64 && static_cast<double>(static_cast<float>(real)) == real)
    return shortest(static_cast<float>(real));
  return shortest(real);
}

}  // namespace ringscope
