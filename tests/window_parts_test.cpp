// What the window is made of and needs no window: outlines, layout, preferences, the form.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <limits>

#include "app/window/flow_layer.h"
#include "app/window/layout.h"
#include "app/window/outline.h"
#include "app/window/preferences.h"
#include "app/window/set_up.h"
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

TEST_CASE("the form as it opens asks for what record() does by itself") {
  const RunSettings settings = settings_of(SetUp());
  const RunSettings standard;
  CHECK(settings.algorithm == standard.algorithm);
  CHECK(settings.ranks == standard.ranks);
  CHECK(settings.count == standard.count);
  CHECK(settings.type == standard.type);
  CHECK(settings.wire == standard.wire);
  CHECK(settings.op.value_or(Operator::sum) == standard.op.value_or(Operator::sum));
  CHECK(settings.engine == standard.engine);
  CHECK(settings.data == standard.data);
  CHECK(settings.seed == standard.seed);
  CHECK(settings.slices == standard.slices);
  CHECK(settings.order == standard.order);
  CHECK(settings.root == standard.root);
  CHECK(settings.groups == standard.groups);
  CHECK(settings.repeats == standard.repeats);
  CHECK(settings.timeout == standard.timeout);
  CHECK_FALSE(settings.in_place);
  CHECK_FALSE(settings.lockstep);
}

TEST_CASE("every field of the form has a label and a heading in both languages") {
  for (const std::string_view code : Language::codes())
    for (const SetUpField& field : set_up_fields()) {
      INFO(field.id);
      CHECK(Language::named(code).has("window.field." + std::string(field.id)));
      CHECK(Language::named(code).has("window.group." + std::string(field.group)));
    }
}

TEST_CASE("every field of the form reaches the settings") {
  SetUp form;
  const auto set = [&](std::string_view id, std::string_view value) { set_value(form, id, value); };
  set("ranks", " 8 ");
  set("count", "4096");
  set("type", "bf16");
  set("wire", "f16");
  set("op", "max");
  set("data", "random");
  set("seed", "7");
  set("input", "a b.npy");
  set("slices", "3");
  set("order", "0, 2,1,3");
  set("repeats", "5");
  set("timeout", "2s");
  set("in-place", "on");
  set("lockstep", "on");
  set("late", "2:120us");
  set("delay", "2:5ms, 1-2:5ms,");
  set("die", "2@1.2");
  const RunSettings settings = settings_of(form);
  CHECK(settings.ranks == 8);
  CHECK(settings.count == 4096u);
  CHECK(settings.type == ElementType::bf16);
  CHECK(settings.wire == ElementType::f16);
  CHECK(settings.op == Operator::max);
  CHECK(settings.data == DataKind::random);
  CHECK(settings.seed == 7);
  CHECK(settings.input_file == "a b.npy");
  CHECK(settings.slices == 3);
  CHECK(settings.order == std::vector<std::int32_t>{0, 2, 1, 3});
  CHECK(settings.repeats == 5);
  CHECK(settings.timeout == std::chrono::seconds(2));
  CHECK(settings.in_place);
  CHECK(settings.lockstep);
  CHECK(settings.late == std::vector<std::string>{"2:120us"});
  CHECK(settings.delays == std::vector<std::string>{"2:5ms", "1-2:5ms"});
  CHECK(settings.deaths == std::vector<std::string>{"2@1.2"});
}

TEST_CASE("a field that says nothing to the algorithm is left out, and kept for others") {
  SetUp form;
  set_value(form, "op", "max");
  set_value(form, "order", "0,2,1,3");
  set_value(form, "root", "2");
  set_value(form, "groups", "3, 1");
  const auto settings_for = [&](std::string_view algorithm) {
    set_value(form, "algorithm", algorithm);
    return settings_of(form);
  };
  const RunSettings tree = settings_for("tree");
  CHECK(tree.op == Operator::max);
  CHECK(tree.order.empty());
  CHECK_FALSE(tree.root);
  CHECK(tree.groups.empty());
  const RunSettings broadcast = settings_for("broadcast");
  CHECK_FALSE(broadcast.op);
  CHECK(broadcast.order == std::vector<std::int32_t>{0, 2, 1, 3});
  CHECK(broadcast.root == 2);
  CHECK(settings_for("hierarchical").groups == std::vector<std::int32_t>{3, 1});
}

TEST_CASE("a number that is none, negative or too large is refused with its field") {
  for (const char* value : {"x", "3.5", "99999999999999999999", "-"}) {
    SetUp form;
    set_value(form, "ranks", value);
    CHECK_THROWS_AS(settings_of(form), Error);
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

TEST_CASE("algorithms that are compared are the same run, but for what is said to one of them") {
  SetUp form;
  CHECK(runs_of(form).size() == 1);
  set_value(form, "ranks", "4");
  set_value(form, "count", "64");
  set_value(form, "seed", "9");
  set_value(form, "order", "0,2,1,3");
  set_value(form, "compare", "tree, double-tree");
  const std::vector<RunSettings> runs = runs_of(form);
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].algorithm == "ring");
  CHECK(runs[1].algorithm == "tree");
  CHECK(runs[2].algorithm == "double-tree");
  for (const RunSettings& run : runs) {
    CHECK(run.ranks == 4);
    CHECK(run.count == 64u);
    CHECK(run.seed == 9);
  }
  CHECK(runs[0].order.size() == 4);
  CHECK(runs[1].order.empty());
}

TEST_CASE("what can be compared are up to two algorithms of the same result") {
  SetUp form;
  set_value(form, "compare", "tree");
  for (const char* value : {"star", "tree, ring, double-tree", "broadcast", "tree;ring"}) {
    CHECK_THROWS_AS(set_value(form, "compare", value), Error);
    CHECK(value_of(form, "compare") == "tree");
  }
  set_value(form, "compare", "");
  CHECK(value_of(form, "compare").empty());
}

TEST_CASE("every field of the form, and every group of them, has a name in both languages") {
  for (const char* code : {"en", "zh"})
    for (const SetUpField& field : set_up_fields()) {
      const Language& language = Language::named(code);
      INFO(code << ' ' << field.id);
      CHECK(language.has("window.field." + std::string(field.id)));
      CHECK(language.has("window.group." + std::string(field.group)));
    }
}
