#include "core/replay/time_spent.h"

#include <algorithm>

#include "core/replay/lane_times.h"

namespace ringscope {
namespace {

std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

// [round]: the part that landed last of all rounds before.
std::vector<std::uint32_t> find_barriers(const LaneTimes& times, std::size_t rounds) {
  std::vector<std::uint32_t> latest(rounds, no_part);  // of the round itself
  const auto later = [&](std::uint32_t a, std::uint32_t b) {
    if (a == no_part || b == no_part) return a == no_part ? b : a;
    return times.landed(b) > times.landed(a) ? b : a;
  };
  for (std::uint32_t part = 0; part < times.plan().parts.size(); ++part) {
    std::uint32_t& of_round = latest[index(times.transfer_of(part).round)];
    if (times.done(part)) of_round = later(of_round, part);
  }
  std::uint32_t before = no_part;
  for (std::uint32_t& part : latest) {
    const std::uint32_t next = later(before, part);
    part = before;
    before = next;
  }
  return latest;
}

// [part]: who had the port out of its source last before it began. (On a busy machine the other may
// land a little later than planned, and than this one begins.)
std::vector<std::uint32_t> find_ports(const LaneTimes& times, std::size_t ranks) {
  std::vector<std::uint32_t> before(times.plan().parts.size(), no_part);
  std::vector<std::vector<std::uint32_t>> by_source(ranks);
  for (std::uint32_t part = 0; part < before.size(); ++part)
    if (times.done(part) && times.plan().parts[part].kind != PartKind::finish)
      by_source[index(times.transfer_of(part).src)].push_back(part);
  for (std::vector<std::uint32_t>& parts : by_source) {
    std::sort(parts.begin(), parts.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(times.begun(a), a) < std::pair(times.begun(b), b);
    });
    for (std::size_t i = 1; i < parts.size(); ++i) before[parts[i]] = parts[i - 1];
  }
  return before;
}

// Cuts a rank's time into pieces; calls body(piece) for each, from the start to the end.
template <class Body>
class Cutting {
 public:
  Cutting(const LaneTimes& times, std::int32_t rank, Body& body)
      : times_(times), rank_(rank), body_(body) {}

  // `copies`: a rank that copies what no transfer brings it, until the end of the run where nothing
  // else took so long.
  void run(bool copies) {
    const Plan& plan = times_.plan();
    const std::uint32_t first = plan.lane_starts[index(rank_)];
    const std::uint32_t end = plan.lane_starts[index(rank_) + 1];
    std::uint32_t part = first;
    up_to(times_.late(rank_), Spent::late);
    up_to(times_.ready(rank_), Spent::copying);
    for (; part < end && times_.done(part); ++part) cut_part(part);
    if (part < end)
      up_to(times_.end(), Spent::stopped, part, times_.missing(part));
    else
      up_to(times_.end(), first == end && copies ? Spent::copying : Spent::ended);
  }

 private:
  void cut_part(std::uint32_t part) {
    const std::int64_t begun = times_.begun(part);
    const std::uint32_t awaited = times_.awaited(part);
    if (awaited != no_part)
      up_to(std::min(times_.landed(awaited), begun), Spent::waiting, part, awaited);
    up_to(begun - times_.delayed(part), Spent::between, part);
    up_to(begun, Spent::delayed, part);
    const Spent work =
        times_.plan().parts[part].kind == PartKind::finish ? Spent::adding : Spent::moving;
    const std::int64_t landed = std::max(at_, times_.landed(part));
    body_(Piece{work, rank_, at_, landed, part, no_part});
    at_ = landed;
  }

  void up_to(std::int64_t time, Spent spent, std::uint32_t part = no_part,
             std::uint32_t awaited = no_part) {
    if (time <= at_) return;
    body_(Piece{spent, rank_, at_, time, part, awaited});
    at_ = time;
  }

  const LaneTimes& times_;
  std::int32_t rank_;
  Body& body_;
  std::int64_t at_ = 0;
};

template <class Body>
void for_each_piece(const LaneTimes& times, std::int32_t rank, bool copies, Body&& body) {
  Cutting<Body>(times, rank, body).run(copies);
}

// From the landing of a part back through whatever had to be over before; calls body(piece) from
// the latest to the earliest, as long as it says true. Where a record contradicts itself, a cause
// may seem to lie after its effect: then it takes no time.
template <class Body>
void follow_back(const LaneTimes& times, std::uint32_t part, Body&& body) {
  std::int64_t at = times.landed(part);
  const auto back_to = [&](std::int64_t time, Spent spent, std::uint32_t of) {
    const std::int64_t from = std::clamp<std::int64_t>(time, 0, at);
    if (from == at) return true;
    const Piece piece{spent, times.rank_of(of), from, at, of, no_part};
    at = from;
    return body(piece);
  };
  for (std::size_t most = times.plan().parts.size(); most > 0; --most) {
    const bool finish = times.plan().parts[part].kind == PartKind::finish;
    if (!back_to(times.begun(part), finish ? Spent::adding : Spent::moving, part)) return;
    std::uint32_t cause = times.cause(part);
    if (cause != no_part && !times.done(cause)) cause = no_part;
    const std::int32_t rank = times.rank_of(part);
    const bool own_start =
        times.is_first(part) && (cause == no_part || times.ready(rank) >= times.landed(cause));
    const std::int64_t since = own_start          ? times.ready(rank)
                               : cause == no_part ? 0
                                                  : times.landed(cause);
    const std::int64_t slept = std::min(times.delayed(part), std::max<std::int64_t>(at - since, 0));
    if (!back_to(at - slept, Spent::delayed, part)) return;
    if (!back_to(since, Spent::between, part)) return;
    if (own_start) {
      if (back_to(times.late(rank), Spent::copying, part)) back_to(0, Spent::late, part);
      return;
    }
    if (cause == no_part) return;
    part = cause;
  }
}

std::uint32_t last_to_land(const LaneTimes& times) {
  std::uint32_t last = no_part;
  for (std::uint32_t part = 0; part < times.plan().parts.size(); ++part)
    if (times.done(part) && (last == no_part || times.landed(part) > times.landed(last)))
      last = part;
  return last;
}

// `copies`: the ranks that may have copied until the end.
void find_critical_path(const Trace& trace, const LaneTimes& times, std::uint32_t last,
                        const std::vector<bool>& copies, TimeSpent& spent) {
  std::vector<Piece>& path = spent.critical_path;
  const std::int64_t landed = last == no_part ? 0 : times.landed(last);
  // Nothing lands after the end, but a rank may copy longer, or all wait until they give up.
  if (landed < spent.end) {
    const auto copier = std::find(copies.begin(), copies.end(), true);
    Piece piece{Spent::copying, 0, landed, spent.end};
    if (copier != copies.end())
      piece.rank = static_cast<std::int32_t>(copier - copies.begin());
    else
      piece.spent = trace.stopped ? Spent::stopped : Spent::ended;
    if (copier == copies.end() && last != no_part) piece.rank = times.rank_of(last);
    path.push_back(piece);
  }
  if (last != no_part)
    follow_back(times, last, [&](const Piece& piece) {
      path.push_back(piece);
      return true;
    });
  std::reverse(path.begin(), path.end());
  if (!path.empty() && path.front().from > 0)
    path.insert(path.begin(), {Spent::between, path.front().rank, 0, path.front().from,
                               path.front().part, no_part});
  for (const Piece& piece : path) {
    spent.on_path[static_cast<std::size_t>(piece.spent)] += piece.to - piece.from;
    spent.path_by_rank[index(piece.rank)] += piece.to - piece.from;
  }
}

bool is_sleep(Spent spent) { return spent == Spent::late || spent == Spent::delayed; }

// How much of a wait, [from, to] for a part of another lane, comes from that rank's sleeping.
std::int64_t due_to(const LaneTimes& times, const Piece& wait, std::int32_t rank) {
  std::int64_t slept = 0;
  follow_back(times, wait.awaited, [&](const Piece& piece) {
    if (piece.rank == rank && is_sleep(piece.spent))
      slept +=
          std::max<std::int64_t>(0, std::min(piece.to, wait.to) - std::max(piece.from, wait.from));
    return piece.from > wait.from;
  });
  return slept;
}

void find_straggler(const LaneTimes& times, TimeSpent& spent) {
  Straggler straggler;
  for (std::size_t rank = 0; rank < spent.by_rank.size(); ++rank) {
    const TimeBySpent& of_rank = spent.by_rank[rank];
    const std::int64_t slept = time_of(of_rank, Spent::late) + time_of(of_rank, Spent::delayed);
    if (slept > straggler.slept) straggler = {static_cast<std::int32_t>(rank), slept, 0, {}};
  }
  if (straggler.rank < 0) return;
  for (const Piece& piece : spent.critical_path)
    if (piece.rank == straggler.rank && is_sleep(piece.spent))
      straggler.on_path += piece.to - piece.from;

  std::vector<std::pair<std::int64_t, Felt>> felt;  // since when
  for (std::int32_t rank = 0; rank < times.plan().lanes; ++rank) {
    if (rank == straggler.rank) continue;
    Felt one{rank, no_part, 0, time_of(spent.by_rank[index(rank)], Spent::waiting)};
    std::int64_t since = 0;
    for_each_piece(times, rank, false, [&](const Piece& piece) {
      if (piece.spent != Spent::waiting) return;
      const std::int64_t due = due_to(times, piece, straggler.rank);
      if (due > 0 && one.part == no_part) one.part = piece.part, since = piece.from;
      one.nanoseconds += due;
    });
    if (one.part != no_part) felt.emplace_back(since, one);
  }
  std::stable_sort(felt.begin(), felt.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [since, one] : felt) straggler.felt.push_back(one);
  spent.straggler = std::move(straggler);
}

void find_rounds(const Trace& trace, TimeSpent& spent) {
  const std::size_t transfers = std::min(trace.events.size(), trace.schedule.transfers.size());
  for (std::size_t t = 0; t < transfers; ++t) {
    const Event& event = trace.events[t];
    if (event.done == 0) continue;
    RoundTime& round = spent.rounds[index(trace.schedule.transfers[t].round)];
    round.from = round.done ? std::min(round.from, event.move_begun) : event.move_begun;
    round.to = std::max(round.to, event.reduce_landed);
    round.done = true;
  }
}

}  // namespace

TimeSpent time_spent(const Trace& trace, const Plan& plan) {
  TimeSpent spent;
  const auto ranks = index(trace.schedule.ranks);
  spent.end = trace.nanoseconds;
  spent.by_rank.resize(ranks);
  spent.path_by_rank.resize(ranks);
  spent.rounds.resize(index(rounds_of(trace.schedule)));
  if (trace.run.lockstep)
    spent.barriers = find_barriers(LaneTimes(trace, plan, spent), spent.rounds.size());
  if (trace.run.pace.bytes_per_second > 0)
    spent.port_before = find_ports(LaneTimes(trace, plan, spent), ranks);
  const LaneTimes times(trace, plan, spent);
  const std::uint32_t last = last_to_land(times);
  // What takes less than the others' transfers leaves no mark in a record.
  std::vector<bool> copies(ranks, false);
  if (!trace.stopped && spent.end > (last == no_part ? 0 : times.landed(last)))
    copies = ranks_that_copy(trace);
  for (std::size_t rank = 0; rank < ranks; ++rank)
    for_each_piece(times, static_cast<std::int32_t>(rank), copies[rank], [&](const Piece& piece) {
      spent.by_rank[rank][static_cast<std::size_t>(piece.spent)] += piece.to - piece.from;
    });
  find_critical_path(trace, times, last, copies, spent);
  find_straggler(times, spent);
  find_rounds(trace, spent);
  return spent;
}

std::vector<Piece> pieces_of(const Trace& trace, const Plan& plan, const TimeSpent& times,
                             std::int32_t rank) {
  std::vector<Piece> pieces;
  const bool copies = time_of(times.by_rank[index(rank)], Spent::copying) > 0;
  for_each_piece(LaneTimes(trace, plan, times), rank, copies,
                 [&](const Piece& piece) { pieces.push_back(piece); });
  return pieces;
}

}  // namespace ringscope
