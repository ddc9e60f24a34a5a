// A font with only those glyphs that a document shows. HarfBuzz does it; nothing else sees it.
#pragma once

#include <set>
#include <string>

#include "core/figure/fonts.h"

namespace ringscope {

// The bytes of a font file of one face with the glyphs of the characters, which it still maps to
// them, and of what it lacks (glyph 0). A few kilobytes of a font's megabytes: no hints, no rules
// for layout, and no subroutines, of which Chinese fonts have tens of thousands. Throws Error where
// the file is no font.
std::string font_subset(const FontFile& file, const std::set<char32_t>& characters);

}  // namespace ringscope
