// Every label of every picture: large enough, over no other one, inside its box, with no line
// through it; what is shortened keeps its full text.
#include <array>
#include <catch2/catch.hpp>
#include <deque>

#include "core/export/svg.h"
#include "core/figure/comparison.h"
#include "tests/figure_checks.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

constexpr std::array<std::int32_t, 10> all_ranks{1, 2, 3, 4, 5, 7, 8, 16, 33, 64};
constexpr Size full_hd{1920, 1080}, four_to_three{1440, 1080};
constexpr double smallest = 24;

struct Run {
  Trace trace;
  Replay replay;

  explicit Run(Trace of) : trace(std::move(of)), replay(trace) {}
};

SerialRun run_of(const Algorithm& algorithm, std::int32_t ranks) {
  const std::uint64_t count = 3 * static_cast<std::uint64_t>(ranks);
  return {.schedule = algorithm.make({.ranks = ranks, .count = count}), .type = ElementType::f32};
}

Trace trace_of(const SerialRun& run) {
  Trace trace = run_serially(run);
  trace.verdict.outcome = Verdict::Outcome::verified;
  return trace;
}
Trace trace_of(const Algorithm& algorithm, std::int32_t ranks) {
  return trace_of(run_of(algorithm, ranks));
}

// What changes from picture to picture, so that few show all of it.
struct Look {
  const char* language = "en";
  CellText cell_text = CellText::both;
  double text_scale = 1;
  Size size = full_hd;
};
Look look_of(int picture) {
  constexpr std::array<double, 7> scales{1, 1.4, 1, 0.8, 1, 2, 1.2};
  return {picture % 2 == 0 ? "en" : "zh", static_cast<CellText>(picture / 2 % 3),
          scales[static_cast<std::size_t>(picture) % scales.size()],
          picture % 5 == 0 ? four_to_three : full_hd};
}

const Fonts& fonts() {
  static const Fonts all;
  return all;
}

Figure draw(const View& view, const Replay& replay, const ReplayState& state, const Look& look) {
  return view.draw({.replay = replay,
                    .theme = light_theme(),
                    .fonts = fonts(),
                    .language = Language::named(look.language),
                    .size = look.size,
                    .caption = true,
                    .cell_text = look.cell_text,
                    .text_scale = look.text_scale},
                   state);
}

// On both clocks: the ends, the middle, and each beat.
std::vector<ReplayState> moments_of(const Run& run) {
  const std::int32_t rounds = run.replay.rounds();
  std::vector<ReplayState> states{run.replay.at({0, 1})};
  if (rounds == 0) return states;
  const std::int32_t middle = (rounds + 1) / 2;
  for (const Cursor cursor : {Cursor{1, 0}, Cursor{1, 0.5}, Cursor{middle, 1},
                              Cursor{std::min(middle + 1, rounds), 0.5}, Cursor{rounds, 1}})
    states.push_back(run.replay.at(cursor));
  for (const double share : {0.3, 0.7})
    states.push_back(run.replay.at_time(
        static_cast<std::int64_t>(share * static_cast<double>(run.trace.nanoseconds))));
  return states;
}

// Whether some of the way from a to b is inside.
bool goes_through(Point a, Point b, const Rect& rect) {
  double from = 0, to = 1;
  const auto clip = [&](double start, double step, double low, double high) {
    if (step == 0) {
      if (start <= low || start >= high) to = -1;
      return;
    }
    const double one = (low - start) / step, other = (high - start) / step;
    from = std::max(from, std::min(one, other)), to = std::min(to, std::max(one, other));
  };
  clip(a.x, b.x - a.x, rect.x, rect.right());
  clip(a.y, b.y - a.y, rect.y, rect.bottom());
  return from < to;
}

std::vector<Point> points_of(const Shape& shape) {
  if (const Line* const line = std::get_if<Line>(&shape.form)) return {line->from, line->to};
  if (const Path* const path = std::get_if<Path>(&shape.form)) return path->points;
  return {};
}

// Links that go through a label. The play head does, as it passes.
std::vector<std::string> struck_out(const Figure& figure) {
  std::vector<std::string> faults;
  const std::vector<Shape>& shapes = figure.shapes;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (!std::holds_alternative<Text>(shapes[i].form)) continue;
    const Rect whole = ink_of(shapes[i]),
               ink{whole.x + 2, whole.y + 2, whole.width - 4, whole.height - 4};
    for (std::size_t j = shapes.size(); j-- > 0;) {
      const Box* const box = std::get_if<Box>(&shapes[j].form);
      if (box && j < i && box->fill.color.a == 255 && is_inside(ink, box->rect, 1)) break;  // hides
      const std::vector<Point> points = points_of(shapes[j]);
      for (std::size_t k = 1; k < points.size(); ++k)
        if (goes_through(points[k - 1], points[k], ink) && shapes[j].id != "head")
          faults.push_back(shapes[i].id + " by " + shapes[j].id);
    }
  }
  return faults;
}

// Whether it hides what it is painted over.
bool is_filled(const Shape& shape) {
  if (const Box* const box = std::get_if<Box>(&shape.form)) return box->fill.color.a > 0;
  if (const Disc* const disc = std::get_if<Disc>(&shape.form)) return disc->fill.color.a > 0;
  if (const Path* const path = std::get_if<Path>(&shape.form)) return path->fill.color.a > 0;
  return std::holds_alternative<Grid>(shape.form);
}

// Pills, chips, discs and heads of arrows that come too near to a label under them.
std::vector<std::string> crowded(const Figure& figure) {
  constexpr double clear = 0.1;  // of the label's size
  std::vector<std::string> faults;
  std::vector<std::pair<const Shape*, Rect>> labels;
  for (const Shape& shape : figure.shapes) {
    if (const Text* const text = std::get_if<Text>(&shape.form)) {
      if (!text->text.empty()) labels.emplace_back(&shape, ink_of(shape));
      continue;
    }
    if (!is_filled(shape)) continue;
    const Rect mark = bounds_of(shape);
    for (const auto& [label, ink] : labels)
      if (overlap_of(ink, mark) > -clear * std::get<Text>(label->form).size)
        faults.push_back(label->id + " by " + shape.id + ", " +
                         std::to_string(overlap_of(ink, mark)));
  }
  return faults;
}

void require_labels(const Figure& figure, const Look& look, const std::string& what) {
  require_sound(figure, smallest * std::min(1.0, look.text_scale),
                what + ", " + look.language + ", " + std::to_string(look.size.width) + ", text x " +
                    std::to_string(look.text_scale));
  const std::vector<std::string> struck = struck_out(figure);
  INFO(what << ", text x " << look.text_scale << "\n" << join(struck));
  REQUIRE(struck.empty());
  const std::vector<std::string> near = crowded(figure);
  INFO(join(near));
  REQUIRE(near.empty());
  for (const Shape& shape : figure.shapes)
    if (const Text* const text = std::get_if<Text>(&shape.form);
        text && text->text.ends_with("…") && text->text != "…") {
      INFO(what << ", " << shape.id << ": '" << text->text << "'");
      REQUIRE(shape.title.size() > text->text.size() - std::string("…").size());
    }
}

std::string name_of(const View& view, const Run& run, const ReplayState& state) {
  return std::string(view.name) + " of " + run.trace.schedule.algorithm +
         ", N = " + std::to_string(run.trace.schedule.ranks) +
         (state.measured ? ", " + std::to_string(state.nanoseconds) + " ns"
                         : ", round " + std::to_string(state.cursor.round) + ", " +
                               std::to_string(state.cursor.fraction));
}

double smallest_of(const Figure& figure) {
  double size = 1e9;
  for (const Shape& shape : figure.shapes)
    if (const Text* const text = std::get_if<Text>(&shape.form)) size = std::min(size, text->size);
  return size;
}

}  // namespace

TEST_CASE("the labels of every picture are large enough, apart, and inside their boxes") {
  int picture = 0;
  for (const std::int32_t ranks : all_ranks)
    for (const Algorithm& algorithm : algorithms()) {
      const Run run(trace_of(algorithm, ranks));
      const std::vector<ReplayState> moments = moments_of(run);
      for (const View& view : views()) {
        if (!view.fits(run.trace.schedule)) continue;
        for (const ReplayState& state : moments) {
          const Look look = look_of(picture++);
          if (ranks > 16 && picture % 2 == 0) continue;  // many take long
          require_labels(draw(view, run.replay, state, look), look, name_of(view, run, state));
        }
      }
    }
}

TEST_CASE("long numbers and the names of all operators fit, too") {
  constexpr std::array<Operator, 5> operators{Operator::min, Operator::prod, Operator::sum,
                                              Operator::max, Operator::avg};
  int picture = 0;
  std::size_t next = 0;
  for (const std::int32_t ranks : {2, 4, 8})
    for (const Algorithm& algorithm : algorithms()) {
      SerialRun run = run_of(algorithm, ranks);
      if (has_operator(run.schedule)) run.op = operators[next++ % operators.size()];
      run.type = ElementType::f64;
      run.value = [](std::int32_t rank, std::int32_t chunk, std::uint64_t) {
        return -1.0 / (3 + rank + 10 * chunk);
      };
      const Run done(trace_of(run));
      for (const View& view : views()) {
        if (!view.fits(done.trace.schedule)) continue;
        for (const double fraction : {0.5, 1.0}) {
          const ReplayState state = done.replay.at({(done.replay.rounds() + 1) / 2, fraction});
          const Look look = look_of(picture++);
          require_labels(draw(view, done.replay, state, look), look, name_of(view, done, state));
        }
      }
    }
}

TEST_CASE("chips of many ranks keep off words and one another, at every size of text") {
  struct Moment {
    const char *algorithm, *view;
    std::int32_t round;
  };
  // Down to two leaves at once; round a row beneath the heading.
  for (const Moment& moment :
       {Moment{"tree", "tree", 7}, Moment{"halving-doubling", "hypercube", 6}}) {
    const Run run(trace_of(algorithm_named(moment.algorithm), 16));
    const ReplayState state = run.replay.at({moment.round, 0.5});
    const View& view = view_named(moment.view);
    for (const Size size : {full_hd, four_to_three})
      for (const double scale : {1.0, 1.2, 1.4, 3.0}) {
        const Look look{.text_scale = scale, .size = size};
        require_labels(draw(view, run.replay, state, look), look, name_of(view, run, state));
      }
  }
}

TEST_CASE("a number to which another is added stands in the middle of its cell") {
  SerialRun long_numbers = run_of(algorithm_named("ring"), 4);
  long_numbers.type = ElementType::f64;
  long_numbers.value = [](std::int32_t rank, std::int32_t, std::uint64_t) {
    return rank == 3 ? -0.4145823825 : 1.0;
  };
  const Run run(trace_of(long_numbers));
  const Figure figure = draw(view_named("ring"), run.replay, run.replay.at({1, 0.5}),
                             {.cell_text = CellText::numbers, .text_scale = 3});
  const auto middle_of = [&](std::string_view id) {
    const auto shape = std::find_if(figure.shapes.begin(), figure.shapes.end(),
                                    [&](const Shape& each) { return each.id == id; });
    REQUIRE(shape != figure.shapes.end());
    return bounds_of(*shape).center().x;
  };
  // GPU 3 sends chunk 3 and receives chunk 2.
  CHECK(middle_of("rank3.chunk2.label0") == Approx(middle_of("rank3.chunk2")).margin(0.5));
}

TEST_CASE("what is shortened stands whole in the title of the SVG") {
  SerialRun run = run_of(algorithm_named("ring"), 4);
  run.op = Operator::max;
  const Run done(trace_of(run));
  const Figure figure = draw(view_named("ring"), done.replay,
                             done.replay.at({done.replay.rounds(), 1}), {.text_scale = 1.4});
  const std::string svg = svg_of(figure, fonts(), Letters::outlines);
  CHECK(std::any_of(figure.shapes.begin(), figure.shapes.end(), [](const Shape& shape) {
    const Text* const text = std::get_if<Text>(&shape.form);
    return text && text->text.ends_with("…");
  }));
  CHECK(svg.find("<title>max(a0,b0,c0,d0)</title>") != std::string::npos);
}

TEST_CASE("the labels of stages side by side are so, too") {
  int picture = 0;
  for (const std::int32_t ranks : all_ranks)
    for (std::size_t first = 0; first < algorithms().size(); ++first) {
      std::deque<Run> runs;
      std::vector<const Replay*> replays;
      for (std::size_t i = first; i < first + 2 + first % 2; ++i)
        replays.push_back(
            &runs.emplace_back(trace_of(algorithms()[i % algorithms().size()], ranks)).replay);
      const auto check = [&](const std::vector<ComparedRun>& moment) {
        const Look look = look_of(picture++);
        require_labels(draw_comparison({light_theme(), fonts(), Language::named(look.language),
                                        full_hd, true, look.text_scale},
                                       moment),
                       look,
                       "comparison from " + std::string(algorithms()[first].name) +
                           ", N = " + std::to_string(ranks));
      };
      for (const Cursor cursor : {Cursor{0, 1}, Cursor{1, 0.5}, Cursor{99, 1}})
        check(compared_at(replays, cursor));
      check(compared_at_time(replays, runs[0].trace.nanoseconds / 2));
    }
}

TEST_CASE("the name of a stage goes before what is said of it") {
  std::deque<Run> runs;
  std::vector<const Replay*> replays;
  for (const std::string_view name : {"ring", "tree", "parameter-server"})
    replays.push_back(&runs.emplace_back(trace_of(algorithm_named(name), 8)).replay);
  const Figure figure =
      draw_comparison({light_theme(), fonts(), Language::named("en"), full_hd, true, 1.4},
                      compared_at(replays, Cursor{99, 1}));
  const auto name = std::ranges::find(figure.shapes, "stage2.name", &Shape::id);
  REQUIRE(name != figure.shapes.end());
  CHECK(std::get<Text>(name->form).text == "Parameter server");
}

TEST_CASE("what stands under a comparison is broken at the end of a sentence") {
  std::deque<Run> runs;
  std::vector<const Replay*> replays;
  for (const std::string_view name : {"ring", "parameter-server"})
    replays.push_back(&runs.emplace_back(trace_of(algorithm_named(name), 4)).replay);
  const Figure figure =
      draw_comparison({light_theme(), fonts(), Language::named("en"), full_hd, true, 1.4},
                      compared_at(replays, Cursor{2, 0.5}));
  std::vector<std::string> lines;
  for (const Shape& shape : figure.shapes)
    if (shape.id.starts_with("caption")) lines.push_back(std::get<Text>(shape.form).text);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].ends_with("."));
}

TEST_CASE("text gets as much larger as is asked for where there is room, and no smaller for it") {
  for (const std::int32_t ranks : {1, 4, 16})
    for (const Algorithm& algorithm : algorithms()) {
      const Run run(trace_of(algorithm, ranks));
      const ReplayState state = run.replay.at({std::min(1, run.replay.rounds()), 1});
      for (const View& view : views()) {
        if (!view.fits(run.trace.schedule)) continue;
        INFO(name_of(view, run, state));
        double before = 0;
        for (const double scale : {0.8, 1.0, 1.2, 1.4, 3.0}) {
          const double size = smallest_of(draw(view, run.replay, state, {.text_scale = scale}));
          CHECK(size > before * 0.96);
          if (scale <= 1.2) CHECK(size > before * 1.15);
          before = size;
        }
      }
    }
}

TEST_CASE("a tall foot takes nothing from the size of the text, and is shortened at last") {
  Trace trace = trace_of(algorithm_named("ring"), 4);
  trace.run.trouble.late = {{2, 120'000}, {1, 5'000'000}};
  trace.verdict.outcome = Verdict::Outcome::failed;
  trace.verdict.failure = Message{"error.file.truncated", {{"file", std::string(400, 'x')}}};
  trace.stopped = trace.verdict.failure;
  const Run run(std::move(trace));
  for (const double scale : {1.0, 1.4, 2.0})
    for (const View& view : views()) {
      if (!view.fits(run.trace.schedule)) continue;
      const ReplayState state = run.replay.at({1, 0.5});
      const Look look{.text_scale = scale};
      require_labels(draw(view, run.replay, state, look), look, name_of(view, run, state));
    }
}
