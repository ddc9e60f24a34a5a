// Pixels as PNG.
#pragma once

#include <string>

#include "core/export/cairo_painter.h"

namespace ringscope {

// The bytes of a file. With an alpha channel only where some pixel is not opaque; `dpi` 0: no
// density is stored. The same pixels give the same bytes.
std::string png_of(const Pixels& pixels, double dpi = 0);

// Draws a figure and writes it, whole or not at all. Throws Error.
void write_png(const Figure& figure, const Fonts& fonts, const std::string& path);

// Throws Error (usage) where it does not end as that of a PNG.
void require_png_name(const std::string& path);

}  // namespace ringscope
