#include "core/engine/engine.h"

#include <sched.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "core/engine/buffers.h"
#include "core/engine/host_engine.h"
#include "core/language/language.h"
#include "core/schedule/check.h"
#include "core/trace/reference.h"
#include "tests/engine_world.h"
#include "tests/error_of.h"
#include "tests/hand_made_schedules.h"

using namespace ringscope;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;

namespace {

// How a schedule is run; the defaults are those of the command line.
struct Way {
  bool in_place = false;
  int slices = 1;
  bool lockstep = false;
};

void require_right(const Schedule& schedule, DataKind kind, ElementType type, Operator op,
                   const Way& way) {
  INFO(schedule.algorithm << ": " << schedule.ranks << " ranks, " << schedule.count << " "
                          << name_of(type) << ", " << name_of(op) << ", " << name_of(kind)
                          << ", slices " << schedule.slices << ", in place " << way.in_place
                          << ", lockstep " << way.lockstep);
  World world(schedule, inputs_for(schedule, kind, type, op), way.lockstep, way.in_place);
  make_host_engine()->run(world.job(), nullptr);
  const Verdict verdict = world.verdict();
  if (verdict.failure) UNSCOPED_INFO(Error(*verdict.failure).what());
  REQUIRE(verdict.outcome == Verdict::Outcome::verified);
  REQUIRE(verdict.ranks_agree);
  if (kind == DataKind::exact) REQUIRE(verdict.exact);
  REQUIRE(world.guards_untouched());
  if (!way.in_place) REQUIRE(world.inputs_untouched());
}

}  // namespace

TEST_CASE("the ring gives the reference's result for every size, type, operator and way") {
  const int ranks = GENERATE(1, 2, 3, 4, 5, 8, 16);
  const auto n = static_cast<std::uint64_t>(ranks);
  constexpr std::array<Way, 5> ways{
      {{false, 1, false}, {true, 1, false}, {false, 3, false}, {true, 2, true}, {false, 2, true}}};
  std::size_t turn = 0;
  for (const std::uint64_t count :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, n - 1, n, n + 1, std::uint64_t{4095},
        std::uint64_t{4096}, std::uint64_t{4097}})
    for (const Way& way : ways)
      for (const ElementTypeRow& row : element_types) {
        const auto op = static_cast<Operator>(turn++ % operator_names.size());
        require_right(ring(ranks, count, way.slices), DataKind::ramp, row.type, op, way);
      }
}

TEST_CASE("exact data come out bit for bit, whatever the type and operator") {
  const int ranks = GENERATE(1, 2, 4, 5);
  for (const ElementTypeRow& row : element_types)
    for (std::size_t op = 0; op < operator_names.size(); ++op) {
      const Schedule schedule = ring(ranks, 1000);
      const auto operation = static_cast<Operator>(op);
      if (failure_of(
              [&] { check_inputs(inputs_for(schedule, DataKind::exact, row.type, operation)); }))
        continue;
      require_right(schedule, DataKind::exact, row.type, operation, {false, 1, false});
      require_right(schedule, DataKind::exact, row.type, operation, {true, 1, false});
    }
}

TEST_CASE("a ring in another order gives the same result") {
  ScheduleRequest request;
  request.ranks = 5;
  request.count = 123;
  request.order = {3, 0, 4, 2, 1};
  require_right(make_ring(request), DataKind::random, ElementType::f32, Operator::sum, {});
}

TEST_CASE("schedules that no algorithm makes run as well") {
  const bool in_place = GENERATE(false, true);
  const bool lockstep = GENERATE(false, true);
  const Operator op = GENERATE(Operator::sum, Operator::avg, Operator::max);
  const ElementType type = GENERATE(ElementType::f32, ElementType::f16);
  for (const Schedule& schedule :
       {make_star(2), make_star(7, 3), make_tree_of_four(), make_tree_of_four(2), make_exchange(2),
        make_exchange(8), make_exchange(4, 3), make_halving_doubling_of_four()}) {
    REQUIRE(check(schedule).empty());
    require_right(schedule, DataKind::ramp, type, op, {in_place, schedule.slices, lockstep});
  }
}

TEST_CASE("a goal cell that no transfer writes is copied from input to output, and is no event") {
  const Schedule alone = ring(1, 5);
  require_right(alone, DataKind::ramp, ElementType::f32, Operator::avg, {});
  World world(alone, inputs_for(alone, DataKind::ramp, ElementType::f32, Operator::sum));
  nanoseconds time{0};
  REQUIRE(recorded(world, Clock::steady, &time).events.empty());
  REQUIRE(time > 0ns);

  const Schedule broadcast = make_broadcast(3);
  World sent(broadcast, inputs_for(broadcast, DataKind::ramp, ElementType::i32, Operator::sum));
  make_host_engine()->run(sent.job(), nullptr);
  const auto root = sent.job().inputs.front();
  for (Buffer& result : sent.results())
    REQUIRE(std::equal(root.begin(), root.end(), result.bytes().begin()));
}

TEST_CASE("one rank with no element takes no time") {
  const Schedule schedule = ring(1, 0);
  World world(schedule, inputs_for(schedule, DataKind::ramp, ElementType::f32, Operator::sum));
  REQUIRE(make_host_engine()->run(world.job(), nullptr) == 0ns);
}

TEST_CASE("copies that cross one another each read what was there before the round") {
  const bool in_place = GENERATE(false, true);
  const Schedule schedule = make_shift(4);
  World world(schedule, inputs_for(schedule, DataKind::ramp, ElementType::i32, Operator::sum),
              false, in_place);
  make_host_engine()->run(world.job(), nullptr);
  std::vector<std::byte> expected(schedule.count * sizeof(std::int32_t));
  for (int rank = 0; rank < 4; ++rank) {
    fill_input(inputs_for(schedule, DataKind::ramp, ElementType::i32, Operator::sum),
               (rank + 3) % 4, 0, expected);
    const auto found = world.results()[static_cast<std::size_t>(rank)].bytes();
    REQUIRE(std::equal(found.begin(), found.end(), expected.begin()));
  }
}

TEST_CASE("the mean of 4 times 30000 in half precision is 30000") {
  const Schedule schedule = ring(4, 4);
  World world(schedule, inputs_for(schedule, DataKind::ramp, ElementType::f16, Operator::avg),
              false, true);
  for (Buffer& buffer : world.results())
    for (std::size_t i = 0; i < 4; ++i) {
      const auto value = static_cast<f16>(30000.f);
      std::memcpy(buffer.bytes().data() + i * sizeof value, &value, sizeof value);
    }
  make_host_engine()->run(world.job(), nullptr);
  for (Buffer& buffer : world.results())
    for (std::size_t i = 0; i < 4; ++i) {
      f16 value;
      std::memcpy(&value, buffer.bytes().data() + i * sizeof value, sizeof value);
      REQUIRE(static_cast<float>(value) == 30000.f);
    }
}

TEST_CASE("a record is causal, and says what each transfer left") {
  const Clock clock = GENERATE(Clock::steady, Clock::lamport);
  const bool lockstep = GENERATE(false, true);
  for (const Schedule& schedule : {ring(5, 103, 2), make_exchange(4, 2), make_star(5)}) {
    World world(schedule, inputs_for(schedule, DataKind::exact, ElementType::i32, Operator::sum),
                lockstep);
    nanoseconds time{0};
    const Trace trace = recorded(world, clock, &time);
    require_causal(world, trace);
    std::int64_t last = 0;
    for (std::size_t t = 0; t < trace.events.size(); ++t) {
      const Event& event = trace.events[t];
      REQUIRE(event.done);
      REQUIRE(event.lane == schedule.transfers[t].dst);
      REQUIRE(event.bytes == transfer_extent(schedule, schedule.transfers[t]).count * 4);
      last = std::max({last, event.move_landed, event.reduce_landed});
      // In lockstep nothing of a round begins before all of the one before has landed.
      for (std::size_t before = 0; lockstep && before < t; ++before)
        if (schedule.transfers[before].round < schedule.transfers[t].round)
          REQUIRE(trace.events[before].reduce_landed <= event.move_begun);
    }
    REQUIRE(time.count() == last);
    // What the last transfer into a cell left is the result.
    const ValueLayout layout(schedule, ElementType::i32, trace.values.kept);
    const auto landed =
        std::span(trace.values.landed).subspan(layout.landed_offsets[trace.events.size() - 1]);
    const Transfer& transfer = schedule.transfers.back();
    const Buffer& result = world.results()[static_cast<std::size_t>(transfer.dst)];
    const auto from = transfer_extent(schedule, transfer).first * 4;
    REQUIRE(std::memcmp(landed.data(), result.bytes().data() + from, 4) == 0);
  }
}

TEST_CASE("with the Lamport clock a trace is the same, byte for byte, in every run") {
  const bool lockstep = GENERATE(false, true);
  for (const Schedule& schedule : {ring(7, 50, 3), make_exchange(8), make_star(6, 2)}) {
    World world(schedule, inputs_for(schedule, DataKind::ramp, ElementType::f32, Operator::sum),
                lockstep);
    world.job().trouble.late = {{1, 3'000'000}};
    const Trace first = recorded(world, Clock::lamport);
    for (int again = 0; again < 10; ++again) {
      const Trace trace = recorded(world, Clock::lamport);
      REQUIRE(trace.events == first.events);
      REQUIRE(trace.values == first.values);
    }
  }
}

TEST_CASE("64 ranks finish a small run, and 16 on one core") {
  cpu_set_t all;
  REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
  const auto begin = std::chrono::steady_clock::now();
  require_right(ring(64, 1000), DataKind::ramp, ElementType::i32, Operator::sum, {});
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core)
    if (CPU_ISSET(core, &all)) CPU_SET(core, &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  require_right(ring(16, 1000), DataKind::ramp, ElementType::i32, Operator::sum, {});
  REQUIRE(sched_setaffinity(0, sizeof all, &all) == 0);
  REQUIRE(std::chrono::steady_clock::now() - begin < 30s);
}

TEST_CASE("an engine that is not there is refused by name") {
  REQUIRE(make_engine("host")->name() == "host");
  const auto error = failure_of([] { make_engine("quantum"); });
  REQUIRE(error);
  REQUIRE(error->id == "error.engine.unknown");
  REQUIRE(argument(*error, "known") == "host, cuda, nccl");
}

TEST_CASE("chunks up to 256 KiB are one slice") {
  const auto engine = make_host_engine();
  REQUIRE(engine->auto_slices(4, 0) == 1);
  REQUIRE(engine->auto_slices(4, 256 * 1024) == 1);
  REQUIRE(engine->auto_slices(4, 256 * 1024 + 1) == 2);
}
