// Several algorithms or engines on the same data, run in turn, and how far their results differ.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/record.h"
#include "core/replay/differences.h"

namespace ringscope {

struct ComparedTrace {
  Trace trace;
  // To the first one's results, over all elements that both reduce: nothing for the first, for a
  // run that stopped, and for what is no reduction of all ranks.
  std::optional<Differences> differences = {};
  std::string file = {};  // where it is, or was, kept
};

struct CompareRequest {
  std::vector<RunSettings> runs;  // their repeats are not looked at
  int repeats = 1;
  std::stop_token stop;
  std::function<void(const RunSettings& run, RunStage stage, double fraction)> progress;
};

struct CompareResult {
  std::vector<ComparedTrace> traces;  // in the order of the request; those that were done
  bool cancelled = false;
};

// One after the other, and that `repeats` times over, so that a machine that slows down meanwhile
// slows all of them. Of each the run of median time is kept, or the one that stopped. Throws Error
// where one can't be run at all.
CompareResult compare_runs(const CompareRequest& request);

// Records as they are: `differences` of the elements that they keep. Throws Error (usage) where the
// data are not the same.
std::vector<ComparedTrace> compare_records(std::vector<Trace> traces);

// Whether it leaves the same at every rank, all ranks' terms in it.
bool is_all_reduce(const Schedule& schedule);
// The names of the algorithms that do.
std::vector<std::string> all_reduces();

}  // namespace ringscope
