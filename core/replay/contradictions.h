// Where schedule, events and values of a trace contradict each other, as far as that can be found
// in one pass.
#pragma once

#include <vector>

#include "core/error.h"
#include "core/schedule/plan.h"
#include "core/trace/trace.h"

namespace ringscope {

// At most a few of a schedule's problems, and the first contradiction of each further kind. The
// plan is that of the trace.
std::vector<Message> find_contradictions(const Trace& trace, const Plan& plan);

}  // namespace ringscope
