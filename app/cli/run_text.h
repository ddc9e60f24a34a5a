// A run in words: the line that `ringscope record` prints, and its JSON. Pure.
#pragma once

#include <string>
#include <vector>

#include "app/cli/output.h"
#include "core/language/language.h"
#include "core/trace/trace.h"

namespace ringscope {

// The most bytes that one rank sends and the least; equal where all send the same.
struct SentBytes {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};
SentBytes sent_bytes(const Trace& trace);

// 'Ring all-reduce, 4 ranks: 6 rounds, 24 B a rank, 31.2 µs, algbw 513 kB/s, busbw 769 kB/s;
// verified', and behind it what was out of the ordinary (run_notes). A partial record says how far
// it got instead.
std::string run_line(const Trace& trace, const Language& language);

// '3 from GPU to GPU (1 -> 2, 2 -> 3, 3 -> 0), 1 through the host (0 -> 1)'; empty on a CPU.
std::string links_text(const Trace& trace, const Language& language);

// 'root GPU 2', 'groups 3, 1': of algorithms that have them; a wire type and what it cost.
std::vector<std::string> shape_notes(const Trace& trace, const Language& language);

// What a wire type made infinite.
std::vector<std::string> overflow_notes(const WireCost& cost, const Language& language);

// Other data than digits, in place, lockstep, paced ports, trouble that was made, the median of how
// many runs, what wrapped or left the range.
std::vector<std::string> run_notes(const Trace& trace, const Language& language);

// 'verified', 'wrong', 'not checked', as people read it.
std::string verdict_text(const Verdict& verdict, const Language& language);

Json run_json(const Trace& trace, const Language& language);

}  // namespace ringscope
