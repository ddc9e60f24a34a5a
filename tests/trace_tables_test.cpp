#include "core/export/trace_tables.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/sample_trace.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"')
        quoted = !quoted;
      else if (c == ',' && !quoted)
        fields.emplace_back();
      else
        fields.back() += c;
    }
    rows.push_back(fields);
  }
  return rows;
}

Trace ring_trace(std::int32_t ranks, std::uint64_t count, Operator op = Operator::sum) {
  return run_serially({.schedule = make_ring({ranks, count}), .type = ElementType::f32, .op = op});
}

}  // namespace

TEST_CASE("the table has a line a transfer, every line as many fields as the heading") {
  for (const std::int32_t ranks : {1, 2, 4})
    for (const Operator op : {Operator::sum, Operator::min}) {
      const Trace trace = ring_trace(ranks, 4, op);
      const auto rows = rows_of(csv_of(Replay(trace)));
      REQUIRE(rows.size() == trace.schedule.transfers.size() + 1);
      for (const auto& row : rows) CHECK(row.size() == rows[0].size());
    }
}

TEST_CASE("a line says who sent what when, and what it added") {
  const Trace trace = ring_trace(4, 4);
  const auto rows = rows_of(csv_of(Replay(trace)));
  const auto field = [&](std::size_t row, const std::string& name) {
    const auto at = std::find(rows[0].begin(), rows[0].end(), name);
    REQUIRE(at != rows[0].end());
    return rows[row][static_cast<std::size_t>(at - rows[0].begin())];
  };
  CHECK(field(1, "round") == "1.1");
  CHECK(field(1, "phase") == "scatter-reduce");
  CHECK(field(1, "src") == "0");
  CHECK(field(1, "dst") == "1");
  CHECK(field(1, "bytes") == "4");
  CHECK(field(1, "carried") == "a0");
  CHECK(field(1, "before_value") == "10");
  CHECK(field(1, "after") == "b0+a0");
  CHECK(field(1, "after_value") == "11");
  CHECK(field(1, "move_landed_ns") == std::to_string(trace.events[0].move_landed));
}

TEST_CASE("a transfer that did not happen leaves its times empty") {
  Trace trace = ring_trace(4, 4);
  trace.events.back() = {};
  trace.stopped = Message{"error.run.died", {{"rank", "2"}, {"round", "1.2"}}};
  const auto rows = rows_of(csv_of(Replay(trace)));
  CHECK(rows.back().size() == rows[0].size());
  CHECK(rows.back().back().empty());
}

TEST_CASE("Perfetto's trace keeps every nanosecond of every part") {
  const Trace trace = sample_trace({4, 4});
  const auto json = nlohmann::json::parse(chrome_trace_of(Replay(trace)));
  CHECK(json["displayTimeUnit"] == "ns");
  std::size_t names = 0, moves = 0;
  for (const auto& event : json["traceEvents"]) {
    for (const char* const field : {"name", "ph", "pid", "tid"}) CHECK(event.contains(field));
    CHECK(event.contains("ts") == (event["ph"] == "X"));
    CHECK(event.contains("dur") == (event["ph"] == "X"));
    if (event["name"] == "thread_name") ++names;
    if (!event.contains("args") || !event["args"].contains("transfer")) continue;
    ++moves;
    const Event& recorded = trace.events[event["args"]["transfer"].get<std::size_t>()];
    CHECK(std::llround(event["ts"].get<double>() * 1000) == recorded.move_begun);
    CHECK(std::llround((event["ts"].get<double>() + event["dur"].get<double>()) * 1000) ==
          recorded.move_landed);
    CHECK(event["tid"] == trace.schedule.transfers[event["args"]["transfer"]].dst);
  }
  CHECK(names == 4);
  CHECK(moves == trace.schedule.transfers.size());
}

TEST_CASE("a rank alone has nothing to tell") {
  const Trace trace = ring_trace(1, 4);
  CHECK(rows_of(csv_of(Replay(trace))).size() == 1);
  CHECK(nlohmann::json::parse(chrome_trace_of(Replay(trace)))["traceEvents"].size() == 3);
}
