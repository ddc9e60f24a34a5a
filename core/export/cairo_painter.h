// Figures drawn with Cairo and FreeType: as pixels, and as pages of a PDF. With
// cairo_fonts the only one that sees Cairo.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/figure/figure.h"
#include "core/figure/fonts.h"

namespace ringscope {

// Whether this build has Cairo. Where it has not, what is below throws an Error that says so.
bool has_cairo();

// Row after row from the top; red, green, blue and alpha of each pixel, colours not multiplied by
// it.
struct Pixels {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};
// Throws Error (usage) for a side of no pixel or of more than 16,384.
void require_picture_size(Size size);
// Without `ground` what no shape covers is transparent. Throws as that does.
Pixels draw_pixels(const Figure& figure, const Fonts& fonts, bool ground = true);

struct PdfPage {
  Figure figure;
  std::string title;  // in the outline
  std::string label;  // in place of the page's number
};
struct PdfFacts {
  std::string title;
  std::int64_t created = 0;  // seconds since 1970, UTC
  double points_per_pixel = 0.5;
  bool ground = true;
};
// The bytes of a document, its fonts embedded and its text selectable. The same pages and facts
// give the same bytes.
std::string pdf_of(std::span<const PdfPage> pages, const Fonts& fonts, const PdfFacts& facts);

}  // namespace ringscope
