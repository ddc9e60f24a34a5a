#include "core/trace/trace_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/data/wire.h"
#include "core/schedule/check.h"
#include "core/schedule/opaque.h"

namespace ringscope {
namespace {

using Place = std::optional<std::string>;

constexpr std::uint64_t most_elements = std::uint64_t{1} << 56;  // their bytes fit 64 bits
constexpr std::int64_t latest_time = std::int64_t{1} << 53;      // nanoseconds: 104 days
constexpr std::int64_t latest_date = 253'402'300'799;            // seconds: the end of year 9999

// Every cell of a real trace costs bytes in the file, but for empty ones, and is written a few
// times; only transfers of one cell each may write it often. So what is derived from a trace is not
// much larger than the trace.
constexpr std::uint64_t cells_without_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t moves_a_cell = 8;

bool is_time(std::int64_t nanoseconds) { return nanoseconds >= 0 && nanoseconds <= latest_time; }

Place in_schedule(const Schedule& schedule, std::uint64_t payload_bytes) {
  if (schedule.count > most_elements) return "schedule.count";
  const std::vector<Problem> problems = check_numbers(schedule, 1);
  if (!problems.empty() && problems[0].transfer >= 0)
    return fmt::format("schedule.transfers[{}]", problems[0].transfer);
  if (!problems.empty()) return "schedule";
  const auto cells = static_cast<std::uint64_t>(cells_per_rank(schedule)) *
                     static_cast<std::uint64_t>(schedule.ranks);
  if (cells > payload_bytes + cells_without_bytes) return "schedule.slices";
  std::uint64_t moves = 0;
  for (const Transfer& transfer : schedule.transfers)
    moves += static_cast<std::uint64_t>(transfer.cell_count);
  if (moves > moves_a_cell * (cells + schedule.transfers.size())) return "schedule.transfers";
  return std::nullopt;
}

Place in_trouble(const Trouble& trouble, const Schedule& schedule) {
  const auto is_rank = [&](std::int32_t rank) { return rank >= 0 && rank < schedule.ranks; };
  for (std::size_t i = 0; i < trouble.late.size(); ++i)
    if (!is_rank(trouble.late[i].rank) || !is_time(trouble.late[i].nanoseconds))
      return fmt::format("run.late[{}]", i);
  for (std::size_t i = 0; i < trouble.delays.size(); ++i) {
    const Delay& delay = trouble.delays[i];
    if ((delay.src != -1 && !is_rank(delay.src)) || !is_rank(delay.dst) ||
        !is_time(delay.nanoseconds))
      return fmt::format("run.delays[{}]", i);
  }
  for (std::size_t i = 0; i < trouble.deaths.size(); ++i) {
    const Die& death = trouble.deaths[i];
    if (!is_rank(death.rank) || death.round < 0 || death.round >= rounds_of(schedule))
      return fmt::format("run.deaths[{}]", i);
  }
  return std::nullopt;
}

Place in_run(const RunFacts& run, const Schedule& schedule) {
  if (static_cast<std::size_t>(run.type) >= element_types.size()) return "run.type";
  if (static_cast<std::size_t>(run.op) >= operator_names.size()) return "run.op";
  if (run.data > DataKind::file) return "run.data";
  if (run.data_version < 1) return "run.data_version";
  if (run.repeats < 1) return "run.repeats";
  if (!is_time(run.pace.latency) || (run.pace.bytes_per_second == 0 && run.pace.latency != 0))
    return "run.port_latency";
  if (run.pace_reached > run.pace.bytes_per_second) return "run.port_reached";
  if (run.user_type && (*run.user_type != type_before_wire || !is_wire_type(run.type)))
    return "run.user_type";
  return in_trouble(run.trouble, schedule);
}

Place in_provenance(const Provenance& where, const Schedule& schedule) {
  if (where.cores < 0) return "where.cores";
  if (where.recorded_at < 0 || where.recorded_at > latest_date) return "where.recorded_at";
  if (where.devices.size() > 1 && where.devices.size() != static_cast<std::size_t>(schedule.ranks))
    return "where.devices";
  for (std::size_t i = 0; i < where.links.size(); ++i) {
    const DeviceLink& link = where.links[i];
    const bool ranks =
        link.src >= 0 && link.src < schedule.ranks && link.dst >= 0 && link.dst < schedule.ranks;
    if (!ranks || link.path > LinkPath::through_host) return fmt::format("where.links[{}]", i);
  }
  if (!is_time(where.clock.resolution) || !is_time(where.clock.uncertainty)) return "where.clock";
  return std::nullopt;
}

Place in_events(const Trace& trace) {
  if (trace.events.size() != trace.schedule.transfers.size()) return "events";
  if (!is_time(trace.nanoseconds)) return "nanoseconds";
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const Event& event = trace.events[i];
    const bool times = is_time(event.waited_from) && is_time(event.delayed) &&
                       is_time(event.move_begun) && is_time(event.move_landed) &&
                       is_time(event.reduce_begun) && is_time(event.reduce_landed);
    const bool lane = event.lane >= 0 && event.lane < trace.schedule.ranks;
    if (!times || !lane || event.fused > 1 || event.done > 1) return fmt::format("events[{}]", i);
  }
  return std::nullopt;
}

Place in_values(const Trace& trace) {
  const Values& values = trace.values;
  const Schedule& schedule = trace.schedule;
  if (values.kept > Kept::ends_only) return "values.kept";
  if (values.kept < kept_for(schedule, trace.run.type)) return "values.kept";
  const ValueLayout layout(schedule, trace.run.type, values.kept);
  const std::uint64_t ends = layout.rank_bytes() * static_cast<std::uint64_t>(schedule.ranks);
  if (values.inputs.size() != ends) return "values.inputs";
  if (values.results.size() != ends) return "values.results";
  if (values.landed.size() != layout.landed_bytes()) return "values.landed";
  return std::nullopt;
}

Place in_verdict(const Verdict& verdict) {
  if (verdict.outcome > Verdict::Outcome::not_checked) return "verdict.outcome";
  if (verdict.outcome == Verdict::Outcome::failed && !verdict.failure) return "verdict.failure";
  return std::nullopt;
}

// Each whole run with a wire type has its cost, and no other has one.
Place in_wire_cost(const Trace& trace) {
  if (trace.wire_cost.has_value() != (trace.run.user_type && !trace.stopped)) return "wire_cost";
  if (!trace.wire_cost) return std::nullopt;
  for (const double size : {trace.wire_cost->largest_error, trace.wire_cost->largest_relative_error,
                            trace.wire_cost->largest_result})
    if (!(size >= 0)) return "wire_cost";
  return std::nullopt;
}

// An all-reduce that shows no transfers has none, and times; and no other has such.
Place in_opaque(const Trace& trace) {
  const Schedule& schedule = trace.schedule;
  if (trace.opaque.has_value() != is_opaque(schedule)) return "opaque";
  if (!trace.opaque) return std::nullopt;
  if (schedule != make_opaque({.ranks = schedule.ranks, .count = schedule.count}))
    return "schedule";
  const std::vector<std::int64_t>& times = trace.opaque->rank_times;
  const bool sizes = times.size() == static_cast<std::size_t>(trace.run.repeats) *
                                         static_cast<std::size_t>(schedule.ranks);
  if (trace.stopped || !sizes || !std::ranges::all_of(times, is_time)) return "opaque.rank_times";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> contradiction(const Trace& trace, std::uint64_t payload_bytes) {
  if (auto place = in_schedule(trace.schedule, payload_bytes)) return place;
  if (auto place = in_run(trace.run, trace.schedule)) return place;
  if (auto place = in_provenance(trace.where, trace.schedule)) return place;
  if (auto place = in_events(trace)) return place;
  if (auto place = in_values(trace)) return place;
  if (auto place = in_verdict(trace.verdict)) return place;
  if (auto place = in_wire_cost(trace)) return place;
  return in_opaque(trace);
}

}  // namespace ringscope
