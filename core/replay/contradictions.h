// Where schedule, events and values of a trace contradict each other, as far as that can be found
// in one pass.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/error.h"
#include "core/schedule/plan.h"
#include "core/trace/trace.h"

namespace ringscope {

// At most a few of a schedule's problems, and the first contradiction of each further kind. The
// plan is that of the trace; `landings` of its parts: in a lane none before its predecessor's, the
// largest number where the part was not done.
std::vector<Message> find_contradictions(const Trace& trace, const Plan& plan,
                                         std::span<const std::int64_t> landings);

}  // namespace ringscope
