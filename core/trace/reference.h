// The independent reference: what the collective's result must be, computed from the inputs alone,
// with no code of the engines. (DESIGN, 'Verdict', has the bounds and their reasons.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "core/trace/trace.h"

namespace ringscope {

// Elements that some rank ended with: rank, extent, room for the elements (as in memory). Several
// threads call it at once.
using ResultReader = std::function<void(int rank, Extent extent, std::span<std::byte> out)>;

// Holds every element of every goal cell that is cared for against the reference, and the ranks
// against one another. `read` gives the results; `inputs` makes the inputs again. The failure that
// is told is that of the first wrong element, at the first rank. What wrapped, overflowed or
// underflowed is counted once an element, not once a rank. The schedule must be sound (check.h).
Verdict judge(const Schedule& schedule, const InputSpec& inputs, const ResultReader& read);

}  // namespace ringscope
