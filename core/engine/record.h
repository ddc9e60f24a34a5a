// From what a user asks for to a trace: schedule, check, buffers, inputs, warm-up, the run, the
// verdict. Used by the command line, the window and the tests alike.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/trouble.h"
#include "core/trace/recorder.h"
#include "core/trace/trace.h"

namespace ringscope {

// A person's choices; what is left open is chosen by record().
struct RunSettings {
  std::string algorithm = "ring";
  std::optional<int> ranks;            // not said: the file's, else 4
  std::optional<std::uint64_t> count;  // elements a rank; not said: the file's, else the ranks
  std::optional<ElementType> type;     // not said: the file's, else f32
  std::optional<ElementType> wire;     // f16 or bf16: f32 data are sent as that
  std::optional<Operator> op;          // not said: sum, where the algorithm has an operator
  std::string engine = "host";
  std::vector<std::int32_t> devices;  // GPUs, as in EngineRequest
  std::optional<DataKind> data;       // not said: default_data(), or the file
  std::uint64_t seed = 1;
  std::string input_file;  // a .npy file; what is said beside it must agree with it
  bool in_place = false;
  std::optional<int> slices;  // not said: the engine's choice
  // Of those algorithms that have it, as in ScheduleRequest.
  std::vector<std::int32_t> order;
  std::optional<std::int32_t> root;
  std::vector<std::int32_t> groups;
  bool lockstep = false;
  std::vector<std::string> late;    // '2:120us'
  std::vector<std::string> delays;  // '2:5ms', '1-2:5ms'
  std::vector<std::string> deaths;  // '2@1.2'
  std::string port;                 // '500MB/s'; empty: not paced
  std::string latency;              // '5us', of paced ports
  int repeats = 1;
  std::chrono::nanoseconds timeout = std::chrono::seconds(10);
};

enum class RunStage { preparing, filling, warming_up, running, verifying };

struct RunHooks {
  std::stop_token stop;  // cancel: throws Error 'error.run.cancelled'
  std::function<void(RunStage, double fraction)>
      progress;  // from the calling thread, 0..1 within the stage
  // Each rank's whole result, rank after rank, of a run that came to its end.
  std::function<void(const Schedule&, std::int32_t rank, std::span<const std::byte>)> result;
  Clock clock = Clock::steady;
};

// Why the engine that is asked for can't run it; nothing where it can. Throws Error (usage) where
// the settings make no sense.
std::optional<Message> why_not(const RunSettings& settings);

// Runs it for real. Throws Error where nothing was run (wrong settings, too little memory, no such
// engine, cancelled). A run that failed half-way comes back as a partial trace that says so in
// Trace::stopped.
Trace record(const RunSettings& settings, const RunHooks& hooks = {});

}  // namespace ringscope
