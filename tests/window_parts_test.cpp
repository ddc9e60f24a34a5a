// What the window is made of and needs no window: outlines, layout, preferences.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <limits>

#include "app/window/flow_layer.h"
#include "app/window/layout.h"
#include "app/window/outline.h"
#include "app/window/preferences.h"
#include "core/language/language.h"
#include "tests/folder.h"

using namespace ringscope;
namespace fs = std::filesystem;

namespace {

double length_of(const std::vector<Outline>& pieces) {
  double length = 0;
  for (const Outline& piece : pieces)
    for (std::size_t i = 1; i < piece.size(); ++i)
      length += std::hypot(piece[i].x - piece[i - 1].x, piece[i].y - piece[i - 1].y);
  return length;
}

bool inside(const Rect& outer, const Rect& inner) {
  return inner.x >= outer.x && inner.y >= outer.y && inner.right() <= outer.right() + 1e-9 &&
         inner.bottom() <= outer.bottom() + 1e-9;
}

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

}  // namespace

TEST_CASE("an outline runs clockwise, without two points in one place") {
  const double radius = GENERATE(0.0, 3.0, 10.0, 99.0);
  const Outline outline = rounded_rectangle({10, 20, 40, 20}, radius, 0.1);
  CHECK(is_convex(outline));
  CHECK(area_of(outline) > 0);
  CHECK(area_of(outline) <= 800);
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Point a = outline[i], b = outline[(i + 1) % outline.size()];
    CHECK(std::hypot(a.x - b.x, a.y - b.y) > 1e-6);
  }
}

TEST_CASE("dashes and gaps share an outline evenly") {
  const Outline square{{0, 0}, {40, 0}, {40, 40}, {0, 40}};
  CHECK(length_of(dashes(square, true, 10)) == Approx(80));
  CHECK(length_of(dashes(square, false, 10)) == Approx(60));
  CHECK(length_of(dashes(square, true, 1000)) == Approx(160));
  CHECK(dashes(Outline{}, true, 10).empty());
  CHECK(dashes(Outline{{1, 1}}, true, 10).empty());
  CHECK(dashes(square, true, 0).empty());
}

TEST_CASE("hatching stays inside its outline and covers the hatch's share of it") {
  const Rect rect{0, 0, 100, 100};
  const Outline outline = rounded_rectangle(rect, 0, 0.1);
  const Hatch hatch = hatch_of(
      rect, GENERATE(Pattern::diagonal, Pattern::counter, Pattern::horizontal, Pattern::vertical));
  double area = 0;
  for (const Outline& stripe : stripes(outline, hatch)) {
    area += area_of(stripe);
    for (const Point& point : stripe) CHECK(inside(rect, {point.x, point.y, 0, 0}));
  }
  CHECK(area > 0.3 * 100 * 100);
  CHECK(area < 0.8 * 100 * 100);
  CHECK(stripes(Outline{}, hatch).empty());
}

TEST_CASE("triangles fill any simple polygon, whichever way it runs") {
  Outline arrow{{0, 0}, {10, 10}, {20, 0}, {10, 30}};
  if (GENERATE(false, true)) std::reverse(arrow.begin(), arrow.end());
  const std::vector<std::size_t> corners = triangles(arrow);
  REQUIRE(corners.size() == 6);
  double area = 0;
  for (std::size_t i = 0; i < corners.size(); i += 3)
    area +=
        std::abs(area_of(Outline{arrow[corners[i]], arrow[corners[i + 1]], arrow[corners[i + 2]]}));
  CHECK(area == Approx(std::abs(area_of(arrow))));
  CHECK_FALSE(is_convex(arrow));
  CHECK(triangles(Outline{}).empty());
}

TEST_CASE("one halo is enough for a chip and all that lies on it") {
  Figure figure;
  const auto add = [&](const Rect& rect, bool moving) {
    Shape shape;
    shape.form = Box{rect, 4, {}, {}};
    shape.moving = moving;
    figure.shapes.push_back(shape);
  };
  CHECK(halos_of(figure).empty());
  add({0, 0, 500, 500}, false);
  add({20, 20, 10, 10}, true);
  add({10, 10, 50, 50}, true);
  add({30, 30, 10, 10}, true);
  add({200, 10, 50, 50}, true);
  CHECK(halos_of(figure).size() == 2);
}

TEST_CASE("the parts of the window lie beside one another, inside it") {
  const Size window = GENERATE(Size{1920, 1080}, Size{1280, 720}, Size{1024, 768}, Size{3840, 2160},
                               Size{800, 600}, Size{2560, 1080});
  const double content_scale = GENERATE(1.0, 2.0);
  const Layout layout = layout_of(window, content_scale, Arrangement::stage_and_panel);
  const Rect all{0, 0, window.width / layout.scale, window.height / layout.scale};
  const Rect parts[] = {layout.title, layout.stage, layout.panel, layout.transport};
  for (const Rect& part : parts) {
    CHECK(part.width > 0);
    CHECK(part.height > 0);
    if (window.height >= 720 * content_scale) CHECK(inside(all, part));
    for (const Rect& other : parts) CHECK((&part == &other || !overlap(part, other)));
  }
  CHECK(layout.scale >= 2.0 / 3 * content_scale);
}

TEST_CASE("presenting is the stage alone, with larger texts") {
  const Size window{1920, 1080};
  const Layout layout = layout_of(window, 1, Arrangement::presenting);
  CHECK(layout.stage.width == 1920);
  CHECK(layout.stage_scale > layout_of(window, 1, Arrangement::stage_and_panel).stage_scale);
  CHECK_FALSE(overlap(layout.stage, layout.progress));
}

TEST_CASE("what is remembered comes back, and a broken file is as good as none") {
  const Folder own("preferences-test");
  const fs::path folder = own.path / "new";
  const std::string path = (folder / "deep" / "window.toml").string();
  CHECK(load_preferences(path) == Preferences{});
  const Preferences mine{"dark", "zh", "matrix", "/a folder/图", {1000, 700}, true};
  save_preferences(mine, path);
  CHECK(load_preferences(path) == mine);
  for (const char* broken : {"", "theme = ", "theme = 3\nwidth = \"wide\"", "\xff\xfe\x00",
                             "theme = \"pink\"\nlanguage = \"xx\"\nwidth = -5\nheight = 1e99"}) {
    std::ofstream(path) << broken;
    CHECK(load_preferences(path) == Preferences{});
  }
}

TEST_CASE("a comparison has all that lies between title and bar") {
  const Size window = GENERATE(Size{1920, 1080}, Size{800, 600});
  const Layout layout = layout_of(window, 1, Arrangement::wide_stage);
  CHECK(layout.stage.width == window.width / layout.scale);
  CHECK(layout.stage.y == layout.title.bottom());
  CHECK(layout.stage.bottom() == layout.transport.y);
  CHECK(layout.panel.width == 0);
}
