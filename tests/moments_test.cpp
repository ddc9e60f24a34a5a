#include "core/replay/moments.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/sample_trace.h"

using namespace ringscope;

namespace {

// The sample's round k (from 0) lands last at rank N-1: 1000 k + 10 (N-1) + 505.
std::int64_t landing(std::int32_t ranks, std::int64_t round) {
  return 1000 * round + 10 * (ranks - 1) + 505;
}

}  // namespace

TEST_CASE("a round has landed when the last of its transfers has") {
  const Moments moments = moments_of(sample_trace({3, 3}));
  const std::vector<std::int64_t> expected{0, landing(3, 0), landing(3, 1), landing(3, 2),
                                           landing(3, 3)};
  CHECK(moments.landed == expected);
  CHECK(moments.stops == expected);
  CHECK(moments.end == landing(3, 3));
  REQUIRE(moments.phases.size() == 2);
  CHECK(moments.phases[0] == PhaseSpan{5, landing(3, 1)});
  CHECK(moments.phases[1] == PhaseSpan{2005, landing(3, 3)});
}

TEST_CASE("one rank alone has a start and an end") {
  Trace trace = sample_trace({1, 4});
  CHECK(moments_of(trace).stops == std::vector<std::int64_t>{0});
  trace.nanoseconds = 40;
  CHECK(moments_of(trace).landed == std::vector<std::int64_t>{0});
  CHECK(moments_of(trace).stops == std::vector<std::int64_t>{0, 40});
}

TEST_CASE("a round that is late holds those behind it, and landings never go back") {
  Trace trace = sample_trace({2, 2});
  trace.events[0].move_landed = trace.events[0].reduce_landed = 5000;
  const Moments moments = moments_of(trace);
  CHECK(moments.landed == std::vector<std::int64_t>{0, 5000, 5000});
  CHECK(moments.end == 5000);
  CHECK(moments.stops == std::vector<std::int64_t>{0, 5000});
}

TEST_CASE("what never landed has no moment of its own") {
  Trace trace = sample_trace({3, 3});
  for (std::size_t t = 6; t < trace.events.size(); ++t) trace.events[t].done = 0;
  const Moments moments = moments_of(trace);
  CHECK(moments.landed[2] == landing(3, 1));
  CHECK(moments.landed[3] == landing(3, 1));
  CHECK(moments.phases[1] == PhaseSpan{0, 0});
}

TEST_CASE("a run in slices stops where each slice is through, too") {
  const Trace sliced = sample_trace({2, 64, 2});
  CHECK(moments_of(sliced).landed.size() == 3);
  CHECK(moments_of(sliced).stops.size() >= moments_of(sample_trace({2, 64, 1})).stops.size());
}

TEST_CASE("stops that could not be told apart are one, and the end is always there") {
  Trace trace = sample_trace({2, 2});
  trace.nanoseconds = landing(2, 1) + 1;
  const Moments moments = moments_of(trace);
  CHECK(moments.stops == std::vector<std::int64_t>{0, landing(2, 0), landing(2, 1) + 1});
}

TEST_CASE("both clocks show the same moment, there and back") {
  const Moments moments = moments_of(sample_trace({4, 4}));
  for (std::size_t round = 0; round < moments.landed.size(); ++round) {
    const auto position = static_cast<double>(round);
    const auto landed = static_cast<double>(moments.landed[round]);
    CHECK(time_at(moments, position) == landed);
    CHECK(position_at(moments, landed) == position);
  }
  const double position = GENERATE(0.25, 1.5, 5.75);
  CHECK(position_at(moments, time_at(moments, position)) == Approx(position));
  CHECK(time_at(moments, -1) == 0);
  CHECK(time_at(moments, 99) == static_cast<double>(moments.end));
  CHECK(position_at(moments, -1) == 0);
  CHECK(position_at(moments, 1e12) == 6);
}

TEST_CASE("runs that are compared end with the longest and stop where any of them does") {
  const std::vector<Moments> runs{moments_of(sample_trace({2, 2})),
                                  moments_of(sample_trace({4, 4}))};
  const Moments all = joined(runs);
  CHECK(all.end == runs[1].end);
  CHECK(all.landed == runs[1].landed);
  CHECK(all.stops.front() == 0);
  CHECK(all.stops.back() == all.end);
  CHECK(std::is_sorted(all.stops.begin(), all.stops.end()));
  CHECK(joined(std::vector{runs[0]}).stops == runs[0].stops);
}
