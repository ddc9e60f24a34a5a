#include "core/replay/time_spent.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/engine/record.h"
#include "core/replay/replay.h"
#include "tests/hand_made_schedules.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

// What a path or a lane is made of, without its parts.
struct Expected {
  Spent spent;
  std::int32_t rank;
  std::int64_t from, to;

  bool operator==(const Expected&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Expected& piece) {
  return out << "{" << static_cast<int>(piece.spent) << ", GPU " << piece.rank << ", " << piece.from
             << ".." << piece.to << "}";
}
std::vector<Expected> shortened(const std::vector<Piece>& pieces) {
  std::vector<Expected> result;
  for (const Piece& piece : pieces)
    result.push_back({piece.spent, piece.rank, piece.from, piece.to});
  return result;
}

// From 0 to the end without a gap.
void require_tiles(const std::vector<Piece>& pieces, std::int64_t end) {
  std::int64_t at = 0;
  for (const Piece& piece : pieces) {
    REQUIRE(piece.from == at);
    REQUIRE(piece.to >= piece.from);
    at = piece.to;
  }
  REQUIRE(at == end);
}

std::int64_t sum_of(const TimeBySpent& times) {
  std::int64_t sum = 0;
  for (const std::int64_t time : times) sum += time;
  return sum;
}

// A chain in which each piece of work comes after one that it had to wait for.
void require_causal(const Replay& replay) {
  const Plan& plan = replay.plan();
  const Trace& trace = replay.trace();
  std::uint32_t before = no_part;
  for (const Piece& piece : replay.times().critical_path) {
    if (piece.part == no_part || piece.part == before) continue;
    const auto depends = plan.depends_of(piece.part);
    const bool lane = piece.part > 0 && before == piece.part - 1 &&
                      plan.parts[before].lane == plan.parts[piece.part].lane;
    const bool dependency = std::ranges::count(depends, before) == 1;
    const bool round = trace.run.lockstep && before != no_part &&
                       trace.schedule.transfers[plan.parts[before].transfer].round <
                           trace.schedule.transfers[plan.parts[piece.part].transfer].round;
    const std::vector<std::uint32_t>& ports = replay.times().port_before;
    const bool port = !ports.empty() && ports[piece.part] == before;
    REQUIRE((before == no_part || lane || dependency || round || port));
    before = piece.part;
  }
}

void require_sound(const Trace& trace) {
  const Replay replay(trace);
  const TimeSpent& times = replay.times();
  REQUIRE(replay.contradictions().empty());
  REQUIRE(times.end == trace.nanoseconds);
  require_tiles(times.critical_path, trace.nanoseconds);
  REQUIRE(sum_of(times.on_path) == trace.nanoseconds);
  std::int64_t by_rank = 0;
  for (const std::int64_t time : times.path_by_rank) by_rank += time;
  REQUIRE(by_rank == trace.nanoseconds);
  require_causal(replay);
  for (std::int32_t rank = 0; rank < trace.schedule.ranks; ++rank) {
    const std::vector<Piece> pieces = replay.pieces(rank);
    require_tiles(pieces, trace.nanoseconds);
    TimeBySpent sums = {};
    for (const Piece& piece : pieces) {
      REQUIRE(piece.rank == rank);
      sums[static_cast<std::size_t>(piece.spent)] += piece.to - piece.from;
    }
    REQUIRE(sums == times.by_rank[static_cast<std::size_t>(rank)]);
    REQUIRE(sum_of(sums) == trace.nanoseconds);
  }
}

}  // namespace

TEST_CASE("in a ring that runs evenly all move all the time") {
  const Trace trace = run_serially({.schedule = make_ring({4, 4, 1, {}})});
  require_sound(trace);
  const Replay replay(trace);
  for (std::int32_t rank = 0; rank < 4; ++rank) {
    const TimeBySpent& times = replay.times().by_rank[static_cast<std::size_t>(rank)];
    CHECK(time_of(times, Spent::moving) == 60);
    CHECK(sum_of(times) == 60);
  }
  // Where a lane's own part ended as late as what it waited for, the path stays in the lane.
  CHECK(replay.times().path_by_rank == std::vector<std::int64_t>{60, 0, 0, 0});
  CHECK_FALSE(replay.times().straggler.has_value());
  CHECK(replay.times().rounds[2].from == 20);
  CHECK(replay.times().rounds[2].to == 30);
}

TEST_CASE("a late rank is on the critical path, and everybody waits for it") {
  const Trace trace =
      run_serially({.schedule = make_ring({4, 4, 1, {}}), .trouble = {{{2, 1000}}, {}, {}}});
  require_sound(trace);
  const Replay replay(trace);
  const TimeSpent& times = replay.times();
  // GPU 3 has pulled c2 without GPU 2's help, and waits for c1+b1 from 10 on.
  CHECK(shortened(replay.pieces(3)) == std::vector<Expected>{{Spent::moving, 3, 0, 10},
                                                             {Spent::waiting, 3, 10, 1010},
                                                             {Spent::moving, 3, 1010, 1020},
                                                             {Spent::moving, 3, 1020, 1030},
                                                             {Spent::moving, 3, 1030, 1040},
                                                             {Spent::moving, 3, 1040, 1050},
                                                             {Spent::moving, 3, 1050, 1060}});
  CHECK(shortened(replay.pieces(2)).front() == Expected{Spent::late, 2, 0, 1000});
  CHECK(time_of(times.on_path, Spent::late) == 1000);
  CHECK(time_of(times.on_path, Spent::moving) == trace.nanoseconds - 1000);
  CHECK(shortened(times.critical_path).front() == Expected{Spent::late, 2, 0, 1000});
  REQUIRE(times.straggler.has_value());
  CHECK(times.straggler->rank == 2);
  CHECK(times.straggler->slept == 1000);
  CHECK(times.straggler->on_path == 1000);
  // One after the other round the ring, each in a later round.
  REQUIRE(times.straggler->felt.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const Felt& felt = times.straggler->felt[i];
    CHECK(felt.rank == (3 + static_cast<std::int32_t>(i)) % 4);
    CHECK(trace.schedule.transfers[replay.plan().parts[felt.part].transfer].round ==
          static_cast<std::int32_t>(i) + 1);
    CHECK(felt.nanoseconds == 990 - 10 * static_cast<std::int64_t>(i));
    CHECK(felt.waited >= felt.nanoseconds);
  }
}

TEST_CASE("who waits is known by the part that it waited for") {
  const Trace trace =
      run_serially({.schedule = make_ring({4, 4, 1, {}}), .trouble = {{{2, 1000}}, {}, {}}});
  const Replay replay(trace);
  const Piece wait = replay.pieces(3)[1];
  REQUIRE(wait.spent == Spent::waiting);
  const auto transfer_of = [&](std::uint32_t part) {
    return trace.schedule.transfers[replay.plan().parts[part].transfer];
  };
  CHECK(transfer_of(wait.part).dst == 3);
  CHECK(transfer_of(wait.part).round == 1);
  CHECK(transfer_of(wait.awaited).dst == 2);
  CHECK(transfer_of(wait.awaited).round == 0);
}

TEST_CASE("a delayed link sleeps once all is there") {
  const Trace trace =
      run_serially({.schedule = make_ring({2, 2, 1, {}}), .trouble = {{}, {{0, 1, 50}}, {}}});
  require_sound(trace);
  const Replay replay(trace);
  CHECK(shortened(replay.pieces(1)) == std::vector<Expected>{{Spent::delayed, 1, 0, 50},
                                                             {Spent::moving, 1, 50, 60},
                                                             {Spent::delayed, 1, 60, 110},
                                                             {Spent::moving, 1, 110, 120}});
  CHECK(shortened(replay.pieces(0)) == std::vector<Expected>{{Spent::moving, 0, 0, 10},
                                                             {Spent::waiting, 0, 10, 60},
                                                             {Spent::moving, 0, 60, 70},
                                                             {Spent::ended, 0, 70, 120}});
  CHECK(shortened(replay.times().critical_path) == shortened(replay.pieces(1)));
  REQUIRE(replay.times().straggler.has_value());
  CHECK(replay.times().straggler->rank == 1);
  CHECK(replay.times().straggler->felt.size() == 1);
  CHECK(replay.times().straggler->felt[0].nanoseconds == 40);
}

TEST_CASE("lateness and a delay of the same rank are told apart") {
  const Trace trace = run_serially(
      {.schedule = make_ring({2, 2, 1, {}}), .trouble = {{{1, 1000}}, {{0, 1, 50}}, {}}});
  require_sound(trace);
  const Replay replay(trace);
  const TimeBySpent& times = replay.times().by_rank[1];
  CHECK(time_of(times, Spent::late) == 1000);
  CHECK(time_of(times, Spent::delayed) == 100);
}

TEST_CASE("a staged reduction waits until the partner has read") {
  const Trace trace =
      run_serially({.schedule = make_exchange(2),
                    .duration = [](const Transfer& t) { return t.dst == 0 ? 10 : 100; }});
  require_sound(trace);
  const Replay replay(trace);
  CHECK(shortened(replay.pieces(0)) == std::vector<Expected>{{Spent::moving, 0, 0, 10},
                                                             {Spent::waiting, 0, 10, 100},
                                                             {Spent::adding, 0, 100, 110},
                                                             {Spent::ended, 0, 110, 200}});
  CHECK(shortened(replay.times().critical_path) ==
        std::vector<Expected>{{Spent::moving, 1, 0, 100}, {Spent::adding, 1, 100, 200}});
}

TEST_CASE("in lockstep all wait for the one that lands last") {
  const Trace trace = run_serially(
      {.schedule = make_ring({3, 3, 1, {}}), .lockstep = true, .duration = [](const Transfer& t) {
         return 10 * (t.dst + 1);
       }});
  require_sound(trace);
  const Replay replay(trace);
  CHECK(shortened(replay.pieces(0))[1] == Expected{Spent::waiting, 0, 10, 30});
  CHECK(time_of(replay.times().by_rank[2], Spent::waiting) == 0);
  CHECK(replay.times().path_by_rank == std::vector<std::int64_t>{0, 0, 120});
}

TEST_CASE("time between the landing of what was awaited and the beginning is told") {
  Trace trace = run_serially({.schedule = make_ring({2, 2, 1, {}})});
  // GPU 1's second transfer wakes up 7 late, so all ends 7 later.
  for (std::size_t t = 0; t < trace.events.size(); ++t)
    if (trace.schedule.transfers[t].dst == 1 && trace.schedule.transfers[t].round == 1) {
      Event& event = trace.events[t];
      event.move_begun += 7, event.reduce_begun += 7;
      event.move_landed += 7, event.reduce_landed += 7;
    }
  trace.nanoseconds += 7;
  require_sound(trace);
  const Replay replay(trace);
  CHECK(time_of(replay.times().on_path, Spent::between) == 7);
  CHECK(shortened(replay.pieces(1))[1] == Expected{Spent::between, 1, 10, 17});
}

TEST_CASE("one rank alone only copies, or does nothing at all") {
  Trace trace = run_serially({.schedule = make_ring({1, 1, 1, {}})});
  require_sound(trace);
  CHECK(Replay(trace).times().critical_path.empty());
  trace.nanoseconds = 12;
  require_sound(trace);
  const Replay replay(trace);
  const std::vector<Expected> copying{{Spent::copying, 0, 0, 12}};
  CHECK(shortened(replay.pieces(0)) == copying);
  CHECK(shortened(replay.times().critical_path) == copying);
}

TEST_CASE("a partial record shows who never went on, and for what it waited") {
  Trace trace = run_serially({.schedule = make_ring({4, 4, 1, {}}), .trouble = {{}, {}, {{2, 1}}}});
  trace.nanoseconds = 500;
  trace.stopped = Message{"error.run.died", {}};
  require_sound(trace);
  const Replay replay(trace);
  const std::vector<Piece> pieces = replay.pieces(0);
  REQUIRE(pieces.back().spent == Spent::stopped);
  CHECK(pieces.back().from == 20);
  REQUIRE(pieces.back().awaited != no_part);
  CHECK(replay.plan().parts[pieces.back().awaited].lane == 3);
  CHECK(replay.times().critical_path.back().spent == Spent::stopped);
  CHECK(replay.times().rounds.back().done == false);
}

TEST_CASE("a run that stopped before anything happened is one piece a rank") {
  Trace trace = run_serially({.schedule = make_ring({2, 2, 1, {}}), .trouble = {{}, {}, {{0, 0}}}});
  trace.nanoseconds = 40;
  trace.stopped = Message{"error.run.died", {}};
  require_sound(trace);
  const Replay replay(trace);
  CHECK(shortened(replay.pieces(1)) == std::vector<Expected>{{Spent::stopped, 1, 0, 40}});
}

TEST_CASE("a record that contradicts itself is followed as far as it goes") {
  Trace trace = run_serially({.schedule = make_exchange(4)});
  for (std::size_t t = 0; t < trace.events.size(); ++t) {
    trace.events[t].move_begun = static_cast<std::int64_t>(1000 - 37 * t);
    trace.events[t].move_landed = static_cast<std::int64_t>(13 * t);
    trace.events[t].reduce_landed = -5;
  }
  trace.events.pop_back();
  const Replay replay(trace);
  std::int64_t at = 0;
  for (const Piece& piece : replay.times().critical_path) {
    REQUIRE(piece.from >= at);
    at = piece.to;
  }
  CHECK(sum_of(replay.times().on_path) <= trace.nanoseconds);
}

TEST_CASE("real runs tile exactly, and their paths are causal") {
  RunSettings settings;
  settings.algorithm = GENERATE("ring", "bidirectional", "parameter-server", "tree", "double-tree",
                                "recursive-doubling", "halving-doubling", "hierarchical",
                                "reduce-scatter", "all-gather", "reduce", "broadcast");
  const bool lockstep = GENERATE(false, true);
  for (const int ranks : {1, 2, 3, 4, 7})
    for (const std::uint64_t count : {0u, 1u, 5000u}) {
      settings.ranks = ranks;
      settings.count = count;
      settings.lockstep = lockstep;
      settings.slices = count > 1 ? 3 : 1;
      settings.in_place = ranks % 2 == 1;
      INFO(settings.algorithm << ", N = " << ranks << ", " << count);
      require_sound(record(settings));
    }
}

TEST_CASE("real trouble is found in real records") {
  RunSettings settings;
  settings.count = 4096;
  settings.late = {"2:20ms"};
  const Trace trace = record(settings);
  require_sound(trace);
  const Replay replay(trace);
  REQUIRE(replay.times().straggler.has_value());
  CHECK(replay.times().straggler->rank == 2);
  CHECK(replay.times().straggler->slept >= 20'000'000);
  CHECK(replay.times().straggler->felt.size() == 3);
  CHECK(replay.times().straggler->on_path == replay.times().straggler->slept);
}

TEST_CASE("on paced ports who waits for a port waits for who had it") {
  RunSettings settings;
  settings.algorithm = "parameter-server";
  settings.ranks = 4;
  settings.count = 50'000;
  settings.port = "200MB/s";
  const Trace trace = record(settings);
  require_sound(trace);
  const Replay replay(trace);
  const TimeSpent& times = replay.times();
  // The root sends its sum to one after the other: all but the first wait for its port.
  int for_port = 0;
  for (std::int32_t rank = 1; rank < 4; ++rank)
    for (const Piece& piece : replay.pieces(rank))
      for_port += piece.spent == Spent::waiting && times.port_before[piece.part] == piece.awaited &&
                  replay.plan().parts[piece.awaited].lane != 0;
  CHECK(for_port == 2);
}

TEST_CASE("a ring of many ranks is taken apart in no time") {
  const Trace trace =
      run_serially({.schedule = make_ring({128, 128, 1, {}}), .trouble = {{{5, 5000}}, {}, {}}});
  require_sound(trace);
  CHECK(Replay(trace).times().straggler->felt.size() == 127);
}
