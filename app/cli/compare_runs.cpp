#include "app/cli/compare_runs.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

namespace ringscope {
namespace {

bool starts_full(const Schedule& schedule) {
  for (std::size_t i = 0; i < schedule.initial.size(); ++i)
    if (schedule.initial[i] != static_cast<std::int32_t>(i) / schedule.chunks) return false;
  return true;
}

// The reduced buffer as a whole, each chunk from the first rank that is to have it.
class ReducedBuffer {
 public:
  void add(const Schedule& schedule, std::int32_t rank, std::span<const std::byte> result) {
    if (!starts_full(schedule)) return;
    const std::size_t element = schedule.count == 0 ? 1 : result.size() / schedule.count;
    bytes_.resize(result.size());
    known_.resize(static_cast<std::size_t>(schedule.chunks), false);
    for (std::int32_t chunk = 0; chunk < schedule.chunks; ++chunk) {
      const auto at = static_cast<std::size_t>(chunk);
      if (known_[at] ||
          schedule.goal[static_cast<std::size_t>(rank * schedule.chunks + chunk)] != everyone)
        continue;
      known_[at] = true;
      const Extent extent = chunk_extent(schedule, chunk);
      const auto from = result.subspan(extent.first * element, extent.count * element);
      std::copy(from.begin(), from.end(),
                bytes_.begin() + static_cast<std::ptrdiff_t>(extent.first * element));
    }
  }
  bool is_whole() const {
    return !known_.empty() && std::find(known_.begin(), known_.end(), false) == known_.end();
  }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
  std::vector<bool> known_;  // [chunk]
};

// The repeats of one run.
struct Attempts {
  std::vector<Trace> traces;
  std::optional<Differences> differences;

  bool stopped() const { return !traces.empty() && traces.back().stopped.has_value(); }
};

// Those of the repeat in which they are largest.
void keep_larger(std::optional<Differences>& kept, const Differences& found) {
  const auto weight = [](const Differences& differences) {
    return std::tuple(differences.not_a_number, differences.largest_ulps, differences.differing);
  };
  if (!kept || weight(found) > weight(*kept)) kept = found;
}

Trace median_of(Attempts&& attempts) {
  const auto repeats = static_cast<std::int32_t>(attempts.traces.size());
  if (attempts.stopped()) {
    attempts.traces.back().run.repeats = repeats;
    return std::move(attempts.traces.back());
  }
  std::vector<std::int64_t> rank_times;
  for (const Trace& trace : attempts.traces)
    if (trace.opaque)
      rank_times.insert(rank_times.end(), trace.opaque->rank_times.begin(),
                        trace.opaque->rank_times.end());
  // The lower median, so that it is a run that there was.
  const auto middle = attempts.traces.begin() + (repeats - 1) / 2;
  std::nth_element(attempts.traces.begin(), middle, attempts.traces.end(),
                   [](const Trace& a, const Trace& b) { return a.nanoseconds < b.nanoseconds; });
  middle->run.repeats = repeats;
  if (middle->opaque) middle->opaque->rank_times = std::move(rank_times);
  return std::move(*middle);
}

}  // namespace

CompareResult compare_runs(const CompareRequest& request) {
  std::vector<Attempts> all(request.runs.size());
  ReducedBuffer first;
  CompareResult outcome;
  const auto run = [&](std::size_t i) {
    RunSettings settings = request.runs[i];
    settings.repeats = 1;
    ReducedBuffer own;
    RunHooks hooks;
    hooks.stop = request.stop;
    hooks.progress = [&](RunStage stage, double fraction) {
      if (request.progress) request.progress(settings, stage, fraction);
    };
    hooks.result = [&](const Schedule& schedule, std::int32_t rank,
                       std::span<const std::byte> result) { own.add(schedule, rank, result); };
    all[i].traces.push_back(record(settings, hooks));
    if (!own.is_whole()) return;
    if (i == 0 && !first.is_whole()) first = std::move(own);
    if (i == 0 || !first.is_whole()) return;
    Differences differences;
    add_differences(all[i].traces.back().run.type, 0, 0, first.bytes(), own.bytes(), differences);
    keep_larger(all[i].differences, differences);
  };
  try {
    for (int repeat = 0; repeat < request.repeats; ++repeat)
      for (std::size_t i = 0; i < request.runs.size(); ++i)
        if (!all[i].stopped()) run(i);
  } catch (const Error& error) {
    if (error.message().id != "error.run.cancelled") throw;
    outcome.cancelled = true;
  }
  for (Attempts& attempts : all) {
    if (attempts.traces.empty()) continue;
    std::optional<Differences> differences = attempts.differences;
    outcome.traces.push_back({median_of(std::move(attempts)), differences});
  }
  return outcome;
}

std::vector<ComparedTrace> compare_records(std::vector<Trace> traces) {
  std::vector<ComparedTrace> compared;
  for (Trace& trace : traces) compared.push_back({std::move(trace)});
  for (std::size_t i = 1; i < compared.size(); ++i) {
    const Trace &first = compared.front().trace, &other = compared[i].trace;
    require_same_data(first, other);
    if (!first.stopped && !other.stopped) compared[i].differences = differences_of(first, other);
  }
  return compared;
}

bool is_all_reduce(const Schedule& schedule) {
  const bool everywhere = std::all_of(schedule.goal.begin(), schedule.goal.end(),
                                      [](std::int32_t goal) { return goal == everyone; });
  return everywhere && starts_full(schedule);
}

std::vector<std::string> all_reduces() {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) {
    if (is_all_reduce(algorithm.make({.ranks = 2, .count = 2}))) names.emplace_back(algorithm.name);
  }
  return names;
}

}  // namespace ringscope
