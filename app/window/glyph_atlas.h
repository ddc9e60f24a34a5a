// Letters as a texture, drawn by FreeType the first time that a figure needs them, at exactly the
// size at which they are seen: texts lie where Fonts measured them, and stay sharp at every scale.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "core/figure/fonts.h"

struct ImDrawList;

namespace ringscope {

// Lives with the OpenGL context. Throws Error where a font file can't be read.
class GlyphAtlas {
 public:
  GlyphAtlas();
  ~GlyphAtlas();
  GlyphAtlas(const GlyphAtlas&) = delete;
  GlyphAtlas& operator=(const GlyphAtlas&) = delete;

  // Before the first text of a frame. `pixel_ratio`: device pixels in a unit of the draw lists.
  void begin_frame(double pixel_ratio);
  // From `at` on the base line to the right; units of the draw list. A text that moves may lie
  // between pixels, all others keep to them.
  void draw(ImDrawList& list, Point at, std::string_view text, Face face, double size, Color color,
            bool moves);
  // Whether a text of this frame was left out, because the texture is full: draw another frame.
  bool overflowed() const { return full_; }

 private:
  struct Library;
  struct Glyph {
    float x = 0, y = 0, width = 0, height = 0;  // from the pen, device pixels, y downward
    float u0 = 0, v0 = 0, u1 = 0, v1 = 0;
    double advance = 0;  // ems
  };

  const Glyph& glyph(char32_t character, Face face, double pixels, int phase);
  Glyph render(char32_t character, Face face, double pixels, int phase);
  void clear();

  std::unique_ptr<Library> library_;
  std::unordered_map<std::uint64_t, Glyph> glyphs_;
  unsigned texture_ = 0;
  int shelf_x_ = 0, shelf_y_ = 0, shelf_height_ = 0;
  bool full_ = false;
  double pixel_ratio_ = 1;
};

}  // namespace ringscope
