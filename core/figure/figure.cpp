#include "core/figure/figure.h"

#include <algorithm>
#include <array>
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

namespace {

// Lines along which `x_factor` * x + `y_factor` * y is a multiple of the spacing, clipped to the
// rectangle.
void add_lines(Hatch& hatch, const Rect& rect, double x_factor, double y_factor, double spacing) {
  const auto level = [&](double x, double y) { return x_factor * x + y_factor * y; };
  const std::array<double, 4> corners{level(rect.x, rect.y), level(rect.right(), rect.y),
                                      level(rect.x, rect.bottom()),
                                      level(rect.right(), rect.bottom())};
  const auto [least, most] = std::minmax_element(corners.begin(), corners.end());
  for (double c = std::ceil(*least / spacing) * spacing; c < *most; c += spacing) {
    // Where the line meets the sides, each at most once.
    std::vector<Point> ends;
    const auto meet = [&](Point point) {
      if (point.x < rect.x || point.x > rect.right() || point.y < rect.y || point.y > rect.bottom())
        return;
      for (const Point& other : ends)
        if (std::hypot(other.x - point.x, other.y - point.y) < 1e-9) return;
      ends.push_back(point);
    };
    if (y_factor != 0)
      for (const double x : {rect.right(), rect.x}) meet({x, (c - x_factor * x) / y_factor});
    if (x_factor != 0)
      for (const double y : {rect.y, rect.bottom()}) meet({(c - y_factor * y) / x_factor, y});
    if (ends.size() == 2) hatch.lines.emplace_back(ends[0], ends[1]);
  }
}

}  // namespace

Hatch hatch_of(const Rect& rect, Pattern pattern) {
  const double small = std::min(rect.width, rect.height);
  Hatch hatch;
  const double spacing = std::clamp(small / 2.5, 5.0, 12.0);
  hatch.width = spacing * 0.42;
  switch (pattern) {
    case Pattern::diagonal: add_lines(hatch, rect, 1, 1, spacing); break;
    case Pattern::counter: add_lines(hatch, rect, 1, -1, spacing); break;
    case Pattern::horizontal: add_lines(hatch, rect, 0, 1, spacing * 0.7); break;
    case Pattern::vertical: add_lines(hatch, rect, 1, 0, spacing * 0.7); break;
    case Pattern::cross:
      add_lines(hatch, rect, 1, 1, spacing);
      add_lines(hatch, rect, 1, -1, spacing);
      break;
    case Pattern::grid:
      add_lines(hatch, rect, 0, 1, spacing * 0.7);
      add_lines(hatch, rect, 1, 0, spacing * 0.7);
      break;
  }
  // Two sets, and sets that are closer, would leave too little ground.
  if (pattern != Pattern::diagonal && pattern != Pattern::counter) hatch.width *= 0.6;
  return hatch;
}

void paint(const Figure& figure, Painter& painter) {
  for (const Shape& shape : figure.shapes)
    std::visit([&](const auto& form) { painter.paint(shape, form); }, shape.form);
}

}  // namespace ringscope
