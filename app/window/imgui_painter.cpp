#include "app/window/imgui_painter.h"

#include <algorithm>
#include <cmath>

#include "app/window/imgui_versions.h"
#include "app/window/outline.h"

namespace ringscope {
namespace {

constexpr double tolerance = 0.1;  // of curves, in units of the draw list
constexpr double halo_alpha = 0.55;

ImVec2 vector(Point point) { return {static_cast<float>(point.x), static_cast<float>(point.y)}; }
std::vector<ImVec2> vectors(const std::vector<Point>& points) {
  std::vector<ImVec2> result;
  for (const Point& point : points) result.push_back(vector(point));
  return result;
}
ImU32 packed(Color color) { return IM_COL32(color.r, color.g, color.b, color.a); }

void fill_convex(ImDrawList& list, const std::vector<Point>& outline, Color color) {
  const std::vector<ImVec2> points = vectors(outline);
  list.AddConvexPolyFilled(points.data(), static_cast<int>(points.size()), packed(color));
}

// Triangles without soft edges, which would show as seams, and a thin soft line round them all.
void fill_concave(ImDrawList& list, const std::vector<Point>& outline, Color color) {
  const std::vector<ImVec2> points = vectors(outline);
  const ImDrawListFlags flags = list.Flags;
  list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
  const std::vector<std::size_t> corners = triangles(outline);
  for (std::size_t i = 0; i + 2 < corners.size(); i += 3)
    list.AddTriangleFilled(points[corners[i]], points[corners[i + 1]], points[corners[i + 2]],
                           packed(color));
  list.Flags = flags;
  list.AddPolyline(points.data(), static_cast<int>(points.size()), packed(color),
                   ImDrawFlags_Closed, 1);
}

}  // namespace

void ImguiPainter::fill(std::vector<Point> outline, const Fill& fill, const Rect& figure_rect) {
  if (outline.size() < 3) return;
  // ImGui's soft edges need it clockwise.
  if (area_of(outline) < 0) std::reverse(outline.begin(), outline.end());
  const bool convex = is_convex(outline);
  if (fill.color.a != 0) (convex ? fill_convex : fill_concave)(list_, outline, fill.color);
  if (fill.hatch.a == 0) return;
  Hatch hatch = hatch_of(figure_rect, fill.pattern);
  for (auto& [from, to] : hatch.lines) from = placed(from), to = placed(to);
  hatch.width *= scale_;
  for (const Outline& stripe : stripes(outline, hatch)) fill_convex(list_, stripe, fill.hatch);
}

void ImguiPainter::stroke(const std::vector<Point>& outline, bool closed, const Stroke& stroke) {
  if (stroke.width <= 0 || stroke.color.a == 0 || outline.size() < 2) return;
  double width = stroke.width * scale_;
  Color color = stroke.color;
  // ImGui draws nothing thinner than a pixel: what is thinner becomes paler.
  if (width < 1) {
    color.a = static_cast<std::uint8_t>(color.a * width + 0.5);
    width = 1;
  }
  const auto draw = [&](const std::vector<Point>& line, ImDrawFlags flags) {
    const std::vector<ImVec2> points = vectors(line);
    list_.AddPolyline(points.data(), static_cast<int>(points.size()), packed(color), flags,
                      static_cast<float>(width));
  };
  if (stroke.dash <= 0) return draw(outline, closed ? ImDrawFlags_Closed : ImDrawFlags_None);
  for (const Outline& dash : dashes(outline, closed, stroke.dash * scale_))
    draw(dash, ImDrawFlags_None);
}

void ImguiPainter::paint(const Shape&, const Box& box) {
  const Outline outline = rounded_rectangle(placed(box.rect), box.radius * scale_, tolerance);
  fill(outline, box.fill, box.rect);
  stroke(outline, true, box.stroke);
}

void ImguiPainter::paint(const Shape&, const Line& line) {
  const Point from = placed(line.from), to = placed(line.to);
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  Point end = to;
  if (line.arrow > 0 && length > 0) {
    const double head = line.arrow * scale_, half = head * 0.55;
    const double ux = (to.x - from.x) / length, uy = (to.y - from.y) / length;
    end = {to.x - ux * head, to.y - uy * head};
    fill({to, {end.x - uy * half, end.y + ux * half}, {end.x + uy * half, end.y - ux * half}},
         {line.stroke.color, transparent}, {});
  }
  stroke({from, end}, false, line.stroke);
}

void ImguiPainter::paint(const Shape& shape, const Path& path) {
  Outline outline;
  for (const Point& point : path.points) outline.push_back(placed(point));
  if (path.fill.color.a != 0 || path.fill.hatch.a != 0) fill(outline, path.fill, bounds_of(shape));
  stroke(outline, path.closed, path.stroke);
}

void ImguiPainter::paint(const Shape& shape, const Disc& disc) {
  const Outline outline = circle(placed(disc.center), disc.radius * scale_, tolerance);
  fill(outline, disc.fill, bounds_of(shape));
  stroke(outline, true, disc.stroke);
}

void ImguiPainter::paint(const Shape& shape, const Text& text) {
  const double width = text.width > 0 ? text.width : fonts_.width(text.text, text.face, text.size);
  const double left = text.align == Align::left     ? text.at.x
                      : text.align == Align::center ? text.at.x - width / 2
                                                    : text.at.x - width;
  glyphs_.draw(list_, placed(Point{left, text.at.y}), text.text, text.face, text.size * scale_,
               text.color, shape.moving);
}

void ImguiPainter::paint(const Shape&, const Grid& grid) {
  flow_.add_grid(list_, placed(grid.rect), grid);
}

void ImguiPainter::paint_figure(const Figure& figure, double radius, Color halo,
                                double halo_spread) {
  const Rect ground{0, 0, figure.size.width, figure.size.height};
  paint(Shape{}, Box{ground, radius, {figure.background, transparent}, {}});
  std::vector<Halo> halos = halos_of(figure);
  for (Halo& each : halos) {
    halo_spread = std::min(halo_spread, 0.7 * std::min(each.rect.width, each.rect.height));
    each.rect = placed(each.rect);
    each.radius *= scale_;
  }
  halo.a = static_cast<std::uint8_t>(255 * halo_alpha);
  const auto first_moving = std::find_if(figure.shapes.begin(), figure.shapes.end(),
                                         [](const Shape& shape) { return shape.moving; });
  const auto paint_all = [&](auto from, auto to) {
    for (auto shape = from; shape != to; ++shape)
      std::visit([&](const auto& form) { paint(*shape, form); }, shape->form);
  };
  paint_all(figure.shapes.begin(), first_moving);
  flow_.add_halos(list_, std::move(halos), halo, halo_spread * scale_);
  paint_all(first_moving, figure.shapes.end());
}

}  // namespace ringscope
