#include "app/window/hit.h"

#include <algorithm>
#include <cmath>

namespace ringscope {
namespace {

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

double distance_to_piece(Point point, Point from, Point to) {
  const double x = to.x - from.x, y = to.y - from.y, squared = x * x + y * y;
  if (squared == 0) return distance(point, from);
  const double share =
      std::clamp(((point.x - from.x) * x + (point.y - from.y) * y) / squared, 0., 1.);
  return distance(point, {from.x + share * x, from.y + share * y});
}

bool holds(const Rect& rect, Point point) {
  return point.x >= rect.x && point.x <= rect.right() && point.y >= rect.y &&
         point.y <= rect.bottom();
}

// Even-odd: how many edges a ray to the right crosses.
bool is_inside(const std::vector<Point>& outline, Point point) {
  bool inside = false;
  for (std::size_t i = 0, before = outline.size() - 1; i < outline.size(); before = i++) {
    const Point a = outline[i], b = outline[before];
    if ((a.y > point.y) == (b.y > point.y)) continue;
    if (point.x < a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y)) inside = !inside;
  }
  return inside;
}

bool is_near(const std::vector<Point>& line, Point point, double reach) {
  for (std::size_t i = 1; i < line.size(); ++i)
    if (distance_to_piece(point, line[i - 1], line[i]) <= reach) return true;
  return false;
}

template <class Condition>
const Shape* topmost(const Figure& figure, Point point, Condition condition) {
  for (auto shape = figure.shapes.rbegin(); shape != figure.shapes.rend(); ++shape)
    if (condition(*shape) && covers(*shape, point)) return &*shape;
  return nullptr;
}

}  // namespace

bool covers(const Shape& shape, Point point, double reach) {
  if (const Line* line = std::get_if<Line>(&shape.form))
    return distance_to_piece(point, line->from, line->to) <=
           std::max(reach, line->stroke.width / 2);
  if (const Path* path = std::get_if<Path>(&shape.form))
    return path->closed ? !path->points.empty() && is_inside(path->points, point)
                        : is_near(path->points, point, std::max(reach, path->stroke.width / 2));
  if (const Disc* disc = std::get_if<Disc>(&shape.form))
    return distance(point, disc->center) <= disc->radius;
  return holds(bounds_of(shape), point);
}

std::int32_t transfer_at(const Figure& figure, Point point) {
  const Shape* shape = topmost(figure, point, [](const Shape& each) { return each.transfer >= 0; });
  return shape ? shape->transfer : -1;
}

const Shape* titled_shape_at(const Figure& figure, Point point) {
  return topmost(figure, point, [](const Shape& each) { return !each.title.empty(); });
}

const Shape* shape_named(const Figure& figure, std::string_view id) {
  const auto found = std::find_if(figure.shapes.begin(), figure.shapes.end(),
                                  [&](const Shape& shape) { return shape.id == id; });
  return found == figure.shapes.end() ? nullptr : &*found;
}

}  // namespace ringscope
