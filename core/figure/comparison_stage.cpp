// The links of the stages that are compared. A link is as wide as the bytes that go over
// it, on one scale for all stages.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/figure/comparison_parts.h"

namespace ringscope {

std::array<Band, 4> bands_of(const Theme& theme, const Flow& flow) {
  const auto total = static_cast<double>(flow.total), added = static_cast<double>(flow.added);
  const auto landed = static_cast<double>(flow.landed);
  return {{{".to_add", 0, added, theme.phase_even},
           {".to_copy", added, total, theme.phase_odd},
           {".landed", 0, landed, theme.landed},
           {".moving", landed, std::min(total, landed + flow.moving), theme.accent}}};
}

namespace {

// The middle line of a band that lies `by` beside that of its link, without the arrow's head.
std::vector<Point> beside(const std::vector<Point>& path, double by, double head) {
  std::vector<Point> points = path;
  // Take the head off the end.
  while (points.size() > 2) {
    const Point &a = points[points.size() - 2], &b = points.back();
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (length > head) break;
    head -= length;
    points.pop_back();
  }
  if (head > 0) {
    const Point a = points[points.size() - 2];
    Point& b = points.back();
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (length > 0) b = {b.x + (a.x - b.x) * head / length, b.y + (a.y - b.y) * head / length};
  }
  if (by == 0) return points;
  std::vector<Point> moved;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& before = points[i == 0 ? 0 : i - 1];
    const Point& after = points[std::min(i + 1, points.size() - 1)];
    const auto normal = [](Point a, Point b) {
      const double length = std::max(1e-9, std::hypot(b.x - a.x, b.y - a.y));
      return Point{-(b.y - a.y) / length, (b.x - a.x) / length};
    };
    const Point n = normal(before, points[i]), m = normal(points[i], after);
    const Point sum = i == 0 ? m : i + 1 == points.size() ? n : Point{n.x + m.x, n.y + m.y};
    const double square = sum.x * sum.x + sum.y * sum.y;
    const double scale = i == 0 || i + 1 == points.size() ? 1 : square > 0.1 ? 2 / square : 1;
    moved.push_back({points[i].x + sum.x * scale * by, points[i].y + sum.y * scale * by});
  }
  return moved;
}

Point point_at(const std::vector<Point>& path, double share) {
  double length = 0;
  for (std::size_t i = 1; i < path.size(); ++i)
    length += std::hypot(path[i].x - path[i - 1].x, path[i].y - path[i - 1].y);
  double left = length * share;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const double piece = std::hypot(path[i].x - path[i - 1].x, path[i].y - path[i - 1].y);
    if (left <= piece && piece > 0)
      return {path[i - 1].x + (path[i].x - path[i - 1].x) * left / piece,
              path[i - 1].y + (path[i].y - path[i - 1].y) * left / piece};
    left -= piece;
  }
  return path.back();
}

void draw_head(Drawing& drawing, const std::string& id, const std::vector<Point>& path,
               double length, double width, Color color, Color edge) {
  const Point to = path.back(), a = path[path.size() - 2];
  const double piece = std::max(1e-9, std::hypot(to.x - a.x, to.y - a.y));
  const double ux = (to.x - a.x) / piece, uy = (to.y - a.y) / piece;
  const double half = std::max(length * 0.5, width / 2 + 3);
  const Point base{to.x - ux * length, to.y - uy * length};
  drawing.path(
      id, {to, {base.x - uy * half, base.y + ux * half}, {base.x + uy * half, base.y - ux * half}},
      true, {color, transparent}, {edge, 1, 0});
}

std::string flow_title(const Comparison& comparison, const LinkFlow& link) {
  return comparison.language.text("compare.link",
                                  {{"src", std::to_string(link.src)},
                                   {"dst", std::to_string(link.dst)},
                                   {"landed", comparison.language.bytes(link.flow.landed)},
                                   {"total", comparison.language.bytes(link.flow.total)}});
}

void draw_link(Comparison& comparison, const std::string& id, const LinkFlow& link,
               const CompactLink& route, double byte) {
  Drawing& drawing = comparison.drawing;
  const Theme& theme = comparison.theme;
  constexpr double thinnest = 1.5;
  const double total = std::max(1.0, static_cast<double>(link.flow.total));
  const double width = std::max(thinnest, static_cast<double>(link.flow.total) * byte);
  const std::string title = flow_title(comparison, link);
  drawing.path(id, beside(route.path, 0, route.head), false, {}, {theme.line, width + 2, 0},
               {.title = title});
  for (const Band& band : bands_of(theme, link.flow)) {
    if (band.to <= band.from) continue;
    const double from = band.from / total * width;
    const double to = std::min(width, std::max(band.to / total * width, from + thinnest));
    drawing.path(id + std::string(band.id),
                 beside(route.path, (from + to) / 2 - width / 2, route.head), false, {},
                 {band.color, to - from, 0}, {.title = title});
  }
  if (route.head > 0) {
    const bool moving = link.head >= 0, begun = link.flow.landed > 0;
    draw_head(drawing, id + ".head", route.path, route.head, width,
              moving  ? theme.accent
              : begun ? theme.landed
                      : mix(theme.surface, theme.line, 0.55),
              moving  ? theme.accent
              : begun ? theme.landed
                      : theme.line);
  }
}

// Where the first of a link's transfers is.
void draw_traveller(Comparison& comparison, const std::string& id, const LinkFlow& link,
                    const CompactLink& route) {
  if (link.head < 0) return;
  const Theme& theme = comparison.theme;
  const Point center = point_at(beside(route.path, 0, route.head), link.head);
  comparison.drawing.disc(id + ".rim", center, 9, {theme.surface, transparent});
  comparison.drawing.disc(id + ".traveller", center, 7, {theme.accent, transparent},
                          {.title = flow_title(comparison, link), .moving = true});
}

void draw_port(Comparison& comparison, const std::string& id, const CompactPort& port,
               const Flow& flow, double byte) {
  Drawing& drawing = comparison.drawing;
  const Theme& theme = comparison.theme;
  double x = port.rect.x;
  for (const Band& band : bands_of(theme, flow)) {
    if (band.to <= band.from) continue;
    drawing.box(id + std::string(band.id),
                {x + band.from * byte, port.rect.y, (band.to - band.from) * byte, port.rect.height},
                0, {band.color, transparent});
  }
  drawing.box(id, port.rect, 2, {}, {theme.ink, 2});
}

}  // namespace

namespace {

// In the middle of a ring: what goes over a link.
void draw_middle(Comparison& comparison, const CompactStage& stage, const Rect& middle) {
  if (stage.flows.links.empty() || middle.height < 70) return;
  std::uint64_t least = stage.flows.links[0].flow.total, most = least;
  for (const LinkFlow& link : stage.flows.links) {
    least = std::min(least, link.flow.total);
    most = std::max(most, link.flow.total);
  }
  const Language& language = comparison.language;
  const std::string text = language.text(least == most ? "compare.every_link" : "compare.a_link",
                                         {{"bytes", language.bytes(most)}});
  const TextStyle bold{size::body, Face::bold, Align::center, comparison.theme.ink};
  if (comparison.drawing.width(text, bold) > middle.width) return;
  comparison.drawing.label(stage.id + ".link_bytes", middle, text, bold);
}

// What all links of a star bring together, beside its ports; where there is room at both.
void draw_port_words(Comparison& comparison, const CompactStage& stage,
                     const std::vector<CompactPort>& ports, std::int32_t root, const Rect& area) {
  Drawing& drawing = comparison.drawing;
  const auto rank = static_cast<std::size_t>(root);
  const auto words_of = [&](const CompactPort& port) {
    const Flow& flow = port.in ? stage.flows.in[rank] : stage.flows.out[rank];
    return comparison.language.text(port.in ? "compare.into_port" : "compare.out_of_port",
                                    {{"bytes", comparison.language.bytes(flow.total)}});
  };
  constexpr double gap = 12;
  TextStyle style{size::body, Face::bold, Align::left, comparison.theme.ink};
  for (const CompactPort& port : ports) {
    const double room = (port.in ? port.rect.x - area.x : area.right() - port.rect.right()) - gap;
    if (drawing.width(words_of(port), style) > room) return;
  }
  for (const CompactPort& port : ports) {
    style.align = port.in ? Align::right : Align::left;
    drawing.text(stage.id + (port.in ? ".into_port" : ".out_of_port"),
                 {port.in ? port.rect.x - gap : port.rect.right() + gap,
                  port.rect.center().y + drawing.cap_height(style) / 2 + 2},
                 words_of(port), style);
  }
}

// What is on its way lies over what has landed, and that over what is still to come.
std::vector<std::size_t> by_progress(const std::vector<LinkFlow>& links) {
  std::vector<std::size_t> order(links.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&](std::size_t link) {
    return links[link].head >= 0 ? 2 : links[link].flow.landed > 0 ? 1 : 0;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return order;
}

}  // namespace

void draw_compact_stages(Comparison& comparison, const std::vector<Rect>& areas) {
  std::vector<CompactPlaces> places;
  double byte = 1;
  for (std::size_t i = 0; i < comparison.stages.size(); ++i) {
    const CompactStage& stage = comparison.stages[i];
    places.push_back(place_cards(stage.schedule, stage.flows.links, areas[i]));
    byte = std::min(byte, widest_byte(stage.flows.links, places.back()));
  }
  for (std::size_t i = 0; i < comparison.stages.size(); ++i) {
    const CompactStage& stage = comparison.stages[i];
    if (stage.trace.opaque) continue;
    const std::vector<LinkFlow>& links = stage.flows.links;
    double rise = places[i].cards.front().y - areas[i].y - 8;
    if (places[i].kind == CompactKind::groups) rise = 30;
    const CompactLinks routed = route_links(links, places[i], byte, rise);
    for (std::size_t group = 0; group < places[i].groups.size(); ++group)
      comparison.drawing.box(stage.id + ".group" + std::to_string(group), places[i].groups[group],
                             12, {}, {comparison.theme.rule, 1.5, 6});
    for (const std::size_t link : by_progress(links))
      draw_link(comparison, stage.id + ".link" + std::to_string(link), links[link],
                routed.links[link], byte);
    for (std::size_t link = 0; link < links.size(); ++link)
      draw_traveller(comparison, stage.id + ".link" + std::to_string(link), links[link],
                     routed.links[link]);
    for (std::size_t port = 0; port < routed.ports.size(); ++port) {
      const auto root = static_cast<std::size_t>(places[i].root);
      const Flow& flow = routed.ports[port].in ? stage.flows.in[root] : stage.flows.out[root];
      draw_port(comparison, stage.id + ".port" + std::to_string(port), routed.ports[port], flow,
                byte);
    }
    draw_port_words(comparison, stage, routed.ports, places[i].root, areas[i]);
    if (places[i].kind == CompactKind::ring) draw_middle(comparison, stage, places[i].middle);
    draw_compact_cards(comparison, stage, places[i]);
  }
}

}  // namespace ringscope
