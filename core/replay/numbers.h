// Recorded elements as numbers.
#pragma once

#include <cstddef>
#include <span>

#include "core/data/element.h"
#include "core/replay/replay.h"

namespace ringscope {

// The element that `bytes` begins with; at least bytes_of(type) of them.
Number number_at(std::span<const std::byte> bytes, ElementType type);

}  // namespace ringscope
