// Whether the recorded values are what the generator, the operator and the reference say.
#pragma once

#include "core/schedule/plan.h"
#include "core/trace/verify.h"

namespace ringscope {

// The kept elements of the inputs, against the generator.
void verify_inputs(const Trace& trace, Verification& verification);

// Bit for bit: what each transfer left, against the operator on what its cells had held before, as
// recorded; and what each cell ended with, against the last transfer into it.
void verify_landed(const Trace& trace, const Plan& plan, Verification& verification);

// The kept elements of the results, against the reference from the recorded inputs; and the
// recorded verdict against that.
void verify_results(const Trace& trace, Verification& verification);
// How far a run with a wire type is from full precision, as far as its results were kept.
void verify_wire_cost(const Trace& trace, Verification& verification);

}  // namespace ringscope
