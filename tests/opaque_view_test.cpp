// The figures of an all-reduce that shows no transfers: what they say, and that they say no more.
#include <catch2/catch.hpp>

#include "core/export/trace_tables.h"
#include "core/figure/comparison.h"
#include "core/figure/views.h"
#include "tests/figure_checks.h"
#include "tests/opaque_trace.h"

using namespace ringscope;

namespace {

struct Look {
  std::string_view theme = "light", language = "en";
  Size size{1920, 1080};
  CellText cell_text = CellText::both;
};

ViewContext context_of(const Replay& replay, const Fonts& fonts, const Look& look) {
  return {.replay = replay,
          .theme = theme_named(look.theme),
          .fonts = fonts,
          .language = Language::named(look.language),
          .size = look.size,
          .scale = 1,
          .caption = true,
          .cell_text = look.cell_text};
}

bool says(const Figure& figure, std::string_view words) {
  return std::any_of(figure.shapes.begin(), figure.shapes.end(), [&](const Shape& shape) {
    const Text* const text = std::get_if<Text>(&shape.form);
    return text != nullptr && text->text.find(words) != std::string::npos;
  });
}

const Fonts& fonts() {
  static const Fonts all;
  return all;
}

}  // namespace

TEST_CASE("only the view of before and after shows such a record, and no other record") {
  for (const std::int32_t ranks : {1, 2, 3, 4, 8, 64})
    for (const View& view : views())
      REQUIRE(view.fits(make_opaque({.ranks = ranks, .count = 16})) == (view.name == "opaque"));
  REQUIRE(first_view_of(make_opaque({})).name == "opaque");
  for (const Algorithm& algorithm : algorithms())
    REQUIRE_FALSE(view_named("opaque").fits(algorithm.make({})));
}

TEST_CASE("the figure is sound for one GPU and many, in both languages and all themes") {
  for (const int ranks : {1, 2, 3, 4, 7, 8, 9, 16, 33, 64})
    for (const Look& look :
         {Look{}, Look{.theme = "dark", .language = "zh"}, Look{.cell_text = CellText::symbols},
          Look{.theme = "print", .size = {1440, 1080}}}) {
      CAPTURE(ranks, look.theme, look.language);
      const Trace trace = opaque_trace({.ranks = ranks, .count = ranks == 3 ? 0u : 16u});
      const Replay replay(trace);
      const Figure figure = draw_opaque(context_of(replay, fonts(), look), replay.at({0, 1}));
      CHECK(join(faults_of(figure, 24)) == "");
    }
}

TEST_CASE("values of many digits stay in their cards") {
  for (const ElementType type : {ElementType::f64, ElementType::i64, ElementType::bf16})
    for (const Operator op : {Operator::prod, Operator::avg})
      for (const int ranks : {2, 8, 16}) {
        CAPTURE(ringscope::name_of(type), ringscope::name_of(op), ranks);
        const Trace trace = opaque_trace({.ranks = ranks, .type = type, .op = op});
        const Replay replay(trace);
        const Figure figure = draw_opaque(context_of(replay, fonts(), {}), replay.at({0, 1}));
        CHECK(join(faults_of(figure, 24)) == "");
      }
}

TEST_CASE("the figure says that NCCL does not show its chunks, what was measured, and both ends") {
  const Trace trace = opaque_trace();
  const Replay replay(trace);
  const Figure figure = draw_opaque(context_of(replay, fonts(), {}), replay.at({0, 1}));
  CHECK(says(figure, "NCCL does not"));
  CHECK(says(figure, "NCCL 2.28.3"));
  CHECK(says(figure, "30.7 µs"));
  CHECK(says(figure, "median of 3"));
  CHECK(says(figure, "3.13 MB/s"));
  CHECK(says(figure, "1111"));
  CHECK(says(figure, "of 16"));
  CHECK_FALSE(says(figure, "Round"));
  for (const std::int64_t time : {0, 1'000, 40'000})
    CHECK(dump(draw_opaque(context_of(replay, fonts(), {}), replay.at_time(time))) == dump(figure));
}

TEST_CASE("a wrong result gets no check mark, and is said") {
  Trace trace = opaque_trace();
  trace.verdict.outcome = Verdict::Outcome::failed;
  const Replay replay(trace);
  const Figure figure = draw_opaque(context_of(replay, fonts(), {}), replay.at({0, 1}));
  CHECK(says(figure, "The result is wrong."));
  for (const Shape& shape : figure.shapes) CHECK(shape.id.find(".check") == std::string::npos);
}

TEST_CASE("the panel tells each GPU's time and each repeat's") {
  for (const int ranks : {1, 4, 33})
    for (const std::string_view language : {"en", "zh"}) {
      const Trace trace = opaque_trace({.ranks = ranks});
      const Replay replay(trace);
      const Figure panel =
          draw_opaque_panel(context_of(replay, fonts(), {.language = language, .size = {480, 800}}),
                            replay.at({0, 1}));
      CHECK(join(faults_of(panel, 20)) == "");
      if (ranks != 4) continue;
      for (const char* const time : {"30.1 µs", "30.7 µs", "29.5 µs", "36.0 µs"})
        CHECK(says(panel, time));
    }
}

TEST_CASE("beside a ring it is a closed box on either clock, and no bytes are made up") {
  RunSettings settings;
  settings.count = 16;
  RunHooks hooks;
  hooks.clock = Clock::lamport;
  const Trace ring = record(settings, hooks), nccl = opaque_trace();
  const Replay first(ring), second(nccl);
  for (const std::vector<const Replay*>& replays :
       {std::vector{&first, &second}, std::vector{&second, &first}, std::vector{&second, &second}})
    for (const std::string_view language : {"en", "zh"}) {
      const ComparisonContext context{light_theme(), fonts(), Language::named(language)};
      for (const auto& runs : {compared_at(replays, {2, 0.5}), compared_at_time(replays, 10),
                               compared_at_time(replays, 40'000)}) {
        const Figure figure = draw_comparison(context, runs);
        CHECK(join(faults_of(figure, 24)) == "");
        if (language != "en") continue;
        CHECK(says(figure, "NCCL does not"));
        CHECK_FALSE(says(figure, "0 B"));
        CHECK_FALSE(says(figure, "as much"));
      }
    }
}

TEST_CASE("as data it is a line, or a bar, for each rank in each repeat") {
  const Trace trace = opaque_trace();
  const std::string csv = csv_of(Replay(trace));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + 3 * 4);
  CHECK(csv.starts_with("repeat,rank,elements,bytes,time_ns\n0,0,16,64,28900\n0,1,16,64,29100\n"));
  const std::string perfetto = chrome_trace_of(Replay(trace));
  CHECK(perfetto.find(R"("tid":1,"ts":29.5,"dur":30.3)") != std::string::npos);
}
