// Many figures small on one page, in rows, each with its title.
#pragma once

#include <span>
#include <string>

#include "core/figure/figure.h"
#include "core/figure/fonts.h"
#include "core/figure/theme.h"

namespace ringscope {

struct StoryboardTile {
  Figure figure;
  std::string title;
};

// `title` stands on top. Tiles keep their shape and are as large as they can be; ids of a tile's
// shapes get 'tile3.' before them.
Figure draw_storyboard(std::span<const StoryboardTile> tiles, const std::string& title,
                       const Theme& theme, const Fonts& fonts, Size size);

// A shape `scale` times as large, then moved by `by`.
Shape placed(Shape shape, Point by, double scale);

}  // namespace ringscope
