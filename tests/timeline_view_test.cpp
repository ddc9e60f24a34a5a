#include <catch2/catch.hpp>
#include <chrono>

#include "tests/figure_checks.h"
#include "tests/hand_made_schedules.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

struct Look {
  const Theme* theme = &light_theme();
  const char* language = "en";
  Size size{1920, 1080};
  bool caption = false;
  Selection selection = {};
  std::optional<TimeSpan> zoom = {};
};

const Fonts& fonts() {
  static const Fonts all;
  return all;
}

ViewContext context_of(const Replay& replay, const Look& look) {
  return {.replay = replay,
          .theme = *look.theme,
          .fonts = fonts(),
          .language = Language::named(look.language),
          .size = look.size,
          .caption = look.caption,
          .selection = look.selection,
          .zoom = look.zoom};
}

Figure draw(const Replay& replay, const ReplayState& state, const Look& look = {}) {
  return draw_timeline(context_of(replay, look), state);
}
Figure panel(const Replay& replay, const ReplayState& state, Look look = {}) {
  look.size = {512, 800};
  return draw_timeline_panel(context_of(replay, look), state);
}

const Shape* find(const Figure& figure, const std::string& id) {
  for (const Shape& shape : figure.shapes)
    if (shape.id == id) return &shape;
  return nullptr;
}
std::string text_at(const Figure& figure, const std::string& id) {
  const Shape* const shape = find(figure, id);
  return shape == nullptr ? "(nothing)" : std::get<Text>(shape->form).text;
}
std::vector<std::string> texts_of(const Figure& figure) {
  std::vector<std::string> texts;
  for (const Shape& shape : figure.shapes)
    if (const Text* const text = std::get_if<Text>(&shape.form)) texts.push_back(text->text);
  return texts;
}
bool says(const Figure& figure, const std::string& words) {
  const std::vector<std::string> texts = texts_of(figure);
  return std::find(texts.begin(), texts.end(), words) != texts.end();
}

Trace late_ring(std::int32_t ranks) {
  return run_serially({.schedule = make_ring({ranks, static_cast<std::uint64_t>(ranks), 1, {}}),
                       .trouble = {{{ranks / 2, 300'000}}, {}, {}},
                       .duration = [](const Transfer&) { return 45'000; }});
}

Trace partial_ring() {
  Trace trace = run_serially({.schedule = make_ring({4, 4, 1, {}}), .trouble = {{}, {}, {{2, 1}}}});
  trace.nanoseconds = 500;
  trace.stopped = Message{"error.run.died", {{"rank", "2"}, {"round", "1.2"}, {"chunk", "0"}}};
  return trace;
}

constexpr std::initializer_list<std::int32_t> rank_numbers{1, 2, 3, 4, 7, 8, 9, 16, 33, 64, 65};

}  // namespace

TEST_CASE("a timeline is drawn soundly on both clocks, in both themes and languages") {
  for (const std::int32_t ranks : rank_numbers) {
    const Trace trace =
        ranks == 1 ? run_serially({.schedule = make_ring({1, 1, 1, {}})}) : late_ring(ranks);
    const Replay replay(trace);
    for (const Theme* const theme : {&light_theme(), &dark_theme()})
      for (const char* const language : {"en", "zh"})
        for (const Size size : {Size{1360, 840}, Size{1920, 1080}, Size{1100, 800}}) {
          const Look look{theme, language, size, size.width == 1920};
          // A line about trouble under the stage makes all a little smaller.
          const double smallest = size.width >= 1920 ? 24 : size.width >= 1360 ? 23 : 16;
          const std::string what = "N = " + std::to_string(ranks) + ", " +
                                   std::string(theme->name) + ", " + language + ", " +
                                   std::to_string(size.width);
          require_sound(draw(replay, replay.at({1, 0.5}), look), smallest, what + ", round 1");
          require_sound(draw(replay, replay.at({0, 1}), look), smallest, what + ", start");
          for (const std::int64_t share : {0, 1, 2, 3})
            require_sound(draw(replay, replay.at_time(trace.nanoseconds * share / 3), look),
                          smallest, what + ", time " + std::to_string(share));
          require_sound(panel(replay, replay.at({1, 1}), look), 20, what + ", panel");
        }
  }
}

TEST_CASE("every algorithm has its timeline, in slices too") {
  for (const Algorithm& algorithm : algorithms())
    for (const std::int32_t ranks : {1, 2, 3, 8, 13})
      for (const std::int32_t slices : {1, 7}) {
        const Trace trace = run_serially({.schedule = algorithm.make({ranks, 500, slices})});
        const Replay replay(trace);
        Look look;
        if (!trace.schedule.transfers.empty())
          look.selection.transfer = static_cast<std::int32_t>(trace.schedule.transfers.size() / 2);
        const std::string what = std::string(algorithm.name) + ", N = " + std::to_string(ranks) +
                                 ", S = " + std::to_string(slices);
        require_sound(draw(replay, replay.at_time(trace.nanoseconds / 2), look), 24, what);
        require_sound(draw(replay, replay.at({1, 1}), look), 24, what);
        require_sound(panel(replay, replay.at({1, 1}), look), 20, what + ", panel");
      }
}

TEST_CASE("a bar is a transfer, and a click on it selects it") {
  const Trace trace = late_ring(4);
  const Replay replay(trace);
  const Figure figure = draw(replay, replay.at_time(0));
  std::set<std::int32_t> transfers;
  for (const Shape& shape : figure.shapes)
    if (shape.transfer >= 0) transfers.insert(shape.transfer);
  CHECK(transfers.size() == trace.schedule.transfers.size());
}

TEST_CASE("the selected transfer has a heavy outline on the stage and all its times on the panel") {
  const Trace trace = late_ring(4);
  const Replay replay(trace);
  // GPU 3's second: it waits for GPU 2 from 45 us on.
  const std::uint32_t part = replay.plan().lane_starts[3] + 1;
  const auto chosen = static_cast<std::int32_t>(replay.plan().parts[part].transfer);
  const Look look{.selection = {chosen, 0}};
  const Figure figure = draw(replay, replay.at_time(0), look);
  int outlined = 0;
  for (const Shape& shape : figure.shapes)
    if (shape.id.ends_with("-outline")) {
      ++outlined;
      CHECK(shape.transfer == chosen);
      CHECK(std::get<Box>(shape.form).stroke.width >= 6);
    }
  CHECK(outlined == 1);
  const Figure beside = panel(replay, replay.at_time(0), look);
  CHECK(text_at(beside, "chosen.link") == "GPU 2 → GPU 3");
  CHECK(text_at(beside, "chosen.place") == "Round 1.2, chunk 1");
  CHECK(text_at(beside, "chosen.arithmetic") == "d1 += c1+b1");
  CHECK(text_at(beside, "chosen.value.time.row.waited_from") == "45.0 µs");
  CHECK(text_at(beside, "chosen.value.time.row.move_begun") == "345 µs");
  CHECK(text_at(beside, "chosen.value.time.row.landed") == "390 µs");
  CHECK(text_at(beside, "chosen.value.time.row.waited") == "300 µs, for GPU 2");
  CHECK(find(beside, "selected.hint0") == nullptr);
}

TEST_CASE("with nothing selected it is said how to select") {
  const Trace trace = late_ring(4);
  const Replay replay(trace);
  const Figure beside = panel(replay, replay.at_time(0));
  CHECK(text_at(beside, "selected.hint0") == "Click a bar: it is selected in every view.");
  for (const Shape& shape : draw(replay, replay.at_time(0)).shapes)
    CHECK_FALSE(shape.id.ends_with("-outline"));
}

TEST_CASE("who everybody waits for is said where the record says so") {
  const Trace trace = late_ring(4);
  const Replay replay(trace);
  const Figure beside = panel(replay, replay.at_time(0));
  CHECK(text_at(beside, "waiting.title0") == "Everybody waits for GPU 2.");
  CHECK(text_at(beside, "waiting.words0") == "GPU 3 feels it in 1.2, GPU 0 in 1.3, GPU 1 in 2.1.");
  CHECK(text_at(beside, "path.words0") == "Critical path 570 µs = 300 µs late + 270 µs moving.");
  CHECK(
      says(draw(replay, replay.at_time(0)), "Critical path 570 µs = 300 µs late + 270 µs moving."));

  // Who sleeps through what takes longer anyway is waited for by nobody.
  Trace slept = run_serially({.schedule = make_tree_of_four(),
                              .trouble = {{{0, 15}}, {}, {}},
                              .duration = [](const Transfer&) { return 20; }});
  const Replay unnoticed(slept);
  CHECK(text_at(panel(unnoticed, unnoticed.at_time(0)), "waiting.title0") ==
        "Nobody waits for GPU 0.");
  const Trace even = run_serially({.schedule = make_star(4)});
  const Replay star(even);
  CHECK(text_at(panel(star, star.at_time(0)), "waiting.title0") == "GPU 0 holds the critical");
  CHECK(text_at(panel(star, star.at_time(0)), "waiting.title1") == "path for 75 % of the time.");
}

TEST_CASE("the path of what is not added up says so") {
  const auto path_of = [](Operator op) {
    const Trace trace = run_serially(
        {.schedule = algorithm_named("recursive-doubling").make({.ranks = 4, .count = 4}),
         .op = op});
    const Replay replay(trace);
    return text_at(draw(replay, replay.at_time(0)), "path.words0");
  };
  CHECK(path_of(Operator::sum) == "Critical path 40 ns = 20 ns moving + 20 ns adding.");
  CHECK(path_of(Operator::max) == "Critical path 40 ns = 20 ns moving + 20 ns combining.");
}

TEST_CASE("a zoomed timeline shows that part of the run only") {
  const Trace trace = late_ring(4);
  const Replay replay(trace);
  const Look look{.zoom = TimeSpan{100'000, 180'000}};
  const Figure figure = draw(replay, replay.at_time(300'000), look);
  require_sound(figure, 24, "zoomed");
  CHECK(find(figure, "head") == nullptr);
  const Rect plot = bounds_of(*find(figure, "timeline.plot"));
  for (const Shape& shape : figure.shapes) {
    if (!shape.id.starts_with("lane") && !shape.id.starts_with("path0")) continue;
    if (shape.id.ends_with(".name") || shape.id.ends_with(".stripe")) continue;
    INFO(shape.id);
    CHECK(bounds_of(shape).x >= plot.x - 3);
    CHECK(bounds_of(shape).right() <= plot.right() + 3);
  }
  const Figure at_140 = draw(replay, replay.at_time(140'000), look);
  REQUIRE(find(at_140, "head") != nullptr);
  CHECK(bounds_of(*find(at_140, "head")).x == Approx(plot.center().x).margin(2));
  CHECK(text_at(at_140, "head-pill.time") == "140 µs");
  // Nothing happens before the start or behind the end, and a single moment can be shown.
  for (const TimeSpan span : {TimeSpan{0, 1}, TimeSpan{569'999, 570'000}, TimeSpan{7, 7}})
    require_sound(draw(replay, replay.at_time(0), {.zoom = span}), 24, "zoomed far");
}

TEST_CASE("bars lie where their times are") {
  const Trace trace = late_ring(4);
  const Replay replay(trace);
  const Figure figure = draw(replay, replay.at_time(0));
  const Rect plot = bounds_of(*find(figure, "timeline.plot"));
  for (const Shape& shape : figure.shapes) {
    if (shape.transfer < 0) continue;
    const Event& event = trace.events[static_cast<std::size_t>(shape.transfer)];
    const auto x = [&](std::int64_t time) {
      return plot.x + plot.width * static_cast<double>(time) / 570'000;
    };
    CHECK(bounds_of(shape).x == Approx(x(event.move_begun)).margin(1.5));
    CHECK(bounds_of(shape).right() == Approx(x(event.reduce_landed)).margin(1.5));
  }
}

TEST_CASE("on the clock of rounds the round's time is marked") {
  const Trace trace = late_ring(4);
  const Replay replay(trace);
  const Figure figure = draw(replay, replay.at({2, 0.5}));
  CHECK(find(figure, "head") == nullptr);
  REQUIRE(find(figure, "round.marked") != nullptr);
  CHECK(std::get<Box>(find(figure, "round1")->form).stroke.width >
        3 * std::get<Box>(find(figure, "round0")->form).stroke.width);
  CHECK(find(draw(replay, replay.at({0, 1})), "round.marked") == nullptr);
}

TEST_CASE("a partial record shows who waited in vain") {
  const Trace trace = partial_ring();
  const Replay replay(trace);
  const Figure figure = draw(replay, replay.at_time(500));
  require_sound(figure, 24, "partial");
  require_sound(panel(replay, replay.at_time(500)), 20, "partial, panel");
  CHECK(says(figure, "waits for GPU 3 in vain"));
  CHECK(says(figure, "waits for GPU 2 in vain"));
  CHECK(says(figure, "stopped"));
}

TEST_CASE("a record that contradicts itself is drawn all the same") {
  Trace trace = late_ring(4);
  trace.events.pop_back();
  trace.events[3].move_begun = 1'000'000'000;
  trace.events[5].reduce_landed = -7;
  const Replay replay(trace);
  require_sound(draw(replay, replay.at_time(0)), 24, "contradicting");
  require_sound(panel(replay, replay.at_time(0), {.selection = {23, 0}}), 20, "panel");
}

TEST_CASE("thousands of bars become few, and a thousand ranks become the ones that matter") {
  const Trace sliced = run_serially(
      {.schedule = make_ring({4, 40'000, 1'000, {}}), .trouble = {{{1, 5'000}}, {}, {}}});
  const Replay replay(sliced);
  const Figure figure = draw(replay, replay.at_time(1000));
  require_sound(figure, 24, "sliced");
  CHECK(figure.shapes.size() < 4'000);

  const Trace many = late_ring(200);
  const Replay large(many);
  const Figure of_many = draw(large, large.at_time(1000), {.selection = {199 * 200 + 7, 0}});
  require_sound(of_many, 24, "200 ranks");
  CHECK(find(of_many, "lane100.stripe") != nullptr);  // the late one
  CHECK(find(of_many, "lane" + std::to_string(many.schedule.transfers[199 * 200 + 7].dst) +
                          ".stripe") != nullptr);
  int lanes = 0;
  for (const Shape& shape : of_many.shapes) lanes += shape.id.ends_with(".stripe");
  CHECK(lanes == 18);
}
