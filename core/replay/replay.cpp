#include "core/replay/replay.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "core/replay/contradictions.h"
#include "core/replay/term_counts.h"

namespace ringscope {
namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

bool is_done(const Trace& trace, std::uint32_t t) {
  return t < trace.events.size() && trace.events[t].done != 0;
}

std::vector<std::uint32_t> done_by_round(const Trace& trace) {
  std::vector<std::uint32_t> done;
  done.reserve(trace.schedule.transfers.size());
  for (std::uint32_t t = 0; t < trace.schedule.transfers.size(); ++t)
    if (is_done(trace, t)) done.push_back(t);
  return done;
}

// [part]. A lane does one part after the other, so a landing before that of its predecessor is
// wrong; it is told as a contradiction, and here taken as late as that.
std::vector<std::int64_t> landings_of_parts(const Trace& trace, const Plan& plan) {
  std::vector<std::int64_t> landings(plan.parts.size());
  for (std::size_t lane = 0; lane + 1 < plan.lane_starts.size(); ++lane) {
    std::int64_t latest = 0;
    for (std::uint32_t part = plan.lane_starts[lane]; part < plan.lane_starts[lane + 1]; ++part) {
      const std::uint32_t t = plan.parts[part].transfer;
      std::int64_t landed = never;
      if (is_done(trace, t))
        landed = plan.parts[part].kind == PartKind::move ? trace.events[t].move_landed
                                                         : trace.events[t].reduce_landed;
      landings[part] = latest = std::max(latest, landed);
    }
  }
  return landings;
}

std::vector<std::uint32_t> done_by_landing(const Plan& plan,
                                           const std::vector<std::int64_t>& landings) {
  std::vector<std::pair<std::int64_t, std::uint32_t>> order;  // landing, transfer
  order.reserve(plan.last_part.size());
  for (std::uint32_t t = 0; t < plan.last_part.size(); ++t)
    if (landings[plan.last_part[t]] != never) order.emplace_back(landings[plan.last_part[t]], t);
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> transfers;
  transfers.reserve(order.size());
  for (const auto& [landing, t] : order) transfers.push_back(t);
  return transfers;
}

// [chunk]: how many different contributors it has over all ranks at the start.
std::vector<std::uint32_t> count_contributors(const Schedule& schedule) {
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(schedule.chunks), 0);
  std::vector<bool> seen(static_cast<std::size_t>(schedule.ranks));
  for (std::size_t chunk = 0; chunk < counts.size(); ++chunk) {
    seen.assign(seen.size(), false);
    for (std::size_t i = chunk; i < schedule.initial.size(); i += counts.size())
      if (schedule.initial[i] != nothing)
        seen[static_cast<std::size_t>(schedule.initial[i])] = true;
    counts[chunk] = static_cast<std::uint32_t>(std::count(seen.begin(), seen.end(), true));
  }
  return counts;
}

double clamped(double fraction) { return fraction >= 0 ? std::min(fraction, 1.0) : 0.0; }

}  // namespace

Beat beat_of(const Cursor& cursor) {
  if (cursor.round <= 0 || cursor.fraction >= 1) return Beat::after;
  return cursor.fraction > 0 ? Beat::moving : Beat::before;
}

Replay::Replay(const Trace& trace)
    : trace_(trace),
      plan_(make_plan(trace.schedule, trace.run.lockstep)),
      rounds_(rounds_of(trace.schedule)),
      layout_(trace.schedule, trace.run.type, trace.values.kept),
      accesses_(trace.schedule),
      round_starts_(round_starts(trace.schedule)),
      landed_of_part_(landings_of_parts(trace, plan_)),
      rounds_history_(trace.schedule, done_by_round(trace)),
      time_history_(trace.schedule, done_by_landing(plan_, landed_of_part_)),
      contributors_of_(count_contributors(trace.schedule)),
      terms_after_(count_terms(trace)),
      times_(time_spent(trace, plan_)),
      contradictions_(find_contradictions(trace, plan_, landed_of_part_)) {
  for (const std::uint32_t t : time_history_.sequence())
    landing_times_.push_back(landed_of_part_[plan_.last_part[t]]);
  end_ = std::max(trace.nanoseconds, landing_times_.empty() ? 0 : landing_times_.back());

  landed_by_round_.assign(round_starts_.size(), 0);
  for (const std::uint32_t t : rounds_history_.sequence())
    ++landed_by_round_[static_cast<std::size_t>(trace.schedule.transfers[t].round) + 1];
  for (std::size_t i = 1; i < landed_by_round_.size(); ++i)
    landed_by_round_[i] += landed_by_round_[i - 1];

  for (const Traffic& traffic : traffic_by_rank(trace.schedule)) to_send_.push_back(traffic.sent);
}

ReplayState Replay::at(Cursor cursor) const {
  ReplayState state;
  state.cursor.round = std::clamp(cursor.round, 0, rounds_);
  state.cursor.fraction = state.cursor.round == 0 ? 1 : clamped(cursor.fraction);
  state.last_writer = rounds_history_.last_writers(landings(state));
  const Beat beat = beat_of(state.cursor);
  if (state.cursor.round == 0 || beat == Beat::before) return state;
  const auto round = static_cast<std::size_t>(state.cursor.round - 1);
  for (std::uint32_t t = round_starts_[round]; t < round_starts_[round + 1]; ++t) {
    if (!is_done(trace_, t)) continue;
    if (beat == Beat::after)
      state.changed.push_back(t);
    else
      state.moving.push_back({t, state.cursor.fraction});
  }
  return state;
}

ReplayState Replay::at_time(std::int64_t nanoseconds) const {
  ReplayState state;
  state.measured = true;
  state.nanoseconds = std::clamp<std::int64_t>(nanoseconds, 0, end_);
  state.last_writer = time_history_.last_writers(landings(state));
  Positions positions;
  for (std::int32_t lane = 0; lane < plan_.lanes; ++lane) {
    positions.of_lane.push_back(lane_position(lane, state.nanoseconds));
    add_moving(state, positions.of_lane.back(), lane);
  }
  std::sort(state.moving.begin(), state.moving.end(),
            [](const Motion& a, const Motion& b) { return a.transfer < b.transfer; });
  for (std::int32_t lane = 0; lane < plan_.lanes; ++lane)
    if (const std::optional<Wait> wait = wait_of(state, positions, lane))
      state.waits.push_back(*wait);
  return state;
}

std::size_t Replay::landings(const ReplayState& state) const {
  if (state.measured) {
    const auto end =
        std::upper_bound(landing_times_.begin(), landing_times_.end(), state.nanoseconds);
    return static_cast<std::size_t>(end - landing_times_.begin());
  }
  const bool landed = state.cursor.round > 0 && beat_of(state.cursor) == Beat::after;
  return landed_by_round_[static_cast<std::size_t>(landed ? state.cursor.round
                                                          : std::max(state.cursor.round - 1, 0))];
}

std::uint32_t Replay::lane_position(std::int32_t lane, std::int64_t nanoseconds) const {
  const auto at = static_cast<std::size_t>(lane);
  const auto landed =
      std::span(landed_of_part_)
          .subspan(plan_.lane_starts[at], plan_.lane_starts[at + 1] - plan_.lane_starts[at]);
  const auto end = std::upper_bound(landed.begin(), landed.end(), nanoseconds);
  return plan_.lane_starts[at] + static_cast<std::uint32_t>(end - landed.begin());
}

// What is on its way to the lane, or in its staging buffer.
void Replay::add_moving(ReplayState& state, std::uint32_t position, std::int32_t lane) const {
  const auto transfer_of = [&](std::uint32_t part) -> const Transfer& {
    return trace_.schedule.transfers[plan_.parts[part].transfer];
  };
  if (position < plan_.lane_starts[static_cast<std::size_t>(lane) + 1] &&
      plan_.parts[position].kind != PartKind::finish) {
    const std::uint32_t t = plan_.parts[position].transfer;
    if (is_done(trace_, t) && trace_.events[t].move_begun <= state.nanoseconds) {
      const Event& event = trace_.events[t];
      const auto since = static_cast<double>(state.nanoseconds - event.move_begun);
      const auto length = static_cast<double>(event.move_landed - event.move_begun);
      state.moving.push_back({t, length > 0 ? clamped(since / length) : 1.0});
    }
  }
  // Staged parts stand first among those of their slice and round, so that is as far back as one
  // can wait.
  for (std::uint32_t part = position; part > plan_.lane_starts[static_cast<std::size_t>(lane)];) {
    --part;
    const std::uint32_t t = plan_.parts[part].transfer;
    if (position < plan_.parts.size() && (transfer_of(part).round != transfer_of(position).round ||
                                          transfer_of(part).slice != transfer_of(position).slice))
      break;
    if (plan_.parts[part].kind == PartKind::fused) break;
    if (plan_.parts[part].kind == PartKind::move && plan_.last_part[t] >= position &&
        is_done(trace_, t))
      state.moving.push_back({t, 1.0});
  }
}

std::optional<Wait> Replay::wait_of(const ReplayState& state, Positions& positions,
                                    std::int32_t lane) const {
  const auto at = static_cast<std::size_t>(lane);
  const std::uint32_t part = positions.of_lane[at];
  if (part == plan_.lane_starts[at + 1]) return std::nullopt;
  const std::uint32_t t = plan_.parts[part].transfer;
  const bool first = part == plan_.lane_starts[at];
  const bool done = is_done(trace_, t);
  const bool finish = plan_.parts[part].kind == PartKind::finish;
  const std::int64_t since = first ? 0 : landed_of_part_[part - 1];
  const std::int64_t begun = !done    ? never
                             : finish ? trace_.events[t].reduce_begun
                                      : trace_.events[t].move_begun;
  if (begun <= state.nanoseconds) return std::nullopt;

  if (first)
    for (const Late& late : trace_.run.trouble.late)
      if (late.rank == lane && state.nanoseconds < late.nanoseconds) return Wait{lane, -1, t, 0};
  std::optional<std::uint32_t> awaited;  // the last to land of those that it still waits for
  for (const std::uint32_t other : plan_.depends_of(part))
    if (landed_of_part_[other] > state.nanoseconds &&
        (!awaited || landed_of_part_[other] > landed_of_part_[*awaited]))
      awaited = other;
  if (awaited) return Wait{lane, plan_.parts[*awaited].lane, t, since};
  if (trace_.run.lockstep) {
    const std::int32_t slowest = last_before(state, positions, trace_.schedule.transfers[t].round);
    if (slowest >= 0) return Wait{lane, slowest, t, since};
  }
  if (done && !finish && trace_.events[t].delayed > 0)
    return Wait{lane, -1, t, std::max(since, begun - trace_.events[t].delayed)};
  return std::nullopt;
}

// Of the lanes that are behind a round the last to get there.
std::int32_t Replay::last_before(const ReplayState& state, Positions& positions,
                                 std::int32_t round) const {
  const auto [found, is_new] = positions.last_before.try_emplace(round, -1);
  if (!is_new) return found->second;
  std::int64_t latest = state.nanoseconds;
  for (std::int32_t lane = 0; lane < plan_.lanes; ++lane) {
    const auto at = static_cast<std::size_t>(lane);
    std::int64_t landed = 0;
    for (std::uint32_t part = positions.of_lane[at]; part < plan_.lane_starts[at + 1]; ++part) {
      if (trace_.schedule.transfers[plan_.parts[part].transfer].round >= round) break;
      landed = landed_of_part_[part];
    }
    if (landed <= latest) continue;
    latest = landed;
    found->second = lane;
  }
  return found->second;
}

std::vector<std::uint32_t> Replay::transfers_of_round(std::int32_t round) const {
  std::vector<std::uint32_t> transfers;
  if (round < 0 || round >= rounds_) return transfers;
  const auto at = static_cast<std::size_t>(round);
  for (std::uint32_t t = round_starts_[at]; t < round_starts_[at + 1]; ++t) transfers.push_back(t);
  return transfers;
}

bool Replay::has_landed(const ReplayState& state, std::uint32_t t) const {
  if (!is_done(trace_, t)) return false;
  if (state.measured) return landed_of_part_[plan_.last_part[t]] <= state.nanoseconds;
  const std::int32_t round = trace_.schedule.transfers[t].round + 1;
  return round < state.cursor.round ||
         (round == state.cursor.round && beat_of(state.cursor) == Beat::after);
}

std::vector<Replay::Sent> Replay::received(const ReplayState& state) const {
  const Schedule& schedule = trace_.schedule;
  std::vector<Sent> received(static_cast<std::size_t>(schedule.ranks));
  for (std::uint32_t t = 0; t < schedule.transfers.size(); ++t) {
    const std::uint64_t elements = transfer_extent(schedule, schedule.transfers[t]).count;
    Sent& own = received[static_cast<std::size_t>(schedule.transfers[t].dst)];
    own.total += elements;
    if (has_landed(state, t)) own.landed += elements;
  }
  for (const Motion& motion : state.moving) {
    const Transfer& transfer = schedule.transfers[motion.transfer];
    received[static_cast<std::size_t>(transfer.dst)].moving +=
        transfer_extent(schedule, transfer).count;
  }
  return received;
}

std::vector<Replay::Sent> Replay::sent(const ReplayState& state) const {
  const History& history = state.measured ? time_history_ : rounds_history_;
  const std::vector<std::uint64_t> landed = history.elements_sent(landings(state));
  std::vector<Sent> sent(landed.size());
  for (std::size_t rank = 0; rank < sent.size(); ++rank)
    sent[rank] = {landed[rank], 0, to_send_[rank]};
  for (const Motion& motion : state.moving) {
    const Transfer& transfer = trace_.schedule.transfers[motion.transfer];
    sent[static_cast<std::size_t>(transfer.src)].moving +=
        transfer_extent(trace_.schedule, transfer).count;
  }
  return sent;
}

}  // namespace ringscope
