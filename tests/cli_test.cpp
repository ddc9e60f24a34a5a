// The program as a person runs it: output, exit status, both languages.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/export/cairo_painter.h"
#include "core/schedule/schedule.h"
#include "core/trace/trace_file.h"
#include "tests/command_line.h"

using namespace ringscope;

namespace {

const Folder folder;

Outcome shell(const std::string& line) { return shell(folder, line); }

Outcome ringscope_(const std::string& arguments) { return shell("\"$R\" " + arguments); }

nlohmann::json json_of(const std::string& arguments) {
  const Outcome outcome = ringscope_(arguments);
  INFO(arguments << ": " << outcome.err);
  REQUIRE(outcome.status == 0);
  return nlohmann::json::parse(outcome.out);
}

void refused(const std::string& arguments, int status, const std::string& what) {
  INFO(arguments);
  check_refused(ringscope_(arguments), status, what);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("record prints one line") {
  const Outcome outcome = ringscope_("record");
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  CHECK(outcome.out.find('\n') == outcome.out.size() - 1);
  CHECK(outcome.out.starts_with("Ring all-reduce, 4 ranks: 6 rounds, 24 B a rank, "));
  CHECK(outcome.out.ends_with("; verified\n"));
  CHECK(has(outcome.out, ", algbw "));
  CHECK(has(outcome.out, ", busbw "));
}

TEST_CASE("record's line says what is out of the ordinary") {
  CHECK(has(ringscope_("record --ranks 8").out, "; ramp data"));
  const Outcome outcome = ringscope_(
      "record --lockstep --in-place --late 2:1us --delay 1:2us --delay 1-2:3us --repeats 3");
  CHECK(has(outcome.out,
            "; in place; lockstep; GPU 2 began 1.00 µs late; GPU 1 delayed by 2.00 µs a transfer; "
            "GPU 1 -> GPU 2 delayed by 3.00 µs a transfer; median of 3 runs\n"));
  CHECK(has(ringscope_("record --count 5").out, ", up to 32 B a rank, "));
  CHECK(has(ringscope_("record --ranks 1").out, "1 rank: 0 rounds, 0 B a rank, "));
  CHECK(has(ringscope_("record --type i8 --data ramp --op prod --ranks 5 --count 99").out,
            " wrapped around\n"));
}

TEST_CASE("record, info and JSON say the root, the groups, and no operator of a copy") {
  CHECK(has(ringscope_("record --algorithm parameter-server --root 2 -o star.ring").out,
            "; verified; root GPU 2\n"));
  CHECK(has(ringscope_("info star.ring").out, "Root          GPU 2\n"));
  CHECK(json_of("info --json star.ring")["root"] == 2);
  CHECK(has(ringscope_("record --algorithm hierarchical --groups 3,1 -o groups.ring").out,
            "; verified; groups 3, 1\n"));
  CHECK(has(ringscope_("info groups.ring").out, "Groups        3, 1\n"));
  CHECK(json_of("info --json groups.ring")["groups"] == nlohmann::json{3, 1});
  CHECK(ringscope_("record --algorithm all-gather -o copies.ring").status == 0);
  CHECK(
      has(ringscope_("info copies.ring").out, "Run           4 f32 a rank (16 B), engine host\n"));
  CHECK(json_of("info --json copies.ring")["op"].is_null());
  CHECK_FALSE(json_of("info --json copies.ring").contains("root"));
}

TEST_CASE("record's JSON has what scripts need") {
  const nlohmann::json json = json_of("record --json --ranks 3 --count 6 --type f64 --op max");
  CHECK(json["algorithm"] == "ring");
  CHECK(json["ranks"] == 3);
  CHECK(json["count"] == 6);
  CHECK(json["type"] == "f64");
  CHECK(json["op"] == "max");
  CHECK(json["engine"] == "host");
  CHECK(json["rounds"] == 4);
  CHECK(json["bytes_per_rank"] == 64);
  CHECK(json["buffer_bytes"] == 48);
  CHECK(json["seconds"].get<double>() > 0);
  CHECK(json["algbw"].get<double>() > 0);
  CHECK(json["busbw"].get<double>() == Approx(json["algbw"].get<double>() * 4 / 3));
  CHECK(json["verdict"] == "verified");
  CHECK(json_of("record --json --lang zh")["verdict"] == "verified");
}

TEST_CASE("record writes a file only with -o") {
  const std::size_t before = folder.files();
  CHECK(ringscope_("record").status == 0);
  CHECK(folder.files() <= before + 2);  // what shell() keeps
  CHECK(ringscope_("record --order 0,2,1,3 -o ordered.ring").status == 0);
  const Trace trace = load_trace(folder.file("ordered.ring"));
  CHECK(trace.schedule.order == std::vector<std::int32_t>{0, 2, 1, 3});
}

TEST_CASE("a run that fails says one sentence, and keeps what there was") {
  const Outcome outcome = ringscope_("record --die 2@1.2 -o partial.ring");
  CHECK(outcome.status == 1);
  CHECK(has(outcome.out, "stopped after "));
  CHECK(outcome.err.starts_with("ringscope: GPU 2 stopped before round 1.2"));
  CHECK(load_trace(folder.file("partial.ring")).stopped);
  CHECK(has(ringscope_("show partial.ring").out, "(did not happen)"));
  CHECK(ringscope_("verify partial.ring").status == 0);
  CHECK(has(ringscope_("info partial.ring").out, "Stopped"));
}

TEST_CASE("a wire type is said everywhere, with what it costs") {
  const Outcome outcome = ringscope_("record --wire bf16 --data random --count 1000 -o wire.ring");
  CHECK(outcome.status == 0);
  CHECK(has(outcome.out, "; f32 sent as bf16; up to 0.0"));
  CHECK(has(outcome.out, " off from full precision, where results reach "));
  const std::string text = ringscope_("info wire.ring").out;
  CHECK(has(text, "sum of 1,000 f32 sent as bf16 a rank"));
  CHECK(has(text, "Wire type "));
  CHECK(has(text, "Precision     of 1,000 elements"));
  const nlohmann::json json = json_of("info --json wire.ring");
  CHECK(json["type"] == "f32");
  CHECK(json["wire"] == "bf16");
  CHECK(json["bytes_per_rank"] == 3000);
  CHECK(json["buffer_bytes"] == 4000);
  CHECK(json["formula"]["bytes_per_rank"] == 3000);
  CHECK(json["wire_cost"]["elements"] == 1000);
  CHECK(json["wire_cost"]["largest_error"].get<double>() > 0);
  CHECK(ringscope_("verify wire.ring").status == 0);
  CHECK(json_of("record --json")["wire"].is_null());
}

TEST_CASE("a run that stopped tells what happened before, and what no longer could") {
  const std::string out =
      ringscope_("record --die 0@1.1 --late 0:1us --delay 3:2us --repeats 3").out;
  CHECK(has(out, "; stopped before this could happen: GPU 0 began 1.00 µs late"));
  CHECK(has(out, "; GPU 0 stopped before round 1.1"));
  CHECK_FALSE(has(out, "median"));
  CHECK_FALSE(has(out, "run number"));  // it was the first
  const std::string late = ringscope_("record --die 2@2.3 --delay 1:2us").out;
  CHECK(has(late, "; GPU 1 delayed by 2.00 µs a transfer; GPU 2 stopped before round 2.3"));
}

TEST_CASE("a file whose name begins with a dash can be named after two dashes") {
  REQUIRE(ringscope_("record -o ./-x.ring").status == 0);
  CHECK(has(ringscope_("info -- -x.ring").out, "Ring all-reduce"));
  CHECK(has(ringscope_("show --round 1.2 -- -x.ring").out, "Round 1.2"));
  CHECK(ringscope_("verify -- -x.ring").status == 0);
  refused("info -- -x.ring -y.ring", 2, "-y.ring");
}

TEST_CASE("Ctrl-C stops a run cleanly") {
  const Outcome outcome = shell(
      "timeout --preserve-status -s INT 0.3 \"$R\" record --delay 0:30s --timeout 100s "
      "-o cancelled.ring");
  CHECK(outcome.status == 1);
  CHECK(outcome.err == "ringscope: The run was cancelled; nothing was recorded.\n");
  CHECK_FALSE(std::filesystem::exists(folder.file("cancelled.ring")));
}

TEST_CASE("a long run shows how far it is on a terminal, and leaves nothing of that") {
  if (std::system("command -v script >/dev/null") != 0) {
    WARN("not checked: 'script' is not installed");
    return;
  }
  const Outcome outcome = shell("script -qec \"'$R' record --delay 0:250ms\" /dev/null </dev/null");
  CHECK(has(outcome.out, "running, 1 s\r\x1b[K"));
  CHECK(outcome.out.rfind("\x1b[KRing all-reduce") != outcome.out.npos);
  CHECK(shell("\"$R\" record --delay 0:250ms").err.empty());
}

TEST_CASE("show prints tables and transfers of all rounds, or of one") {
  const std::string all = ringscope_("show " + record_file(folder)).out;
  for (const char* const title : {"\nStart\n", "\nRound 1.1: ", "\nRound 1.3: ", "\nRound 2.3: "})
    CHECK(has(all, title));
  CHECK(has(all, "GPU1: [b0+a0, b1, b2, b3+a3+d3]\n"));
  CHECK(has(all, "GPU0 -> GPU1  chunk 0: b0 += a0: 10 + 1 = 11\n"));
  CHECK_FALSE(has(all, "\x1b"));
  const std::string one = ringscope_("show --round 1.2 " + record_file(folder)).out;
  CHECK(has(one, "\nRound 1.2: scatter-reduce, 2 of 3\n"));
  CHECK_FALSE(has(one, "Round 1.1"));
  CHECK(has(ringscope_("show --round 0 " + record_file(folder)).out, "GPU3: [d0, d1, d2, d3]\n"));
  CHECK(has(ringscope_("show --values numbers --round 1.2 " + record_file(folder)).out,
            "GPU1: [11, 20, 30, 4044]\n"));
  CHECK(has(ringscope_("show --values both --round 1.2 " + record_file(folder)).out, "b0+a0 = 11"));
}

TEST_CASE("show, verify and info have JSON") {
  const nlohmann::json shown = json_of("show --json " + record_file(folder));
  CHECK(shown["rounds"].size() == 7);
  CHECK(shown["contradictions"].empty());
  CHECK(shown["rounds"][2]["table"][1][3]["symbol"] == "b3+a3+d3");
  CHECK(json_of("show --json --round 2.1 " + record_file(folder))["rounds"].size() == 1);

  const nlohmann::json verified = json_of("verify --json " + record_file(folder));
  CHECK(verified["ok"] == true);
  CHECK(verified["checked"].size() > 3);
  CHECK(verified["wrong"].empty());

  const nlohmann::json info = json_of("info --json " + record_file(folder));
  CHECK(info["rounds"] == 6);
  CHECK(info["traffic"]["least_sent"] == 24);
  CHECK(info["traffic"]["most_received"] == 24);
  CHECK(info["traffic"]["total"] == 96);
  CHECK(info["formula"]["rounds"] == 6);
  CHECK(info["formula"]["bytes_per_rank"] == 24);
  CHECK(info["formula"]["total"] == 96);
  CHECK(info["phases"][0]["name"] == "scatter-reduce");
  CHECK(info["where"]["cores"].get<int>() > 0);
}

TEST_CASE("verify says what it checked, and fails for a record that is wrong") {
  const Outcome right = ringscope_("verify " + record_file(folder));
  CHECK(right.status == 0);
  CHECK(has(right.out, "✓ The file is whole"));
  Trace trace = load_trace(folder.file(record_file(folder)));
  std::swap(trace.values.results[0], trace.values.results[3]);
  save_trace(trace, folder.file("wrong.ring"));
  const Outcome wrong = ringscope_("verify wrong.ring");
  CHECK(wrong.status == 1);
  CHECK(has(wrong.out, "✗ "));
  CHECK(wrong.err.starts_with("ringscope: 'wrong.ring' is wrong in "));
  CHECK(nlohmann::json::parse(ringscope_("verify --json wrong.ring").out)["ok"] == false);
  CHECK(has(ringscope_("show wrong.ring --round 0").out, "WRONG: "));
}

TEST_CASE("info says what was run, where, how long, and what theory says") {
  const std::string text = ringscope_("info " + record_file(folder)).out;
  CHECK(has(text, "scatter-reduce 1.1..1.3, all-gather 2.1..2.3\n"));
  CHECK(has(text, "Order         0, 1, 2, 3\n"));
  CHECK(has(text, "24 B by each rank          2(N-1)/N K = 24 B by the busiest\n"));
  CHECK(has(text, "GPU 0 -> GPU 1: 24 B       2(N-1)/N K = 24 B\n"));
  CHECK(has(text, "4 CPU threads, "));
  CHECK(has(text, "verified: 16 elements bitwise equal"));
  REQUIRE(ringscope_("record --count 7 --data random -o uneven.ring").status == 0);
  const std::string uneven = ringscope_("info uneven.ring").out;
  CHECK(has(uneven, "40 B to 44 B by a rank "));
  CHECK(has(uneven, "within the bound"));
}

TEST_CASE("info holds the counts of every algorithm against its formula") {
  for (const Algorithm& algorithm : algorithms()) {
    const std::string name(algorithm.name);
    INFO(name);
    // Twelve elements for each of the chunks that nine ranks may cut.
    REQUIRE(ringscope_("record --ranks 9 --count 216 --type i64 --algorithm " + name + " -o i.ring")
                .status == 0);
    const nlohmann::json info = json_of("info --json i.ring");
    const nlohmann::json &traffic = info["traffic"], &formula = info["formula"];
    CHECK(info["rounds"] == formula["rounds"]);
    CHECK(traffic["most_sent"] == formula["bytes_per_rank"]);
    CHECK(traffic["most_received"] == formula["bytes_per_rank"]);
    CHECK(std::max(traffic["busiest_port"]["in"], traffic["busiest_port"]["out"]) ==
          formula["bytes_per_rank"]);
    CHECK(traffic["busiest_link"]["bytes"] == formula["link"]);
    CHECK(traffic["total"] == formula["total"]);
    CHECK(formula["source"].get<std::string>().size() > 10);
    for (const char* const lang : {"en", "zh"}) {
      const std::string text = ringscope_(std::string("info i.ring --lang ") + lang).out;
      CHECK(has(text, formula["source"]) == (lang == std::string("en")));
      for (const char* const quantity : {"rounds", "bytes_per_rank", "link", "total"})
        CHECK(has(text, formula["written"][quantity].get<std::string>() + " = "));
      CHECK(has(text, "Documents ") == (lang == std::string("en") && formula.contains("document")));
    }
  }
  CHECK(has(ringscope_("info --lang en " + record_file(folder)).out, "Documents call 2(N-1)/N K"));
}

TEST_CASE("info of one rank alone has no link and no bytes") {
  REQUIRE(ringscope_("record --ranks 1 --algorithm tree -o one.ring").status == 0);
  CHECK(json_of("info --json one.ring")["traffic"]["busiest_link"].is_null());
  CHECK(has(ringscope_("info one.ring").out, "0 B by each rank"));
}

TEST_CASE("a chunk whose first slice is empty is told by one that is not") {
  REQUIRE(ringscope_("record --ranks 3 --count 4 --slices 3 -o sliced.ring").status == 0);
  const std::string text = ringscope_("show sliced.ring --round 1.1").out;
  CHECK_FALSE(has(text, "empty"));
  CHECK(has(text, "b0 += a0: 10 + 1 = 11\n"));
}

TEST_CASE("info of a run that stopped counts what happened") {
  REQUIRE(ringscope_("record --die 2@1.2 -o died.ring").status == 1);
  const std::string text = ringscope_("info died.ring").out;
  CHECK_FALSE(has(text, "algbw"));
  CHECK(has(text, "In all        28 B "));  // 7 transfers
}

TEST_CASE("picture draws a round without a display") {
  if (!has_cairo()) return;
  CHECK(shell("unset DISPLAY WAYLAND_DISPLAY; \"$R\" picture " + record_file(folder) +
              " --round 1.2 -o a.png")
            .status == 0);
  CHECK(text_of_file(folder.file("a.png")).starts_with("\x89PNG"));
  CHECK(ringscope_("picture " + record_file(folder) +
                   " --round 2.1 --beat moving --view matrix --size 640x360 --theme dark -o b.png")
            .status == 0);
  CHECK(text_of_file(folder.file("b.png")).starts_with("\x89PNG"));
  refused("picture " + record_file(folder) + " -o a.png", 2, "--round");
  refused("picture " + record_file(folder) + " --round 1.2", 2, "-o");
  refused("picture " + record_file(folder) + " --round 1.2 -o a.jpg", 2, ".png");
  refused("picture " + record_file(folder) + " --round 1.2 -o c.png --size 10x10", 2, "--size");
  refused("picture " + record_file(folder) + " --round 1.2 -o c.png --beat last", 2, "--beat");
  refused("picture " + record_file(folder) + " --round 1.2 -o c.png --view pie", 2, "pie");
  refused("picture " + record_file(folder) + " --round 1.2 -o c.png --theme pink", 2, "pink");
  refused("picture " + record_file(folder) + " --round 1.2 -o nowhere/c.png", 1, "nowhere/c.png");
  CHECK(ringscope_("picture " + record_file(folder) + " --time 2us -o moment.png").status == 0);
  CHECK(text_of_file(folder.file("moment.png")).starts_with("\x89PNG"));
  refused("picture " + record_file(folder) + " --time 2us --round 1.2 -o c.png", 2, "--round");
  refused("picture " + record_file(folder) + " --time soon -o c.png", 2, "soon");
  refused("picture nothing.ring --round 1.2 -o c.png", 1, "nothing.ring");
  CHECK_FALSE(std::filesystem::exists(folder.file("c.png")));
}

TEST_CASE("picture draws every round into a file of its own") {
  if (!has_cairo()) return;
  CHECK(ringscope_("picture " + record_file(folder) + " --round all -o each.png").status == 0);
  for (const char* round :
       {"0", "1.1-after", "1.2-after", "1.3-after", "2.1-after", "2.2-after", "2.3-after"})
    CHECK(text_of_file(folder.file("each-round-" + std::string(round) + ".png"))
              .starts_with("\x89PNG"));
  CHECK_FALSE(std::filesystem::exists(folder.file("each.png")));
}

TEST_CASE("picture takes a view that can show the record where none is named") {
  if (!has_cairo()) return;
  REQUIRE(ringscope_("record --algorithm tree -o tree.ring").status == 0);
  CHECK(ringscope_("picture tree.ring --round 1.1 -o tree.png").status == 0);
  refused("picture tree.ring --round 1.1 --view ring -o c.png", 2, "ring");
}

TEST_CASE("bench measures what is asked") {
  const Outcome outcome = ringscope_("bench --sizes 1KiB,8KiB --repeats 1 --ranks 2");
  CHECK(outcome.status == 0);
  CHECK(has(outcome.out, "non-temporal"));
  CHECK(has(outcome.out, "of the limit"));
  const nlohmann::json json = json_of("bench --sizes 1KiB --repeats 1 --ranks 3 --json");
  REQUIRE(json["results"].size() == 2);
  for (const nlohmann::json& row : json["results"]) {
    CHECK(row["algorithm"] == "ring");
    CHECK(row["ranks"] == 3);
    CHECK(row["bytes"] == 1024);
    CHECK(row["recording"].is_boolean());
    for (const char* const field : {"seconds", "algbw", "busbw", "limit_share"})
      CHECK(row[field].get<double>() > 0);
  }
  CHECK(json["limits"][0]["memcpy_seconds"].get<double>() > 0);
  CHECK(json_of("bench --algorithms ring,tree --sizes 1KiB --repeats 1 --json")["results"].size() ==
        4);
  const Outcome alone = ringscope_("bench --ranks 1 --sizes 0 --repeats 1 --algorithms tree");
  CHECK(alone.status == 0);
  CHECK(!has(alone.out, "%"));
  refused("bench --algorithms star", 2, "parameter-server");
  refused("bench --sizes 3B", 2, "3 B");
  refused("bench --sizes 1KB", 2, "--sizes");
  refused("bench --sizes 1KiB,", 2, "--sizes");
  refused("bench --ranks 0", 2, "--ranks");
}
