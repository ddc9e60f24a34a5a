// The CUDA engine on the stand-in for its runtime: bit for bit what the host engine makes, whatever
// the order in which streams go on.
#include <catch2/catch.hpp>
#include <cstring>

#include "core/engine/cuda_clock.h"
#include "core/trace/verify.h"
#include "tests/cuda/cuda_job.h"

using namespace ringscope;

namespace {

struct Outcome {
  StandInReport report;
  std::vector<std::vector<std::byte>> outputs;
};

Outcome run_on_cuda(const StandInSettings& settings, const Schedule& schedule, ElementType type,
                    Operator op, const CudaWay& way, bool recorded) {
  const StandIn stand_in(settings);
  CudaJob job(schedule, type, op, way);
  Recorder recorder(job.schedule(), job.plan(), type, Clock::steady);
  job.run_on_cuda(recorded ? &recorder : nullptr);
  return {stand_in.report(), job.outputs()};
}

void require_same_bits(const StandInSettings& settings, const Schedule& schedule, ElementType type,
                       Operator op, const CudaWay& way, bool recorded) {
  INFO(schedule.algorithm << ": " << schedule.ranks << " ranks, " << schedule.count << ' '
                          << name_of(type) << ' ' << name_of(op) << ", slices " << schedule.slices
                          << ", in place " << way.in_place << ", lockstep " << way.lockstep
                          << ", recorded " << recorded << ", devices " << settings.devices);
  CudaJob on_host(schedule, type, op, way);
  on_host.run_on_host();
  const Outcome outcome = run_on_cuda(settings, schedule, type, op, way, recorded);
  REQUIRE(outcome.report.faults == std::vector<std::string>{});
  REQUIRE(outcome.outputs == on_host.outputs());
}

}  // namespace

TEST_CASE("every algorithm gives the host's bits on GPUs, over types, operators and counts") {
  // Each pair of type and operator meets each algorithm, the rest goes round.
  std::size_t turn = 0;
  const std::vector<int> ranks{1, 2, 3, 4, 5, 7, 8};
  const std::vector<std::uint64_t> counts{0, 1, 3, 16, 101, 257};
  for (const Algorithm& algorithm : algorithms())
    for (const ElementTypeRow& type : element_types)
      for (std::size_t op = 0; op < operator_names.size(); ++op) {
        if (!algorithm.has_operator && op > 0) continue;
        ++turn;
        StandInSettings settings;
        settings.seed = turn;
        settings.devices = 1 + static_cast<int>(turn % 4);
        if (turn % 3 == 0) settings.no_peer = {{0, 1}, {2, 0}, {1, 3}};
        const Schedule schedule =
            schedule_of(algorithm.name, ranks[turn % ranks.size()], counts[turn % counts.size()],
                        1 + static_cast<std::int32_t>(turn % 3));
        require_same_bits(settings, schedule, type.type, static_cast<Operator>(op),
                          {turn % 2 == 0, turn % 5 == 0}, turn % 4 < 2);
      }
}

TEST_CASE(
    "four ranks give the same bits on one, two, three and four GPUs, and as they are placed") {
  const int devices = GENERATE(1, 2, 3, 4);
  const bool peers = GENERATE(false, true);
  StandInSettings settings;
  settings.devices = devices;
  for (int reader = 0; reader < devices && !peers; ++reader)
    for (int owner = 0; owner < devices; ++owner)
      if (reader != owner) settings.no_peer.insert({reader, owner});
  for (const std::string_view name : {"ring", "recursive-doubling", "tree"}) {
    const Schedule schedule = schedule_of(name, 4, 45, 2);
    require_same_bits(settings, schedule, ElementType::f32, Operator::sum, {}, true);
    require_same_bits(settings, schedule, ElementType::f16, Operator::avg, {true, true}, true);
    const CudaWay backwards{false, false, {devices - 1, 0, devices - 1, 0}};
    require_same_bits(settings, schedule, ElementType::f32, Operator::prod, backwards, true);
  }
}

TEST_CASE("whatever the order in which streams go on, the result is the same") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    StandInSettings settings;
    settings.seed = seed;
    require_same_bits(settings, schedule_of("halving-doubling", 7, 100, 2), ElementType::f64,
                      Operator::sum, {true, false}, seed % 2 == 0);
  }
}

TEST_CASE("no wait is there in vain: without any one of them an access is out of order") {
  for (const Algorithm& algorithm : algorithms()) {
    // In place, for which dependencies are made; no cell is empty.
    const std::int32_t slices = algorithm.one_slice ? 1 : 2;
    const Schedule schedule = schedule_of(algorithm.name, 5, 64, slices);
    const CudaWay way{true};
    for (const bool peers : {true, false}) {
      StandInSettings settings;
      if (!peers) settings.no_peer = {{1, 0}, {0, 1}, {3, 2}};
      const Outcome whole =
          run_on_cuda(settings, schedule, ElementType::i32, Operator::sum, way, false);
      REQUIRE(whole.report.faults.empty());
      REQUIRE(whole.report.waits > 0);
      for (std::uint64_t wait = 0; wait < whole.report.waits; ++wait) {
        INFO(algorithm.name << " without wait " << wait << " of " << whole.report.waits);
        settings.drop_wait = wait;
        const Outcome outcome =
            run_on_cuda(settings, schedule, ElementType::i32, Operator::sum, way, false);
        REQUIRE(!outcome.report.faults.empty());
      }
    }
  }
}

TEST_CASE("a record on GPUs is causal within what its clocks are worth, and keeps what landed") {
  const bool lockstep = GENERATE(false, true);
  const int devices = GENERATE(1, 3);
  for (const std::string_view name : {"ring", "recursive-doubling", "halving-doubling"}) {
    StandInSettings settings;
    settings.devices = devices;
    settings.no_peer = {{0, 2}};
    const StandIn stand_in(settings);
    CudaJob job(schedule_of(name, 5, 103, 2), ElementType::f32, Operator::sum, {false, lockstep});
    const Trace trace = recorded(job);
    const std::int64_t tolerance = trace.where.clock.tolerance();
    REQUIRE(trace.where.clock.resolution % 32 == 0);
    REQUIRE((trace.where.clock.uncertainty == 0) == (devices == 1));
    const auto landed = [&](std::uint32_t part) {
      const Event& event = trace.events[job.plan().parts[part].transfer];
      return job.plan().parts[part].kind == PartKind::move ? event.move_landed
                                                           : event.reduce_landed;
    };
    std::int64_t last = 0;
    for (std::uint32_t p = 0; p < job.plan().parts.size(); ++p) {
      const Event& event = trace.events[job.plan().parts[p].transfer];
      REQUIRE(event.done == 1);
      REQUIRE(event.waited_from <= event.move_begun);
      REQUIRE(event.move_begun <= event.move_landed);
      REQUIRE(event.reduce_begun <= event.reduce_landed);
      last = std::max(last, landed(p));
      const std::int64_t begun =
          job.plan().parts[p].kind == PartKind::finish ? event.reduce_begun : event.move_begun;
      for (const std::uint32_t other : job.plan().depends_of(p))
        REQUIRE(begun + tolerance >= landed(other));
    }
    REQUIRE(trace.nanoseconds == last);
    // The same elements as on the host.
    CudaJob on_host(schedule_of(name, 5, 103, 2), ElementType::f32, Operator::sum,
                    {false, lockstep});
    Recorder recorder(on_host.schedule(), on_host.plan(), ElementType::f32, Clock::lamport);
    on_host.run_on_host(&recorder);
    Trace expected;
    std::move(recorder).finish(expected);
    REQUIRE(trace.values.landed == expected.values.landed);
  }
}

TEST_CASE("how finely a device's timer tells is seen on the device") {
  const std::uint64_t step = GENERATE(1024, 4000);
  StandInSettings settings;
  settings.timer_step = step;
  const StandIn stand_in(settings);
  CudaJob job(schedule_of("ring", 2, 2), ElementType::f32, Operator::sum);
  REQUIRE(recorded(job).where.clock.resolution == static_cast<std::int64_t>(step));
  // A pause of the device between two steps is none.
  std::vector<std::uint64_t> times(20);
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = 1000 * step + i * step;
  times.back() += 50 * step;
  REQUIRE(step_of(times) == static_cast<std::int64_t>(step));
  REQUIRE(step_of(std::vector<std::uint64_t>(5, 7)) == 1);
}

TEST_CASE("the way that data go between two ranks is recorded for each link") {
  StandInSettings settings;
  settings.devices = 3;
  settings.no_peer = {{2, 1}};
  const StandIn stand_in(settings);
  CudaJob job(schedule_of("ring", 4, 8), ElementType::i32, Operator::sum,
              {false, false, {0, 0, 1, 2}});
  REQUIRE(recorded(job).where.links == std::vector<DeviceLink>{{0, 1, LinkPath::same_device},
                                                               {1, 2, LinkPath::peer},
                                                               {2, 3, LinkPath::through_host},
                                                               {3, 0, LinkPath::peer}});
}

TEST_CASE("a late rank begins late on its GPU, and a delayed one sleeps before each transfer") {
  const StandIn stand_in({});
  CudaJob job(schedule_of("ring", 3, 3), ElementType::f32, Operator::sum);
  job.job().trouble.late = {{1, 2'000'000}};
  job.job().trouble.delays = {{-1, 2, 1'000'000}, {2, 0, 500'000}};
  const Trace trace = recorded(job);
  bool first_of_late = true;
  for (std::size_t t = 0; t < trace.events.size(); ++t) {
    const std::int64_t delayed = trace.events[t].delayed;
    const std::int32_t dst = job.schedule().transfers[t].dst;
    if (dst == 1) REQUIRE((delayed >= 2'000'000) == std::exchange(first_of_late, false));
    if (dst == 2) REQUIRE(delayed >= 1'000'000);
    if (dst == 0) REQUIRE(delayed >= 500'000);
    REQUIRE(trace.events[t].move_begun - trace.events[t].waited_from + 100'000 >= delayed);
  }
}

TEST_CASE("chunks are sliced by themselves where they go from GPU to GPU, and not within one") {
  const StandIn stand_in({});
  constexpr std::uint64_t mebibyte = 1 << 20;
  REQUIRE(make_engine("cuda")->auto_slices(4, 0) == 1);
  REQUIRE(make_engine("cuda")->auto_slices(4, 16 * mebibyte) == 1);
  REQUIRE(make_engine("cuda")->auto_slices(4, 64 * mebibyte) == 4);
  REQUIRE(make_engine("cuda")->auto_slices(1, 64 * mebibyte) == 1);
  REQUIRE(make_engine("cuda", {{2, 2, 2}})->auto_slices(3, 64 * mebibyte) == 1);
  REQUIRE(make_engine("cuda", {{2, 2, 1}})->auto_slices(3, 64 * mebibyte) == 4);
}

TEST_CASE("ranks are placed round robin, or as it is said") {
  const StandIn stand_in({});
  using Names = std::vector<std::string>;
  const auto names = [](std::vector<int> devices, int ranks) {
    return make_engine("cuda", {std::move(devices)})->devices(ranks);
  };
  REQUIRE(names({}, 2) == Names{"GPU 0: Stand-in", "GPU 1: Stand-in"});
  REQUIRE(names({}, 5).back() == "GPU 0: Stand-in");
  REQUIRE(names({3, 3}, 2) == Names{"GPU 3: Stand-in", "GPU 3: Stand-in"});
  REQUIRE_THROWS_AS(names({0, 1}, 3), Error);
  REQUIRE_THROWS_AS(names({0, 4}, 2), Error);
  REQUIRE_THROWS_AS(make_engine("host", {{0, 1}}), Error);
}
