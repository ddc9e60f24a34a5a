#include "core/engine/engine.h"

#include <sched.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "core/engine/buffers.h"
#include "core/engine/host_engine.h"
#include "core/language/language.h"
#include "core/schedule/check.h"
#include "core/trace/reference.h"
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

InputSpec inputs_for(const Schedule& schedule, DataKind kind, ElementType type, Operator op) {
  InputSpec spec;
  spec.kind = kind;
  spec.type = type;
  spec.op = op;
  spec.ranks = schedule.ranks;
  spec.count = schedule.count;
  return spec;
}

// The buffers of one run, filled, and what was in them.
class World {
 public:
  World(const Schedule& schedule, const InputSpec& spec, bool lockstep = false,
        bool in_place = false)
      : schedule_(schedule),
        plan_(make_plan(schedule, lockstep)),
        spec_(spec),
        job_(schedule_, plan_) {
    const std::uint64_t bytes = schedule.count * bytes_of(spec.type);
    for (int rank = 0; rank < schedule.ranks; ++rank) {
      inputs_.emplace_back(bytes, 2 * rank);
      fill_input(spec, rank, 0, inputs_.back().bytes());
      if (!in_place) outputs_.emplace_back(bytes, 2 * rank + 1);
    }
    job_.type = spec.type;
    job_.op = spec.op;
    job_.lockstep = lockstep;
    for (const Buffer& buffer : inputs_) job_.inputs.push_back(buffer.bytes());
    for (Buffer& buffer : results()) job_.outputs.push_back(buffer.bytes());
  }

  Job& job() { return job_; }
  const Schedule& schedule() const { return schedule_; }
  const Plan& plan() const { return plan_; }
  std::vector<Buffer>& results() { return outputs_.empty() ? inputs_ : outputs_; }

  Verdict verdict() {
    return judge(schedule_, spec_, [&](int rank, Extent extent, std::span<std::byte> out) {
      const std::size_t bytes = bytes_of(spec_.type);
      const auto from = results()[static_cast<std::size_t>(rank)].bytes().subspan(
          extent.first * bytes, extent.count * bytes);
      std::copy(from.begin(), from.end(), out.begin());
    });
  }

  bool inputs_untouched() const {
    std::vector<std::byte> expected;
    for (std::size_t rank = 0; rank < inputs_.size(); ++rank) {
      const auto found = inputs_[rank].bytes();
      expected.resize(found.size());
      fill_input(spec_, static_cast<int>(rank), 0, expected);
      if (!std::equal(found.begin(), found.end(), expected.begin())) return false;
    }
    return true;
  }

  bool guards_untouched() const {
    const auto untouched = [](const Buffer& buffer) { return buffer.guards_untouched(); };
    return std::all_of(inputs_.begin(), inputs_.end(), untouched) &&
           std::all_of(outputs_.begin(), outputs_.end(), untouched);
  }

 private:
  Schedule schedule_;
  Plan plan_;
  InputSpec spec_;
  std::vector<Buffer> inputs_, outputs_;
  Job job_;
};

Trace recorded(World& world, Clock clock, nanoseconds* time = nullptr) {
  Recorder recorder(world.schedule(), world.plan(), world.job().type, clock);
  const nanoseconds took = make_host_engine()->run(world.job(), &recorder);
  if (time != nullptr) *time = took;
  Trace trace;
  std::move(recorder).finish(trace);
  return trace;
}

// Nothing begins before all that it depends on has landed.
void require_causal(const World& world, const Trace& trace) {
  const auto landed = [&](std::uint32_t part) {
    const Event& event = trace.events[world.plan().parts[part].transfer];
    return world.plan().parts[part].kind == PartKind::move ? event.move_landed
                                                           : event.reduce_landed;
  };
  for (std::uint32_t p = 0; p < world.plan().parts.size(); ++p) {
    const Event& event = trace.events[world.plan().parts[p].transfer];
    if (!event.done) continue;
    const bool finishes = world.plan().parts[p].kind == PartKind::finish;
    const std::int64_t begun = finishes ? event.reduce_begun : event.move_begun;
    REQUIRE(event.waited_from <= event.move_begun);
    REQUIRE(event.move_begun <= event.move_landed);
    REQUIRE(event.reduce_begun <= event.reduce_landed);
    for (const std::uint32_t other : world.plan().depends_of(p)) REQUIRE(begun >= landed(other));
  }
}

Schedule ring(int ranks, std::uint64_t count, int slices = 1) {
  ScheduleRequest request;
  request.ranks = ranks;
  request.count = count;
  request.slices = slices;
  return make_ring(request);
}

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

// The error that the body ends with; nothing where it ends well.
template <class Body>
std::optional<Message> failure_of(Body body) {
  try {
    body();
  } catch (const Error& error) {
    for (const std::string_view code : Language::codes()) {
      const std::string text = Language::named(code).text(error.message());
      CHECK(text.find_first_of("[{}]\n") == text.npos);
    }
    return error.message();
  }
  return std::nullopt;
}

std::string argument(const Message& message, std::string_view name) {
  for (const auto& [key, value] : message.arguments)
    if (key == name) return value;
  return "(none)";
}

std::size_t done(const Recorder& recorder, const Plan& plan) {
  std::size_t count = 0;
  for (const std::uint32_t part : plan.last_part) count += recorder.event(part).done;
  return count;
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
