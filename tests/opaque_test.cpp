// The record of an all-reduce that shows no transfers: what is kept of it, what is checked.
#include "core/schedule/opaque.h"

#include <catch2/catch.hpp>
#include <functional>

#include "core/replay/replay.h"
#include "core/trace/trace_file.h"
#include "core/trace/verify.h"
#include "tests/error_of.h"
#include "tests/opaque_trace.h"

using namespace ringscope;

namespace {

std::vector<std::string> ids(const std::vector<Message>& messages) {
  std::vector<std::string> all;
  for (const Message& message : messages) all.push_back(message.id);
  return all;
}

bool is_sound(const std::function<void(Trace&)>& change) {
  Trace trace = opaque_trace();
  change(trace);
  return error_of([&] { encode_trace(trace); }) != "error.file.not_sound";
}

}  // namespace

TEST_CASE("a record without transfers comes back from a file as it was") {
  for (const int ranks : {1, 2, 4, 33})
    for (const std::uint64_t count : {0, 1, 16}) {
      const Trace trace = opaque_trace({.ranks = ranks, .count = count});
      REQUIRE(decode_trace(encode_trace(trace), "trace") == trace);
    }
}

TEST_CASE("the time of a repeat is that of its slowest rank") {
  const Trace trace = opaque_trace();
  REQUIRE(repeat_times(*trace.opaque, 4) == std::vector<std::int64_t>{29'500, 30'700, 36'000});
  REQUIRE(repeat_times({"", {}}, 4).empty());
  REQUIRE(busbw(trace) == Approx(64e9 / 30'700 * 1.5));
}

TEST_CASE("a file that claims to have seen what it can't have seen is refused") {
  REQUIRE(is_sound([](Trace&) {}));
  REQUIRE_FALSE(is_sound([](Trace& trace) { trace.opaque.reset(); }));
  REQUIRE_FALSE(is_sound([](Trace& trace) { trace.opaque->rank_times.pop_back(); }));
  REQUIRE_FALSE(is_sound([](Trace& trace) { trace.opaque->rank_times.front() = -1; }));
  REQUIRE_FALSE(is_sound([](Trace& trace) { trace.run.repeats = 2; }));
  REQUIRE_FALSE(is_sound([](Trace& trace) { trace.stopped = Message{"error.run.cancelled", {}}; }));
  REQUIRE_FALSE(is_sound([](Trace& trace) { trace.schedule.algorithm = "ring"; }));
  REQUIRE_FALSE(is_sound([](Trace& trace) { trace.schedule.phases = {{"reduce", 0, 0}}; }));
  REQUIRE_FALSE(is_sound([](Trace& trace) {
    trace.schedule = make_ring({.ranks = 4, .count = 16});
    trace.schedule.algorithm = opaque_algorithm;
    trace.events.resize(trace.schedule.transfers.size());
  }));
}

TEST_CASE("verify checks inputs, results and times, and says what it can't check") {
  const Verification found = verify(opaque_trace());
  REQUIRE(found.wrong.empty());
  REQUIRE(ids(found.checked) ==
          std::vector<std::string>{"verify.opaque_times", "verify.inputs", "verify.results"});
  REQUIRE(ids(found.unchecked) == std::vector<std::string>{"verify.opaque"});
}

TEST_CASE("a result, an input or a time that is wrong is found") {
  Trace trace = opaque_trace();
  trace.values.results[3] ^= std::byte{1};
  REQUIRE(ids(verify(trace).wrong).front() == "verdict.wrong");
  trace = opaque_trace();
  trace.values.inputs[3] ^= std::byte{1};
  REQUIRE(ids(verify(trace).wrong).front() == "verify.input_wrong");
  trace = opaque_trace();
  trace.nanoseconds += 1;
  REQUIRE(ids(verify(trace).wrong) == std::vector<std::string>{"verify.opaque_times_wrong"});
}

TEST_CASE("a mean may be off by the rounding of 1 / N, a sum of whole numbers by nothing") {
  for (const Operator op : {Operator::sum, Operator::avg}) {
    Trace trace = opaque_trace({.ranks = 3, .op = op});
    REQUIRE(verify(trace).wrong.empty());
    // All ranks one unit in the last place off, and so the verdict was not theirs.
    for (std::size_t rank = 0; rank < 3; ++rank) trace.values.results[rank * 64] ^= std::byte{1};
    const std::vector<std::string> wrong = ids(verify(trace).wrong);
    REQUIRE((std::ranges::count(wrong, "verdict.wrong") > 0) == (op == Operator::sum));
    REQUIRE(std::ranges::count(wrong, "verdict.out_of_bounds") == 0);
  }
}

TEST_CASE("a replay has no rounds, and at every moment what the ranks began with") {
  const Trace trace = opaque_trace();
  const Replay replay(trace);
  REQUIRE(replay.rounds() == 0);
  REQUIRE(replay.contradictions().empty());
  for (const std::int64_t time : {0, 10'000, 30'700, 1'000'000})
    REQUIRE(replay.cell(replay.at_time(time), 1, 0).contributors == std::vector<std::int32_t>{1});
  REQUIRE(replay.at({5, 0.5}).cursor == Cursor{0, 1});
}
