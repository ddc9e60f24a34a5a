#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/error.h"
#include "core/export/png.h"
#include "core/figure/theme.h"
#include "tests/error_of.h"
#include "tests/folder.h"

using namespace ringscope;

namespace {

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

// One shape of every kind.
Figure figure_of(double width, double height) {
  const Theme& theme = light_theme();
  Figure figure{{width, height}, theme.surface, {}};
  const auto add = [&](const char* id, auto form) {
    figure.shapes.push_back({id, form, "", false});
  };
  add("box", Box{{10, 10, 80, 40}, 8, rank_fill(theme, 9), {theme.ink, 2, 4}});
  add("line", Line{{10, 60}, {90, 60}, {theme.line, 3}, 12});
  add("path", Path{{{10, 70}, {20, 80}, {40, 65}}, false, {}, {theme.ink, 2}});
  add("disc", Disc{{60, 80}, 8, {theme.accent, transparent}, {}});
  add("text", Text{{50, 40}, "a0+b0 归约", 24, Face::mono, Align::center, theme.ink, 100});
  add("grid", Grid{{70, 70, 20, 20}, 2, 2, {0, 80, 160, 255}, theme.card, theme.ink});
  add("nothing", Path{});
  add("empty", Grid{});
  return figure;
}

}  // namespace

TEST_CASE("a picture has the size of its figure, and the same figure gives the same bytes") {
  if (!has_cairo()) return;
  const Folder folder;
  const Fonts fonts;
  write_png(figure_of(120, 100), fonts, folder.file("a.png"));
  write_png(figure_of(120, 100), fonts, folder.file("b.png"));
  const std::string bytes = text_of_file(folder.file("a.png"));
  REQUIRE(bytes.size() > 100);
  CHECK(bytes.substr(1, 3) == "PNG");
  CHECK(big_endian(bytes, 16) == 120);
  CHECK(big_endian(bytes, 20) == 100);
  CHECK(bytes == text_of_file(folder.file("b.png")));
  Figure other = figure_of(120, 100);
  std::get<Text>(other.shapes[4].form).text = "a0+b1 归约";
  write_png(other, fonts, folder.file("c.png"));
  CHECK(bytes != text_of_file(folder.file("c.png")));
}

TEST_CASE("a picture of no size or of too large a one is refused") {
  if (!has_cairo()) return;
  const Folder folder;
  const Fonts fonts;
  const double side = GENERATE(0.0, -5.0, 20000.0);
  CHECK(error_of([&] { write_png(figure_of(side, 100), fonts, folder.file("x.png")); }) ==
        "error.picture.size");
  CHECK(error_of([&] { write_png(figure_of(100, side), fonts, folder.file("x.png")); }) ==
        "error.picture.size");
  CHECK_FALSE(std::filesystem::exists(folder.file("x.png")));
}

TEST_CASE("a picture for a folder that is not there is refused, and nothing is left behind") {
  if (!has_cairo()) return;
  const Folder folder;
  const Fonts fonts;
  CHECK(error_of([&] { write_png(figure_of(100, 100), fonts, folder.file("no/such/x.png")); }) ==
        "error.file.no_folder");
  // A name that a folder has: written to the temporary name, then refused.
  std::filesystem::create_directory(folder.file("y.png"));
  std::ofstream(folder.file("y.png") + "/full") << "full";
  CHECK(error_of([&] { write_png(figure_of(100, 100), fonts, folder.file("y.png")); }) ==
        "error.file.is_folder");
  CHECK(folder.files() == 1);
}
