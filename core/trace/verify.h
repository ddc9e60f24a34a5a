// What `ringscope verify` does with a trace, from the record alone.
#pragma once

#include <vector>

#include "core/error.h"
#include "core/trace/trace.h"

namespace ringscope {

struct Verification {
  std::vector<Message> checked;    // what was checked and holds, with how much of it
  std::vector<Message> unchecked;  // what could not be, and why
  std::vector<Message> wrong;      // what does not hold; empty: the trace is right
};

// The schedule on contributor sets; each transfer once; nothing begun before what it depends on had
// landed; the recorded values of inputs, of every transfer's landing and of the results, against
// the generator, the arithmetic of the operator (bitwise) and the reference.
Verification verify(const Trace& trace);

}  // namespace ringscope
