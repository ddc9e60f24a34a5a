// Prints what a ring of 1,024 ranks (2,095,104 transfers) costs before a run and in replay, in one
// process on one core, in its time: schedule_bench [ranks].
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "core/replay/replay.h"
#include "core/schedule/check.h"
#include "core/schedule/plan.h"

using namespace ringscope;

namespace {

// Of the processor, so that other programs that run meanwhile count for little.
double milliseconds_now() {
  return 1000.0 * static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

void print(const char* what, double milliseconds) {
  std::printf("%-32s %9.2f ms\n", what, milliseconds);
}

template <class Body>
auto timed(const char* what, Body&& body) {
  const double start = milliseconds_now();
  auto result = body();
  print(what, milliseconds_now() - start);
  return result;
}

// The record of a run in which every transfer takes about a microsecond after what it waits for.
Trace made_up_trace(const Schedule& schedule) {
  Trace trace;
  trace.schedule = schedule;
  trace.values.kept = kept_for(schedule, trace.run.type);
  const ValueLayout layout(schedule, trace.run.type, trace.values.kept);
  trace.values.inputs.resize(static_cast<std::size_t>(schedule.ranks) * layout.rank_bytes());
  trace.values.results.resize(trace.values.inputs.size());
  trace.values.landed.resize(layout.landed_bytes());
  for (const Transfer& transfer : schedule.transfers) {
    const std::int64_t begun = 2000 * transfer.round + transfer.dst % 7 * 100;
    const std::int64_t landed = begun + 900;
    trace.events.push_back({begun, 0, begun, landed, begun, landed, 4, transfer.dst, 1, 1});
    trace.nanoseconds = std::max(trace.nanoseconds, landed);
  }
  return trace;
}

// The dearest and the mean of 200 seeks.
template <class Seek>
void print_seeks(const char* what, Seek&& seek) {
  double dearest = 0, sum = 0;
  constexpr int seeks = 200;
  for (int i = 0; i < seeks; ++i) {
    const double start = milliseconds_now();
    seek(static_cast<double>(i * 83 % seeks) / seeks);
    const double spent = milliseconds_now() - start;
    dearest = std::max(dearest, spent);
    sum += spent;
  }
  print((std::string(what) + ", mean").c_str(), sum / seeks);
  print((std::string(what) + ", dearest").c_str(), dearest);
}

}  // namespace

int main(int argument_count, char** arguments) {
  const std::int32_t ranks = argument_count > 1 ? std::atoi(arguments[1]) : 1024;
  const Schedule schedule = timed("build the schedule", [&] {
    return make_ring({ranks, static_cast<std::uint64_t>(ranks), 1, {}});
  });
  std::printf("%-32s %9zu\n", "transfers", schedule.transfers.size());
  {
    const Plan plan = timed("plan", [&] { return make_plan(schedule); });
    timed("is it acyclic", [&] { return is_acyclic(plan); });
    timed("check with the plan", [&] { return check(schedule, plan); });
  }
  Trace trace = made_up_trace(schedule);
  for (const bool lockstep : {false, true}) {
    trace.run.lockstep = lockstep;
    const Replay replay =
        timed(lockstep ? "replay of a lockstep trace" : "replay", [&] { return Replay(trace); });
    std::printf("%-32s %9zu\n", "contradictions", replay.contradictions().size());
    std::size_t seen = 0;
    print_seeks("seek a round", [&](double place) {
      const auto round = static_cast<std::int32_t>(place * replay.rounds());
      seen += replay.at({round, 0.5}).moving.size();
    });
    print_seeks("seek a time", [&](double place) {
      const auto time = static_cast<std::int64_t>(place * static_cast<double>(trace.nanoseconds));
      seen += replay.at_time(time).moving.size();
    });
    ReplayState state = replay.at({replay.rounds() / 2, 1});
    print_seeks("elements sent", [&](double) { seen += replay.sent(state).size(); });
    print_seeks("a row of cells", [&](double place) {
      const auto rank = static_cast<std::int32_t>(place * ranks);
      for (std::int32_t chunk = 0; chunk < schedule.chunks; ++chunk)
        seen += replay.cell(state, rank, chunk).contributors.size();
    });
    std::printf("%-32s %9zu\n", "(things seen)", seen);
  }
}
