// The independent reference: what the collective's result must be, computed from the inputs alone,
// with no code of the engines. (DESIGN, 'Verdict', has the bounds and their reasons.)
#pragma once

#include <cstdint>
#include <span>

#include "core/trace/expectation.h"
#include "core/trace/trace.h"

namespace ringscope {

// Holds every element of every goal cell that is cared for against the reference, and the ranks
// against one another. `read` gives the results, from several threads at once; `inputs` makes the
// inputs again. The failure that is told is that of the first wrong element, at the first rank.
// What wrapped, overflowed or underflowed is counted once an element, not once a rank. The schedule
// must be sound (check_numbers()).
Verdict judge(const Schedule& schedule, const InputSpec& inputs, const ElementReader& read);

// The same of the first kept[cell] elements of each cell, with inputs as they are read.
Verdict judge_kept(const Schedule& schedule, const InputSpec& inputs,
                   std::span<const std::uint32_t> kept, const ElementReader& read_inputs,
                   const ElementReader& read_results);

}  // namespace ringscope
