#ifdef RINGSCOPE_CAIRO
#include "core/export/cairo_fonts.h"

#include <cairo-ft.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <memory>
#include <new>
#include <set>
#include <string>
#include <utility>

#include "core/export/font_subset.h"
#include "core/figure/unicode.h"

namespace ringscope {
namespace {

// Cairo's caches may keep a face for longer than the document: it goes with the last of them.
struct Loaded {
  std::string bytes;
  FT_Library library = nullptr;
  FT_Face face = nullptr;

  explicit Loaded(std::string font) : bytes(std::move(font)) {
    if (FT_Init_FreeType(&library) != 0 ||
        FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(bytes.data()),
                           static_cast<FT_Long>(bytes.size()), 0, &face) != 0)
      throw std::bad_alloc();
  }
  ~Loaded() { FT_Done_FreeType(library); }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
};

cairo_font_face_t* face_of(std::unique_ptr<Loaded> loaded) {
  static const cairo_user_data_key_t key{};
  cairo_font_face_t* const face =
      cairo_ft_font_face_create_for_ft_face(loaded->face, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP);
  const auto destroy = [](void* owned) { delete static_cast<Loaded*>(owned); };
  if (cairo_font_face_set_user_data(face, &key, loaded.get(), destroy) != CAIRO_STATUS_SUCCESS) {
    cairo_font_face_destroy(face);
    throw std::bad_alloc();
  }
  loaded.release();
  return face;
}

}  // namespace

EmbeddedFonts::EmbeddedFonts(std::span<const PdfPage> pages) {
  std::array<std::set<char32_t>, 4> characters;  // by Face
  for (const PdfPage& page : pages)
    for (const Shape& shape : page.figure.shapes)
      if (const Text* const text = std::get_if<Text>(&shape.form))
        for (std::string_view rest = text->text; !rest.empty();)
          characters[static_cast<std::size_t>(text->face)].insert(next_character(rest));
  for (std::size_t i = 0; i < characters.size(); ++i) {
    if (characters[i].empty()) continue;
    auto loaded =
        std::make_unique<Loaded>(font_subset(find_font(static_cast<Face>(i)), characters[i]));
    embedded_[i].loaded = loaded->face;
    embedded_[i].face.reset(face_of(std::move(loaded)));
  }
}

unsigned long EmbeddedFonts::glyph(Face face, char32_t character) const {
  return FT_Get_Char_Index(static_cast<FT_Face>(of(face).loaded), character);
}

}  // namespace ringscope
#endif
