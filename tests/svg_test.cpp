#include "core/export/svg.h"

#include <catch2/catch.hpp>
#include <regex>
#include <set>

#include "core/figure/views.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

const Fonts& fonts() {
  static const Fonts loaded;
  return loaded;
}

Figure ring_figure(const Theme& theme = light_theme(), const char* language = "en", int ranks = 4,
                   const Cursor& cursor = {2, 0.5}) {
  Trace trace = run_serially({.schedule = make_ring({ranks, static_cast<std::uint64_t>(ranks)}),
                              .type = ElementType::f32});
  trace.verdict.outcome = Verdict::Outcome::verified;
  const Replay replay(trace);
  return draw_ring({.replay = replay,
                    .theme = theme,
                    .fonts = fonts(),
                    .language = Language::named(language),
                    .caption = true},
                   replay.at(cursor));
}

template <class Form>
Figure figure_with(const std::string& id, Form form, const std::string& title = "") {
  Shape shape;
  shape.id = id;
  shape.form = std::move(form);
  shape.title = title;
  return {{100, 50}, {255, 255, 255, 255}, {std::move(shape)}};
}

std::vector<std::string> all(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it)
    found.push_back((*it)[1]);
  return found;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("every id of a document is there once, those of its shapes among them") {
  for (const int ranks : {1, 2, 4, 8, 16}) {
    const Figure figure = ring_figure(light_theme(), "en", ranks, {1, 0.5});
    const std::vector<std::string> ids = all(svg_of(figure, fonts()), " id=\"([^\"]*)\"");
    const std::set<std::string> unique(ids.begin(), ids.end());
    CHECK(unique.size() == ids.size());
    for (const Shape& shape : figure.shapes) {
      INFO(shape.id);
      CHECK(unique.contains(shape.id));
    }
  }
}

TEST_CASE("what belongs to a rank and to a chunk stands in groups of their names") {
  const std::string text = svg_of(ring_figure(), fonts());
  CHECK(has(text, "<g id=\"rank2\">\n"));
  CHECK(has(text, "<g id=\"rank2.chunk3\">\n"));
  CHECK(all(text, "(<g[ >])").size() == all(text, "(</g>)").size());
}

TEST_CASE("letters are outlines that say their text, or text elements") {
  const Figure figure = ring_figure();
  const std::string outlines = svg_of(figure, fonts());
  CHECK_FALSE(has(outlines, "<text"));
  CHECK(has(outlines, "aria-label=\"Round 1.2\""));
  const std::string text = svg_of(figure, fonts(), Letters::text);
  CHECK(has(text, ">Round 1.2</text>"));
  CHECK_FALSE(has(text, "aria-label"));
  CHECK(text.size() * 2 < outlines.size());
  for (const std::string& document : {outlines, text}) {
    CHECK_FALSE(has(document, "<style"));
    CHECK_FALSE(has(document, "class="));
    CHECK_FALSE(has(document, "href"));
  }
}

TEST_CASE("shared outlines are defined once each, whatever refers to them") {
  SvgElements elements(fonts(), Letters::shared);
  std::string document;
  for (const Shape& shape : ring_figure(light_theme(), "zh").shapes)
    document += elements.element(shape);
  const std::vector<std::string> used = all(document, "href=\"#([^\"]*)\"");
  const std::vector<std::string> defined = all(elements.definitions(), " id=\"([^\"]*)\"");
  CHECK(std::set<std::string>(used.begin(), used.end()) ==
        std::set<std::string>(defined.begin(), defined.end()));
  CHECK(defined.size() < used.size());
}

TEST_CASE("what a text says can't end its element") {
  Text form;
  form.text = "min(a,b) < \"c\" & d > e";
  for (const Letters letters : {Letters::outlines, Letters::text}) {
    const std::string text = svg_of(figure_with("a", form, "x < y"), fonts(), letters);
    CHECK(has(text, "<title>x &lt; y</title>"));
    CHECK(has(text, "min(a,b) &lt; &quot;c&quot; &amp; d &gt; e"));
  }
  CHECK(escaped("") == "");
}

TEST_CASE("forms that show nothing leave nothing, and odd ones do no harm") {
  CHECK_FALSE(has(svg_of(figure_with("p", Path{}), fonts()), "id=\"p\""));
  CHECK_FALSE(has(svg_of(figure_with("g", Grid{}), fonts()), "id=\"g\""));
  CHECK(has(svg_of(figure_with("l", Line{{1, 1}, {1, 1}, {{0, 0, 0, 255}, 2}, 9}), fonts()),
            "<line id=\"l\""));
  const Figure empty{{10, 10}, {1, 2, 3, 255}, {}};
  CHECK(has(svg_of(empty, fonts()), "fill=\"#010203\""));
  CHECK_FALSE(has(svg_of(empty, fonts(), Letters::outlines, false), "rect"));
}

TEST_CASE("shades that are the same side by side are one rectangle") {
  const Grid grid{{0, 0, 40, 20}, 4, 2, {7, 7, 7, 9, 1, 1, 1, 1}, {255, 255, 255, 255},
                  {0, 0, 0, 255}};
  CHECK(all(svg_of(figure_with("g", grid), fonts(), Letters::outlines, false), "(<rect)").size() ==
        3);
}

TEST_CASE("a hatch stays within its form by a clip of its own") {
  const Box box{{10, 10, 20, 20}, 5, {{9, 9, 9, 255}, {200, 0, 0, 255}}, {{0, 0, 0, 255}, 2}};
  const std::string text = svg_of(figure_with("s", box), fonts());
  CHECK(has(text, "<clipPath id=\"s.clip\">"));
  CHECK(has(text, "clip-path=\"url(#s.clip)\""));
}
