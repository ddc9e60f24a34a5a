// Who waits for whom, on the measured clock.
#include <catch2/catch.hpp>

#include "core/replay/replay.h"
#include "tests/hand_made_schedules.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

struct Expected {
  std::int32_t rank, for_rank;
  std::int64_t since;
};

void require_waits(const Replay& replay, std::int64_t time, const std::vector<Expected>& expected) {
  INFO("at " << time);
  const ReplayState state = replay.at_time(time);
  REQUIRE(state.waits.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    REQUIRE(state.waits[i].rank == expected[i].rank);
    REQUIRE(state.waits[i].for_rank == expected[i].for_rank);
    REQUIRE(state.waits[i].since == expected[i].since);
    REQUIRE(replay.trace().schedule.transfers[state.waits[i].transfer].dst == expected[i].rank);
  }
}

}  // namespace

TEST_CASE("in a ring that runs evenly nobody waits") {
  const Trace trace = run_serially({.schedule = make_ring({4, 4, 1, {}})});
  const Replay replay(trace);
  for (std::int64_t time = 0; time <= trace.nanoseconds; ++time) require_waits(replay, time, {});
  REQUIRE(replay.at({3, 0.5}).waits.empty());
}

TEST_CASE("a late rank sleeps, and one after the other of the rest waits for its predecessor") {
  const Trace trace =
      run_serially({.schedule = make_ring({4, 4, 1, {}}), .trouble = {{{2, 1000}}, {}, {}}});
  const Replay replay(trace);
  REQUIRE(replay.contradictions().empty());
  require_waits(replay, 5, {{2, -1, 0}});
  // GPU 3 has pulled c2, and needs c1+b1 next.
  require_waits(replay, 15, {{2, -1, 0}, {3, 2, 10}});
  // GPU 0 has come two rounds far, GPU 1 three.
  require_waits(replay, 500, {{0, 3, 20}, {1, 0, 30}, {2, -1, 0}, {3, 2, 10}});
  require_waits(replay, 1005, {{0, 3, 20}, {1, 0, 30}, {3, 2, 10}});
  require_waits(replay, 1015, {{0, 3, 20}, {1, 0, 30}});
  require_waits(replay, trace.nanoseconds, {});
}

TEST_CASE("a delayed link's receiver sleeps once what it waits for is there") {
  const Trace trace =
      run_serially({.schedule = make_ring({2, 2, 1, {}}), .trouble = {{}, {{0, 1, 50}}, {}}});
  const Replay replay(trace);
  REQUIRE(replay.contradictions().empty());
  // Lane 1 lands at 60 and 120, lane 0 at 10; its second needs lane 1's first.
  require_waits(replay, 5, {{1, -1, 0}});
  require_waits(replay, 30, {{0, 1, 10}, {1, -1, 0}});
  require_waits(replay, 55, {{0, 1, 10}});
  require_waits(replay, 65, {{1, -1, 60}});
  require_waits(replay, 115, {});
}

TEST_CASE("in an exchange the reduction waits until the partner has read") {
  const Trace trace =
      run_serially({.schedule = make_exchange(2),
                    .duration = [](const Transfer& t) { return t.dst == 0 ? 10 : 100; }});
  const Replay replay(trace);
  require_waits(replay, 50, {{0, 1, 10}});
  const ReplayState state = replay.at_time(50);
  REQUIRE(state.moving.size() == 2);
  REQUIRE(state.moving[0].fraction == Approx(0.5));  // GPU 0 -> GPU 1
  REQUIRE(state.moving[1].fraction == 1);            // landed in staging, not yet added
  REQUIRE(state.last_writer == std::vector<std::int32_t>{-1, -1});
}

TEST_CASE("in lockstep all wait for the one that lands last") {
  const Trace trace = run_serially(
      {.schedule = make_ring({3, 3, 1, {}}), .lockstep = true, .duration = [](const Transfer& t) {
         return 10 * (t.dst + 1);
       }});
  const Replay replay(trace);
  REQUIRE(replay.contradictions().empty());
  // GPU 0 needs nothing of GPU 1's, but is held until all have ended the round.
  require_waits(replay, 15, {{0, 2, 10}});
  require_waits(replay, 25, {{0, 2, 10}, {1, 2, 20}});
  require_waits(replay, 30, {});
}

TEST_CASE("where a rank has died, the others wait to the end") {
  Trace trace = run_serially({.schedule = make_ring({4, 4, 1, {}}), .trouble = {{}, {}, {{2, 1}}}});
  trace.nanoseconds = 500;
  trace.stopped = Message{"error.run.died", {}};
  const Replay replay(trace);
  // GPU 3 would take from GPU 2, which is dead; GPU 0 waits for GPU 3, GPU 1 for GPU 0.
  require_waits(replay, 400, {{0, 3, 20}, {1, 0, 30}});
}
