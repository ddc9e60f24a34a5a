#include "core/data/wire.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace ringscope {
namespace {

std::uint16_t bits_as_f16(float value) {
  return std::isnan(value) ? std::uint16_t{0x7e00}
                           : std::bit_cast<std::uint16_t>(static_cast<f16>(value));
}

std::uint16_t bits_as_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto rounded = static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
  return std::isnan(value) ? std::uint16_t{0x7fc0} : rounded;
}

}  // namespace

void round_to_wire(ElementType wire, std::span<const float> from, std::span<std::byte> to) {
  assert(is_wire_type(wire) && to.size() == from.size() * bytes_of(wire));
  const auto bits_of = wire == ElementType::f16 ? bits_as_f16 : bits_as_bf16;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::uint16_t bits = bits_of(from[i]);
    std::memcpy(to.data() + i * sizeof bits, &bits, sizeof bits);
  }
}

bool rounds_to_infinity(ElementType wire, float value) {
  // Half-way between the largest finite value and what would come next: a tie, and that is even.
  const float least = wire == ElementType::f16 ? 65520.f : 0x1.FFp127f;
  return std::isfinite(value) && std::abs(value) >= least;
}

}  // namespace ringscope
