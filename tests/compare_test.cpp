// `ringscope compare` as a person runs it, and the runs behind it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/compare_text.h"
#include "core/export/cairo_painter.h"
#include "core/schedule/formulas.h"
#include "core/trace/trace_file.h"
#include "tests/command_line.h"

using namespace ringscope;

namespace {

const Folder folder("compare");

Outcome shell(const std::string& line) { return shell(folder, line); }

Outcome compare(const std::string& arguments) { return shell("\"$R\" compare " + arguments); }

nlohmann::json json_of(const std::string& arguments) {
  const Outcome outcome = compare(arguments + " --json");
  INFO(arguments << ": " << outcome.err);
  REQUIRE(outcome.status == 0);
  return nlohmann::json::parse(outcome.out)["runs"];
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

void refused(const std::string& arguments, int status, const std::string& what) {
  INFO(arguments);
  check_refused(compare(arguments), status, what);
}

}  // namespace

TEST_CASE("compare prints a row an algorithm") {
  const Outcome outcome = compare("--algorithms ring,parameter-server,tree --ranks 8 --count 8192");
  INFO(outcome.out << outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  CHECK(outcome.out.starts_with(
      "sum of 8,192 f32 a rank (32 KiB), 8 ranks, engine host; ramp data\n"));
  CHECK(has(outcome.out, "\nalgorithm "));
  CHECK(has(outcome.out, "56 KiB in, 56 KiB out (GPU 0)"));
  CHECK(has(outcome.out, "32 KiB to 224 KiB"));
  CHECK(has(outcome.out, "224 KiB in, 224 KiB out (GPU 0)"));
  CHECK(has(outcome.out, "\nTree "));
  CHECK(has(outcome.out, "\nParameter server: root GPU 0\n"));
  CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 6);
  CHECK(has(compare("--algorithms ring,tree --lang zh").out, "最忙的端口"));
}

TEST_CASE("what compare counts is what the schedules say") {
  const int ranks = GENERATE(1, 2, 3, 5, 8);
  const nlohmann::json runs =
      json_of("--algorithms all --count 77 --ranks " + std::to_string(ranks));
  REQUIRE(runs.size() == all_reduces().size());
  for (const nlohmann::json& run : runs) {
    const std::string name = run["algorithm"];
    INFO(name << ", N = " << ranks);
    const Counts counts = counts_of(algorithm_named(name).make({.ranks = ranks, .count = 77}));
    CHECK(run["rounds"] == counts.rounds);
    CHECK(run["bytes_sent"]["least"] == 4 * counts.sent.least);
    CHECK(run["bytes_sent"]["most"] == 4 * counts.sent.most);
    CHECK(run["bytes_in_all"] == 4 * counts.total);
    CHECK(run["busiest_port"]["in"] == 4 * counts.busiest_port.received);
    CHECK(run["busiest_port"]["out"] == 4 * counts.busiest_port.sent);
    CHECK(run["verdict"] == "verified");
    CHECK(run["difference"].is_null() == (name == runs[0]["algorithm"]));
  }
}

TEST_CASE("'all' are the all-reduces, and the parts can be compared by name") {
  const std::vector<std::string> all = all_reduces();
  CHECK(std::count(all.begin(), all.end(), "ring") == 1);
  CHECK(std::count(all.begin(), all.end(), "hierarchical") == 1);
  for (const char* const part : {"reduce-scatter", "all-gather", "reduce", "broadcast"})
    CHECK(std::count(all.begin(), all.end(), part) == 0);
  const nlohmann::json runs = json_of("--algorithms ring,reduce-scatter,all-gather --count 77");
  CHECK(runs[1]["difference"]["compared"] == 77);
  CHECK(runs[1]["difference"]["largest_ulps"] == 0);
  CHECK(runs[2]["difference"].is_null());
}

TEST_CASE("integers are the same whatever the order, floating sums differ by a few units") {
  for (const char* const type : {"i32", "u8"}) {
    const nlohmann::json runs = json_of(std::string("--algorithms ring,tree --ranks 7 ") +
                                        "--count 5000 --data random --type " + type);
    CHECK(runs[1]["difference"]["largest_ulps"] == 0);
    CHECK(runs[1]["difference"]["differing"] == 0);
    CHECK(runs[1]["difference"]["compared"] == 5000);
  }
  const nlohmann::json runs =
      json_of("--algorithms ring,parameter-server --ranks 8 --count 5000 --data random");
  CHECK(runs[1]["difference"]["first"]["bits"][0] != runs[1]["difference"]["first"]["bits"][1]);
  CHECK(runs[1]["difference"]["largest_ulps"] > 0);
  CHECK(runs[1]["difference"]["compared"] == 5000);
  const std::uint64_t differing = runs[1]["difference"]["differing"];
  CHECK((differing > 0 && differing < 5000));
  // Of two ranks there is only one order.
  CHECK(json_of("--algorithms ring,tree --ranks 2 --count 500 --data random")[1]["difference"]
                                                                             ["differing"] == 0);
}

TEST_CASE("records that compare keeps began with the same data, and can be compared again") {
  const Outcome outcome = compare(
      "--algorithms ring,tree,hierarchical --ranks 6 --count 600 --data random --seed 7 "
      "--groups 4,2 -o kept");
  INFO(outcome.out << outcome.err);
  REQUIRE(outcome.status == 0);
  const Trace ring = load_trace(folder.file("kept/ring.ring"));
  const Trace tree = load_trace(folder.file("kept/tree.ring"));
  CHECK_NOTHROW(require_same_data(ring, tree));
  CHECK(ring.run.seed == 7);
  CHECK(groups_of(load_trace(folder.file("kept/hierarchical.ring")).schedule) ==
        std::vector<std::int32_t>{4, 2});
  CHECK(std::filesystem::exists(folder.file("kept/comparison.png")) == has_cairo());
  const Outcome again = compare("kept/ring.ring kept/tree.ring");
  CHECK(again.status == 0);
  CHECK(has(again.out, "kept/tree.ring"));
  CHECK(has(again.out, "Differences are those of the "));
  // Its own files it writes anew.
  CHECK(compare("--algorithms ring,tree -o kept").status == 0);
  CHECK(load_trace(folder.file("kept/ring.ring")).schedule.ranks == 4);
}

TEST_CASE("repeats are taken in turn, and the median is kept") {
  CompareRequest request;
  for (const char* const name : {"ring", "tree"}) {
    request.runs.emplace_back();
    request.runs.back().algorithm = name;
  }
  request.repeats = 3;
  std::vector<std::string> order;
  request.progress = [&](const RunSettings& run, RunStage stage, double) {
    if (stage == RunStage::running) order.push_back(run.algorithm);
  };
  const CompareResult result = compare_runs(request);
  CHECK(order == std::vector<std::string>{"ring", "tree", "ring", "tree", "ring", "tree"});
  REQUIRE(result.traces.size() == 2);
  CHECK(result.traces[0].trace.run.repeats == 3);
  CHECK(has(compare("--algorithms ring,tree --repeats 3").out, "median of 3 runs"));
}

TEST_CASE("a run that stops says so, and the others are compared") {
  const Outcome outcome = compare("--algorithms ring,tree --delay 0-1:400ms --timeout 150ms");
  INFO(outcome.out << outcome.err);
  CHECK(outcome.status == 1);
  CHECK(has(outcome.out, "stopped after "));
  CHECK(has(outcome.err, "landed nothing for "));

  RunSettings settings;
  std::vector<Trace> traces;
  for (const char* const name : {"ring", "tree", "parameter-server"}) {
    settings.algorithm = name;
    settings.deaths.clear();
    if (traces.size() == 1) settings.deaths = {"0@1.2"};
    traces.push_back(record(settings));
  }
  const std::vector<ComparedTrace> compared = compare_records(std::move(traces));
  CHECK_FALSE(compared[1].differences);
  CHECK(compared[2].differences);
  const std::string text = compare_text(compared, false, Language::named("en"));
  INFO(text);
  CHECK(has(text, "stopped after "));
  CHECK(has(text, "\nParameter server "));
}

TEST_CASE("a run that stops in a later repeat says which one that was") {
  CompareRequest request;
  request.repeats = 3;
  request.runs.resize(1);
  request.progress = [&](const RunSettings&, RunStage stage, double) {
    if (stage == RunStage::running) request.runs[0].deaths = {"1@1.2"};  // from the second on
  };
  const CompareResult result = compare_runs(request);
  REQUIRE(result.traces[0].trace.stopped);
  CHECK(result.traces[0].trace.run.repeats == 2);
}

TEST_CASE("an operator is named where one of them has it") {
  CHECK(has(compare("--algorithms broadcast,ring").out, "sum of "));
  const Outcome copies = compare("--algorithms all-gather,broadcast");
  CHECK(copies.status == 0);
  CHECK_FALSE(has(copies.out, "sum"));
}

TEST_CASE("Ctrl-C prints what is done") {
  const Outcome outcome = shell(
      "timeout --preserve-status -s INT 0.6 \"$R\" compare --algorithms ring,tree "
      "--delay 0-1:30s --timeout 100s");
  CHECK(outcome.status == 1);
  CHECK(outcome.err == "ringscope: The comparison was cancelled; 0 of 2 had been run.\n");
}

TEST_CASE("compare refuses in one sentence") {
  refused("", 2, "--algorithms is missing");
  refused("--algorithms ring", 2, "at least two");
  refused("--algorithms ring,", 2, "choose one of ring, bidirectional, ");
  refused("--algorithms ring,rung", 2, "There is no algorithm 'rung'; choose one of ring, ");
  refused("--algorithms ring,ring", 2, "twice");
  refused("--algorithms ring,tree --root 1", 2, "--root");
  refused("--algorithms ring,parameter-server --root 9", 2, "rank 9");
  refused("--algorithms ring,hierarchical --groups 3,2", 2, "add up");
  refused("--algorithms ring,tree --ranks none", 2, "--ranks");
  refused("--algorithms ring,tree -o out", 1, "can't be made");  // a file of that name is there
  refused("no.ring", 2, "at least two");
  refused("no.ring nor.ring", 1, "There is no file no.ring");
  REQUIRE(shell("\"$R\" record -o a.ring; \"$R\" record --count 9 -o b.ring; \"$R\" record --type "
                "f64 -o c.ring; "
                "\"$R\" record --data random --seed 2 -o d.ring; \"$R\" record --data random "
                "--seed 3 -o e.ring")
              .status == 0);
  refused("a.ring b.ring", 2, "elements a rank");
  refused("a.ring c.ring", 2, "f64");
  refused("d.ring e.ring", 2, "--seed");
  refused("a.ring a.ring --ranks 3", 2, "compared as they are");
  refused("a.ring a.ring --algorithms ring,tree", 2, "compared as they are");
}

TEST_CASE("files that are not of the program are left alone") {
  REQUIRE(shell("mkdir -p mine; echo precious > mine/tree.ring").status == 0);
  refused("--algorithms ring,tree -o mine", 1, "mine/tree.ring is there already");
  CHECK(shell("cat mine/tree.ring").out == "precious\n");
  CHECK_FALSE(std::filesystem::exists(folder.file("mine/ring.ring")));
}

TEST_CASE("picture draws two or three records beside one another") {
  if (!has_cairo()) return;
  REQUIRE(compare("--algorithms ring,tree,parameter-server -o drawn").status == 0);
  const auto picture = [](const std::string& arguments) {
    return shell("cd drawn && \"$R\" picture " + arguments + " -o p.png");
  };
  CHECK(picture("ring.ring tree.ring --round 3 --beat moving").status == 0);
  CHECK(picture("ring.ring tree.ring parameter-server.ring --time 1us --lang zh --theme dark")
            .status == 0);
  CHECK(picture("ring.ring tree.ring ring.ring tree.ring --round 1").status == 2);
  CHECK(picture("ring.ring tree.ring --round 1.2").status == 2);
  CHECK(picture("ring.ring tree.ring --round 1 --view ring").status == 2);
  CHECK(picture("ring.ring ../a.ring --round 1").status == 0);
  CHECK(picture("ring.ring ../b.ring --round 1").status == 2);
}
