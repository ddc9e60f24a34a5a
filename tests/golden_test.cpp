// A picture of each view, as it was reviewed. How to draw them anew: tests/golden.h.
#include "tests/golden.h"

#include "core/export/svg.h"
#include "core/figure/captions.h"
#include "core/figure/comparison.h"
#include "core/figure/storyboard.h"
#include "core/figure/views.h"
#include "tests/opaque_trace.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

const Fonts& fonts() {
  static const Fonts loaded;
  return loaded;
}

// Made without a clock; what a transfer takes follows from who receives it.
Trace trace_of(std::string_view algorithm, std::int32_t ranks,
               const std::vector<std::int32_t>& groups = {}) {
  Trace trace = run_serially(
      {.schedule = algorithm_named(algorithm).make(
           {.ranks = ranks, .count = static_cast<std::uint64_t>(ranks), .groups = groups}),
       .type = ElementType::f32,
       .duration = [](const Transfer& transfer) { return 900 + 400 * transfer.dst; }});
  trace.verdict.outcome = Verdict::Outcome::verified;
  return trace;
}

void check_svg(const std::string& name, const Figure& figure) {
  check_golden(name + ".svg", svg_of(figure, fonts(), Letters::text));
}

struct Golden {
  const char* name;
  const char* algorithm;
  std::int32_t ranks;
  const char* view;
  Cursor cursor;
  const char* theme = "light";
  const char* language = "en";
  std::vector<std::int32_t> groups = {};
};

const std::vector<Golden>& goldens() {
  static const std::vector<Golden> all{
      {"ring-4-1.2-moving", "ring", 4, "ring", {2, 0.5}},
      {"ring-4-1.2-moving-zh-print", "ring", 4, "ring", {2, 0.5}, "print", "zh"},
      {"tree-4-1.1-moving", "tree", 4, "tree", {1, 0.5}},
      {"star-3-2.1-moving", "parameter-server", 3, "star", {2, 0.5}, "high-contrast", "zh"},
      {"groups-4-2.1-moving", "hierarchical", 4, "groups", {2, 0.5}, "light", "en", {2, 2}},
      {"hypercube-4-1.2-after", "recursive-doubling", 4, "hypercube", {2, 1}, "dark"},
      {"ring+matrix-3-1.1-moving", "ring", 3, "ring+matrix", {1, 0.5}},
      {"matrix-3-1.2-after", "ring", 3, "matrix", {2, 1}, "print"},
      {"timeline-3-1.2-after", "ring", 3, "timeline", {2, 1}, "light", "zh"},
      {"journey-3-2.1-after", "ring", 3, "journey", {3, 1}},
      {"additions-4-1.2-moving", "ring", 4, "additions", {2, 0.5}, "dark", "zh"},
  };
  return all;
}

}  // namespace

TEST_CASE("each view draws what was reviewed") {
  for (const Golden& golden : goldens()) {
    const Trace trace = trace_of(golden.algorithm, golden.ranks, golden.groups);
    const Replay replay(trace);
    const View& view = view_named(golden.view);
    REQUIRE(view.fits(trace.schedule));
    check_svg(golden.name, view.draw({.replay = replay,
                                      .theme = theme_named(golden.theme),
                                      .fonts = fonts(),
                                      .language = Language::named(golden.language),
                                      .caption = true},
                                     replay.at(golden.cursor)));
  }
}

TEST_CASE("a run that shows no transfers draws what was reviewed") {
  const Trace trace = opaque_trace({.ranks = 3, .count = 4});
  const Replay replay(trace);
  check_svg("opaque-3", draw_opaque({.replay = replay,
                                     .theme = light_theme(),
                                     .fonts = fonts(),
                                     .language = Language::named("en"),
                                     .caption = true},
                                    replay.at({0, 1})));
}

TEST_CASE("a comparison draws what was reviewed") {
  const Trace ring = trace_of("ring", 3), server = trace_of("parameter-server", 3);
  const Replay first(ring), second(server);
  const Replay* const replays[] = {&first, &second};
  check_svg("comparison-3-2-moving",
            draw_comparison({light_theme(), fonts(), Language::named("en"), {1920, 1080}, true},
                            compared_at(replays, {2, 0.5})));
}

TEST_CASE("a storyboard draws what was reviewed") {
  const Trace trace = trace_of("ring", 2);
  const Replay replay(trace);
  const Language& language = Language::named("zh");
  std::vector<StoryboardTile> tiles;
  for (std::int32_t round = 0; round <= replay.rounds(); ++round) {
    const ReplayState state = replay.at({round, 1});
    tiles.push_back(
        {draw_ring(
             {.replay = replay, .theme = print_theme(), .fonts = fonts(), .language = language},
             state),
         round_title(state, trace, language)});
  }
  check_svg("storyboard-2", draw_storyboard(tiles, run_title(trace, language), print_theme(),
                                            fonts(), {1920, 1080}));
}

TEST_CASE("every view has a picture that was reviewed") {
  for (const View& view : views()) {
    INFO(view.name);
    if (view.fits(make_opaque({}))) continue;  // has one of its own
    CHECK(std::any_of(goldens().begin(), goldens().end(),
                      [&](const Golden& golden) { return golden.view == view.name; }));
  }
}
