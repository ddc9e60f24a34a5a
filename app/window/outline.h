// Outlines as points: what the ImGui painter needs beyond ImGui's own shapes. No ImGui.
#pragma once

#include <span>
#include <vector>

#include "core/figure/figure.h"

namespace ringscope {

using Outline = std::vector<Point>;

// Clockwise on the screen, from the upper left corner's right end. A radius that does not fit is
// made smaller; corners are as fine as `tolerance` pixels need.
Outline rounded_rectangle(const Rect& rect, double radius, double tolerance);
Outline circle(Point center, double radius, double tolerance);

// Dash and gap of the same length, from the first point on; a closed outline goes back to it.
std::vector<Outline> dashes(std::span<const Point> points, bool closed, double dash);

// What a hatch leaves of a convex outline: one piece a line.
std::vector<Outline> stripes(std::span<const Point> outline, const Hatch& hatch);

// Whether it turns one way only, and which: clockwise on the screen is positive.
bool is_convex(std::span<const Point> outline);
double area_of(std::span<const Point> outline);

// Cuts a simple polygon, convex or not, into triangles: three indices each.
std::vector<std::size_t> triangles(std::span<const Point> outline);

}  // namespace ringscope
