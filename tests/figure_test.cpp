#include "core/figure/figure.h"

#include <catch2/catch.hpp>

#include "core/figure/drawing.h"
#include "core/figure/fonts.h"
#include "core/figure/theme.h"
#include "core/figure/unicode.h"
#include "core/figure/views.h"
#include "tests/error_of.h"
#include "tests/figure_checks.h"

using namespace ringscope;

TEST_CASE("UTF-8 is taken apart into characters, and a stray byte is one of its own") {
  std::vector<char32_t> characters;
  for (std::string_view text = "a→归\xF0\x9F\x98\x80\xFF\xC3"; !text.empty();)
    characters.push_back(next_character(text));
  CHECK(characters == std::vector<char32_t>{U'a', U'→', U'归', 0x1F600, 0xFFFD, 0xFFFD});
}

TEST_CASE("a width grows with the size and with every character") {
  const Fonts fonts;
  CHECK(fonts.width("", Face::sans, 24) == 0);
  CHECK(fonts.width("GPU", Face::sans, 48) == Approx(2 * fonts.width("GPU", Face::sans, 24)));
  CHECK(fonts.width("GPU 0", Face::bold, 24) ==
        Approx(fonts.width("GPU", Face::bold, 24) + fonts.width(" 0", Face::bold, 24)));
  CHECK(fonts.width("归约", Face::sans, 24) == Approx(48));
}

TEST_CASE("the mono faces give every letter and digit the same width") {
  const Fonts fonts;
  const Face face = GENERATE(Face::mono, Face::mono_bold);
  for (const char* const text : {"1111", "a0+b", "min("})
    CHECK(fonts.width(text, face, 24) == Approx(fonts.width("0000", face, 24)));
}

TEST_CASE("capitals stand between half an em and an em above the base line") {
  const Fonts fonts;
  CHECK(fonts.cap_height(Face::bold, 100) > 50);
  CHECK(fonts.cap_height(Face::bold, 100) < 90);
}

TEST_CASE("the font is found by file and face") {
  const FontFile file = find_font(Face::sans);
  CHECK_FALSE(file.path.empty());
  CHECK(file.index >= 0);
}

TEST_CASE("text colours stand out from every ground that they are drawn on, in every theme") {
  for (const Theme& each : themes()) {
    const Theme* const theme = &each;
    INFO(theme->name);
    for (const Color ground : {theme->ground, theme->surface, theme->card, theme->cell}) {
      CHECK(contrast(theme->ink, ground) >= 7);
      CHECK(contrast(theme->quiet, ground) >= 7);
    }
    CHECK(contrast(theme->faint, theme->card) >= 7);
    CHECK(contrast(theme->faint, theme->surface) >= 7);
    CHECK(contrast(theme->ink, theme->warm) >= 7);
    CHECK(contrast(theme->quiet, theme->warm) >= 7);
    CHECK(contrast(theme->ink, theme->selected) >= 7);
    CHECK(contrast(theme->ink, theme->phase_even) >= 7);
    CHECK(contrast(theme->ink, theme->phase_odd) >= 7);
    CHECK(contrast(theme->accent, theme->cell) >= 7);
    CHECK(contrast(theme->on_accent, theme->accent) >= 7);
    CHECK(contrast(theme->surface, theme->ink) >= 7);
  }
}

TEST_CASE("a rank's fill is its own up to the fourteenth, then neutral, in every theme") {
  for (const Theme& theme : themes()) {
    INFO(theme.name);
    for (int rank = 0; rank < 14; ++rank)
      for (int other = 0; other < rank; ++other) {
        INFO(rank << " and " << other);
        CHECK_FALSE(rank_fill(theme, rank) == rank_fill(theme, other));
        CHECK_FALSE(rank_fill_pale(theme, rank) == rank_fill_pale(theme, other));
      }
    CHECK(rank_fill(theme, 14) == rank_fill(theme, 1000));
  }
}

TEST_CASE("print has no hue at all") {
  const Theme& theme = print_theme();
  const auto is_grey = [](Color color) { return color.r == color.g && color.g == color.b; };
  for (const Fill& fill : theme.ranks) {
    CHECK(is_grey(fill.color));
    CHECK(is_grey(fill.hatch));
  }
  for (const Color color : {theme.ground, theme.surface, theme.card, theme.warm, theme.ink,
                            theme.accent, theme.line, theme.phase_even, theme.selected})
    CHECK(is_grey(color));
}

TEST_CASE("themes and views are found by name, and others are refused with what there is") {
  CHECK(theme_named("light").name == "light");
  CHECK(theme_named("dark").name == "dark");
  CHECK(view_named("ring").draw == draw_ring);
  CHECK(view_named("matrix").draw == draw_matrix);
  CHECK(error_of([] { theme_named("pink"); }) == "error.theme.unknown");
  CHECK(error_of([] { view_named("pie"); }) == "error.view.unknown");
}

TEST_CASE("a text that is too long ends in dots and fits") {
  const Fonts fonts;
  const Drawing drawing(light_theme(), fonts, {100, 100}, 1);
  const TextStyle style{};
  CHECK(drawing.fit("a0+b0", style, 100) == "a0+b0");
  const std::string shorter = drawing.fit("a0+b0+c0+d0", style, 100);
  CHECK(shorter.ends_with("…"));
  CHECK(drawing.width(shorter, style) <= 100);
  CHECK(drawing.fit("", style, 0).empty());
}

TEST_CASE("lines are broken at spaces, at line breaks and between Chinese characters") {
  const Fonts fonts;
  const Drawing drawing(light_theme(), fonts, {100, 100}, 1);
  const TextStyle style{};
  CHECK(drawing.wrap("", style, 100).empty());
  CHECK(drawing.wrap("one two", style, 1000) == std::vector<std::string>{"one two"});
  CHECK(drawing.wrap("one two", style, 60) == std::vector<std::string>{"one", "two"});
  CHECK(drawing.wrap("one\ntwo", style, 1000) == std::vector<std::string>{"one", "two"});
  CHECK(drawing.wrap("每个块，都是", style, 80) ==
        std::vector<std::string>{"每个", "块，都", "是"});
  CHECK(drawing.wrap("to GPU 12", style, 84) == std::vector<std::string>{"to", "GPU 12"});
  CHECK(drawing.wrap("整个缓冲区", style, 80) == std::vector<std::string>{"整个", "缓冲区"});
  CHECK(drawing.wrap("缓冲区", style, 60) == std::vector<std::string>{"缓冲", "区"});
}

TEST_CASE("the hatch of a rectangle stays within it") {
  const Rect rect{10.5, 20, 33, 12};
  const Pattern pattern = GENERATE(Pattern::diagonal, Pattern::counter, Pattern::horizontal,
                                   Pattern::vertical, Pattern::cross, Pattern::grid);
  const Hatch hatch = hatch_of(rect, pattern);
  REQUIRE(hatch.lines.size() > 1);
  for (const auto& [from, to] : hatch.lines)
    for (const Point& point : {from, to}) CHECK(is_inside({point.x, point.y, 0, 0}, rect, 1e-9));
}

TEST_CASE("shades go from ground to ink") {
  const Grid grid{{}, 2, 1, {0, 255}, {255, 255, 255, 255}, {10, 20, 30, 255}};
  CHECK(shade_of(grid, 0) == grid.ground);
  CHECK(shade_of(grid, 1) == grid.ink);
}
