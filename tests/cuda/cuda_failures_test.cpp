// What goes wrong on GPUs: told in one sentence with CUDA's own name for it, everything given back,
// what was done till then kept.
#include <catch2/catch.hpp>

#include "core/engine/record.h"
#include "core/trace/trace_file.h"
#include "core/trace/verify.h"
#include "tests/command_line.h"
#include "tests/cuda/cuda_job.h"
#include "tests/error_of.h"

using namespace ringscope;

namespace {

// One run, recorded, on GPUs with these settings.
class Whole {
 public:
  Whole(const StandInSettings& settings, const Schedule& schedule)
      : stand_in_(settings),
        job_(schedule, ElementType::f32, Operator::sum),
        recorder_(job_.schedule(), job_.plan(), ElementType::f32, Clock::steady) {}

  void run() { job_.run_on_cuda(&recorder_); }
  StandInReport report() const { return stand_in_.report(); }

 private:
  const StandIn stand_in_;
  CudaJob job_;
  Recorder recorder_;
};

void require_clean_failure(const StandInSettings& settings, const Schedule& schedule,
                           std::string_view name) {
  Whole whole(settings, schedule);
  std::optional<Message> message;
  const std::string id = error_of([&] {
    try {
      whole.run();
    } catch (const Error& error) {
      message = error.message();
      throw;
    }
  });
  REQUIRE((id == "error.cuda.failed" || id == "error.cuda.part"));
  const std::pair<std::string, std::string> expected{"name", name};
  REQUIRE(std::count(message->arguments.begin(), message->arguments.end(), expected) == 1);
  REQUIRE(whole.report().faults == std::vector<std::string>{});
}

// Tries each call of a run.
void try_all(StandInSettings settings, const Schedule& schedule) {
  StandInReport all;
  {
    Whole whole(settings, schedule);
    whole.run();
    all = whole.report();
  }
  REQUIRE(all.allocations > 8);
  for (std::uint64_t k = 0; k < all.allocations && settings.failing != Failing::when_run; ++k) {
    INFO("allocation " << k << " of " << all.allocations);
    StandInSettings one = settings;
    one.fail_allocation = k;
    require_clean_failure(one, schedule, "cudaErrorMemoryAllocation");
  }
  for (std::uint64_t k = 0; k < all.copies; ++k) {
    INFO("copy " << k << " of " << all.copies);
    StandInSettings one = settings;
    one.fail_copy = k;
    require_clean_failure(one, schedule, "cudaErrorIllegalAddress");
  }
  for (std::uint64_t k = 0; k < all.launches; ++k) {
    INFO("launch " << k << " of " << all.launches);
    StandInSettings one = settings;
    one.fail_launch = k;
    require_clean_failure(one, schedule, "cudaErrorLaunchFailure");
  }
}

}  // namespace

TEST_CASE("whichever call fails, the run ends with CUDA's own name for it, and all is given back") {
  const Failing failing = GENERATE(Failing::once, Failing::for_good, Failing::when_run);
  StandInSettings settings;
  settings.failing = failing;
  const Schedule schedule = schedule_of("recursive-doubling", 4, 16);
  for (const bool peers : {true, false}) {
    if (!peers) settings.no_peer = {{0, 1}, {1, 0}, {2, 3}};
    try_all(settings, schedule);
  }
  settings.devices = 1;
  try_all(settings, schedule);
}

TEST_CASE("what was done when a GPU failed is kept, and can be opened, verified, shown and drawn") {
  RunSettings run;
  run.engine = "cuda";
  run.ranks = 4;
  run.count = 8;
  StandInSettings settings;
  settings.no_peer = {{2, 1}};
  std::uint64_t launches = 0;
  {
    const StandIn stand_in(settings);
    record(run);
    launches = stand_in.report().launches;
  }
  // Before the pings at the end: half of what the last run does, or nearly all.
  for (const std::uint64_t before_end : {400 + 18, 400 + 4})
    for (const Failing failing : {Failing::once, Failing::for_good, Failing::when_run}) {
      settings.fail_launch = launches - before_end;
      settings.failing = failing;
      INFO("launch " << *settings.fail_launch << " of " << launches);
      std::optional<Trace> trace;
      {
        const StandIn stand_in(settings);
        trace = record(run);
        REQUIRE(stand_in.report().faults == std::vector<std::string>{});
      }
      REQUIRE(trace->stopped.has_value());
      REQUIRE(trace->where.links.size() == 4);
      const auto done = std::count_if(trace->events.begin(), trace->events.end(),
                                      [](const Event& event) { return event.done == 1; });
      REQUIRE(done < 24);
      // A driver that has failed for good shows no memory any more.
      REQUIRE((done > 0) == (failing == Failing::once));
      if (before_end < 410) continue;
      const Folder folder("cuda-stopped");
      const std::string file = folder.file("stopped.ring");
      save_trace(*trace, file);
      REQUIRE(verify(load_trace(file)).wrong == std::vector<Message>{});
      for (const char* const line : {"show", "info", "verify", "picture --round 1.1 -o a.png"})
        CHECK(shell(folder, std::string("$R ") + line + " stopped.ring").status == 0);
    }
}

TEST_CASE("a rank that dies or sleeps too long stops the run, and what was done is kept") {
  const bool in_place = GENERATE(false, true);
  for (const bool dies : {true, false}) {
    const auto trouble = [&](Job& job) {
      if (dies)
        job.trouble.deaths = {{1, 2}};
      else
        job.trouble.delays = {{-1, 1, 60'000'000'000}};
      if (!dies) job.timeout = std::chrono::milliseconds(20);
    };
    const StandIn stand_in({});
    CudaJob job(schedule_of("ring", 4, 8), ElementType::i32, Operator::sum, {in_place});
    trouble(job.job());
    std::optional<Message> stopped;
    const Trace trace = recorded(job, &stopped);
    REQUIRE(stopped->id == (dies ? "error.run.died" : "error.run.timeout"));
    REQUIRE(stand_in.report().faults == std::vector<std::string>{});
    CudaJob on_host(schedule_of("ring", 4, 8), ElementType::i32, Operator::sum, {in_place});
    trouble(on_host.job());
    Recorder recorder(on_host.schedule(), on_host.plan(), ElementType::i32, Clock::steady);
    std::optional<Message> expected;
    try {
      on_host.run_on_host(&recorder);
    } catch (const Error& error) {
      expected = error.message();
    }
    REQUIRE(stopped == expected);
    Trace host;
    std::move(recorder).finish(host);
    REQUIRE(trace.values.landed == host.values.landed);
    for (std::size_t t = 0; t < trace.events.size(); ++t)
      REQUIRE(trace.events[t].done == host.events[t].done);
    REQUIRE(job.outputs() == on_host.outputs());
  }
}

TEST_CASE("a GPU that hangs is given up after the timeout") {
  StandInSettings settings;
  settings.hang_launch = 410;
  const StandIn stand_in(settings);
  CudaJob job(schedule_of("ring", 4, 8), ElementType::i32, Operator::sum);
  job.job().timeout = std::chrono::milliseconds(20);
  std::optional<Message> stopped;
  recorded(job, &stopped);
  REQUIRE(stopped->id == "error.run.timeout");
  // Nothing is asked of it that would wait for it.
  for (const std::string& fault : stand_in.report().faults)
    REQUIRE(fault.find("waits") == fault.npos);
}

TEST_CASE("a cancelled run ends its sleeps and says that it was cancelled") {
  const StandIn stand_in({});
  CudaJob job(schedule_of("ring", 4, 8), ElementType::i32, Operator::sum);
  std::stop_source source;
  job.job().stop = source.get_token();
  job.job().trouble.delays = {{-1, 1, 9'000'000'000}};
  source.request_stop();
  std::optional<Message> stopped;
  const auto begun = std::chrono::steady_clock::now();
  recorded(job, &stopped);
  REQUIRE(stopped->id == "error.run.cancelled");
  REQUIRE(std::chrono::steady_clock::now() - begun < std::chrono::seconds(8));
  REQUIRE(stand_in.report().faults == std::vector<std::string>{});
}

TEST_CASE("why the engine can't run is said with CUDA's own name for it") {
  for (const cudaError_t how : {cudaErrorInsufficientDriver, cudaErrorNoDevice}) {
    StandInSettings settings;
    settings.no_devices = how;
    const StandIn stand_in(settings);
    const Availability availability = make_engine("cuda")->availability(4);
    REQUIRE(!availability.ok);
    REQUIRE(availability.why.id ==
            (how == cudaErrorNoDevice ? "error.cuda.no_device" : "error.cuda.no_driver"));
  }
  const StandIn stand_in({});
  REQUIRE(make_engine("cuda")->availability(4).ok);
}

TEST_CASE("too little memory of a GPU and a peer that refuses are told before anything is run") {
  const auto message_of = [](const StandInSettings& settings) {
    const StandIn stand_in(settings);
    CudaJob job(schedule_of("ring", 4, 100'000), ElementType::f32, Operator::sum);
    std::string id;
    try {
      job.run_on_cuda();
    } catch (const Error& error) {
      id = error.message().id;
    }
    REQUIRE(stand_in.report().faults == std::vector<std::string>{});
    REQUIRE(stand_in.report().launches == 0);
    return id;
  };
  StandInSettings small;
  small.memory = 500'000;
  REQUIRE(message_of(small) == "error.cuda.memory");
  StandInSettings refusing;
  refusing.refuses_peers = true;
  REQUIRE(message_of(refusing) == "error.cuda.failed");
}
