// Every theme in every view: texts that stand out, fills that are outlined, and on paper nothing
// that only a colour says.
#include <catch2/catch.hpp>

#include "core/figure/comparison.h"
#include "core/figure/timeline.h"
#include "tests/figure_checks.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

const Fonts& fonts() {
  static const Fonts loaded;
  return loaded;
}

Trace trace_of(std::string_view algorithm, std::int32_t ranks) {
  Trace trace = run_serially({.schedule = algorithm_named(algorithm).make(
                                  {.ranks = ranks, .count = static_cast<std::uint64_t>(ranks)}),
                              .type = ElementType::f32});
  trace.verdict.outcome = Verdict::Outcome::verified;
  return trace;
}

bool is_grey(Color color) { return color.a == 0 || (color.r == color.g && color.g == color.b); }

// What a shape is painted with.
struct Paint {
  Fill fill;
  Stroke stroke;
};
Paint paint_of(const Shape& shape) {
  if (const Box* const box = std::get_if<Box>(&shape.form)) return {box->fill, box->stroke};
  if (const Path* const path = std::get_if<Path>(&shape.form)) return {path->fill, path->stroke};
  if (const Line* const line = std::get_if<Line>(&shape.form)) return {{}, line->stroke};
  if (const Disc* const disc = std::get_if<Disc>(&shape.form)) return {disc->fill, disc->stroke};
  if (const Text* const text = std::get_if<Text>(&shape.form)) return {{text->color}, {}};
  const Grid& grid = std::get<Grid>(shape.form);
  return {{grid.ground, grid.ink}, {}};
}

// Whether it is one of the ranks' own, full or pale. What is as plain as ink is an outline itself.
bool is_of_a_rank(const Theme& theme, const Fill& fill) {
  for (int rank = 0; rank < 14; ++rank)
    if (fill == rank_fill(theme, rank) || fill == rank_fill_pale(theme, rank))
      return fill != Fill{theme.ink};
  return false;
}

void check(const Figure& figure, const Theme& theme) {
  for (const std::string& fault : faults_of(figure, 0)) CHECK(fault == "");
  std::size_t filled = 0;
  for (const Shape& shape : figure.shapes) {
    INFO(shape.id);
    const Paint paint = paint_of(shape);
    if (&theme == &print_theme())
      CHECK(
          (is_grey(paint.fill.color) && is_grey(paint.fill.hatch) && is_grey(paint.stroke.color)));
    if (!std::holds_alternative<Box>(shape.form) || !is_of_a_rank(theme, paint.fill)) continue;
    ++filled;
    CHECK(paint.stroke.width > 0);
    CHECK((paint.stroke.color == theme.ink || paint.stroke.color == theme.accent));
  }
  CHECK(filled > 1);
}

}  // namespace

TEST_CASE("ink stands out on the bars of every work, while data move and while they are added") {
  const Trace trace = trace_of("ring", 3);
  const Replay replay(trace);
  for (const Theme& theme : themes()) {
    const ViewContext context{
        .replay = replay, .theme = theme, .fonts = fonts(), .language = Language::named("en")};
    const Scene scene(context, replay.at({1, 1}), {}, false);
    for (const Spent spent : {Spent::moving, Spent::adding})
      for (const Action action : {Action::reduce, Action::copy}) {
        INFO(theme.name);
        CHECK(contrast(theme.ink, fill_of(scene, spent, action).color) >= 7);
      }
  }
}

TEST_CASE("in every theme every view says all in ink") {
  const std::int32_t ranks = GENERATE(3, 8);
  for (const char* const algorithm :
       {"ring", "tree", "parameter-server", "hierarchical", "recursive-doubling"}) {
    const Trace trace = trace_of(algorithm, ranks);
    const Replay replay(trace);
    for (const View& view : views()) {
      if (!view.fits(trace.schedule)) continue;
      if (algorithm != std::string("ring") && &view != &first_view_of(trace.schedule)) continue;
      for (const Theme& theme : themes())
        for (const Cursor& cursor : {Cursor{1, 0.5}, Cursor{replay.rounds(), 1}}) {
          INFO(theme.name << ' ' << view.name << ' ' << algorithm << ' ' << ranks);
          check(view.draw({.replay = replay,
                           .theme = theme,
                           .fonts = fonts(),
                           .language = Language::named("en"),
                           .caption = true},
                          replay.at(cursor)),
                theme);
        }
    }
  }
}

TEST_CASE("in every theme a comparison says all in ink") {
  const std::int32_t ranks = GENERATE(2, 4, 8);
  const Trace ring = trace_of("ring", ranks), server = trace_of("parameter-server", ranks);
  const Replay first(ring), second(server);
  const Replay* const replays[] = {&first, &second};
  for (const Theme& theme : themes()) {
    INFO(theme.name << ' ' << ranks);
    check(draw_comparison({theme, fonts(), Language::named("en"), {1920, 1080}, true},
                          compared_at(replays, {2, 0.5})),
          theme);
  }
}

TEST_CASE("what has gone over a link, goes and will go are told apart in every theme") {
  for (const Theme& theme : themes()) {
    INFO(theme.name);
    const Color all[] = {theme.landed, theme.accent, theme.phase_even, theme.phase_odd,
                         theme.surface};
    for (const Color one : all)
      for (const Color other : all) {
        if (&theme == &print_theme()) CHECK((one == other || contrast(one, other) > 1.1));
      }
    CHECK_FALSE(theme.landed == theme.accent);
    CHECK_FALSE(theme.phase_even == theme.phase_odd);
  }
}

TEST_CASE("what moves has a colour that no rank has") {
  const auto distance = [](Color one, Color other) {
    return std::hypot(one.r - other.r, one.g - other.g, one.b - other.b);
  };
  for (const Theme& theme : themes()) {
    if (&theme == &print_theme()) continue;  // which has none
    INFO(theme.name);
    for (int rank = 0; rank < 7; ++rank)
      CHECK(distance(theme.accent, rank_fill(theme, rank).color) > 90);
  }
}
