// The options of the subcommands that run an all-reduce for real, and what they mean.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/options.h"
#include "core/engine/record.h"

namespace ringscope {

// What stands on the line; what a text holds before is the default.
struct RunOptions {
  std::string ranks, count, type, wire, op, engine = "host", devices;
  std::string data, seed = "1", input, slices = "auto", order, root, groups;
  std::string repeats = "1", timeout = "10s";
  std::string port, latency;
  std::vector<std::string> late, delay;
  bool in_place = false, lockstep = false;

  bool operator==(const RunOptions&) const = default;
};

void add_run_options(Options& options, RunOptions& target);

// Throws Error (usage) for what can't be read; whether it makes sense together is record()'s to
// say. The algorithm is left as it is by default.
RunSettings run_settings_of(const RunOptions& options);

// The names of the table of algorithms.
std::vector<std::string_view> algorithm_names();

// The id of the text that says what a run is at.
std::string progress_text(RunStage stage);

}  // namespace ringscope
