// The letters of a document as Cairo takes them: of each face those that its pages show. Only for
// cairo_painter, and where Cairo is.
#pragma once

#include <cairo.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "core/export/cairo_painter.h"

namespace ringscope {

class EmbeddedFonts {
 public:
  // Throws Error where a font can't be read.
  explicit EmbeddedFonts(std::span<const PdfPage> pages);

  // Of a face that some page shows.
  cairo_font_face_t* face(Face face) const { return of(face).face.get(); }
  // The number that Cairo's face has for a character.
  unsigned long glyph(Face face, char32_t character) const;

 private:
  struct Destroy {
    void operator()(cairo_font_face_t* face) const { cairo_font_face_destroy(face); }
  };
  struct Embedded {
    std::unique_ptr<cairo_font_face_t, Destroy> face;
    void* loaded = nullptr;  // the FT_Face behind it
  };
  const Embedded& of(Face face) const { return embedded_[static_cast<std::size_t>(face)]; }

  std::array<Embedded, 4> embedded_;  // by Face
};

}  // namespace ringscope
