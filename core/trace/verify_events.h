// Whether the events of a trace can have been as they are recorded.
#pragma once

#include "core/schedule/plan.h"
#include "core/trace/verify.h"

namespace ringscope {

// Each transfer once; its lane, bytes and order of times; nothing begun before what it depends on
// had landed; in lockstep no round before the one before it was over; the time of the whole run.
void verify_events(const Trace& trace, const Plan& plan, Verification& verification);

}  // namespace ringscope
