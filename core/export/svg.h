// Figures as SVG: plain attributes and no style blocks, since slide programs know no others. Shapes
// keep their ids, and stand in groups named after what they belong to: 'rank2', 'rank2.chunk3'.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "core/figure/figure.h"
#include "core/figure/fonts.h"

namespace ringscope {

enum class Letters : std::uint8_t {
  outlines,  // a path a text, with the text as its aria-label: looks the same everywhere
  text,      // text elements: can be edited, and look as the reader's fonts do
  shared,    // outlines that are defined once: SvgElements::definitions()
};

// Shapes one by one, for those who put documents together themselves.
class SvgElements {
 public:
  SvgElements(const Fonts& fonts, Letters letters) : fonts_(fonts), letters_(letters) {}

  // One shape as an element with its id and, where it has one, its title.
  std::string element(const Shape& shape);
  // The outlines that the elements so far refer to (Letters::shared), to stand in a <defs>.
  std::string definitions() const;

 private:
  friend class SvgPainter;

  const Fonts& fonts_;
  Letters letters_;
  std::map<std::pair<Face, unsigned>, std::string> glyphs_;  // by face and number
};

// A whole document, with a ground unless `ground` is false. The same figure gives the same bytes,
// whatever the locale.
std::string svg_of(const Figure& figure, const Fonts& fonts, Letters letters = Letters::outlines,
                   bool ground = true);

// '&', '<', '>' and '"' as entities.
std::string escaped(std::string_view text);

}  // namespace ringscope
