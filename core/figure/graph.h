// Links between cards: thin where nothing happens, thick with an arrow where something goes, and
// what travels on them.
#pragma once

#include <vector>

#include "core/figure/steps.h"

namespace ringscope {

struct GraphLink {
  std::int32_t src = 0, dst = 0;  // its ends; things go both ways
  std::vector<Point> way;         // from edge to edge
  std::int32_t tree = -1;         // of the chunk with this number only; -1: of all
  Size chip = {};                 // what may travel on it, where that is not the graph's
};

struct Graph {
  std::vector<GraphLink> links;
  Size chip;  // the largest that may travel on them
};

// The straight piece between two cards along the line of their centres.
std::vector<Point> between(const Rect& from, const Rect& to);
// The same way beside itself, to the right of its direction where `by` is positive.
std::vector<Point> shifted(const std::vector<Point>& way, double by);

// Links first, then the caller's cards, then chips.
void draw_links(Scene& scene, const Graph& graph);
void draw_chips(Scene& scene, const Graph& graph);

}  // namespace ringscope
