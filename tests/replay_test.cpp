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

TEST_CASE("moments far apart come from checkpoints on the way, and are the same") {
  const Schedule schedule = make_ring({64, 64, 2, {}});
  const Trace trace = run_serially({.schedule = schedule});
  const Replay replay(trace);
  for (std::int32_t round = 0; round <= replay.rounds(); round += 3) {
    const auto landed = [&](std::size_t t) { return schedule.transfers[t].round < round; };
    REQUIRE(replay.at({round, 1}).last_writer == replayed(schedule, landed));
    const std::uint64_t elements = static_cast<std::uint64_t>(round);  // one a chunk and round
    for (const Replay::Sent& sent : replay.sent(replay.at({round, 1})))
      REQUIRE(sent.landed == elements);
  }
  for (std::int64_t i = 0; i <= 40; ++i) {
    const std::int64_t time = trace.nanoseconds * i / 40;
    const auto landed = [&](std::size_t t) { return trace.events[t].reduce_landed <= time; };
    REQUIRE(replay.at_time(time).last_writer == replayed(schedule, landed));
  }
}

TEST_CASE("a cursor is held within the rounds and has three beats") {
  const Trace trace = ring_trace(4, 4);
  const Replay replay(trace);
  REQUIRE(replay.rounds() == 6);
  REQUIRE(beat_of({0, 0.5}) == Beat::after);
  REQUIRE(beat_of({2, 0}) == Beat::before);
  REQUIRE(beat_of({2, 0.5}) == Beat::moving);
  REQUIRE(beat_of({2, 1}) == Beat::after);
  REQUIRE(replay.at({-3, 0.5}).cursor == Cursor{0, 1});
  REQUIRE(replay.at({99, 1}).cursor == Cursor{6, 1});
  REQUIRE(replay.at({2, 7}).cursor == Cursor{2, 1});
  REQUIRE(replay.at({2, -1}).cursor == Cursor{2, 0});
  REQUIRE(replay.at({2, std::nan("")}).cursor == Cursor{2, 0});
  REQUIRE(replay.at({2, 0}).moving.empty());
  REQUIRE(replay.at({2, 0}).changed.empty());
  REQUIRE(replay.at({0, 1}).changed.empty());
  REQUIRE(replay.at_time(-5).nanoseconds == 0);
  REQUIRE(replay.at_time(trace.nanoseconds + 5).nanoseconds == trace.nanoseconds);
}

TEST_CASE("what each rank has sent counts what has landed, and apart what is on its way") {
  const Trace trace = ring_trace(4, 16);
  const Replay replay(trace);
  for (const Replay::Sent& sent : replay.sent(replay.at({2, 1}))) {
    REQUIRE(sent.landed == 8);
    REQUIRE(sent.moving == 0);
    REQUIRE(sent.total == 24);
  }
  for (const Replay::Sent& sent : replay.sent(replay.at({3, 0.5}))) {
    REQUIRE(sent.landed == 8);
    REQUIRE(sent.moving == 4);
  }
  for (const Schedule& schedule : kinds()) {
    const Trace other = run_serially({.schedule = schedule});
    const Replay of_other(other);
    const std::vector<Traffic> traffic = traffic_by_rank(schedule);
    for (std::int64_t time = 0; time <= other.nanoseconds; time += 5) {
      const ReplayState state = of_other.at_time(time);
      const std::vector<Replay::Sent> sent = of_other.sent(state);
      std::vector<std::uint64_t> landed(traffic.size(), 0);
      for (std::size_t t = 0; t < other.events.size(); ++t)
        if (other.events[t].reduce_landed <= time)
          landed[static_cast<std::size_t>(schedule.transfers[t].src)] +=
              transfer_extent(schedule, schedule.transfers[t]).count;
      for (std::size_t rank = 0; rank < traffic.size(); ++rank) {
        REQUIRE(sent[rank].landed == landed[rank]);
        REQUIRE(sent[rank].total == traffic[rank].sent);
      }
    }
  }
}

TEST_CASE("a partial trace shows what was done, and waits for nothing that never came") {
  Trace trace = run_serially({.schedule = make_ring({4, 4, 1, {}}), .trouble = {{}, {}, {{2, 1}}}});
  trace.stopped = Message{"error.run.died", {}};
  const Replay replay(trace);
  REQUIRE(replay.contradictions().empty());
  REQUIRE(replay.rounds() == 6);
  std::size_t done = 0;
  for (const Event& event : trace.events) done += event.done;
  REQUIRE(done > 4);
  REQUIRE(done < 24);
  const ReplayState end = replay.at({6, 1});
  REQUIRE(end.last_writer ==
          replayed(trace.schedule, [&](std::size_t t) { return trace.events[t].done != 0; }));
  REQUIRE(replay.at_time(trace.nanoseconds).last_writer == end.last_writer);
  REQUIRE(replay.cell(end, 2, 1).contributors == Ranks{2, 1});
  REQUIRE(replay.cell(end, 2, 1).holding == Holding::partial);  // it should have been sent
  REQUIRE(replay.cell(end, 3, 1).contributors == Ranks{3});
  for (std::int32_t round = 0; round <= 6; ++round)
    for (const Motion& motion : replay.at({round, 0.5}).moving)
      REQUIRE(trace.events[motion.transfer].done == 1);
}

TEST_CASE("a run of several chunks is one transfer whose cells each have their own content") {
  const Trace trace = run_serially({.schedule = make_halving_doubling_of_four()});
  const Replay replay(trace);
  REQUIRE(table(replay, 2)[0][0] == "a0+b0+c0+d0");
  REQUIRE(table(replay, 1)[0] == std::vector<std::string>{"a0+c0", "a1+c1", "a2", "a3"});
  REQUIRE(table(replay, 4) == std::vector<std::vector<std::string>>(
                                  4, {"a0+b0+c0+d0", "a1+b1+c1+d1", "a2+b2+c2+d2", "a3+b3+c3+d3"}));
  const ReplayState moving = replay.at({1, 0.5});
  REQUIRE(replay.cell(moving, 0, 2).sending == replay.cell(moving, 0, 3).sending);
  REQUIRE(replay.cell(moving, 0, 2).sending >= 0);
  REQUIRE_FALSE(replay.cell(moving, 0, 1).arriving.empty());
}
