#include "app/window/glyph_atlas.h"

#include <epoxy/gl.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/window/imgui_versions.h"
#include "core/error.h"
#include "core/figure/unicode.h"

namespace ringscope {
namespace {

constexpr int texture_size = 2048;
constexpr int phases = 4;  // positions between two pixels

ImU32 packed(Color color) { return IM_COL32(color.r, color.g, color.b, color.a); }

unsigned make_texture() {
  unsigned texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  // One byte a pixel, read as white with that alpha: what ImGui's shader expects of a font.
  const GLint swizzle[] = {GL_ONE, GL_ONE, GL_ONE, GL_RED};
  glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, swizzle);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, texture_size, texture_size, 0, GL_RED, GL_UNSIGNED_BYTE,
               nullptr);
  return texture;
}

}  // namespace

struct GlyphAtlas::Library {
  FT_Library library = nullptr;
  std::array<FT_Face, 4> faces{};

  Library() {
    FT_Init_FreeType(&library);
    for (std::size_t i = 0; i < faces.size(); ++i) {
      const FontFile file = find_font(static_cast<Face>(i));
      if (FT_New_Face(library, file.path.c_str(), file.index, &faces[i]) != 0)
        throw Error({"error.window.font", {{"file", file.path}}});
    }
  }
  ~Library() { FT_Done_FreeType(library); }
};

GlyphAtlas::GlyphAtlas() : library_(std::make_unique<Library>()), texture_(make_texture()) {
  clear();
}

GlyphAtlas::~GlyphAtlas() { glDeleteTextures(1, &texture_); }

void GlyphAtlas::begin_frame(double pixel_ratio) {
  pixel_ratio_ = pixel_ratio;
  if (full_) clear();
}

void GlyphAtlas::clear() {
  glyphs_.clear();
  shelf_x_ = shelf_y_ = 1;
  shelf_height_ = 0;
  full_ = false;
  const std::vector<unsigned char> nothing(std::size_t{texture_size} * texture_size);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, texture_size, texture_size, GL_RED, GL_UNSIGNED_BYTE,
                  nothing.data());
}

const GlyphAtlas::Glyph& GlyphAtlas::glyph(char32_t character, Face face, double pixels,
                                           int phase) {
  // 21 bits of character, 16 of size in 64ths of a pixel, 2 of face, 2 of phase.
  const std::uint64_t key = std::uint64_t{character} << 20 |
                            (static_cast<std::uint64_t>(std::lround(pixels * 64)) & 0xffff) << 4 |
                            static_cast<std::uint64_t>(face) << 2 |
                            static_cast<std::uint64_t>(phase);
  const auto found = glyphs_.find(key);
  if (found != glyphs_.end()) return found->second;
  return glyphs_.emplace(key, render(character, face, pixels, phase)).first->second;
}

GlyphAtlas::Glyph GlyphAtlas::render(char32_t character, Face face, double pixels, int phase) {
  const FT_Face font = library_->faces[static_cast<std::size_t>(face)];
  Glyph glyph;
  const FT_UInt index = FT_Get_Char_Index(font, character);
  if (FT_Load_Glyph(font, index, FT_LOAD_NO_SCALE) != 0) return glyph;
  glyph.advance = static_cast<double>(font->glyph->metrics.horiAdvance) / font->units_per_EM;

  FT_Set_Char_Size(font, 0, std::lround(pixels * 64), 72, 72);
  if (FT_Load_Glyph(font, index, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) != 0) return glyph;
  FT_Outline_Translate(&font->glyph->outline, phase * 64 / phases, 0);
  if (FT_Render_Glyph(font->glyph, FT_RENDER_MODE_NORMAL) != 0) return glyph;

  const FT_Bitmap& bitmap = font->glyph->bitmap;
  const int width = static_cast<int>(bitmap.width), height = static_cast<int>(bitmap.rows);
  if (width == 0 || height == 0) return glyph;
  if (shelf_x_ + width + 1 > texture_size) {
    shelf_x_ = 1;
    shelf_y_ += shelf_height_ + 1;
    shelf_height_ = 0;
  }
  if (shelf_y_ + height + 1 > texture_size || width + 2 > texture_size) {
    full_ = true;
    return glyph;
  }
  glBindTexture(GL_TEXTURE_2D, texture_);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, bitmap.pitch);
  glTexSubImage2D(GL_TEXTURE_2D, 0, shelf_x_, shelf_y_, width, height, GL_RED, GL_UNSIGNED_BYTE,
                  bitmap.buffer);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);

  glyph.x = static_cast<float>(font->glyph->bitmap_left);
  glyph.y = static_cast<float>(-font->glyph->bitmap_top);
  glyph.width = static_cast<float>(width);
  glyph.height = static_cast<float>(height);
  constexpr float texel = 1.0f / texture_size;
  glyph.u0 = static_cast<float>(shelf_x_) * texel;
  glyph.v0 = static_cast<float>(shelf_y_) * texel;
  glyph.u1 = static_cast<float>(shelf_x_ + width) * texel;
  glyph.v1 = static_cast<float>(shelf_y_ + height) * texel;
  shelf_x_ += width + 1;
  shelf_height_ = std::max(shelf_height_, height);
  return glyph;
}

void GlyphAtlas::draw(ImDrawList& list, Point at, std::string_view text, Face face, double size,
                      Color color, bool moves) {
  const double pixels = size * pixel_ratio_;
  double pen = at.x * pixel_ratio_;
  const double base = moves ? at.y * pixel_ratio_ : std::round(at.y * pixel_ratio_);
  const ImU32 tint = packed(color);
  list.PushTextureID(texture_id(texture_));
  while (!text.empty()) {
    const char32_t character = next_character(text);
    // A moving text lies anywhere and the texture is interpolated, others have four places.
    const double place = moves ? pen : std::floor(pen * phases + 0.5) / phases;
    const double whole = moves ? place : std::floor(place);
    const int phase = static_cast<int>((place - whole) * phases);
    const Glyph& glyph = this->glyph(character, face, pixels, phase);
    if (glyph.width > 0) {
      const auto left = static_cast<float>((whole + glyph.x) / pixel_ratio_);
      const auto top = static_cast<float>((base + glyph.y) / pixel_ratio_);
      const auto ratio = static_cast<float>(pixel_ratio_);
      list.PrimReserve(6, 4);
      list.PrimRectUV({left, top}, {left + glyph.width / ratio, top + glyph.height / ratio},
                      {glyph.u0, glyph.v0}, {glyph.u1, glyph.v1}, tint);
    }
    pen += glyph.advance * pixels;
  }
  list.PopTextureID();
}

}  // namespace ringscope
