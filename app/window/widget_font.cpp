#include <ft2build.h>
#include FT_FREETYPE_H

#include <set>
#include <vector>

#include "app/window/frame.h"
#include "app/window/imgui_versions.h"
#include "core/figure/unicode.h"

namespace ringscope {
namespace {

// ImGui's size of a font is from its ascender to its descender: 1.448 em for Noto Sans CJK.
double line_of_em(const Fonts& fonts) {
  const FT_Face face = static_cast<FT_Face>(fonts.face(Face::sans));
  return static_cast<double>(face->ascender - face->descender) / face->units_per_EM;
}

// Pairs of first and last, closed by 0, as ImGui wants them: Latin, and every letter of our texts.
std::vector<ImWchar> letters_of_catalogues() {
  std::set<char32_t> letters;
  for (char32_t letter = 0x20; letter < 0x100; ++letter) letters.insert(letter);
  for (const std::string_view code : Language::codes()) {
    const Language& language = Language::named(code);
    for (const std::string_view id : language.ids()) {
      const std::string text = language.text(id);
      for (std::string_view rest = text; !rest.empty();) letters.insert(next_character(rest));
    }
  }
  std::vector<ImWchar> ranges;
  for (const char32_t letter : letters) {
    if (letter > 0xffff) continue;
    const auto narrow = static_cast<ImWchar>(letter);
    if (!ranges.empty() && ranges.back() + 1 == narrow)
      ranges.back() = narrow;
    else
      ranges.insert(ranges.end(), {narrow, narrow});
  }
  ranges.push_back(0);
  return ranges;
}

}  // namespace

void bake_widget_font(const Fonts& fonts, double pixels) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  const FontFile file = find_font(Face::sans);
  const std::vector<ImWchar> ranges = letters_of_catalogues();
  ImFontConfig configuration;
  configuration.FontNo = file.index;
  configuration.OversampleH = 1;
  atlas.AddFontFromFileTTF(file.path.c_str(), static_cast<float>(pixels * line_of_em(fonts)),
                           &configuration, ranges.data());
  atlas.Build();  // while `ranges` lives
  replace_font_texture();
}

}  // namespace ringscope
