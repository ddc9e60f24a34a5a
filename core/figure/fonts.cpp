#include "core/figure/fonts.h"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <array>
#include <unordered_map>

#include "core/error.h"
#include "core/figure/unicode.h"

namespace ringscope {
namespace {

constexpr std::size_t face_count = 4;

bool is_mono(Face face) { return face == Face::mono || face == Face::mono_bold; }
bool is_bold(Face face) { return face == Face::bold || face == Face::mono_bold; }

[[noreturn]] void no_font() { throw Error({"error.font.none", {}}); }

// Advances in units of the face, so that a width is exact at any size.
struct LoadedFace {
  FT_Face face = nullptr;
  double units_per_em = 1000;
  double cap_units = 0;
  mutable std::array<float, 128> ascii{};
  mutable std::unordered_map<char32_t, float> others;

  float advance_units(char32_t character) const {
    const FT_UInt glyph = FT_Get_Char_Index(face, character);
    if (FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE) != 0) return 0;
    return static_cast<float>(face->glyph->metrics.horiAdvance);
  }
  float cached_advance(char32_t character) const {
    if (character < ascii.size()) return ascii[character];
    const auto found = others.find(character);
    if (found != others.end()) return found->second;
    return others[character] = advance_units(character);
  }
};

}  // namespace

FontFile find_font(Face face) {
  FcPattern* const wanted = FcPatternCreate();
  const char* const family = is_mono(face) ? "Noto Sans Mono CJK SC" : "Noto Sans CJK SC";
  FcPatternAddString(wanted, FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
  // What takes its place where it is not installed should be of the same kind.
  FcPatternAddString(wanted, FC_FAMILY,
                     reinterpret_cast<const FcChar8*>(is_mono(face) ? "monospace" : "sans"));
  FcPatternAddString(wanted, FC_LANG, reinterpret_cast<const FcChar8*>("zh-cn"));
  FcPatternAddInteger(wanted, FC_WEIGHT, is_bold(face) ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR);
  FcPatternAddBool(wanted, FC_SCALABLE, FcTrue);
  FcConfigSubstitute(nullptr, wanted, FcMatchPattern);
  FcDefaultSubstitute(wanted);
  FcResult result = FcResultNoMatch;
  FcPattern* const found = FcFontMatch(nullptr, wanted, &result);
  FcPatternDestroy(wanted);
  FontFile file;
  if (found != nullptr) {
    FcChar8* path = nullptr;
    if (FcPatternGetString(found, FC_FILE, 0, &path) == FcResultMatch)
      file.path = reinterpret_cast<const char*>(path);
    FcPatternGetInteger(found, FC_INDEX, 0, &file.index);
    FcPatternDestroy(found);
  }
  if (file.path.empty()) no_font();
  return file;
}

struct Fonts::Loaded {
  FT_Library library = nullptr;
  std::array<LoadedFace, face_count> faces;

  Loaded() {
    if (FT_Init_FreeType(&library) != 0) no_font();
    for (std::size_t i = 0; i < face_count; ++i) load(static_cast<Face>(i), faces[i]);
  }
  ~Loaded() { FT_Done_FreeType(library); }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;

  void load(Face which, LoadedFace& loaded) {
    const FontFile file = find_font(which);
    if (FT_New_Face(library, file.path.c_str(), file.index, &loaded.face) != 0) {
      FT_Done_FreeType(library);
      throw Error({"error.font.unreadable", {{"file", file.path}}});
    }
    loaded.units_per_em = loaded.face->units_per_EM;
    for (std::size_t i = 0; i < loaded.ascii.size(); ++i)
      loaded.ascii[i] = loaded.advance_units(static_cast<char32_t>(i));
    if (FT_Load_Char(loaded.face, 'H', FT_LOAD_NO_SCALE) == 0)
      loaded.cap_units = static_cast<double>(loaded.face->glyph->metrics.horiBearingY);
  }
  const LoadedFace& of(Face which) const { return faces[static_cast<std::size_t>(which)]; }
};

Fonts::Fonts() : loaded_(std::make_unique<Loaded>()) {}
Fonts::~Fonts() = default;
Fonts::Fonts(Fonts&&) noexcept = default;

double Fonts::width(std::string_view text, Face face, double size) const {
  const LoadedFace& loaded = loaded_->of(face);
  double units = 0;
  while (!text.empty()) units += static_cast<double>(loaded.cached_advance(next_character(text)));
  return units * size / loaded.units_per_em;
}

double Fonts::cap_height(Face face, double size) const {
  const LoadedFace& loaded = loaded_->of(face);
  return loaded.cap_units * size / loaded.units_per_em;
}

void* Fonts::face(Face face) const { return loaded_->of(face).face; }

}  // namespace ringscope
