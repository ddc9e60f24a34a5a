#include "core/figure/figure.h"

#include <algorithm>
#include <cmath>

namespace ringscope {
namespace {

Rect hull(const std::vector<Point>& points) {
  if (points.empty()) return {};
  double left = points[0].x, right = left, top = points[0].y, bottom = top;
  for (const Point& point : points) {
    left = std::min(left, point.x), right = std::max(right, point.x);
    top = std::min(top, point.y), bottom = std::max(bottom, point.y);
  }
  return {left, top, right - left, bottom - top};
}

Rect bounds(const Box& box) { return box.rect; }
Rect bounds(const Line& line) { return hull({line.from, line.to}); }
Rect bounds(const Path& path) { return hull(path.points); }
Rect bounds(const Disc& disc) {
  return {disc.center.x - disc.radius, disc.center.y - disc.radius, 2 * disc.radius,
          2 * disc.radius};
}
Rect bounds(const Grid& grid) { return grid.rect; }
Rect bounds(const Text& text) {
  const double left = text.align == Align::left     ? text.at.x
                      : text.align == Align::center ? text.at.x - text.width / 2
                                                    : text.at.x - text.width;
  // Ascenders and descenders of the family stay within these shares of the em.
  return {left, text.at.y - 0.88 * text.size, text.width, 1.1 * text.size};
}

}  // namespace

Rect bounds_of(const Shape& shape) {
  return std::visit([](const auto& form) { return bounds(form); }, shape.form);
}

Color mix(Color from, Color to, double share) {
  const auto channel = [&](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(a + (b - a) * share + 0.5);
  };
  return {channel(from.r, to.r), channel(from.g, to.g), channel(from.b, to.b),
          channel(from.a, to.a)};
}

Color shade_of(const Grid& grid, std::size_t cell) {
  return mix(grid.ground, grid.ink, grid.shades[cell] / 255.0);
}

Hatch hatch_of(const Rect& rect) {
  const double small = std::min(rect.width, rect.height);
  const double spacing = std::clamp(small / 2.5, 5.0, 12.0);
  Hatch hatch;
  hatch.width = spacing * 0.42;
  // Lines x + y = c, from the upper right to the lower left.
  const double first = std::ceil((rect.x + rect.y) / spacing) * spacing;
  for (double c = first; c < rect.right() + rect.bottom(); c += spacing) {
    const Point high{std::min(rect.right(), c - rect.y), std::max(rect.y, c - rect.right())};
    const Point low{std::max(rect.x, c - rect.bottom()), std::min(rect.bottom(), c - rect.x)};
    hatch.lines.emplace_back(high, low);
  }
  return hatch;
}

void paint(const Figure& figure, Painter& painter) {
  for (const Shape& shape : figure.shapes)
    std::visit([&](const auto& form) { painter.paint(shape, form); }, shape.form);
}

}  // namespace ringscope
