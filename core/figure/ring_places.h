// Where the ranks of a ring stand: clockwise from the top left along a rectangle, and the links
// between neighbours.
#pragma once

#include <vector>

#include "core/figure/figure.h"

namespace ringscope {

// How many stand on each side; corners belong to top and bottom.
struct Sides {
  int top = 1, right = 0, bottom = 0, left = 0;

  int rows() const { return bottom == 0 ? 1 : 2 + (right > left ? right : left); }
};
// The sides for n >= 1 ranks.
Sides sides_of(int ranks);

// What a heading in the middle of a ring needs at least.
inline constexpr double least_heading = 186;

struct RingPlaces {
  std::vector<Rect> cards;                // [place]
  std::vector<std::vector<Point>> links;  // [place]: to the next one, from edge to edge
  Rect middle;                            // what no card covers
};
RingPlaces place_ring(int ranks, const Rect& area, Size card);

// The point at a share of a chip's way along a link, such that the chip touches neither end.
Point along(const std::vector<Point>& link, Size chip, double share);

}  // namespace ringscope
