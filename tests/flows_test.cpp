#include "core/replay/flows.h"

#include <catch2/catch.hpp>

#include "core/schedule/formulas.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

Trace trace_of(std::string_view algorithm, std::int32_t ranks, std::uint64_t count) {
  return run_serially(
      {.schedule = algorithm_named(algorithm).make({.ranks = ranks, .count = count}),
       .type = ElementType::f32});
}

std::uint64_t all_landed(const std::vector<Flow>& flows) {
  std::uint64_t bytes = 0;
  for (const Flow& flow : flows) bytes += flow.landed;
  return bytes;
}

}  // namespace

TEST_CASE("what has flowed grows from nothing to what the schedule moves, on both clocks") {
  for (const Algorithm& algorithm : algorithms())
    for (const std::int32_t ranks : {1, 2, 3, 5, 8})
      for (const std::uint64_t count : {0, 1, 40}) {
        INFO(algorithm.name << ", N = " << ranks << ", count " << count);
        const Trace trace = trace_of(algorithm.name, ranks, count);
        const Replay replay(trace);
        const Counts counts = counts_of(trace.schedule);
        const std::vector<Traffic> traffic = traffic_by_rank(trace.schedule);
        for (const ReplayState& start : {replay.at({0, 1}), replay.at_time(0)})
          REQUIRE(all_landed(flows_of(replay, start).in) == 0);
        for (const ReplayState& end :
             {replay.at({replay.rounds(), 1}), replay.at_time(trace.nanoseconds)}) {
          const Flows flows = flows_of(replay, end);
          REQUIRE(all_landed(flows.in) == 4 * counts.total);
          REQUIRE(all_landed(flows.out) == 4 * counts.total);
          for (std::size_t rank = 0; rank < traffic.size(); ++rank) {
            REQUIRE(flows.in[rank].total == 4 * traffic[rank].received);
            REQUIRE(flows.out[rank].total == 4 * traffic[rank].sent);
            REQUIRE(flows.in[rank].landed == flows.in[rank].total);
            REQUIRE(flows.in[rank].moving == 0);
          }
          for (const LinkFlow& link : flows.links) {
            REQUIRE(link.flow.landed == link.flow.total);
            REQUIRE(link.head == -1);
          }
        }
      }
}

TEST_CASE("links are those of the schedule, the busiest as it is counted") {
  const Trace trace = trace_of("parameter-server", 4, 10);
  const Replay replay(trace);
  const Flows flows = flows_of(replay, replay.at({1, 0.25}));
  REQUIRE(flows.links.size() == 6);
  for (const LinkFlow& link : flows.links) {
    CHECK(link.flow.total == 40);
    CHECK(link.flow.landed == 0);
    CHECK(link.flow.added == (link.dst == 0 ? 40 : 0));
    CHECK(link.flow.moving == (link.dst == 0 ? 10 : 0));
    CHECK(link.head == (link.dst == 0 ? 0.25 : -1));
  }
  CHECK(flows.in[0].total == 120);
  CHECK(flows.in[0].added == 120);
  CHECK(flows.out[0].added == 0);
  CHECK(flows.in[0].moving == 30);
}

TEST_CASE("a partial run counts only what happened") {
  SerialRun run{.schedule = make_ring({.ranks = 3, .count = 3}), .type = ElementType::f32};
  run.trouble.deaths = {{1, 1}};
  const Trace trace = run_serially(run);
  const Replay replay(trace);
  const Flows flows = flows_of(replay, replay.at({replay.rounds(), 1}));
  std::uint64_t done = 0;
  for (const Event& event : trace.events) done += event.done ? event.bytes : 0;
  CHECK(all_landed(flows.in) == done);
  CHECK(done < 4 * counts_of(trace.schedule).total);
}

TEST_CASE("with more than 64 ranks there are ports, but no links") {
  const Trace trace = trace_of("ring", 65, 65);
  const Replay replay(trace);
  const Flows flows = flows_of(replay, replay.at({1, 1}));
  CHECK(flows.links.empty());
  CHECK(all_landed(flows.in) == 65 * 4);
}
