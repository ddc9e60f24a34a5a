#include "core/replay/moments.h"

#include <algorithm>

namespace ringscope {
namespace {

// Nearer stops could not be told from one another, neither by eye nor by hand.
constexpr std::int64_t most_stops = 400;

// Sorted, each once, from 0 to the end; of those that are too near to one another the last.
std::vector<std::int64_t> thinned(std::vector<std::int64_t> moments, std::int64_t end) {
  moments.insert(moments.end(), {0, end});
  std::sort(moments.begin(), moments.end());
  const std::int64_t apart = std::max<std::int64_t>(end / most_stops, 1);
  std::vector<std::int64_t> stops{0};
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const bool last = i + 1 == moments.size();
    if (moments[i] - stops.back() < apart && !last) continue;
    if (!last && moments[i + 1] - moments[i] < apart) continue;
    if (moments[i] > stops.back()) stops.push_back(moments[i]);
  }
  return stops;
}

// [group] the last landing of all up to that group, as `group_of` sorts transfers.
template <class GroupOf>
std::vector<std::int64_t> last_landings(const Trace& trace, std::int32_t groups, GroupOf group_of) {
  std::vector<std::int64_t> landed(static_cast<std::size_t>(groups), 0);
  for (std::size_t t = 0; t < std::min(trace.events.size(), trace.schedule.transfers.size()); ++t) {
    if (trace.events[t].done == 0) continue;
    std::int64_t& last = landed[static_cast<std::size_t>(group_of(trace.schedule.transfers[t]))];
    last = std::max({last, trace.events[t].move_landed, trace.events[t].reduce_landed});
  }
  for (std::size_t i = 1; i < landed.size(); ++i) landed[i] = std::max(landed[i], landed[i - 1]);
  return landed;
}

std::vector<PhaseSpan> phase_spans(const Trace& trace) {
  const Schedule& schedule = trace.schedule;
  std::vector<PhaseSpan> spans(schedule.phases.size());
  std::vector<bool> begun(spans.size(), false);
  for (std::size_t t = 0; t < std::min(trace.events.size(), schedule.transfers.size()); ++t) {
    const Event& event = trace.events[t];
    if (event.done == 0) continue;
    const auto phase = static_cast<std::size_t>(phase_of(schedule, schedule.transfers[t].round));
    PhaseSpan& span = spans[phase];
    span.from = begun[phase] ? std::min(span.from, event.move_begun) : event.move_begun;
    span.to = std::max({span.to, event.move_landed, event.reduce_landed});
    begun[phase] = true;
  }
  return spans;
}

}  // namespace

Moments moments_of(const Trace& trace) {
  const Schedule& schedule = trace.schedule;
  Moments moments;
  const std::vector<std::int64_t> rounds = last_landings(
      trace, rounds_of(schedule), [](const Transfer& transfer) { return transfer.round; });
  moments.end = std::max(trace.nanoseconds, rounds.empty() ? 0 : rounds.back());
  moments.landed.insert(moments.landed.end(), rounds.begin(), rounds.end());
  if (!rounds.empty()) moments.landed.back() = moments.end;
  std::vector<std::int64_t> stops = moments.landed;
  if (schedule.slices > 1) {
    const std::vector<std::int64_t> slices = last_landings(
        trace, schedule.slices, [](const Transfer& transfer) { return transfer.slice; });
    stops.insert(stops.end(), slices.begin(), slices.end());
  }
  moments.stops = thinned(std::move(stops), moments.end);
  moments.phases = phase_spans(trace);
  return moments;
}

Moments joined(std::span<const Moments> runs) {
  Moments all;
  std::vector<std::int64_t> stops;
  for (const Moments& run : runs) {
    all.end = std::max(all.end, run.end);
    if (run.landed.size() > all.landed.size()) all.landed = run.landed;
    stops.insert(stops.end(), run.stops.begin(), run.stops.end());
  }
  if (all.landed.size() > 1) all.landed.back() = all.end;
  all.stops = thinned(std::move(stops), all.end);
  return all;
}

double time_at(const Moments& moments, double position) {
  const auto rounds = static_cast<double>(moments.landed.size() - 1);
  position = std::clamp(position, 0.0, rounds);
  const auto before = static_cast<std::size_t>(position);
  const auto from = static_cast<double>(moments.landed[before]);
  if (before + 1 >= moments.landed.size()) return from;
  const auto to = static_cast<double>(moments.landed[before + 1]);
  return from + (to - from) * (position - static_cast<double>(before));
}

double position_at(const Moments& moments, double nanoseconds) {
  const auto next = std::upper_bound(
      moments.landed.begin(), moments.landed.end(), nanoseconds,
      [](double time, std::int64_t landed) { return time < static_cast<double>(landed); });
  const auto round = static_cast<double>(next - moments.landed.begin()) - 1;
  if (next == moments.landed.begin()) return 0;
  if (next == moments.landed.end()) return round;
  const auto from = static_cast<double>(*(next - 1)), to = static_cast<double>(*next);
  return round + (nanoseconds - from) / (to - from);
}

}  // namespace ringscope
