// Wire types: f32 data that are rounded once to a smaller type before anything is sent, so that an
// all-reduce moves half the bytes (DESIGN, 'Wire type').
#pragma once

#include <cstddef>
#include <span>

#include "core/data/element.h"

namespace ringscope {

// What data may be sent as, and what data that is.
constexpr bool is_wire_type(ElementType type) {
  return type == ElementType::f16 || type == ElementType::bf16;
}
inline constexpr ElementType type_before_wire = ElementType::f32;

// to[i] = from[i], rounded to the nearest, ties to even; what is too large becomes infinite, a NaN
// the canonical one. `to` holds from.size() elements.
void round_to_wire(ElementType wire, std::span<const float> from, std::span<std::byte> to);

// Whether the value is finite, but would not be after rounding.
bool rounds_to_infinity(ElementType wire, float value);

}  // namespace ringscope
