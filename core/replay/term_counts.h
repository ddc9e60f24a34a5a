// How many terms each transfer leaves in its destination: enough for the shades of a large state,
// where expanding every cell's contributors would take seconds.
#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/trace.h"

namespace ringscope {

// [transfer]: contributors of the first of its destination cells after it; 0 where it did not
// happen. One pass over the transfers.
std::vector<std::int32_t> count_terms(const Trace& trace);

}  // namespace ringscope
