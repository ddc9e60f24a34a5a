// What a hand on the stage meets: shapes under a point, times of a timeline.
#include <catch2/catch.hpp>

#include "app/window/hit.h"
#include "app/window/zoom.h"
#include "core/figure/time_axis.h"

using namespace ringscope;

namespace {

template <class Form>
Shape shape_of(Form form, std::int32_t transfer = -1, std::string title = "") {
  return {"shape", std::move(form), std::move(title), false, transfer};
}

std::vector<std::string> labels_of(const std::vector<TimeTick>& ticks) {
  std::vector<std::string> labels;
  for (const TimeTick& tick : ticks) labels.push_back(tick.label);
  return labels;
}

double ten_a_letter(const std::string& text) { return 10 * static_cast<double>(text.size()); }

}  // namespace

TEST_CASE("a click selects the topmost transfer below it, through labels that have none") {
  Figure figure;
  CHECK(transfer_at(figure, {5, 5}) == -1);
  figure.shapes = {shape_of(Box{{0, 0, 100, 100}, 0, {}, {}}),
                   shape_of(Box{{10, 10, 50, 50}, 0, {}, {}}, 7),
                   shape_of(Box{{40, 40, 50, 50}, 0, {}, {}}, 8),
                   shape_of(Text{{20, 30}, "1.2", 20, Face::sans, Align::left, {}, 30})};
  CHECK(transfer_at(figure, {5, 5}) == -1);
  CHECK(transfer_at(figure, {25, 25}) == 7);
  CHECK(transfer_at(figure, {50, 50}) == 8);
  CHECK(transfer_at(figure, {200, 50}) == -1);
}

TEST_CASE("lines are met from near by, not wherever their bounds are") {
  const Shape line = shape_of(Line{{0, 0}, {100, 100}, {{}, 2, 0}, 0});
  CHECK(covers(line, {50, 50}));
  CHECK(covers(line, {53, 50}));
  CHECK_FALSE(covers(line, {80, 20}));
  const Shape open = shape_of(Path{{{0, 0}, {100, 0}, {100, 100}}, false, {}, {{}, 2, 0}});
  CHECK(covers(open, {100, 50}));
  CHECK_FALSE(covers(open, {50, 50}));
  const Shape thick = shape_of(Line{{0, 0}, {100, 0}, {{}, 40, 0}, 0});
  CHECK(covers(thick, {50, 19}));
  CHECK_FALSE(covers(thick, {50, 21}));
}

TEST_CASE("closed paths and discs are met inside them") {
  const Shape triangle = shape_of(Path{{{0, 0}, {100, 0}, {0, 100}}, true, {}, {}});
  CHECK(covers(triangle, {20, 20}));
  CHECK_FALSE(covers(triangle, {80, 80}));
  CHECK_FALSE(covers(shape_of(Path{{}, true, {}, {}}), {0, 0}));
  CHECK(covers(shape_of(Disc{{50, 50}, 10, {}, {}}), {57, 57}));
  CHECK_FALSE(covers(shape_of(Disc{{50, 50}, 10, {}, {}}), {59, 59}));
}

TEST_CASE("shapes are found by what they say and by their ids") {
  Figure figure;
  CHECK(titled_shape_at(figure, {0, 0}) == nullptr);
  CHECK(shape_named(figure, "shape") == nullptr);
  figure.shapes = {shape_of(Box{{0, 0, 10, 10}, 0, {}, {}}, -1, "below"),
                   shape_of(Box{{0, 0, 10, 10}, 0, {}, {}})};
  CHECK(titled_shape_at(figure, {5, 5})->title == "below");
  CHECK(shape_named(figure, "shape") == &figure.shapes[0]);
}

TEST_CASE("zooming keeps the time under the pointer where it is") {
  const TimeSpan whole{0, 100'000};
  const std::int64_t about = GENERATE(0, 1, 30'000, 100'000);
  const TimeSpan half = zoomed(whole, 0.5, about, whole.to);
  const Rect plot{100, 0, 800, 100};
  CHECK(half.to - half.from == 50'000);
  CHECK(place_of(half, plot, static_cast<double>(about)) ==
        Approx(place_of(whole, plot, static_cast<double>(about))).margin(0.01));
  CHECK(zoomed(half, 2, about, whole.to) == whole);
}

TEST_CASE("a timeline ends where the run does, and is never too short to be told apart") {
  CHECK(zoomed({0, 1000}, 1e-9, 500, 1000) == TimeSpan{450, 550});
  CHECK(zoomed({0, 1000}, 1e9, 500, 1000) == TimeSpan{0, 1000});
  CHECK(zoomed({0, 40}, 0.5, 20, 40) == TimeSpan{0, 40});
  CHECK(zoomed({0, 0}, 0.5, 0, 0) == TimeSpan{0, 0});
  CHECK(panned({0, 100}, 50, 1000) == TimeSpan{50, 150});
  CHECK(panned({0, 100}, -50, 1000) == TimeSpan{0, 100});
  CHECK(panned({0, 100}, 5000, 1000) == TimeSpan{900, 1000});
}

TEST_CASE("places and times of a timeline are each other's") {
  const Rect plot{100, 0, 800, 100};
  const double x = GENERATE(100.0, 333.0, 900.0);
  CHECK(place_of({50, 950}, plot, time_of({50, 950}, plot, x)) == Approx(x));
  CHECK(place_of({0, 0}, plot, 0) == 100);
  CHECK(time_of({0, 100}, {0, 0, 0, 0}, 5) == 0);
}

TEST_CASE("a time axis has ticks in whole steps of a fitting unit, as many as have room") {
  CHECK(labels_of(time_ticks(0, 0, 500, ten_a_letter)) == std::vector<std::string>{"0 ns"});
  CHECK(labels_of(time_ticks(0, 409'000, 500, ten_a_letter)) ==
        std::vector<std::string>{"0 µs", "50", "100", "150", "200", "250", "300", "350", "400"});
  CHECK(labels_of(time_ticks(0, 29'400'000, 400, ten_a_letter)) ==
        std::vector<std::string>{"0 ms", "4", "8", "12", "16", "20", "24", "28"});
  CHECK(labels_of(time_ticks(0, 90, 10, ten_a_letter)).size() == 1);
  CHECK(labels_of(time_ticks(211'150, 213'000, 300, ten_a_letter)) ==
        std::vector<std::string>{"212 µs", "213"});
  CHECK(labels_of(time_ticks(211'150, 211'950, 600, ten_a_letter)) ==
        std::vector<std::string>{"211.2 µs", "211.4", "211.6", "211.8"});
  CHECK(labels_of(time_ticks(7, 7, 600, ten_a_letter)) == std::vector<std::string>{"7 ns"});
  const auto ticks = time_ticks(0, 1'234'567'890, 1000, ten_a_letter);
  CHECK(ticks.front().label == "0 s");
  CHECK(ticks.size() > 4);
}

TEST_CASE("short times have no digits that say nothing") {
  CHECK(short_time(50'000) == "50 µs");
  CHECK(short_time(1) == "1 ns");
  CHECK(short_time(2'000'000) == "2 ms");
  CHECK(short_time(1.5e9) == "1.5 s");
}
