// What lanes took down on their devices, as events of a record.
#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "core/engine/cuda_clock.h"
#include "core/engine/cuda_memory.h"
#include "core/trace/recorder.h"

namespace ringscope {

// One lane's, in the host's memory.
struct LaneRecord {
  std::vector<PartStamp> stamps;  // [part of the lane], and the lane's own last
  std::vector<std::byte> kept;
};
// Waits for the rank's stream. Throws Error.
LaneRecord read_lane(const RankMemory& rank);

// clocks[lane] is that of its device, from the common start. Records every part that has landed,
// where there is a recorder, and returns the last landing.
std::chrono::nanoseconds record_lanes(const Job& job, const KeptLayout& kept,
                                      const std::vector<LaneRecord>& lanes,
                                      const std::vector<ClockMap>& clocks, Recorder* recorder);

// Of devices, each once; `resolution` is the coarsest.
ClockFacts clock_facts(std::span<const ClockMap> devices, std::int64_t resolution);

}  // namespace ringscope
