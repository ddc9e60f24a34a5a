#include "core/replay/replay.h"

#include <catch2/catch.hpp>
#include <random>

#include "core/replay/symbols.h"
#include "tests/hand_made_schedules.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

using Ranks = std::vector<std::int32_t>;

Trace ring_trace(std::int32_t ranks, std::uint64_t count, std::int32_t slices = 1) {
  return run_serially({.schedule = make_ring({ranks, count, slices, {}})});
}

// 'c0+b0+a0' of every cell at the end of a round, as the document writes its tables.
std::vector<std::vector<std::string>> table(const Replay& replay, std::int32_t round) {
  const Schedule& schedule = replay.trace().schedule;
  const ReplayState state = replay.at({round, 1});
  std::vector<std::vector<std::string>> rows;
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    rows.emplace_back();
    for (std::int32_t chunk = 0; chunk < schedule.chunks; ++chunk) {
      const CellView cell = replay.cell(state, rank, chunk);
      rows.back().push_back(symbol(cell.contributors, chunk, schedule.ranks, Operator::sum,
                                   cell.holding == Holding::complete));
    }
  }
  return rows;
}

void require_same(const ReplayState& left, const ReplayState& right) {
  REQUIRE(left.last_writer == right.last_writer);
  REQUIRE(left.changed == right.changed);
  REQUIRE(left.moving.size() == right.moving.size());
  for (std::size_t i = 0; i < left.moving.size(); ++i) {
    REQUIRE(left.moving[i].transfer == right.moving[i].transfer);
    REQUIRE(left.moving[i].fraction == right.moving[i].fraction);
  }
  REQUIRE(left.waits.size() == right.waits.size());
}

// The last writers after the transfers for which `landed` holds, by plain replay.
template <class Landed>
Ranks replayed(const Schedule& schedule, Landed&& landed) {
  Ranks writers(static_cast<std::size_t>(schedule.ranks * cells_per_rank(schedule)), -1);
  for (std::size_t t = 0; t < schedule.transfers.size(); ++t) {
    const Transfer& transfer = schedule.transfers[t];
    if (!landed(t)) continue;
    for (std::int32_t i = 0; i < transfer.cell_count; ++i)
      writers[static_cast<std::size_t>(transfer.dst * cells_per_rank(schedule) +
                                       transfer.first_cell + i)] = static_cast<std::int32_t>(t);
  }
  return writers;
}

std::vector<Schedule> kinds() {
  return {make_ring({1, 3, 1, {}}),  make_ring({2, 5, 2, {}}),
          make_ring({4, 64, 1, {}}), make_ring({5, 64, 3, {}}),
          make_star(4, 2),           make_tree_of_four(2),
          make_exchange(4, 2),       make_shift(3),
          make_broadcast(4),         make_halving_doubling_of_four(),
          make_ring({4, 0, 1, {}}),  make_ring({8, 3, 2, {}})};
}

std::optional<std::int64_t> whole(const std::optional<Number>& number) {
  if (!number) return std::nullopt;
  return number->whole;
}

}  // namespace

TEST_CASE("the ring of four replays the document's six tables, cell for cell") {
  const Trace trace = ring_trace(4, 4);
  const Replay replay(trace);
  using Table = std::vector<std::vector<std::string>>;
  const std::string all0 = "a0+b0+c0+d0", all1 = "a1+b1+c1+d1", all2 = "a2+b2+c2+d2",
                    all3 = "a3+b3+c3+d3";
  REQUIRE(replay.contradictions().empty());
  REQUIRE(table(replay, 0) == Table{{"a0", "a1", "a2", "a3"},
                                    {"b0", "b1", "b2", "b3"},
                                    {"c0", "c1", "c2", "c3"},
                                    {"d0", "d1", "d2", "d3"}});
  REQUIRE(table(replay, 1) == Table{{"a0", "a1", "a2", "a3+d3"},
                                    {"b0+a0", "b1", "b2", "b3"},
                                    {"c0", "c1+b1", "c2", "c3"},
                                    {"d0", "d1", "d2+c2", "d3"}});
  REQUIRE(table(replay, 2) == Table{{"a0", "a1", "a2+d2+c2", "a3+d3"},
                                    {"b0+a0", "b1", "b2", "b3+a3+d3"},
                                    {"c0+b0+a0", "c1+b1", "c2", "c3"},
                                    {"d0", "d1+c1+b1", "d2+c2", "d3"}});
  REQUIRE(table(replay, 3) == Table{{"a0", all1, "a2+d2+c2", "a3+d3"},
                                    {"b0+a0", "b1", all2, "b3+a3+d3"},
                                    {"c0+b0+a0", "c1+b1", "c2", all3},
                                    {all0, "d1+c1+b1", "d2+c2", "d3"}});
  // From here on the document writes '.' for the old sums that the cells still hold.
  REQUIRE(table(replay, 4) == Table{{all0, all1, "a2+d2+c2", "a3+d3"},
                                    {"b0+a0", all1, all2, "b3+a3+d3"},
                                    {"c0+b0+a0", "c1+b1", all2, all3},
                                    {all0, "d1+c1+b1", "d2+c2", all3}});
  REQUIRE(table(replay, 5) == Table{{all0, all1, "a2+d2+c2", all3},
                                    {all0, all1, all2, "b3+a3+d3"},
                                    {"c0+b0+a0", all1, all2, all3},
                                    {all0, "d1+c1+b1", all2, all3}});
  REQUIRE(table(replay, 6) == Table(4, {all0, all1, all2, all3}));
}

TEST_CASE("a cell is complete exactly where the document has its goal") {
  const Trace trace = ring_trace(4, 4);
  const Replay replay(trace);
  for (std::int32_t round = 0; round <= 6; ++round) {
    const ReplayState state = replay.at({round, 1});
    for (std::int32_t rank = 0; rank < 4; ++rank)
      for (std::int32_t chunk = 0; chunk < 4; ++chunk) {
        const CellView cell = replay.cell(state, rank, chunk);
        // Chunk j is complete at j-1 after round 3, and one rank further each round.
        const bool complete = round >= 3 && (rank - (chunk - 1) + 8) % 4 <= round - 3;
        REQUIRE((cell.holding == Holding::complete) == complete);
      }
  }
}

TEST_CASE("values are what each cell held, added by place") {
  const Trace trace = ring_trace(4, 4);
  const Replay replay(trace);
  const ReplayState state = replay.at({2, 1});
  const std::vector<std::vector<std::int64_t>> expected{
      {1, 2, 3303, 4004}, {11, 20, 30, 4044}, {111, 220, 300, 400}, {1000, 2220, 3300, 4000}};
  for (std::int32_t rank = 0; rank < 4; ++rank)
    for (std::int32_t chunk = 0; chunk < 4; ++chunk)
      REQUIRE(whole(replay.cell(state, rank, chunk).value) ==
              expected[static_cast<std::size_t>(rank)][static_cast<std::size_t>(chunk)]);
  // Round 1.2, GPU 1 -> GPU 2: c0 += b0+a0, 100 + 11 = 111.
  const std::uint32_t t = replay.transfers_of_round(1)[1];
  REQUIRE(replay.carried(t) == Ranks{1, 0});
  REQUIRE(whole(replay.carried_value(t)) == 11);
  REQUIRE(replay.before(t) == Ranks{2});
  REQUIRE(whole(replay.before_value(t)) == 100);
  REQUIRE(replay.after(t) == Ranks{2, 1, 0});
  REQUIRE(whole(replay.after_value(t)) == 111);
  // What reached its goal is in rank order: round 1.3, GPU 1 -> GPU 2, chunk 3.
  REQUIRE(replay.after(replay.transfers_of_round(2)[1]) == Ranks{0, 1, 2, 3});
  REQUIRE(replay.carried(replay.transfers_of_round(3)[1]) == Ranks{0, 1, 2, 3});
}

TEST_CASE("a moment is the same from whichever direction it is reached") {
  for (const Schedule& schedule : kinds()) {
    const Trace trace = run_serially({.schedule = schedule});
    const Replay replay(trace);
    std::vector<ReplayState> forward;
    for (std::int32_t round = 0; round <= replay.rounds(); ++round)
      for (const double fraction : {0.0, 0.25, 1.0})
        forward.push_back(replay.at({round, fraction}));
    std::size_t i = forward.size();
    for (std::int32_t round = replay.rounds(); round >= 0; --round)
      for (const double fraction : {1.0, 0.25, 0.0})
        require_same(replay.at({round, fraction}), forward[--i]);
    std::mt19937 random(3);
    for (int seek = 0; seek < 50; ++seek) {
      const auto at = random() % forward.size();
      require_same(
          replay.at({static_cast<std::int32_t>(at / 3), std::vector{0.0, 0.25, 1.0}[at % 3]}),
          forward[at]);
    }
  }
}

TEST_CASE("at every round the last writers are those of a plain replay") {
  for (const Schedule& schedule : kinds()) {
    const Trace trace = run_serially({.schedule = schedule});
    const Replay replay(trace);
    for (std::int32_t round = 0; round <= replay.rounds(); ++round) {
      const auto by = [&](std::int32_t last) {
        return replayed(schedule,
                        [&](std::size_t t) { return schedule.transfers[t].round < last; });
      };
      REQUIRE(replay.at({round, 1}).last_writer == by(round));
      REQUIRE(replay.at({round, 0.5}).last_writer == by(std::max(round - 1, 0)));
      if (round > 0) REQUIRE(replay.at({round, 0}).last_writer == by(round - 1));
    }
  }
}

TEST_CASE("at every measured time the last writers are those that had landed") {
  std::mt19937 random(5);
  for (const Schedule& schedule : kinds()) {
    const Trace trace = run_serially({.schedule = schedule, .duration = [&](const Transfer&) {
                                        return static_cast<std::int64_t>(random() % 30);
                                      }});
    const Replay replay(trace);
    REQUIRE(replay.contradictions().empty());
    for (std::int64_t time = 0; time <= trace.nanoseconds; ++time) {
      const ReplayState state = replay.at_time(time);
      REQUIRE(state.measured);
      REQUIRE(state.nanoseconds == time);
      REQUIRE(state.last_writer == replayed(schedule, [&](std::size_t t) {
                return trace.events[t].reduce_landed <= time;
              }));
      std::vector<std::uint32_t> moving;
      for (std::uint32_t t = 0; t < trace.events.size(); ++t)
        if (trace.events[t].move_begun <= time && time < trace.events[t].reduce_landed)
          moving.push_back(t);
      REQUIRE(state.moving.size() == moving.size());
      for (std::size_t i = 0; i < moving.size(); ++i) {
        REQUIRE(state.moving[i].transfer == moving[i]);
        const Event& event = trace.events[moving[i]];
        const double way = static_cast<double>(time - event.move_begun) /
                           static_cast<double>(event.move_landed - event.move_begun);
        REQUIRE(state.moving[i].fraction ==
                Approx(event.move_landed > event.move_begun ? std::min(way, 1.0) : 1.0));
      }
    }
  }
}
