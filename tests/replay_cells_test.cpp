// What each chunk at each rank holds, at any moment: whose terms, which value, what leaves and
// arrives.
#include <catch2/catch.hpp>

#include "core/replay/replay.h"
#include "core/replay/symbols.h"
#include "tests/hand_made_schedules.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

using Ranks = std::vector<std::int32_t>;

Trace ring_trace(std::int32_t ranks, std::uint64_t count, std::int32_t slices = 1) {
  return run_serially({.schedule = make_ring({ranks, count, slices, {}})});
}

std::optional<std::int64_t> whole(const std::optional<Number>& number) {
  if (!number) return std::nullopt;
  return number->whole;
}

}  // namespace

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

TEST_CASE("the number of terms is that of the contributors, at every round and in a partial run") {
  const std::int32_t ranks = GENERATE(1, 2, 5);
  const std::int32_t slices = GENERATE(1, 3);
  const bool partial = GENERATE(false, true);
  SerialRun run{.schedule = make_ring({ranks, 17, slices, {}})};
  if (partial && ranks > 1) run.trouble.deaths.push_back({1, 1});
  const Trace trace = run_serially(run);
  const Replay replay(trace);
  for (std::int32_t round = 0; round <= replay.rounds(); ++round) {
    const ReplayState state = replay.at({round, 1});
    for (std::int32_t rank = 0; rank < ranks; ++rank)
      for (std::int32_t chunk = 0; chunk < trace.schedule.chunks; ++chunk)
        REQUIRE(static_cast<std::size_t>(replay.terms(state, rank, chunk)) ==
                replay.cell(state, rank, chunk).contributors.size());
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

TEST_CASE("while a round moves, cells keep what they hold, and say what leaves and arrives") {
  const Trace trace = ring_trace(4, 4);
  const Replay replay(trace);
  const ReplayState state = replay.at({2, 0.25});
  REQUIRE(state.changed.empty());
  REQUIRE(state.moving.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    REQUIRE(state.moving[i].transfer == replay.transfers_of_round(1)[i]);
    REQUIRE(state.moving[i].fraction == 0.25);
  }
  const auto t = static_cast<std::int32_t>(replay.transfers_of_round(1)[1]);  // GPU 1 -> GPU 2
  const CellView source = replay.cell(state, 1, 0), target = replay.cell(state, 2, 0);
  REQUIRE(source.sending == t);
  REQUIRE(source.arriving.empty());
  REQUIRE(source.contributors == Ranks{1, 0});
  REQUIRE(target.arriving == std::vector<std::int32_t>{t});
  REQUIRE(target.sending == -1);
  REQUIRE(target.contributors == Ranks{2});
  REQUIRE(!target.changed);
  REQUIRE(replay.cell(state, 3, 3).sending == -1);
}

TEST_CASE("after a round the changed cells say which contributors are new") {
  const Trace trace = ring_trace(4, 4);
  const Replay replay(trace);
  const ReplayState reduced = replay.at({2, 1});
  REQUIRE(reduced.changed == replay.transfers_of_round(1));
  const CellView sum = replay.cell(reduced, 2, 0);
  REQUIRE(sum.changed);
  REQUIRE(sum.contributors == Ranks{2, 1, 0});
  REQUIRE(sum.added == Ranks{1, 0});
  REQUIRE(!replay.cell(reduced, 2, 1).changed);
  REQUIRE(replay.cell(reduced, 2, 1).added.empty());
  // Round 2.1, GPU 0 -> GPU 1, chunk 1: b1 is overwritten by the complete sum.
  const CellView copied = replay.cell(replay.at({4, 1}), 1, 1);
  REQUIRE(copied.changed);
  REQUIRE(copied.holding == Holding::complete);
  REQUIRE(copied.added == Ranks{0, 2, 3});
  // A star's root takes three terms in one round.
  const Trace star = run_serially({.schedule = make_star(4)});
  const Replay of_star(star);
  REQUIRE(of_star.cell(of_star.at({1, 1}), 0, 0).added == Ranks{1, 2, 3});
}

TEST_CASE("a cell is stale once nobody will read it and it is not at its goal") {
  const Trace trace = ring_trace(4, 4);
  const Replay replay(trace);
  const auto holding = [&](const Cursor& cursor, std::int32_t rank, std::int32_t chunk) {
    return replay.cell(replay.at(cursor), rank, chunk).holding;
  };
  REQUIRE(holding({0, 1}, 0, 0) == Holding::local);
  REQUIRE(holding({1, 0.5}, 0, 0) == Holding::local);  // on its way, still being read
  REQUIRE(holding({1, 1}, 0, 0) == Holding::stale);
  REQUIRE(holding({1, 1}, 0, 1) == Holding::local);    // will be added to
  REQUIRE(holding({1, 1}, 0, 3) == Holding::partial);  // will be sent
  REQUIRE(holding({2, 1}, 0, 3) == Holding::stale);
  REQUIRE(holding({5, 0.5}, 0, 3) == Holding::stale);  // being overwritten
  REQUIRE(holding({5, 1}, 0, 3) == Holding::complete);
  // In measured time as soon as the reader has it.
  const Event& reader = trace.events[0];
  REQUIRE(replay.cell(replay.at_time(reader.move_landed - 1), 0, 0).holding == Holding::local);
  REQUIRE(replay.cell(replay.at_time(reader.move_landed), 0, 0).holding == Holding::stale);

  Schedule reduce = make_star(3);
  reduce.transfers.resize(2);
  reduce.phases = {{"reduce", 0, 1}};
  reduce.goal = {everyone, do_not_care, do_not_care};
  const Trace reduced = run_serially({.schedule = reduce});
  const Replay of_reduced(reduced);
  REQUIRE(of_reduced.cell(of_reduced.at({1, 1}), 0, 0).holding == Holding::complete);
  REQUIRE(of_reduced.cell(of_reduced.at({1, 1}), 1, 0).holding == Holding::stale);
  REQUIRE(of_reduced.cell(of_reduced.at({1, 0}), 1, 0).holding == Holding::local);

  const Trace broadcast = run_serially({.schedule = make_broadcast(3)});
  const Replay of_broadcast(broadcast);
  REQUIRE(of_broadcast.cell(of_broadcast.at({0, 1}), 0, 0).holding == Holding::complete);
  REQUIRE(of_broadcast.cell(of_broadcast.at({0, 1}), 1, 0).holding == Holding::nothing);
  REQUIRE(!of_broadcast.cell(of_broadcast.at({0, 1}), 1, 0).value);
  REQUIRE(of_broadcast.cell(of_broadcast.at({1, 1}), 2, 0).holding == Holding::complete);
}

TEST_CASE("of a chunk's slices the one that is least far is shown") {
  const Trace trace = ring_trace(2, 8, 2);
  const Replay replay(trace);
  // Lanes go slice by slice: slice 0 has both its rounds before slice 1 has its first.
  const ReplayState state = replay.at_time(20);
  REQUIRE(state.last_writer[2] != -1);
  REQUIRE(state.last_writer[3] == -1);
  REQUIRE(replay.cell(state, 0, 1).contributors == Ranks{0});
  REQUIRE(replay.cell(state, 0, 1).holding == Holding::local);
  REQUIRE(replay.cell(replay.at_time(30), 0, 1).holding == Holding::complete);
  // One element a chunk: the first slice is empty, and says nothing.
  const Trace small = ring_trace(2, 2, 2);
  const Replay of_small(small);
  REQUIRE(whole(of_small.cell(of_small.at({1, 1}), 0, 1).value) == 22);
  REQUIRE(whole(of_small.carried_value(1)) == 1);
}

TEST_CASE("one rank alone starts complete, and empty chunks have no value") {
  const Trace alone = ring_trace(1, 3);
  const Replay of_one(alone);
  REQUIRE(of_one.rounds() == 0);
  REQUIRE(of_one.contradictions().empty());
  const CellView cell = of_one.cell(of_one.at({5, 1}), 0, 0);
  REQUIRE(cell.holding == Holding::complete);
  REQUIRE(cell.contributors == Ranks{0});
  REQUIRE(whole(cell.value) == 1);
  REQUIRE(of_one.at_time(7).nanoseconds == 0);
  REQUIRE(of_one.sent(of_one.at_time(0))[0].total == 0);

  const Trace empty = ring_trace(4, 0);
  const Replay of_empty(empty);
  REQUIRE(of_empty.contradictions().empty());
  const CellView last = of_empty.cell(of_empty.at({6, 1}), 2, 1);
  REQUIRE(last.holding == Holding::complete);
  REQUIRE(last.elements == 0);
  REQUIRE(!last.value);
}

TEST_CASE("a mean on its way is shown as the sum that it stands for") {
  const Trace trace = run_serially(
      {.schedule = make_ring({4, 4, 1, {}}), .type = ElementType::f32, .op = Operator::avg});
  const Replay replay(trace);
  const auto shown = [&](std::int32_t round, std::int32_t rank, std::int32_t chunk) {
    return text_of(*replay.cell(replay.at({round, 1}), rank, chunk).value, ElementType::f32);
  };
  REQUIRE(replay.contradictions().empty());
  REQUIRE(shown(0, 2, 0) == "100");
  REQUIRE(shown(1, 1, 0) == "11");
  REQUIRE(shown(2, 2, 0) == "111");
  REQUIRE(shown(3, 3, 0) == "277.75");
  REQUIRE(shown(6, 1, 0) == "277.75");
  // Three quarters of a mean of 30000: the sum that it stands for lies beyond f16.
  Trace half = run_serially(
      {.schedule = make_ring({4, 4, 1, {}}), .type = ElementType::f16, .op = Operator::avg});
  half.values.landed = {};
  const std::uint32_t second = 5;  // round 1.2, GPU 1 -> GPU 2
  half.values.landed.resize(24 * sizeof(f16));
  const std::vector<std::byte> stored = bytes_of_number(ElementType::f16, 22496);
  std::copy(stored.begin(), stored.end(), half.values.landed.begin() + 2 * second);
  const Replay of_half(half);
  REQUIRE(text_of(*of_half.after_value(second), ElementType::f16) == "89984");
}

TEST_CASE("integer means are divided at the end, and shown as they are") {
  const Trace trace = run_serially({.schedule = make_ring({4, 4, 1, {}}), .op = Operator::avg});
  const Replay replay(trace);
  REQUIRE(whole(replay.cell(replay.at({2, 1}), 2, 0).value) == 111);
  REQUIRE(whole(replay.cell(replay.at({3, 1}), 3, 0).value) == 277);
}

TEST_CASE("where only ends were kept, inputs and results have values") {
  Trace trace = ring_trace(4, 4);
  trace.values.kept = Kept::ends_only;
  trace.values.landed.clear();
  const Replay replay(trace);
  REQUIRE(replay.contradictions().empty());
  REQUIRE(whole(replay.cell(replay.at({0, 1}), 1, 0).value) == 10);
  REQUIRE(!replay.cell(replay.at({2, 1}), 2, 0).value);
  REQUIRE(whole(replay.cell(replay.at({6, 1}), 2, 0).value) == 1111);
}

TEST_CASE("a wrong schedule that counts terms again and again is shown, and does not grow") {
  Schedule schedule = make_exchange(2);
  schedule.phases[0].round_count = 60;
  for (std::int32_t round = 1; round < 60; ++round) {
    add_step(schedule, round, 0, 1, 0, 1, Action::reduce);
    add_step(schedule, round, 1, 0, 0, 1, Action::reduce);
  }
  const Trace trace = run_serially({.schedule = schedule});
  const Replay replay(trace);
  REQUIRE(replay.contradictions()[0].id == "check.doubled");
  REQUIRE(replay.cell(replay.at({60, 1}), 0, 0).contributors.size() == 3);
}

TEST_CASE("all that arrives in a cell in one round is told, in the order in which it is added") {
  const Trace trace = run_serially({.schedule = make_parameter_server({4, 1, 1, {}, 2})});
  const Replay replay(trace);
  const CellView root = replay.cell(replay.at({1, 0.5}), 2, 0);
  REQUIRE(root.arriving == std::vector<std::int32_t>{0, 1, 2});
  REQUIRE(root.contributors == Ranks{2});
  REQUIRE(replay.cell(replay.at({1, 1}), 2, 0).added == Ranks{0, 1, 3});
}
