// Figures as PNG, drawn with Cairo and FreeType. The only file that sees Cairo.
#pragma once

#include <string>

#include "core/figure/figure.h"
#include "core/figure/fonts.h"

namespace ringscope {

// Writes to a temporary name beside it and renames. The same figure gives the same bytes. Throws
// Error.
void write_png(const Figure& figure, const Fonts& fonts, const std::string& path);

// Whether this build has Cairo. Where it has not, write_png throws an Error that says so.
bool has_cairo();

}  // namespace ringscope
