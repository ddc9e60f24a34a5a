// The links of a small stage. Each end of a link stands on an edge of a card, side by side with the
// others there, so that their widths add up to what goes through that edge.
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "core/figure/compact_places.h"

namespace ringscope {
namespace {

constexpr double beside = 3;     // between links on one edge
constexpr double port_gap = 48;  // between the two ports of a star
constexpr double port_height = 28;
constexpr double edge_margin = 5;  // at each end of an edge
constexpr double widest_link = 20;

enum class Edge : std::uint8_t { top, bottom, left, right };
enum class Form : std::uint8_t { straight, bent, arc };

struct End {
  std::size_t link;
  std::int32_t rank;
  Edge edge;
  bool begins;                  // the link begins here
  std::array<double, 2> order;  // along the edge
};

std::size_t at(std::int32_t rank) { return static_cast<std::size_t>(rank); }

bool is_beside(const Rect& a, const Rect& b) { return std::abs(a.y - b.y) < 1; }

// Leaders of a hierarchy that stand next to one another.
bool are_next(const CompactPlaces& places, const Rect& a, const Rect& b) {
  return std::none_of(places.cards.begin(), places.cards.end(), [&](const Rect& card) {
    return is_beside(card, a) && card.x > std::min(a.x, b.x) && card.x < std::max(a.x, b.x);
  });
}

Form form_of(const CompactPlaces& places, const LinkFlow& link) {
  const Rect &src = places.cards[at(link.src)], &dst = places.cards[at(link.dst)];
  if (!is_beside(src, dst)) return Form::bent;
  return places.kind == CompactKind::groups && are_next(places, src, dst) ? Form::straight
                                                                          : Form::arc;
}

// Where a link touches a card, and its order among the others there, chosen so that they cross as
// little as can be: of arcs the nearest ones go furthest out.
End end_of(const CompactPlaces& places, std::span<const LinkFlow> links, std::size_t index,
           bool begins) {
  const LinkFlow& link = links[index];
  const std::int32_t rank = begins ? link.src : link.dst;
  const Rect& card = places.cards[at(rank)];
  const Rect& other = places.cards[at(begins ? link.dst : link.src)];
  End end{index, rank, Edge::top, begins, {}};
  switch (form_of(places, link)) {
    case Form::straight:
      end.edge = other.x > card.x ? Edge::right : Edge::left;
      end.order = {(other.x > card.x) == begins ? 0.0 : 1.0, 0};
      break;
    case Form::bent: {
      end.edge = other.y > card.y ? Edge::bottom : Edge::top;
      const double down = (other.y > card.y) == begins ? 1 : 0;
      end.order =
          places.kind == CompactKind::star ? std::array{down, other.x} : std::array{other.x, down};
      break;
    }
    case Form::arc: {
      const bool rightward = (other.x > card.x) == begins;
      const double distance = std::abs(other.x - card.x);
      end.edge = rightward || places.kind == CompactKind::groups ? Edge::top : Edge::bottom;
      const bool first = rightward != begins;
      end.order = {first ? 0.0 : 1.0, first ? distance : -distance};
      break;
    }
  }
  return end;
}

std::vector<End> ends_of(const CompactPlaces& places, std::span<const LinkFlow> links) {
  std::vector<End> ends;
  for (std::size_t i = 0; i < links.size(); ++i)
    for (const bool begins : {true, false}) ends.push_back(end_of(places, links, i, begins));
  std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) {
    return std::tie(a.rank, a.edge, a.order, a.link) < std::tie(b.rank, b.edge, b.order, b.link);
  });
  return ends;
}

// Calls body(ends of one edge).
template <class Body>
void for_each_edge(const std::vector<End>& ends, Body body) {
  for (std::size_t first = 0, last = 0; first < ends.size(); first = last) {
    while (last < ends.size() && ends[last].rank == ends[first].rank &&
           ends[last].edge == ends[first].edge)
      ++last;
    body(std::span(ends).subspan(first, last - first));
  }
}

double length_of(const Rect& card, Edge edge) {
  return edge == Edge::top || edge == Edge::bottom ? card.width : card.height;
}

// Whether a gap of two ports, and not of two links, is before this end.
bool opens_port(const CompactPlaces& places, std::span<const End> edge, std::size_t i) {
  return places.kind == CompactKind::star && edge[0].edge == Edge::bottom && i > 0 &&
         edge[i].begins != edge[i - 1].begins;
}
double gap_before(const CompactPlaces& places, std::span<const End> edge, std::size_t i) {
  if (i == 0) return 0;
  if (opens_port(places, edge, i)) return port_gap;
  return places.kind == CompactKind::star && edge[0].edge == Edge::bottom ? 0 : beside;
}

double length_of(const std::vector<Point>& path) {
  double length = 0;
  for (std::size_t i = 1; i < path.size(); ++i)
    length += std::hypot(path[i].x - path[i - 1].x, path[i].y - path[i - 1].y);
  return length;
}

// From the middle of an edge to that of the neighbour's, side by side with the way back.
std::vector<Point> between_neighbours(const Rect& from, const Rect& to) {
  const Point a = from.center(), b = to.center();
  if (std::abs(a.y - b.y) < std::min(from.height, to.height) / 2)
    return b.x > a.x ? std::vector<Point>{{from.right(), a.y}, {to.x, a.y}}
                     : std::vector<Point>{{from.x, a.y}, {to.right(), a.y}};
  if (std::abs(a.x - b.x) < 1)
    return b.y > a.y ? std::vector<Point>{{a.x, from.bottom()}, {a.x, to.y}}
                     : std::vector<Point>{{a.x, from.y}, {a.x, to.bottom()}};
  // Round the corner that lies outside: down first, up last.
  if (b.y > a.y) return {{a.x, from.bottom()}, {a.x, b.y}, {b.x < a.x ? to.right() : to.x, b.y}};
  return {{b.x < a.x ? from.x : from.right(), a.y}, {b.x, a.y}, {b.x, to.bottom()}};
}

bool has_way_back(std::span<const LinkFlow> links, const LinkFlow& link) {
  return std::any_of(links.begin(), links.end(), [&](const LinkFlow& other) {
    return other.src == link.dst && other.dst == link.src;
  });
}

// To the right of the way that one looks.
std::vector<Point> shifted(std::vector<Point> path, double by) {
  const Point a = path[0], b = path[1];
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  if (length == 0) return path;
  for (Point& point : path)
    point = {point.x - (b.y - a.y) / length * by, point.y + (b.x - a.x) / length * by};
  return path;
}

std::vector<Point> ring_path(std::span<const LinkFlow> links, const LinkFlow& link,
                             const CompactPlaces& places, double width) {
  std::vector<Point> path =
      between_neighbours(places.cards[at(link.src)], places.cards[at(link.dst)]);
  return has_way_back(links, link) ? shifted(std::move(path), (width + 8) / 2 + 3)
                                   : std::move(path);
}

}  // namespace

double widest_byte(std::span<const LinkFlow> links, const CompactPlaces& places) {
  double widest = 1;
  const auto fit = [&](double units, std::uint64_t bytes) {
    if (bytes > 0) widest = std::min(widest, std::max(units, 1.0) / static_cast<double>(bytes));
  };
  for (const LinkFlow& link : links) fit(widest_link, link.flow.total);
  if (places.kind == CompactKind::ring) {
    for (const LinkFlow& link : links)
      fit(0.6 * length_of(ring_path(links, link, places, 0)), link.flow.total);
    return widest;
  }
  for_each_edge(ends_of(places, links), [&](std::span<const End> edge) {
    double room = length_of(places.cards[at(edge[0].rank)], edge[0].edge) - 2 * edge_margin;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < edge.size(); ++i) {
      room -= gap_before(places, edge, i);
      bytes += links[edge[i].link].flow.total;
    }
    fit(room, bytes);
  });
  return widest;
}

namespace {

Point on_edge(const Rect& card, Edge edge, double along) {
  switch (edge) {
    case Edge::top: return {card.x + along, card.y};
    case Edge::bottom: return {card.x + along, card.bottom()};
    case Edge::left: return {card.x, card.y + along};
    default: return {card.right(), card.y + along};
  }
}

std::vector<Point> curve(Point from, Point from_handle, Point to_handle, Point to) {
  constexpr int pieces = 32;
  std::vector<Point> points;
  for (int i = 0; i <= pieces; ++i) {
    const double t = static_cast<double>(i) / pieces, s = 1 - t;
    const double a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
    points.push_back({a * from.x + b * from_handle.x + c * to_handle.x + d * to.x,
                      a * from.y + b * from_handle.y + c * to_handle.y + d * to.y});
  }
  return points;
}

// How high an arc over a distance may rise: the longest takes all the room there is.
double height_of_arc(const CompactPlaces& places, double distance) {
  const Rect &first = places.cards.front(), &last = places.cards.back();
  const double longest = std::max(1.0, last.x - first.x);
  return std::pow(std::clamp(distance / longest, 0.0, 1.0), 0.7);
}

// The last piece, as long as the arrow's head, is straight.
std::vector<Point> path_of(const CompactPlaces& places, const LinkFlow& link, Point from, Point tip,
                           double head, double rise) {
  Point to = tip;
  switch (form_of(places, link)) {
    case Form::straight: return {from, tip};
    case Form::bent: {
      to.y += tip.y > from.y ? -head : head;
      const double middle = (from.y + to.y) / 2;
      std::vector<Point> path = curve(from, {from.x, middle}, {to.x, middle}, to);
      if (head > 0) path.push_back(tip);
      return path;
    }
    default: {
      const bool above = places.kind == CompactKind::groups || to.x > from.x;
      const double share =
          places.kind == CompactKind::groups ? 1 : height_of_arc(places, std::abs(to.x - from.x));
      const double height = rise * std::max(0.25, share) / 0.75 * (above ? -1 : 1);
      to.y += above ? -head : head;
      std::vector<Point> path = curve(from, {from.x, from.y + height}, {to.x, from.y + height}, to);
      path.push_back(tip);
      return path;
    }
  }
}

double head_of(double width, double length) {
  return std::min(std::clamp(width * 1.1, 12.0, 22.0), 0.6 * length);
}

}  // namespace

CompactLinks route_links(std::span<const LinkFlow> links, const CompactPlaces& places, double byte,
                         double rise) {
  CompactLinks routed;
  routed.links.resize(links.size());
  const auto width_of = [&](std::size_t link) {
    return static_cast<double>(links[link].flow.total) * byte;
  };
  if (places.kind == CompactKind::ring) {
    for (std::size_t i = 0; i < links.size(); ++i) {
      routed.links[i].path = ring_path(links, links[i], places, width_of(i));
      routed.links[i].head = head_of(width_of(i), length_of(routed.links[i].path));
    }
    return routed;
  }
  std::vector<std::array<Point, 2>> touch(links.size());
  std::vector<bool> in_port(links.size(), false);
  for_each_edge(ends_of(places, links), [&](std::span<const End> edge) {
    const Rect& card = places.cards[at(edge[0].rank)];
    double length = 0;
    for (std::size_t i = 0; i < edge.size(); ++i)
      length += gap_before(places, edge, i) + width_of(edge[i].link);
    const bool ports = places.kind == CompactKind::star && edge[0].edge == Edge::bottom;
    double along = (length_of(card, edge[0].edge) - length) / 2;
    for (std::size_t i = 0; i < edge.size(); ++i) {
      along += gap_before(places, edge, i);
      const double width = width_of(edge[i].link);
      Point point = on_edge(card, edge[0].edge, along + width / 2);
      if (ports && (i == 0 || opens_port(places, edge, i)))
        routed.ports.push_back(
            {{point.x - width / 2, card.bottom(), 0, port_height}, !edge[i].begins});
      if (ports) {
        routed.ports.back().rect.width += width;
        point.y += port_height;
        in_port[edge[i].link] = in_port[edge[i].link] || !edge[i].begins;
      }
      along += width;
      touch[edge[i].link][edge[i].begins ? 0 : 1] = point;
    }
  });
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Point from = touch[i][0], to = touch[i][1];
    CompactLink& link = routed.links[i];
    link.head = in_port[i] ? 0 : head_of(width_of(i), std::hypot(to.x - from.x, to.y - from.y));
    link.path = path_of(places, links[i], from, to, link.head, rise);
  }
  return routed;
}

}  // namespace ringscope
