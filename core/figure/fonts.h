// Where the one type family lies on this machine, and how wide its texts are. FreeType, no hinting,
// no display.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/figure/figure.h"

namespace ringscope {

// A face of a font collection, as fontconfig finds it.
struct FontFile {
  std::string path;
  int index = 0;
};

// Noto Sans CJK SC and its mono, regular and bold, asked of fontconfig for zh-cn; any other sans
// that it has where Noto is not installed. Throws Error ('install fonts-noto-cjk') where there is
// none at all.
FontFile find_font(Face face);

// Loads each face once. One object a thread.
class Fonts {
 public:
  Fonts();
  ~Fonts();
  Fonts(Fonts&&) noexcept;

  // Advance width in pixels of a UTF-8 text at an em of `size` pixels.
  double width(std::string_view text, Face face, double size) const;
  // Above the base line, of capitals and of digits: what centres a label in a box. In pixels.
  double cap_height(Face face, double size) const;
  // The FreeType face (an FT_Face), for painters.
  void* face(Face face) const;

 private:
  struct Loaded;
  std::unique_ptr<Loaded> loaded_;
};

}  // namespace ringscope
