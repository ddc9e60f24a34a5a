#include "core/figure/storyboard.h"

#include <algorithm>
#include <cmath>

#include "core/figure/drawing.h"

namespace ringscope {
namespace {

struct Mover {
  Point by;
  double scale;

  Point operator()(Point point) const { return {by.x + point.x * scale, by.y + point.y * scale}; }
  Rect operator()(const Rect& rect) const {
    const Point start = (*this)(Point{rect.x, rect.y});
    return {start.x, start.y, rect.width * scale, rect.height * scale};
  }
  void scale_stroke(Stroke& stroke) const {
    stroke.width *= scale;
    stroke.dash *= scale;
  }
  void move(Box& box) const {
    box.rect = (*this)(box.rect);
    box.radius *= scale;
    scale_stroke(box.stroke);
  }
  void move(Line& line) const {
    line.from = (*this)(line.from);
    line.to = (*this)(line.to);
    line.arrow *= scale;
    scale_stroke(line.stroke);
  }
  void move(Path& path) const {
    for (Point& point : path.points) point = (*this)(point);
    scale_stroke(path.stroke);
  }
  void move(Disc& disc) const {
    disc.center = (*this)(disc.center);
    disc.radius *= scale;
    scale_stroke(disc.stroke);
  }
  void move(Text& text) const {
    text.at = (*this)(text.at);
    text.size *= scale;
    text.width *= scale;
  }
  void move(Grid& grid) const { grid.rect = (*this)(grid.rect); }
};

// The number of columns with which tiles of that shape are largest.
int columns_for(std::size_t tiles, Size tile, double title, Size room, double gap) {
  int best = 1;
  double largest = 0;
  for (int columns = 1; columns <= static_cast<int>(tiles); ++columns) {
    const int rows = (static_cast<int>(tiles) + columns - 1) / columns;
    const double scale = std::min((room.width - gap * (columns - 1)) / columns / tile.width,
                                  ((room.height - gap * (rows - 1)) / rows - title) / tile.height);
    if (scale > largest) largest = scale, best = columns;
  }
  return best;
}

}  // namespace

Shape placed(Shape shape, Point by, double scale) {
  const Mover mover{by, scale};
  std::visit([&](auto& form) { mover.move(form); }, shape.form);
  return shape;
}

Figure draw_storyboard(std::span<const StoryboardTile> tiles, const std::string& title,
                       const Theme& theme, const Fonts& fonts, Size size) {
  const double unit = std::min(size.width / 1920, size.height / 1080);
  Drawing drawing(theme, fonts, size, unit);
  const double margin = 40, gap = 24, head = 64, tile_title = 36;
  const Size room{drawing.room().width - 2 * margin, drawing.room().height - margin - head - 24};
  const TextStyle title_style{size::body, Face::bold, Align::left, theme.ink};
  // Over the left edge of the tiles, where it fits there.
  const auto write_title = [&](double left) {
    const double most = room.width + margin - left;
    if (drawing.width(title, title_style) > most) left = margin;
    drawing.text("storyboard.title", {left, 52}, drawing.fit(title, title_style, room.width),
                 title_style, {.title = title});
  };
  if (tiles.empty()) {
    write_title(margin);
    return std::move(drawing).finish(theme.ground);
  }
  const Size tile = tiles[0].figure.size;
  const int columns = columns_for(tiles.size(), tile, tile_title, room, gap);
  const int rows = (static_cast<int>(tiles.size()) + columns - 1) / columns;
  const double scale =
      std::min((room.width - gap * (columns - 1)) / columns / tile.width,
               ((room.height - gap * (rows - 1)) / rows - tile_title) / tile.height);
  const Size small{tile.width * scale, tile.height * scale};
  const double used = columns * small.width + (columns - 1) * gap;
  const double height = rows * (small.height + tile_title) + (rows - 1) * gap;
  write_title(margin + (room.width - used) / 2);
  const double top = head + 24 + (room.height - height) / 2;
  const auto place_of = [&](std::size_t i) {
    const auto column = static_cast<double>(static_cast<int>(i) % columns);
    const auto row = static_cast<double>(static_cast<int>(i) / columns);
    return Point{margin + (room.width - used) / 2 + column * (small.width + gap),
                 top + row * (small.height + tile_title + gap)};
  };
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const Point at = place_of(i);
    const std::string id = "tile" + std::to_string(i);
    const TextStyle style{size::body, Face::bold, Align::left, theme.ink};
    drawing.text(id + ".title", {at.x, at.y + 24}, drawing.fit(tiles[i].title, style, small.width),
                 style, {.title = tiles[i].title});
    drawing.box(id + ".ground", {at.x, at.y + tile_title, small.width, small.height}, 0,
                {tiles[i].figure.background, transparent}, {theme.rule, 1.5});
  }
  Figure figure = std::move(drawing).finish(theme.ground);
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const Point at = place_of(i);
    const std::string id = "tile" + std::to_string(i) + ".";
    for (const Shape& shape : tiles[i].figure.shapes) {
      Shape moved = placed(shape, {at.x * unit, (at.y + tile_title) * unit}, scale * unit);
      moved.id = id + moved.id;
      figure.shapes.push_back(std::move(moved));
    }
  }
  return figure;
}

}  // namespace ringscope
