// Where the cards and links of a small stage go: chosen by what the schedule's links look like, so
// that any algorithm can stand beside any other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/figure/figure.h"
#include "core/replay/flows.h"
#include "core/schedule/schedule.h"

namespace ringscope {

enum class CompactKind {
  ring,    // every link joins neighbours of a ring
  star,    // every link ends in one rank, whose port they share
  tree,    // as the algorithm 'tree' numbers its ranks: layers, the root on top
  groups,  // groups side by side, leaders above their members
  row,  // anything else: ranks side by side, links as arcs; to the right above, to the left below
};
CompactKind compact_kind(const Schedule& schedule, std::span<const LinkFlow> links);

struct CompactPlaces {
  CompactKind kind = CompactKind::row;
  std::vector<Rect> cards;   // [rank]
  std::int32_t root = -1;    // of a star or a tree
  std::vector<Rect> groups;  // of a hierarchy
  Rect middle;               // what is free inside a ring; else empty
};
CompactPlaces place_cards(const Schedule& schedule, std::span<const LinkFlow> links,
                          const Rect& area);

// The most units that a byte may be wide, so that the links of every card find room on its edges.
double widest_byte(std::span<const LinkFlow> links, const CompactPlaces& places);

struct CompactLink {
  std::vector<Point> path;  // the middle line, from card to card (or port)
  double head = 0;          // length of the arrow's head at its end; 0: it ends in a port
};
// Where all links of a star come together: `links` as wide as they are together.
struct CompactPort {
  Rect rect;
  bool in = false;  // into the root, or out of it
};
struct CompactLinks {
  std::vector<CompactLink> links;  // [link]
  std::vector<CompactPort> ports;
};
// `byte` is how many units a byte is wide; `rise` is how high arcs may be.
CompactLinks route_links(std::span<const LinkFlow> links, const CompactPlaces& places, double byte,
                         double rise);

}  // namespace ringscope
