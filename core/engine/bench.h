// What `ringscope bench` measures: algorithms on an engine, recording off and on; on the host
// engine against the limit that memory sets, with the price of recording.
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
  std::vector<std::string> algorithms{"ring"};  // 'all' is the whole table
  int ranks = 4;
  std::string engine = "host";
  std::vector<std::int32_t> devices;  // GPUs, as in EngineRequest
  // Bytes of one rank's buffer, whole f32 elements; empty: 1 KiB to 256 MiB.
  std::vector<std::uint64_t> sizes;
  int repeats = 7;
  std::function<void(double fraction)> progress;  // 0..1, from the calling thread
  std::stop_token stop;
};

// One algorithm and size, f32 sum, out of place; recording on or off.
struct BenchRow {
  std::string algorithm;
  int ranks = 0;
  std::uint64_t bytes = 0;  // of one rank's buffer
  bool recording = false;
  double seconds = 0;        // median
  double algbw = 0;          // bytes / second
  double busbw = 0;          // algbw times the collective's factor (trace.h)
  double limit_share = 0;    // copy time / this time; 0 where nothing is sent, or no limit is known
  std::uint64_t events = 0;  // of one run
  double event_share = 0;    // recording on: events * price of an event / this time
};

// One size: the limit.
struct BenchSize {
  std::uint64_t bytes = 0;
  CopyTimes copies;  // medians, of ranks * bytes
};

struct BenchResult {
  std::vector<BenchRow> rows;  // by size, then algorithm, recording off and, where it can be, on
  // On the host engine only, which is the one whose limit is measured here.
  std::vector<BenchSize> sizes;
  double event_seconds = 0;  // the measured price of one event
};

// Throws Error where it can't be run (no such algorithm or engine, an engine that can't run here,
// no ranks, half an element, too little memory, cancelled).
BenchResult run_bench(const BenchRequest& request);

}  // namespace ringscope
