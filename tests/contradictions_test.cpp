// Where the parts of a trace contradict each other: told, not smoothed over.
#include <algorithm>
#include <catch2/catch.hpp>

#include "core/engine/record.h"
#include "core/language/language.h"
#include "core/replay/replay.h"
#include "tests/hand_made_schedules.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

std::vector<std::string> found_in(const Trace& trace) {
  std::vector<std::string> ids;
  const Replay replay(trace);
  for (const Message& message : replay.contradictions()) {
    ids.push_back(message.id);
    for (const std::string_view code : Language::codes()) {
      const std::string words = Language::named(code).text(message);
      REQUIRE(words.find('[') == std::string::npos);
      REQUIRE(words.find('{') == std::string::npos);
    }
  }
  // However wrong it is, it can be shown.
  for (std::int32_t round = 0; round <= replay.rounds(); ++round) {
    const ReplayState state = replay.at({round, 0.5});
    replay.sent(state);
    for (std::int32_t rank = 0; rank < trace.schedule.ranks; ++rank) replay.cell(state, rank, 0);
  }
  for (std::int64_t i = 0; i <= 50; ++i) replay.at_time(trace.nanoseconds * i / 50);
  return ids;
}

bool has(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

}  // namespace

TEST_CASE("sound traces have none") {
  for (const bool lockstep : {false, true})
    for (const Operator op : {Operator::sum, Operator::avg, Operator::max})
      for (const Schedule& schedule :
           {make_ring({4, 9, 2, {}}), make_ring({1, 1, 1, {}}), make_ring({3, 0, 1, {}}),
            make_star(4), make_exchange(4), make_tree_of_four(2), make_halving_doubling_of_four(),
            make_shift(3), make_broadcast(3)})
        REQUIRE(found_in(run_serially({.schedule = schedule,
                                       .type = ElementType::f32,
                                       .op = op,
                                       .lockstep = lockstep}))
                    .empty());
}

TEST_CASE("each kind of contradiction is told by name") {
  Trace trace = run_serially({.schedule = make_ring({4, 4, 1, {}})});
  const std::uint32_t t = 9;  // round 1.3
  Event& event = trace.events[t];
  std::string expected;
  SECTION("the schedule is wrong") {
    std::swap(trace.schedule.transfers[t].src, trace.schedule.transfers[t].dst);
    expected = "check.lost";
  }
  SECTION("an event is missing") {
    trace.events.pop_back();
    expected = "contradiction.events";
  }
  SECTION("a transfer lands before it begins") {
    event.move_landed = event.reduce_landed = event.move_begun - 1;
    expected = "contradiction.times";
  }
  SECTION("a fused transfer is reduced at another time than it is moved") {
    event.reduce_begun += 1;
    expected = "contradiction.times";
  }
  SECTION("a transfer lands after the end") {
    trace.nanoseconds -= 1;
    expected = "contradiction.end";
  }
  SECTION("a transfer is on another lane") {
    event.lane = (event.lane + 1) % 4;
    expected = "contradiction.lane";
  }
  SECTION("a transfer is staged that need not be") {
    event.fused = 0;
    expected = "contradiction.lane";
  }
  SECTION("a transfer begins before its source has landed") {
    event.waited_from = event.move_begun = event.reduce_begun = 0;
    expected = "contradiction.order";
  }
  SECTION("a transfer was done whose source was not") {
    trace.events[t - 5].done = 0;
    expected = "contradiction.missing";
  }
  SECTION("values are cut off") {
    trace.values.landed.pop_back();
    expected = "contradiction.values";
  }
  SECTION("a copy left something else") {
    const std::size_t last = 23;  // round 2.3
    trace.values.landed[8 * last] ^= std::byte{1};
    expected = "contradiction.copy";
  }
  SECTION("a result is not what was last written") {
    trace.values.results[0] ^= std::byte{1};
    expected = "contradiction.result";
  }
  REQUIRE(has(found_in(trace), expected));
}

TEST_CASE("a staged transfer's reduction may not come before its move has landed") {
  Trace trace = run_serially({.schedule = make_exchange(2)});
  REQUIRE(found_in(trace).empty());
  trace.events[0].reduce_begun = trace.events[0].move_landed - 1;
  REQUIRE(has(found_in(trace), "contradiction.times"));
}

TEST_CASE("runs that were really recorded have none") {
  RunSettings settings;
  settings.ranks = GENERATE(1, 2, 4);
  settings.count = GENERATE(0u, 9u);
  settings.op = GENERATE(Operator::sum, Operator::avg);
  settings.lockstep = GENERATE(false, true);
  settings.slices = 2;
  RunHooks hooks;
  hooks.clock = GENERATE(Clock::steady, Clock::lamport);
  REQUIRE(found_in(record(settings, hooks)).empty());
}
