// Real runs on paced ports. Upper bounds are wide: the machine may be busy with other things.
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <thread>

#include "core/engine/record.h"
#include "core/figure/captions.h"
#include "core/figure/views.h"
#include "core/replay/replay.h"
#include "core/trace/trace_file.h"
#include "core/trace/verify.h"
#include "tests/error_of.h"

using namespace ringscope;
using namespace std::chrono_literals;

namespace {

RunSettings paced(std::string algorithm, int ranks, std::uint64_t count, std::string port) {
  RunSettings settings;
  settings.algorithm = std::move(algorithm);
  settings.ranks = ranks;
  settings.count = count;
  settings.port = std::move(port);
  return settings;
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// The k-th landing at a port can't be before k messages have been served.
void require_paced(const Trace& trace) {
  for (const bool out : {false, true})
    for (std::int32_t rank = 0; rank < trace.schedule.ranks; ++rank) {
      std::vector<std::pair<std::int64_t, double>> services;
      for (std::size_t t = 0; t < trace.events.size(); ++t) {
        const Transfer& transfer = trace.schedule.transfers[t];
        if ((out ? transfer.src : transfer.dst) != rank || !trace.events[t].done) continue;
        services.emplace_back(trace.events[t].move_landed,
                              static_cast<double>(trace.run.pace.latency) +
                                  static_cast<double>(trace.events[t].bytes) * 1e9 /
                                      static_cast<double>(trace.run.pace.bytes_per_second));
      }
      std::sort(services.begin(), services.end());
      double sum = 0;
      for (const auto& [landed, duration] : services) {
        sum += duration;
        REQUIRE(static_cast<double>(landed) >= sum);
      }
    }
}

}  // namespace

TEST_CASE("a paced run takes what the model says, never less, and is right") {
  struct Case {
    const char* algorithm;
    int slices;
    double seconds;
  };
  // 1 MiB of 4 ranks at 100 MB/s: the buffer takes 10.5 ms.
  const Case one = GENERATE(Case{"ring", 1, 1.5}, Case{"ring", 4, 1.5}, Case{"tree", 1, 5},
                            Case{"parameter-server", 1, 6}, Case{"recursive-doubling", 1, 2},
                            Case{"halving-doubling", 1, 1.5});
  const bool lockstep = GENERATE(false, true);
  RunSettings settings = paced(one.algorithm, 4, 1 << 18, "100MB/s");
  settings.slices = one.slices;
  settings.lockstep = lockstep;
  settings.latency = "10us";
  const Trace trace = record(settings);
  INFO(one.algorithm << ", " << one.slices << " slices, lockstep " << lockstep);
  REQUIRE(trace.verdict.outcome == Verdict::Outcome::verified);
  REQUIRE(trace.run.pace == Pace{100'000'000, 10'000});
  const double model = one.seconds * 1'048'576 / 100e6;
  REQUIRE(static_cast<double>(trace.nanoseconds) / 1e9 >= model * 0.999);
  REQUIRE(static_cast<double>(trace.nanoseconds) / 1e9 < model * 1.2 + 1);
  require_paced(trace);
  REQUIRE(verify(trace).wrong.empty());
  REQUIRE(Replay(trace).contradictions().empty());
  REQUIRE(decode_trace(encode_trace(trace), "paced") == trace);
}

TEST_CASE("a paced run burns no core while it waits") {
  RunSettings settings = paced("parameter-server", 8, 1 << 16, "20MB/s");
  const auto begin = std::chrono::steady_clock::now();
  const double before = processor_seconds();
  record(settings);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  REQUIRE(took.count() >= 14 * 262'144 / 20e6);  // 183 ms
  REQUIRE(processor_seconds() - before < took.count() / 2);
}

TEST_CASE("a message longer than the timeout is no stall") {
  // 100 ms a message; while the root takes its two, the others see nothing land.
  RunSettings settings = paced("parameter-server", 3, 500, "20kB/s");
  settings.timeout = 30ms;
  const Trace trace = record(settings);
  REQUIRE(!trace.stopped);
  REQUIRE(trace.nanoseconds >= 4 * 100'000'000);
}

TEST_CASE("trouble is as it is without pace") {
  RunSettings settings = paced("ring", 3, 3 * 1000, "1MB/s");  // 4 ms a message
  SECTION("a rank that is late delays the others by as much") {
    settings.late = {"1:20ms"};
    const Trace trace = record(settings);
    REQUIRE(!trace.stopped);
    REQUIRE(trace.nanoseconds >= 20'000'000 + 4 * 4'000'000);
    require_paced(trace);
  }
  SECTION("a delayed one sleeps before each transfer") {
    settings.delays = {"1:5ms"};
    const Trace trace = record(settings);
    REQUIRE(!trace.stopped);
    REQUIRE(trace.nanoseconds >= 4 * 9'000'000);
  }
  SECTION("one that dies stops the others") {
    settings.deaths = {"1@1.2"};
    const Trace trace = record(settings);
    REQUIRE(trace.stopped);
    REQUIRE(trace.stopped->id == "error.run.died");
    REQUIRE(verify(trace).wrong.empty());
  }
  SECTION("one that stalls is found") {
    settings.delays = {"1:1000s"};
    settings.timeout = 100ms;
    const Trace trace = record(settings);
    REQUIRE(trace.stopped);
    REQUIRE(trace.stopped->id == "error.run.timeout");
  }
}

TEST_CASE("a paced run that is cancelled ends soon") {
  RunSettings settings = paced("tree", 7, 1 << 16, "1kB/s");
  std::stop_source source;
  const std::jthread canceller([&] {
    std::this_thread::sleep_for(100ms);
    source.request_stop();
  });
  RunHooks hooks;
  hooks.stop = source.get_token();
  const auto begin = std::chrono::steady_clock::now();
  REQUIRE(error_of([&] { record(settings, hooks); }) == "error.run.cancelled");
  REQUIRE(std::chrono::steady_clock::now() - begin < 5s);
}

TEST_CASE("paced ports are in the title, and that a machine is too slow for them") {
  const Language& english = Language::named("en");
  const Trace slow = record(paced("ring", 4, 1 << 18, "1TB/s"));
  REQUIRE(slow.run.pace_reached < slow.run.pace.bytes_per_second);
  const std::string title = run_title(slow, english);
  REQUIRE(title.find("Every port paced at 1.00 TB/s each way.") != std::string::npos);
  REQUIRE(title.find("This machine cannot keep the pace: ") != std::string::npos);
  REQUIRE(title.find(" of 1 TB/s.") != std::string::npos);

  Trace trace = slow;
  trace.run.pace = {8'000'000'000, 5'000};
  trace.run.pace_reached = 2'100'000'000;
  REQUIRE(pace_text(trace, english) ==
          "Every port paced at 8.00 GB/s each way, 5.00 µs latency. This machine cannot keep the "
          "pace: 2.1 of 8 GB/s.");
  trace.run.pace = {500'000'000, 0};
  trace.run.pace_reached = 380'000'000;
  REQUIRE(pace_text(trace, english) ==
          "Every port paced at 500 MB/s each way. This machine cannot keep the pace: 380 of 500 "
          "MB/s.");
  trace.run.pace_reached = trace.run.pace.bytes_per_second;
  REQUIRE(pace_text(trace, english) == "Every port paced at 500 MB/s each way.");
  trace.run.pace = {};
  trace.run.pace_reached = 0;
  REQUIRE(pace_text(trace, english).empty());
  REQUIRE(record({}).run.pace == Pace{});
}

TEST_CASE("what a file can't say of a pace is refused") {
  const Trace sound = record(paced("ring", 2, 2, "1GB/s"));
  Trace trace = sound;
  trace.run.pace.latency = -1;
  REQUIRE(error_of([&] { encode_trace(trace); }) == "error.file.not_sound");
  trace = sound;
  trace.run.pace_reached = trace.run.pace.bytes_per_second + 1;
  REQUIRE(error_of([&] { encode_trace(trace); }) == "error.file.not_sound");
  trace = sound;
  trace.run.pace = {0, 5};
  trace.run.pace_reached = 0;
  REQUIRE(error_of([&] { encode_trace(trace); }) == "error.file.not_sound");
}
