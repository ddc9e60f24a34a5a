// Fonts for documents: only the glyphs that are shown, and still a font.
#include "core/export/font_subset.h"

#include <ft2build.h>

#include <catch2/catch.hpp>
#include FT_FREETYPE_H

#include "core/export/cairo_painter.h"
#include "tests/error_of.h"
#include "tests/folder.h"

using namespace ringscope;

namespace {

struct OpenedFont {
  FT_Library library = nullptr;
  FT_Face face = nullptr;

  explicit OpenedFont(const std::string& bytes) {
    FT_Init_FreeType(&library);
    FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(bytes.data()),
                       static_cast<FT_Long>(bytes.size()), 0, &face);
  }
  ~OpenedFont() { FT_Done_FreeType(library); }
};

}  // namespace

TEST_CASE("a subset has the glyphs that are asked for, as wide as in the font, and no others") {
  if (!has_cairo()) return;
  const Face which = GENERATE(Face::sans, Face::bold, Face::mono, Face::mono_bold);
  const std::set<char32_t> characters{U'G', U'7', U'→', U'归', U'约'};
  const std::string bytes = font_subset(find_font(which), characters);
  CHECK(bytes.size() < 20'000);
  const OpenedFont font(bytes);
  REQUIRE(font.face != nullptr);
  const Fonts fonts;
  for (const char32_t character : characters) {
    INFO(static_cast<std::uint32_t>(character));
    const FT_UInt glyph = FT_Get_Char_Index(font.face, character);
    REQUIRE(glyph != 0);
    FT_Load_Glyph(font.face, glyph, FT_LOAD_NO_SCALE);
    FT_Face const whole = static_cast<FT_Face>(fonts.face(which));
    FT_Load_Char(whole, character, FT_LOAD_NO_SCALE);
    CHECK(font.face->glyph->metrics.horiAdvance == whole->glyph->metrics.horiAdvance);
    CHECK(font.face->glyph->outline.n_points == whole->glyph->outline.n_points);
  }
  CHECK(FT_Get_Char_Index(font.face, U'H') == 0);
}

TEST_CASE("a subset of nothing is a font, too, and what is no font has none") {
  if (!has_cairo()) return;
  CHECK(OpenedFont(font_subset(find_font(Face::sans), {})).face != nullptr);
  const Folder folder;
  write(folder.file("no.ttc"), std::as_bytes(std::span("no font")));
  CHECK(error_of([&] {
          font_subset({folder.file("no.ttc"), 0}, {U'a'});
        }) == "error.font.unreadable");
}
