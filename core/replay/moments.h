// What links the two clocks of a replay: when each round had landed as measured, and where a step
// on the measured clock stops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/trace.h"

namespace ringscope {

// A phase as recorded, in nanoseconds from the common start: from its first movement to its last
// landing. Phases may overlap. Equal where nothing of it happened.
struct PhaseSpan {
  std::int64_t from = 0;
  std::int64_t to = 0;

  bool operator==(const PhaseSpan&) const = default;
};

struct Moments {
  std::int64_t end = 0;  // of the run, in nanoseconds from the common start
  // [round], R + 1: when all up to that round (from 1; 0 is the start) had landed. Never
  // descending; the last is the end.
  std::vector<std::int64_t> landed{0};
  // Ascending, from 0 to the end: where rounds had landed and, of a run in slices, whose rounds
  // all land late, where each slice had gone through all of them. None too near to the next to be
  // told from it.
  std::vector<std::int64_t> stops{0};
  std::vector<PhaseSpan> phases;  // [phase of the schedule]

  bool operator==(const Moments&) const = default;
};

Moments moments_of(const Trace& trace);

// Of several runs that began together: the longest one's end, the rounds of the one that has most,
// the stops of all, no phases. At least one.
Moments joined(std::span<const Moments> runs);

// A place on the clock of rounds (0..R, any fraction) and the time that stands for it: rounds end
// when they had landed, and between two such moments both go evenly. Clamped.
double time_at(const Moments& moments, double position);
double position_at(const Moments& moments, double nanoseconds);

}  // namespace ringscope
