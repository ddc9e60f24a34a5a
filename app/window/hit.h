// Which shape of a figure lies under a point. No ImGui.
#pragma once

#include <string_view>

#include "core/figure/figure.h"

namespace ringscope {

// Whether the shape covers the point, in the figure's pixels. Lines and open paths are reached from
// `reach` pixels away: they are too thin to be hit.
bool covers(const Shape& shape, Point point, double reach = 6);

// The transfer of the topmost shape there that has one; -1 where there is none.
std::int32_t transfer_at(const Figure& figure, Point point);
// The topmost shape there that says something; null where there is none.
const Shape* titled_shape_at(const Figure& figure, Point point);
// The shape of that id; null where there is none.
const Shape* shape_named(const Figure& figure, std::string_view id);

}  // namespace ringscope
