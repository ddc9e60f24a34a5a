// What `ringscope bench` measures: the ring on the host engine against the limit that memory sets,
// and what recording costs.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/copy_limit.h"

namespace ringscope {

struct BenchRequest {
  int ranks = 4;
  std::vector<std::uint64_t> sizes;  // bytes of one rank's buffer; empty: 1 KiB to 256 MiB
  int repeats = 7;
  std::function<void(double fraction)> progress;  // 0..1, from the calling thread
  std::stop_token stop;
};

// One size, f32 sum, out of place; recording on or off.
struct BenchRow {
  std::string algorithm;
  int ranks = 0;
  std::uint64_t bytes = 0;  // of one rank's buffer
  bool recording = false;
  double seconds = 0;      // median
  double algbw = 0;        // bytes / second
  double busbw = 0;        // algbw * 2(N-1)/N
  double limit_share = 0;  // copy time / all-reduce time
};

// One size: the limit, and what recording costs.
struct BenchSize {
  std::uint64_t bytes = 0;
  CopyTimes copies;          // medians, of ranks * bytes
  std::uint64_t events = 0;  // of one run
  double event_share = 0;    // events * price of an event / time with recording on
};

struct BenchResult {
  std::vector<BenchRow> rows;  // by size, recording off and on
  std::vector<BenchSize> sizes;
  double event_seconds = 0;  // the measured price of one event
};

// Throws Error where it can't be run (no ranks, too little memory, cancelled).
BenchResult run_bench(const BenchRequest& request);

}  // namespace ringscope
