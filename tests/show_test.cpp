// The text of rounds against the six tables of 'Ring All-Reduce illustrated', cell for cell.
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/show_text.h"
#include "core/engine/record.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

using Table = std::vector<std::vector<std::string>>;

// The document's tables as it prints them: complete chunks of round 1.3 have a red dot there.
constexpr std::array<std::string_view, 6> document{
    R"(GPU0: [a0,       a1,       a2,       a3+d3  ]
GPU1: [b0+a0,    b1,       b2,       b3     ]
GPU2: [c0,       c1+b1,    c2,       c3     ]
GPU3: [d0,       d1,       d2+c2,    d3     ]
)",
    R"(GPU0: [a0,         a1,       a2+d2+c2,   a3+d3    ]
GPU1: [b0+a0,      b1,       b2,         b3+a3+d3 ]
GPU2: [c0+b0+a0,   c1+b1,    c2,         c3       ]
GPU3: [d0,         d1+c1+b1, d2+c2,      d3       ]
)",
    R"(GPU0: [a0,                🔴 a1+b1+c1+d1,    a2+d2+c2,       a3+d3        ]
GPU1: [b0+a0,             b1,                🔴 a2+b2+c2+d2,  b3+a3+d3     ]
GPU2: [c0+b0+a0,          c1+b1,             c2,              🔴 a3+b3+c3+d3]
GPU3: [🔴 a0+b0+c0+d0,    d1+c1+b1,          d2+c2,           d3           ]
)",
    R"(GPU0: [a0+b0+c0+d0,  a1+b1+c1+d1,  .,            .            ]
GPU1: [.,             a1+b1+c1+d1,  a2+b2+c2+d2,  .            ]
GPU2: [.,             .,            a2+b2+c2+d2,  a3+b3+c3+d3 ]
GPU3: [a0+b0+c0+d0,  .,            .,            a3+b3+c3+d3 ]
)",
    R"(GPU0: [a0+b0+c0+d0,  a1+b1+c1+d1,  .,             a3+b3+c3+d3 ]
GPU1: [a0+b0+c0+d0,  a1+b1+c1+d1,  a2+b2+c2+d2,   .            ]
GPU2: [.,             a1+b1+c1+d1,  a2+b2+c2+d2,   a3+b3+c3+d3 ]
GPU3: [a0+b0+c0+d0,  .,            a2+b2+c2+d2,   a3+b3+c3+d3 ]
)",
    R"(GPU0: [a0+b0+c0+d0, a1+b1+c1+d1, a2+b2+c2+d2, a3+b3+c3+d3]
GPU1: [a0+b0+c0+d0, a1+b1+c1+d1, a2+b2+c2+d2, a3+b3+c3+d3]
GPU2: [a0+b0+c0+d0, a1+b1+c1+d1, a2+b2+c2+d2, a3+b3+c3+d3]
GPU3: [a0+b0+c0+d0, a1+b1+c1+d1, a2+b2+c2+d2, a3+b3+c3+d3]
)"};

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == text.npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), text.find('\n') + 1)))
    lines.emplace_back(text.substr(0, text.find('\n')));
  return lines;
}

// The cells between the brackets of each line 'GPU1: [x, y]'.
Table cells_of(std::string_view text) {
  Table table;
  for (const std::string& line : lines_of(text)) {
    REQUIRE(line.starts_with("GPU" + std::to_string(table.size()) + ":"));
    std::vector<std::string> row;
    std::string_view rest = std::string_view(line).substr(line.find('[') + 1);
    REQUIRE(rest.ends_with(']'));
    rest.remove_suffix(1);
    for (; !rest.empty(); rest.remove_prefix(std::min(rest.size(), rest.find(',') + 1))) {
      row.push_back(trimmed(rest.substr(0, rest.find(','))));
      if (rest.find(',') == rest.npos) break;
    }
    table.push_back(row);
  }
  return table;
}

bool all_terms(const std::string& symbol) {
  return std::count(symbol.begin(), symbol.end(), '+') == 3;
}

// The document's table with our mark behind what is complete.
Table expected(std::size_t round) {
  Table table = cells_of(document[round]);
  for (auto& row : table)
    for (std::string& cell : row) {
      constexpr std::string_view dot = "🔴 ";
      if (cell.starts_with(dot)) cell.erase(0, dot.size());
      if (all_terms(cell)) cell += " ✓";
    }
  return table;
}

// 'b0+a0' -> 11: digits' first element of chunk j at rank r is (j+1) * 10^r.
std::string value_of(std::string symbol) {
  constexpr std::array<int, 4> powers{1, 10, 100, 1000};
  int sum = 0;
  for (std::size_t at = 0; at < symbol.size(); at += 3)
    sum += (symbol[at + 1] - '0' + 1) * powers[static_cast<std::size_t>(symbol[at] - 'a')];
  return std::to_string(sum);
}

Trace recorded(const RunSettings& settings) {
  const Trace trace = record(settings);
  REQUIRE(trace.verdict.outcome == Verdict::Outcome::verified);
  return trace;
}

const Language& english = Language::named("en");

}  // namespace

TEST_CASE("the six tables of the document, cell for cell") {
  const Trace trace = recorded({});
  const Replay replay(trace);
  REQUIRE(replay.rounds() == 6);
  for (std::int32_t round = 1; round <= 6; ++round) {
    INFO("round " << round);
    const Table wanted = expected(static_cast<std::size_t>(round - 1));
    REQUIRE(wanted.size() == 4);
    CHECK(table_cells(replay, round, ShowValues::symbols) == wanted);
    CHECK(cells_of(table_text(replay, round, ShowValues::symbols)) == wanted);
  }
  CHECK(lines_of(table_text(replay, 2, ShowValues::symbols))[1] ==
        "GPU1: [b0+a0, b1, b2, b3+a3+d3]");
}

TEST_CASE("in round 1.3 exactly those chunks are marked that the document marks") {
  const Trace trace = recorded({});
  const Replay replay(trace);
  const Table ours = table_cells(replay, 3, ShowValues::symbols);
  const Table theirs = cells_of(document[2]);
  for (std::size_t rank = 0; rank < 4; ++rank)
    for (std::size_t chunk = 0; chunk < 4; ++chunk)
      CHECK(ours[rank][chunk].ends_with(" ✓") == theirs[rank][chunk].starts_with("🔴"));
}

TEST_CASE("the numbers are the sums of the document's terms") {
  const Trace trace = recorded({});
  const Replay replay(trace);
  for (std::int32_t round = 1; round <= 6; ++round) {
    INFO("round " << round);
    Table numbers = expected(static_cast<std::size_t>(round - 1)), both = numbers;
    for (std::size_t rank = 0; rank < 4; ++rank)
      for (std::size_t chunk = 0; chunk < 4; ++chunk) {
        const std::string cell = numbers[rank][chunk];
        if (cell == ".") continue;
        numbers[rank][chunk] = value_of(cell.substr(0, cell.find(' ')));
        both[rank][chunk] = cell + " = " + numbers[rank][chunk];
      }
    CHECK(table_cells(replay, round, ShowValues::numbers) == numbers);
    CHECK(table_cells(replay, round, ShowValues::both) == both);
  }
  CHECK(lines_of(table_text(replay, 2, ShowValues::numbers))[1] == "GPU1: [11, 20, 30, 4044]");
}

TEST_CASE("the start shows every GPU's own terms, and no transfer") {
  const Trace trace = recorded({});
  const Replay replay(trace);
  CHECK(round_text(replay, 0, ShowValues::symbols, english) ==
        "Start\n\n"
        "GPU0: [a0, a1, a2, a3]\nGPU1: [b0, b1, b2, b3]\n"
        "GPU2: [c0, c1, c2, c3]\nGPU3: [d0, d1, d2, d3]\n");
}

TEST_CASE("a round lists its transfers with their arithmetic") {
  const Trace trace = recorded({});
  const Replay replay(trace);
  CHECK(transfers_text(replay, 1, english) ==
        "GPU0 -> GPU1  chunk 0: b0 += a0: 10 + 1 = 11\n"
        "GPU1 -> GPU2  chunk 1: c1 += b1: 200 + 20 = 220\n"
        "GPU2 -> GPU3  chunk 2: d2 += c2: 3000 + 300 = 3300\n"
        "GPU3 -> GPU0  chunk 3: a3 += d3: 4 + 4000 = 4004\n");
  CHECK(lines_of(transfers_text(replay, 4, english))[3] ==
        "GPU3 -> GPU0  chunk 0: = a0+b0+c0+d0: 1111");
  CHECK(lines_of(transfers_text(replay, 1, Language::named("zh")))[0] ==
        "GPU0 -> GPU1  块 0: b0 += a0: 10 + 1 = 11");
}

TEST_CASE("no line of a table looks like one of a transfer") {
  const Trace trace = recorded({});
  const Replay replay(trace);
  for (std::int32_t round = 0; round <= 6; ++round) {
    for (const std::string& line : lines_of(table_text(replay, round, ShowValues::both)))
      CHECK((line.find('[') != line.npos && line.find("->") == line.npos));
    for (const std::string& line : lines_of(transfers_text(replay, round, english)))
      CHECK((line.find('[') == line.npos && line.find("->") != line.npos));
  }
}

TEST_CASE("the arithmetic fits the operator") {
  RunSettings settings;
  settings.op = Operator::avg;
  const Trace mean = recorded(settings);
  CHECK(lines_of(transfers_text(Replay(mean), 3, english))[2] ==
        "GPU2 -> GPU3  chunk 0: d0 = (d0 + c0+b0+a0)/4: (1000 + 111) / 4 = 277.75");
  CHECK(lines_of(transfers_text(Replay(mean), 1, english))[0] ==
        "GPU0 -> GPU1  chunk 0: b0 += a0: 10 + 1 = 11");
  CHECK(lines_of(transfers_text(Replay(mean), 4, english))[3] ==
        "GPU3 -> GPU0  chunk 0: = (a0+b0+c0+d0)/4: 277.75");
  CHECK(table_cells(Replay(mean), 3, ShowValues::both)[3][0] == "(a0+b0+c0+d0)/4 ✓ = 277.75");

  settings.type = ElementType::i32;
  settings.data = DataKind::digits;
  settings.op = Operator::min;
  const Trace least = recorded(settings);
  CHECK(lines_of(transfers_text(Replay(least), 2, english))[1] ==
        "GPU1 -> GPU2  chunk 0: c0 = min(c0,b0,a0): min(100, 1) = 1");
  settings.op = Operator::prod;
  settings.data = DataKind::ramp;  // chunk 0 of rank 0 is -5, of rank 1 is -2
  const Trace product = recorded(settings);
  CHECK(lines_of(transfers_text(Replay(product), 1, english))[0] ==
        "GPU0 -> GPU1  chunk 0: b0 *= a0: -2 * (-5) = 10");
}

TEST_CASE("one GPU alone has a start and nothing else") {
  RunSettings settings;
  settings.ranks = 1;
  const Trace trace = recorded(settings);
  const Replay replay(trace);
  REQUIRE(replay.rounds() == 0);
  CHECK(table_text(replay, 0, ShowValues::both) == "GPU0: [a0 ✓ = 1]\n");
  CHECK(transfers_text(replay, 0, english).empty());
}

TEST_CASE("an empty chunk is a dash") {
  RunSettings settings;
  settings.count = 0;
  const Trace nothing_at_all = recorded(settings);
  CHECK(lines_of(table_text(Replay(nothing_at_all), 6, ShowValues::both))[0] ==
        "GPU0: [-, -, -, -]");
  settings.count = 3;
  const Trace trace = recorded(settings);
  const Replay replay(trace);
  CHECK(lines_of(table_text(replay, 1, ShowValues::numbers))[1] == "GPU1: [-, 20, 30, 40]");
  CHECK(lines_of(transfers_text(replay, 1, english))[0] ==
        "GPU0 -> GPU1  chunk 0: b0 += a0 (empty)");
}

TEST_CASE("a result that its type can't hold is marked where it arises") {
  const auto lines_of = [](ElementType type, Operator op, double first, double second) {
    Trace trace = run_serially({.schedule = make_ring({.ranks = 2, .count = 2}),
                                .type = type,
                                .op = op,
                                .value = [=](std::int32_t rank, std::int32_t, std::uint64_t) {
                                  return rank == 0 ? first : second;
                                }});
    return transfers_text(Replay(trace), 1, Language::named("en"));
  };
  CHECK(lines_of(ElementType::i8, Operator::sum, 100, 28)
            .ends_with("100 + 28 = -128 (wrapped around)\n"));
  CHECK(lines_of(ElementType::i8, Operator::sum, 100, 27).ends_with("100 + 27 = 127\n"));
  CHECK(lines_of(ElementType::u8, Operator::prod, 16, 16)
            .ends_with("16 * 16 = 0 (wrapped around)\n"));
  CHECK(lines_of(ElementType::i8, Operator::avg, 100, 28)
            .ends_with("(100 + 28) / 2 = -64 (wrapped around)\n"));
  CHECK(lines_of(ElementType::i8, Operator::avg, 3, 2).ends_with("(3 + 2) / 2 = 2\n"));
  CHECK(lines_of(ElementType::i8, Operator::max, 100, 28).ends_with("max(100, 28) = 100\n"));
  CHECK(lines_of(ElementType::f16, Operator::sum, 65504, 16)
            .ends_with("65504 + 16 = inf (overflowed)\n"));
}

TEST_CASE("the slices of a step are one line, and their first element its arithmetic") {
  RunSettings settings;
  settings.count = 48;
  settings.slices = 3;
  const Trace trace = recorded(settings);
  const Replay replay(trace);
  const std::vector<std::string> lines = lines_of(transfers_text(replay, 1, english));
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == "GPU0 -> GPU1  chunk 0, 3 slices: b0 += a0: 10 + 1 = 11");
  CHECK(lines_of(table_text(replay, 2, ShowValues::numbers))[1] == "GPU1: [11, 20, 30, 4044]");
}

TEST_CASE("the arithmetic of more than ten ranks stands in one column") {
  RunSettings settings;
  settings.ranks = 12;
  const Trace trace = recorded(settings);
  CHECK(lines_of(transfers_text(Replay(trace), 1, english))[9].starts_with(
      "GPU9 -> GPU10   chunk 9:  "));
  CHECK(lines_of(table_text(Replay(trace), 1, ShowValues::symbols))[9].starts_with("GPU9:  ["));
}

TEST_CASE("what did not happen in a run that stopped is said, without numbers") {
  RunSettings settings;
  settings.deaths = {"2@1.2"};
  const Trace trace = record(settings);
  REQUIRE(trace.stopped);
  const std::vector<std::string> lines = lines_of(transfers_text(Replay(trace), 2, english));
  CHECK(lines[1] == "GPU1 -> GPU2  chunk 0: c0 += b0+a0 (did not happen)");
  CHECK(table_cells(Replay(trace), 2, ShowValues::symbols)[2][0] == "c0");
}

TEST_CASE("the JSON of a round says the same as its text") {
  const Trace trace = recorded({});
  const Replay replay(trace);
  const Json start = round_json(replay, 0, ShowValues::symbols);
  CHECK(start["round"] == "0");
  CHECK(start["phase"].is_null());
  CHECK(start["transfers"].empty());
  const Json round = round_json(replay, 3, ShowValues::both);
  CHECK(round["round"] == "1.3");
  CHECK(round["phase"] == "scatter-reduce");
  const Json& cell = round["table"][3][0];
  CHECK(cell["text"] == "a0+b0+c0+d0 ✓ = 1111");
  CHECK(cell["symbol"] == "a0+b0+c0+d0");
  CHECK(cell["value"] == 1111);
  CHECK(cell["state"] == "complete");
  CHECK(cell["changed"] == true);
  const Json& transfer = round["transfers"][2];
  CHECK(transfer["src"] == 2);
  CHECK(transfer["dst"] == 3);
  CHECK(transfer["chunks"] == Json::array({0, 0}));
  CHECK(transfer["action"] == "reduce");
  CHECK(transfer["carried"] == 111);
  CHECK(transfer["before"] == 1000);
  CHECK(transfer["after"] == 1111);
  CHECK(transfer["done"] == true);
}
