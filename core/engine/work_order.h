// In which order the work of a job is handed to streams, one a lane, and which waits that takes:
// arithmetic only, no call of CUDA.
//
// A stream does its work in order, and a wait for a point of another stream implies all that came
// before that point, there and wherever that stream has waited itself. A wait that is implied so is
// left out; every wait that is left is needed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/engine/job_layout.h"

namespace ringscope {

struct WorkOrder {
  // Each comes after all that it depends on. In a run with trouble only those that are done.
  std::vector<std::uint32_t> parts;
  std::vector<std::uint32_t> wait_starts;  // parts + 1
  std::vector<std::uint32_t> waits;        // the parts on other lanes that are waited for
  std::vector<std::uint8_t> awaited;       // [part]: 1 where some other waits for it
  // By the part before which the lane sleeps, nanoseconds; empty where none does.
  std::vector<std::int64_t> sleeps;  // [part]
  std::vector<std::int64_t> late;    // [lane]
  // What stops the run before its end, were it for ever; the gravest.
  std::optional<Failure> failure;

  std::span<const std::uint32_t> waits_of(std::size_t step) const {
    return std::span(waits).subspan(wait_starts[step], wait_starts[step + 1] - wait_starts[step]);
  }
};

// Late ranks, delays and deaths of the job's trouble are in it; a rank that would sleep for longer
// than the timeout sleeps for that long, and then does nothing more.
WorkOrder order_work(const Job& job);

}  // namespace ringscope
