// A picture of each view, as it was reviewed. How to draw them anew: tests/golden.h.
#include "tests/golden.h"

#include "core/export/svg.h"
#include "core/figure/views.h"
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
