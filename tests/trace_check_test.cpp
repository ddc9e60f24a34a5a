#include "core/trace/trace_check.h"

#include <catch2/catch.hpp>
#include <limits>

#include "core/trace/plain_text.h"
#include "core/trace/trace_file.h"
#include "tests/error_of.h"
#include "tests/sample_trace.h"

using namespace ringscope;

namespace {

struct Row {
  const char* place;
  void (*spoil)(Trace&);
};
const Row rows[] = {
    {"schedule", [](Trace& t) { t.schedule.ranks = 0; }},
    {"schedule", [](Trace& t) { t.schedule.chunks = -1; }},
    {"schedule.count", [](Trace& t) { t.schedule.count = ~std::uint64_t{0}; }},
    {"schedule", [](Trace& t) { t.schedule.ranks = 1 << 30; }},
    {"schedule", [](Trace& t) { t.schedule.initial.pop_back(); }},
    {"schedule", [](Trace& t) { t.schedule.goal.clear(); }},
    {"schedule", [](Trace& t) { t.schedule.slices = 0; }},
    {"schedule", [](Trace& t) { t.schedule.slices = 1 << 30; }},
    {"schedule.slices", [](Trace& t) { t.schedule.slices = 400'000; }},
    {"schedule", [](Trace& t) { t.schedule.initial[1] = 3; }},
    {"schedule", [](Trace& t) { t.schedule.initial[2] = -2; }},
    {"schedule", [](Trace& t) { t.schedule.goal[8] = -3; }},
    {"schedule", [](Trace& t) { t.schedule.order.pop_back(); }},
    {"schedule",
     [](Trace& t) {
       t.schedule.order = {1, 1, 2};
     }},
    {"schedule",
     [](Trace& t) {
       t.schedule.order = {0, 1, 3};
     }},
    {"schedule", [](Trace& t) { t.schedule.phases[0].first_round = 1; }},
    {"schedule", [](Trace& t) { t.schedule.phases[1].first_round = 3; }},
    {"schedule", [](Trace& t) { t.schedule.phases[0].round_count = -1; }},
    {"schedule", [](Trace& t) { t.schedule.phases[1].round_count = 1 << 30; }},
    {"schedule.transfers[0]", [](Trace& t) { t.schedule.phases.clear(); }},
    {"schedule.transfers[0]", [](Trace& t) { t.schedule.transfers[0].src = -1; }},
    {"schedule.transfers[1]", [](Trace& t) { t.schedule.transfers[1].dst = 3; }},
    {"schedule.transfers[1]",
     [](Trace& t) { t.schedule.transfers[1].dst = t.schedule.transfers[1].src; }},
    {"schedule.transfers[2]", [](Trace& t) { t.schedule.transfers[2].first_cell = 6; }},
    {"schedule.transfers[2]", [](Trace& t) { t.schedule.transfers[2].cell_count = 0; }},
    {"schedule.transfers[2]", [](Trace& t) { t.schedule.transfers[2].cell_count = 1 << 30; }},
    {"schedule.transfers[3]", [](Trace& t) { t.schedule.transfers[3].round = -1; }},
    {"schedule.transfers[23]", [](Trace& t) { t.schedule.transfers[23].round = 4; }},
    {"schedule.transfers[23]", [](Trace& t) { t.schedule.transfers[23].round = 0; }},
    {"schedule.transfers[4]", [](Trace& t) { t.schedule.transfers[4].slice = 2; }},
    {"schedule.transfers[4]",
     [](Trace& t) { t.schedule.transfers[4].action = static_cast<Action>(2); }},
    {"run.type", [](Trace& t) { t.run.type = static_cast<ElementType>(8); }},
    {"run.op", [](Trace& t) { t.run.op = static_cast<Operator>(5); }},
    {"run.data", [](Trace& t) { t.run.data = static_cast<DataKind>(5); }},
    {"run.data_version", [](Trace& t) { t.run.data_version = 0; }},
    {"run.repeats", [](Trace& t) { t.run.repeats = 0; }},
    {"run.late[1]", [](Trace& t) { t.run.trouble.late[1].rank = 3; }},
    {"run.late[0]", [](Trace& t) { t.run.trouble.late[0].nanoseconds = -1; }},
    {"run.delays[0]", [](Trace& t) { t.run.trouble.delays[0].src = -2; }},
    {"run.delays[1]", [](Trace& t) { t.run.trouble.delays[1].dst = -1; }},
    {"run.deaths[0]", [](Trace& t) { t.run.trouble.deaths[0].round = 4; }},
    {"where.cores", [](Trace& t) { t.where.cores = -1; }},
    {"where.recorded_at", [](Trace& t) { t.where.recorded_at = std::int64_t{1} << 60; }},
    {"where.devices", [](Trace& t) { t.where.devices.pop_back(); }},
    {"events", [](Trace& t) { t.events.pop_back(); }},
    {"nanoseconds", [](Trace& t) { t.nanoseconds = -1; }},
    {"events[5]", [](Trace& t) { t.events[5].lane = 3; }},
    {"events[5]", [](Trace& t) { t.events[5].lane = -1; }},
    {"events[6]",
     [](Trace& t) { t.events[6].move_landed = std::numeric_limits<std::int64_t>::min(); }},
    {"events[7]",
     [](Trace& t) { t.events[7].waited_from = std::numeric_limits<std::int64_t>::max(); }},
    {"events[8]", [](Trace& t) { t.events[8].done = 2; }},
    {"events[8]", [](Trace& t) { t.events[8].fused = 2; }},
    {"values.kept", [](Trace& t) { t.values.kept = static_cast<Kept>(4); }},
    {"values.kept", [](Trace& t) { t.schedule.count = 1000; }},
    {"values.inputs", [](Trace& t) { t.values.inputs.pop_back(); }},
    {"values.results", [](Trace& t) { t.values.results.push_back({}); }},
    {"values.landed",
     [](Trace& t) {
       t.values.kept = Kept::ends_only;
       t.values.inputs.resize(36);
       t.values.results.resize(36);
     }},
    {"values.inputs", [](Trace& t) { t.run.type = ElementType::f64; }},
    {"verdict.outcome", [](Trace& t) { t.verdict.outcome = static_cast<Verdict::Outcome>(3); }},
    {"verdict.failure", [](Trace& t) { t.verdict.failure.reset(); }},
};

}  // namespace

TEST_CASE("a contradiction is named by its place") {
  for (const Row& row : rows) {
    INFO("row " << &row - rows);
    Trace trace = full_trace();
    REQUIRE_FALSE(contradiction(trace, 4096));
    row.spoil(trace);
    REQUIRE(contradiction(trace, 4096).value_or("none") == row.place);
    REQUIRE(error_of([&] { encode_trace(trace); }) == "error.file.not_sound");
  }
}

TEST_CASE("a schedule that does not do what it claims still opens, to be shown as wrong") {
  Trace trace = full_trace();
  std::swap(trace.schedule.transfers[0].action, trace.schedule.transfers.back().action);
  trace.schedule.goal[0] = 2;
  trace.events[1].bytes = 12345;
  trace.events[1].move_landed = 0;
  REQUIRE(decode_trace(encode_trace(trace), "a.ring") == trace);
}

TEST_CASE("texts that no screen can show are made plain when written") {
  REQUIRE(is_plain_text(""));
  REQUIRE(is_plain_text("归约 β 😀 ~"));
  for (const std::string bad : {"\n", "\x1b[31m", "\x7f", "\xff", "\xc2\x85", "\xc0\xaf",
                                "\xe5\xbd", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe0\x80\xaf"}) {
    REQUIRE_FALSE(is_plain_text(bad));
    REQUIRE_FALSE(is_plain_text("a" + bad));
    REQUIRE(is_plain_text(plain_text(bad + "归")));
  }
  REQUIRE(plain_text("a\xff\n归") == "a??归");
  REQUIRE(plain_text(std::string(5000, 'x')).size() == 4096);
  Trace trace = full_trace();
  trace.run.input_file = "gradient\xff.npy";
  REQUIRE(decode_trace(encode_trace(trace), "a.ring").run.input_file == "gradient?.npy");
}
