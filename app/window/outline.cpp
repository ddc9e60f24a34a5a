#include "app/window/outline.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace ringscope {
namespace {

using std::numbers::pi;

// Pieces of a quarter of a circle whose chords stay within the tolerance of it.
int quarter_pieces(double radius, double tolerance) {
  if (radius <= tolerance) return 1;
  const double angle = 2 * std::acos(1 - tolerance / radius);
  return std::clamp(static_cast<int>(std::ceil(pi / 2 / angle)), 2, 64);
}

bool same_place(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y) < 1e-6; }

// Two points in one place have no direction between them, which strokes need.
void add_apart(Outline& outline, Point point) {
  if (outline.empty() || !same_place(outline.back(), point)) outline.push_back(point);
}

void add_quarter(Outline& outline, Point center, double radius, double from, int pieces) {
  for (int i = 0; i <= pieces; ++i) {
    const double angle = from + pi / 2 * i / pieces;
    add_apart(outline, {center.x + radius * std::cos(angle), center.y + radius * std::sin(angle)});
  }
}

double cross(Point a, Point b, Point c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// What is left of a convex outline where normal * point >= level.
Outline cut_off(const Outline& outline, Point normal, double level) {
  Outline kept;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Point a = outline[i], b = outline[(i + 1) % outline.size()];
    const double at_a = normal.x * a.x + normal.y * a.y - level;
    const double at_b = normal.x * b.x + normal.y * b.y - level;
    if (at_a >= 0) kept.push_back(a);
    if ((at_a < 0) != (at_b < 0)) {
      const double share = at_a / (at_a - at_b);
      kept.push_back({a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share});
    }
  }
  return kept;
}

bool inside(Point p, Point a, Point b, Point c) {
  return cross(a, b, p) >= 0 && cross(b, c, p) >= 0 && cross(c, a, p) >= 0;
}

}  // namespace

Outline rounded_rectangle(const Rect& rect, double radius, double tolerance) {
  radius = std::clamp(radius, 0.0, std::min(rect.width, rect.height) / 2);
  if (radius <= 0)
    return {{rect.x, rect.y},
            {rect.right(), rect.y},
            {rect.right(), rect.bottom()},
            {rect.x, rect.bottom()}};
  const int pieces = quarter_pieces(radius, tolerance);
  const double left = rect.x + radius, right = rect.right() - radius;
  const double top = rect.y + radius, bottom = rect.bottom() - radius;
  Outline outline;
  add_quarter(outline, {right, top}, radius, -pi / 2, pieces);
  add_quarter(outline, {right, bottom}, radius, 0, pieces);
  add_quarter(outline, {left, bottom}, radius, pi / 2, pieces);
  add_quarter(outline, {left, top}, radius, pi, pieces);
  if (same_place(outline.front(), outline.back())) outline.pop_back();
  return outline;
}

Outline circle(Point center, double radius, double tolerance) {
  return rounded_rectangle({center.x - radius, center.y - radius, 2 * radius, 2 * radius}, radius,
                           tolerance);
}

std::vector<Outline> dashes(std::span<const Point> points, bool closed, double dash) {
  std::vector<Outline> pieces;
  if (points.size() < 2 || dash <= 0) return pieces;
  bool drawn = true;
  double left = dash;  // of the dash or gap that is under way
  pieces.push_back({points[0]});
  const std::size_t segments = closed ? points.size() : points.size() - 1;
  for (std::size_t i = 0; i < segments; ++i) {
    const Point from = points[i], to = points[(i + 1) % points.size()];
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    double done = 0;
    while (length - done >= left) {
      done += left;
      const Point cut{from.x + (to.x - from.x) * done / length,
                      from.y + (to.y - from.y) * done / length};
      if (drawn)
        pieces.back().push_back(cut);
      else
        pieces.push_back({cut});
      drawn = !drawn;
      left = dash;
    }
    left -= length - done;
    if (drawn) pieces.back().push_back(to);
  }
  std::erase_if(pieces, [](const Outline& piece) { return piece.size() < 2; });
  return pieces;
}

std::vector<Outline> stripes(std::span<const Point> outline, const Hatch& hatch) {
  std::vector<Outline> pieces;
  for (const auto& [from, to] : hatch.lines) {
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    const Point normal{(to.y - from.y) / length, (from.x - to.x) / length};
    const double level = normal.x * from.x + normal.y * from.y, half = hatch.width / 2;
    Outline piece = cut_off(Outline(outline.begin(), outline.end()), normal, level - half);
    piece = cut_off(piece, {-normal.x, -normal.y}, -level - half);
    if (piece.size() >= 3) pieces.push_back(std::move(piece));
  }
  return pieces;
}

bool is_convex(std::span<const Point> outline) {
  bool left = false, right = false;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const double turn =
        cross(outline[i], outline[(i + 1) % outline.size()], outline[(i + 2) % outline.size()]);
    left = left || turn < 0;
    right = right || turn > 0;
  }
  return !(left && right);
}

double area_of(std::span<const Point> outline) {
  double twice = 0;
  for (std::size_t i = 0; i < outline.size(); ++i)
    twice += cross({0, 0}, outline[i], outline[(i + 1) % outline.size()]);
  return twice / 2;
}

// Ear clipping: n^2 to n^3, for the few corners that a figure's paths have.
std::vector<std::size_t> triangles(std::span<const Point> outline) {
  std::vector<std::size_t> left(outline.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  if (area_of(outline) < 0) std::reverse(left.begin(), left.end());

  std::vector<std::size_t> result;
  while (left.size() >= 3) {
    std::size_t ear = left.size();
    for (std::size_t i = 0; i < left.size() && ear == left.size(); ++i) {
      const std::size_t before = left[(i + left.size() - 1) % left.size()];
      const std::size_t after = left[(i + 1) % left.size()];
      const Point a = outline[before], b = outline[left[i]], c = outline[after];
      const auto in_the_way = [&](std::size_t other) {
        return other != before && other != left[i] && other != after &&
               inside(outline[other], a, b, c);
      };
      if (cross(a, b, c) >= 0 && std::none_of(left.begin(), left.end(), in_the_way)) ear = i;
    }
    if (ear == left.size()) break;  // not simple: what is left stays unfilled
    result.insert(result.end(), {left[(ear + left.size() - 1) % left.size()], left[ear],
                                 left[(ear + 1) % left.size()]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  return result;
}

}  // namespace ringscope
