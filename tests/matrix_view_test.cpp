#include <catch2/catch.hpp>

#include "tests/figure_checks.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

Figure draw(const Replay& replay, const ReplayState& state, const Theme& theme = light_theme(),
            const char* language = "en", Size size = {1360, 840}, bool caption = false) {
  static const Fonts fonts;
  return draw_matrix({replay, theme, fonts, Language::named(language), size, 1.0, caption}, state);
}

Trace ring_trace(std::int32_t ranks, std::uint64_t count, ElementType type = ElementType::f32,
                 Operator op = Operator::sum) {
  return run_serially({.schedule = make_ring({ranks, count, 1, {}}), .type = type, .op = op});
}

std::string text_at(const Figure& figure, const std::string& id) {
  for (const Shape& shape : figure.shapes)
    if (shape.id == id) return std::get<Text>(shape.form).text;
  return "(nothing)";
}

}  // namespace

TEST_CASE("every moment of a small table is drawn soundly, in both themes and languages") {
  const std::int32_t ranks = GENERATE(1, 2, 3, 4, 5);
  const Trace trace = ring_trace(ranks, static_cast<std::uint64_t>(ranks));
  const Replay replay(trace);
  for (std::int32_t round = 0; round <= replay.rounds(); ++round)
    for (const double fraction : {0.0, 0.5, 1.0})
      for (const Theme* const theme : {&light_theme(), &dark_theme()})
        for (const char* const language : {"en", "zh"})
          require_sound(draw(replay, replay.at({round, fraction}), *theme, language));
}

TEST_CASE("a larger table is drawn soundly") {
  const std::int32_t ranks = GENERATE(6, 8, 9, 12, 13, 16, 17, 33, 64, 65);
  const Trace trace = ring_trace(ranks, static_cast<std::uint64_t>(ranks));
  const Replay replay(trace);
  for (const std::int32_t round : {0, 1, ranks - 1, ranks, 2 * ranks - 2})
    for (const double fraction : {0.0, 0.5, 1.0})
      require_sound(draw(replay, replay.at({round, fraction})));
}

TEST_CASE("a table fits pictures of any shape") {
  const Size size = GENERATE(Size{1920, 1080}, Size{1440, 1080}, Size{907, 560}, Size{1080, 1080});
  const std::int32_t ranks = GENERATE(1, 2, 4, 8, 16);
  const Trace trace = ring_trace(ranks, 10);
  const Replay replay(trace);
  for (const double fraction : {0.5, 1.0})
    require_sound(draw(replay, replay.at({1, fraction}), light_theme(), "en", size, true),
                  24 * std::min(size.width / 1360, size.height / 900));
}

TEST_CASE("long values and labels of all operators stay in their cells of a table") {
  const Operator op =
      GENERATE(Operator::sum, Operator::avg, Operator::prod, Operator::min, Operator::max);
  const ElementType type = GENERATE(ElementType::f64, ElementType::f32, ElementType::i64);
  const std::int32_t ranks = GENERATE(2, 4, 5, 8, 16);
  const Trace trace = ring_trace(ranks, static_cast<std::uint64_t>(ranks), type, op);
  const Replay replay(trace);
  for (const double fraction : {0.5, 1.0})
    for (const std::int32_t round : {1, ranks - 1, 2 * ranks - 2})
      require_sound(draw(replay, replay.at({round, fraction})));
}

TEST_CASE("the table after round 1.1 is the document's") {
  const Trace trace = ring_trace(4, 4);
  const Replay replay(trace);
  const Figure figure = draw(replay, replay.at({1, 1}));
  CHECK(text_at(figure, "rank0.chunk3.label0") == "a3+d3");
  CHECK(text_at(figure, "rank1.chunk0.label0") == "b0+a0");
  CHECK(text_at(figure, "rank2.chunk1.label0") == "c1+b1");
  CHECK(text_at(figure, "rank3.chunk2.label0") == "d2+c2");
  CHECK(text_at(figure, "rank3.chunk2.value") == "3300");
}

TEST_CASE("each transfer of a round is drawn from its source to its target") {
  const std::int32_t ranks = GENERATE(2, 4, 8, 16);
  const Trace trace = ring_trace(ranks, static_cast<std::uint64_t>(ranks));
  const Replay replay(trace);
  CHECK(count(draw(replay, replay.at({1, 1}))).discs <= ranks);
  int moving = 0;
  for (const Shape& shape : draw(replay, replay.at({1, 0.5})).shapes) moving += shape.moving;
  CHECK(moving == ranks);
}

TEST_CASE("all that arrives in one cell of a table is shown, in words and in slots") {
  const Trace trace = run_serially({.schedule = make_parameter_server({4, 1, 1, {}, 0})});
  const Replay replay(trace);
  const Figure figure = draw(replay, replay.at({1, 0.5}));
  require_sound(figure);
  CHECK(text_at(figure, "rank0.chunk0.arriving0") == "+b0+c0+d0");
  int dashed = 0;
  for (const Shape& shape : figure.shapes)
    if (const Box* const box = std::get_if<Box>(&shape.form);
        box && shape.id.starts_with("rank0.chunk0.slot"))
      dashed += box->stroke.dash > 0;
  CHECK(dashed == 3);
}
