// What goes wrong in a run, on purpose or not: who is named, what the others do, what stays
// recorded.
#include <catch2/catch.hpp>
#include <stdexcept>
#include <thread>

#include "core/engine/engine.h"
#include "tests/engine_world.h"
#include "tests/error_of.h"
#include "tests/hand_made_schedules.h"

using namespace ringscope;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;

namespace {

std::size_t done(const Recorder& recorder, const Plan& plan) {
  std::size_t count = 0;
  for (const std::uint32_t part : plan.last_part) count += recorder.event(part).done;
  return count;
}

}  // namespace

TEST_CASE("a late rank begins late, once, and a delayed one before each transfer") {
  const Schedule schedule = ring(3, 3);
  World world(schedule, inputs_for(schedule, DataKind::ramp, ElementType::f32, Operator::sum));
  world.job().trouble.late = {{1, 2'000'000}};
  world.job().trouble.delays = {{-1, 2, 1'000'000}, {2, 0, 500'000}, {0, 2, 9'000'000}};
  const Trace trace = recorded(world, Clock::steady);
  require_causal(world, trace);
  int of_late = 0;
  for (std::size_t t = 0; t < trace.events.size(); ++t) {
    const Event& event = trace.events[t];
    if (event.lane == 2) REQUIRE(event.delayed >= 1'000'000);
    if (event.lane == 0) REQUIRE(event.delayed >= 500'000);
    if (event.lane == 1 && event.delayed > 0) ++of_late;
    REQUIRE(event.move_begun >= event.waited_from + event.delayed);
  }
  REQUIRE(of_late == 1);
  REQUIRE(world.verdict().outcome == Verdict::Outcome::verified);
}

TEST_CASE("a rank that dies stops the others, and what was done before stays recorded") {
  const bool lockstep = GENERATE(false, true);
  const Clock clock = GENERATE(Clock::steady, Clock::lamport);
  const Schedule schedule = ring(4, 64, 2);
  World world(schedule, inputs_for(schedule, DataKind::ramp, ElementType::f32, Operator::sum),
              lockstep);
  world.job().trouble.deaths = {{2, 1}};
  Recorder recorder(world.schedule(), world.plan(), ElementType::f32, clock);
  const auto begin = std::chrono::steady_clock::now();
  const auto error = failure_of([&] { make_host_engine()->run(world.job(), &recorder); });
  REQUIRE(std::chrono::steady_clock::now() - begin < 5s);
  REQUIRE(error);
  REQUIRE(error->id == "error.run.died");
  REQUIRE(argument(*error, "rank") == "2");
  REQUIRE(argument(*error, "round") == "1.2");
  // Every rank's first round lands (in lockstep of both slices); the last goes on to nothing.
  const std::size_t count = done(recorder, world.plan());
  REQUIRE(count >= 4);
  REQUIRE(count < schedule.transfers.size());
  for (std::uint32_t p = 0; p < world.plan().parts.size(); ++p)
    if (schedule.transfers[world.plan().parts[p].transfer].dst == 2 &&
        schedule.transfers[world.plan().parts[p].transfer].round >= 1)
      REQUIRE(!recorder.event(p).done);
  // The same in every run: it is the schedule that decides what can still be done.
  Recorder again(world.schedule(), world.plan(), ElementType::f32, clock);
  REQUIRE(failure_of([&] { make_host_engine()->run(world.job(), &again); }) == error);
  REQUIRE(done(again, world.plan()) == count);
}

TEST_CASE("a rank that dies has done all that comes before in its lane, in a sliced tree, too") {
  // Down the tree slices lag behind those that go up: when the first comes down, rank 1 has long
  // begun with later ones.
  const Schedule schedule = make_tree({.ranks = 4, .count = 64, .slices = 8});
  World world(schedule, inputs_for(schedule, DataKind::ramp, ElementType::f32, Operator::sum));
  const std::int32_t broadcast = schedule.phases[1].first_round;
  world.job().trouble.deaths = {{1, broadcast}};
  Recorder recorder(world.schedule(), world.plan(), ElementType::f32, Clock::steady);
  REQUIRE(failure_of([&] { make_host_engine()->run(world.job(), &recorder); }));
  const Plan& plan = world.plan();
  for (std::uint32_t p = plan.lane_starts[1], before = 0; p < plan.lane_starts[2]; ++p) {
    const Transfer& transfer = schedule.transfers[plan.parts[p].transfer];
    if (transfer.round >= broadcast) {
      REQUIRE(before == 3);  // the reductions of slices 0, 1 and 2
      break;
    }
    REQUIRE(recorder.event(p).done);
    ++before;
  }
  for (std::uint32_t p = 0; p < plan.parts.size(); ++p) {
    const Transfer& transfer = schedule.transfers[plan.parts[p].transfer];
    if ((transfer.src == 1 || transfer.dst == 1) && transfer.round >= broadcast)
      REQUIRE(!recorder.event(p).done);
  }
}

TEST_CASE("nobody can read from a rank that is dead") {
  const Schedule schedule = make_tree_of_four();
  World world(schedule, inputs_for(schedule, DataKind::ramp, ElementType::f32, Operator::sum));
  world.job().trouble.deaths = {{3, 0}};
  Recorder recorder(world.schedule(), world.plan(), ElementType::f32, Clock::steady);
  const auto error = failure_of([&] { make_host_engine()->run(world.job(), &recorder); });
  REQUIRE(error);
  REQUIRE(error->id == "error.run.died");
  REQUIRE(argument(*error, "rank") == "3");
  REQUIRE(!recorder.event(world.plan().first_part[0]).done);
}

TEST_CASE("a rank that stalls past the timeout is named, with its round and chunk") {
  const bool lockstep = GENERATE(false, true);
  const Schedule schedule = ring(4, 64);
  World world(schedule, inputs_for(schedule, DataKind::ramp, ElementType::f32, Operator::sum),
              lockstep);
  world.job().trouble.delays = {{0, 1, std::int64_t{3600} * 1'000'000'000}};
  world.job().timeout = 100ms;
  Recorder recorder(world.schedule(), world.plan(), ElementType::f32, Clock::steady);
  const auto begin = std::chrono::steady_clock::now();
  const auto error = failure_of([&] { make_host_engine()->run(world.job(), &recorder); });
  REQUIRE(std::chrono::steady_clock::now() - begin < 5s);
  REQUIRE(error);
  REQUIRE(error->id == "error.run.timeout");
  REQUIRE(argument(*error, "rank") == "1");
  REQUIRE(argument(*error, "round") == "1.1");
  REQUIRE(argument(*error, "chunk") == "0");
  REQUIRE(done(recorder, world.plan()) >= 3);
}

namespace {

std::atomic<int> passes_till_fault{0};

void stall_in_third_pass(ElementType, const Pass&, std::span<std::byte>, std::span<const std::byte>,
                         std::span<const std::byte>) {
  if (++passes_till_fault == 3) std::this_thread::sleep_for(1s);
}

void throw_in_third_pass(ElementType, const Pass&, std::span<std::byte>, std::span<const std::byte>,
                         std::span<const std::byte>) {
  if (++passes_till_fault == 3) throw std::runtime_error("no more numbers");
}

}  // namespace

TEST_CASE("a rank that hangs in its work is found by those who wait for it") {
  const bool lockstep = GENERATE(false, true);
  const Schedule schedule = make_tree_of_four();  // 3 -> 1, 1 -> 0, 2 -> 0: the third pass is 0's
  World world(schedule, inputs_for(schedule, DataKind::ramp, ElementType::f32, Operator::sum),
              lockstep);
  world.job().timeout = 50ms;
  passes_till_fault = 0;
  HostPasses passes;
  passes.reduce = stall_in_third_pass;
  const auto error = failure_of([&] { make_host_engine(passes)->run(world.job(), nullptr); });
  REQUIRE(error);
  REQUIRE(error->id == "error.run.timeout");
  REQUIRE(argument(*error, "rank") == "0");
  REQUIRE(argument(*error, "round") == "1.2");
}

TEST_CASE("a rank that throws stops the others and is named") {
  const bool lockstep = GENERATE(false, true);
  const Schedule schedule = make_tree_of_four();
  World world(schedule, inputs_for(schedule, DataKind::ramp, ElementType::f32, Operator::sum),
              lockstep);
  passes_till_fault = 0;
  HostPasses passes;
  passes.reduce = throw_in_third_pass;
  Recorder recorder(world.schedule(), world.plan(), ElementType::f32, Clock::steady);
  const auto error = failure_of([&] { make_host_engine(passes)->run(world.job(), &recorder); });
  REQUIRE(error);
  REQUIRE(error->id == "error.run.threw");
  REQUIRE(argument(*error, "rank") == "0");
  REQUIRE(argument(*error, "round") == "1.2");
  REQUIRE(argument(*error, "chunk") == "0");
  REQUIRE(argument(*error, "reason") == "no more numbers");
  REQUIRE(done(recorder, world.plan()) == 2);
}

TEST_CASE("a run that is cancelled ends soon") {
  const bool before = GENERATE(false, true);
  const Schedule schedule = ring(4, 64);
  World world(schedule, inputs_for(schedule, DataKind::ramp, ElementType::f32, Operator::sum));
  world.job().trouble.late = {{2, std::int64_t{3600} * 1'000'000'000}};
  world.job().timeout = std::chrono::hours(2);
  std::stop_source source;
  world.job().stop = source.get_token();
  if (before) source.request_stop();
  const std::jthread canceller([&] {
    std::this_thread::sleep_for(30ms);
    source.request_stop();
  });
  Recorder recorder(world.schedule(), world.plan(), ElementType::f32, Clock::steady);
  const auto begin = std::chrono::steady_clock::now();
  const auto error = failure_of([&] { make_host_engine()->run(world.job(), &recorder); });
  REQUIRE(std::chrono::steady_clock::now() - begin < 5s);
  REQUIRE(error);
  REQUIRE(error->id == "error.run.cancelled");
  if (!before) REQUIRE(done(recorder, world.plan()) > 0);
}
