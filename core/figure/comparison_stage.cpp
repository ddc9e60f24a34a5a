// The cards and links of the stages that are compared. A link is as wide as the bytes that go over
// it, on one scale for all stages.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "core/figure/cells.h"
#include "core/figure/comparison_parts.h"

namespace ringscope {

std::vector<Band> bands_of(const Theme& theme, const Flow& flow) {
  const auto total = static_cast<double>(flow.total), added = static_cast<double>(flow.added);
  const auto landed = static_cast<double>(flow.landed);
  std::vector<Band> bands;
  const auto add = [&](double from, double to, Color color, bool moving = false) {
    if (to > from) bands.push_back({from, to, color, moving});
  };
  add(0, added, theme.phase_even);
  add(added, total, theme.phase_odd);
  add(0, landed, theme.ink);
  add(landed, std::min(total, landed + flow.moving), theme.accent, true);
  return bands;
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
  std::size_t number = 0;
  for (const Band& band : bands_of(theme, link.flow)) {
    const double from = band.from / total * width, to = band.to / total * width;
    drawing.path(id + ".band" + std::to_string(number++),
                 beside(route.path, (from + to) / 2 - width / 2, route.head), false, {},
                 {band.color, to - from, 0}, {.title = title});
  }
  if (route.head > 0) {
    const bool moving = link.head >= 0, begun = link.flow.landed > 0;
    draw_head(drawing, id + ".head", route.path, route.head, width,
              moving  ? theme.accent
              : begun ? theme.ink
                      : mix(theme.surface, theme.line, 0.55),
              moving  ? theme.accent
              : begun ? theme.ink
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
  comparison.drawing.disc(id + ".moving", center, 7, {theme.accent, transparent},
                          {.title = flow_title(comparison, link), .moving = true});
}

void draw_port(Comparison& comparison, const std::string& id, const CompactPort& port,
               const Flow& flow, double byte) {
  Drawing& drawing = comparison.drawing;
  const Theme& theme = comparison.theme;
  double x = port.rect.x;
  std::size_t number = 0;
  for (const Band& band : bands_of(theme, flow))
    drawing.box(id + ".band" + std::to_string(number++),
                {x + band.from * byte, port.rect.y, (band.to - band.from) * byte, port.rect.height},
                0, {band.color, transparent});
  drawing.box(id, port.rect, 2, {}, {theme.ink, 2});
}

}  // namespace

namespace {

// [rank][contributor]: the share of the buffer's elements at `rank` whose sum holds that term.
using Held = std::vector<std::vector<double>>;

Held held_shares(const CompactStage& stage) {
  const Schedule& schedule = stage.schedule;
  const auto ranks = static_cast<std::size_t>(schedule.ranks);
  const std::int32_t cells = cells_per_rank(schedule);
  const std::vector<std::uint64_t> begins = cell_begins(schedule);
  Held held(ranks, std::vector<double>(ranks, 0));
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    // Slices of one step hold the same terms, so that each step is asked for once.
    std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t>, std::vector<std::int32_t>> known;
    for (std::int32_t cell = 0; cell < cells; ++cell) {
      const std::int32_t chunk = cell / schedule.slices;
      const auto place = rank * static_cast<std::size_t>(cells) + static_cast<std::size_t>(cell);
      const std::int32_t writer = stage.state.last_writer[place];
      std::vector<std::int32_t> own;
      const std::vector<std::int32_t>* terms = &own;
      if (writer < 0) {
        const std::int32_t first =
            schedule.initial[rank * static_cast<std::size_t>(schedule.chunks) +
                             static_cast<std::size_t>(chunk)];
        if (first != nothing) own.push_back(first);
      } else {
        const Transfer& transfer = schedule.transfers[static_cast<std::size_t>(writer)];
        const auto [found, is_new] =
            known.try_emplace({transfer.round, transfer.src, chunk}, std::vector<std::int32_t>{});
        if (is_new) found->second = stage.replay.after(static_cast<std::uint32_t>(writer));
        terms = &found->second;
      }
      const auto at = static_cast<std::size_t>(cell);
      const double share = schedule.count > 0 ? static_cast<double>(begins[at + 1] - begins[at]) /
                                                    static_cast<double>(schedule.count)
                                              : 1.0 / cells;
      for (const std::int32_t term : *terms) held[rank][static_cast<std::size_t>(term)] += share;
    }
  }
  return held;
}

void draw_held(Comparison& comparison, const std::string& id, const Rect& area,
               const std::vector<double>& shares, bool complete) {
  Drawing& drawing = comparison.drawing;
  const Theme& theme = comparison.theme;
  const auto n = static_cast<double>(shares.size());
  const double gap = complete || area.width / n < 9 ? 0 : area.width / n < 16 ? 2 : 4;
  const double width = (area.width - gap * (n - 1)) / n;
  for (std::size_t term = 0; term < shares.size(); ++term) {
    const std::string slot = id + ".slot" + std::to_string(term);
    const Rect rect{area.x + static_cast<double>(term) * (width + gap), area.y, width, area.height};
    const double share = std::min(1.0, shares[term]);
    const Fill fill = rank_fill(theme, static_cast<int>(term));
    if (share > 0.999) {
      drawing.box(slot, rect, 0, fill, {theme.ink, complete ? 0.0 : 1.0});
      continue;
    }
    drawing.box(slot, rect, 0, {theme.cell, transparent}, {theme.rule, 1});
    if (share > 0)
      drawing.box(slot + ".part",
                  {rect.x, rect.bottom() - rect.height * share, rect.width, rect.height * share}, 0,
                  fill, {theme.ink, 1});
  }
  if (complete) drawing.box(id + ".band", area, 0, {}, {theme.ink, 2});
}

bool is_complete(const CompactStage& stage, std::int32_t rank) {
  const Schedule& schedule = stage.schedule;
  for (std::int32_t chunk = 0; chunk < schedule.chunks; ++chunk) {
    const auto goal = schedule.goal[static_cast<std::size_t>(rank * schedule.chunks + chunk)];
    if (goal == do_not_care) continue;
    const Holding holding = stage.replay.cell(stage.state, rank, chunk).holding;
    if (holding != Holding::complete) return false;
  }
  return true;
}

void draw_cards(Comparison& comparison, const CompactStage& stage, const CompactPlaces& places) {
  Drawing& drawing = comparison.drawing;
  const Theme& theme = comparison.theme;
  const Held held = held_shares(stage);
  for (std::int32_t rank = 0; rank < stage.schedule.ranks; ++rank) {
    const Rect& card = places.cards[static_cast<std::size_t>(rank)];
    const std::string id = stage.id + ".rank" + std::to_string(rank);
    const bool complete = is_complete(stage, rank) && stage.schedule.ranks > 0;
    const double stripe = card.width > 90 ? 8 : 5;
    drawing.box(id, card, 8, {theme.card, transparent},
                {complete ? theme.ink : theme.rule, complete ? 3.0 : 1.5});
    drawing.box(id + ".stripe", {card.x, card.y, stripe, card.height}, 3, rank_fill(theme, rank),
                {theme.ink, 1});
    const double margin = card.width > 90 ? 12 : 6;
    const Rect inner{card.x + stripe + margin, card.y, card.width - stripe - 2 * margin,
                     card.height};
    const TextStyle style{size::body, Face::bold, Align::left, theme.ink};
    const double check = 20;
    std::string name = comparison.language.text("view.gpu", {{"rank", std::to_string(rank)}});
    if (drawing.width(name, style) + check + 8 > inner.width) name = std::to_string(rank);
    const bool tall = card.height >= 72;
    const double slots = tall ? 24 : 12;
    const double base = tall ? card.y + 36 : card.y + (card.height - slots - 6) / 2 + 9;
    drawing.text(id + ".name", {inner.x, base}, name, style);
    if (complete && drawing.width(name, style) + check + 6 <= inner.width)
      draw_check(drawing, id + ".check", {inner.right() - check / 2, base - 9}, check, theme.ink);
    draw_held(comparison, id + ".held",
              {inner.x, card.bottom() - slots - (tall ? 14 : 6), inner.width, slots},
              held[static_cast<std::size_t>(rank)], complete);
  }
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

// What all links of a star bring together, beside its ports.
void draw_port_words(Comparison& comparison, const CompactStage& stage, const CompactPort& port,
                     const Rect& area, std::uint64_t bytes) {
  Drawing& drawing = comparison.drawing;
  const std::string text =
      comparison.language.text(port.in ? "compare.into_port" : "compare.out_of_port",
                               {{"bytes", comparison.language.bytes(bytes)}});
  const TextStyle style{size::body, Face::bold, port.in ? Align::right : Align::left,
                        comparison.theme.ink};
  const double x = port.in ? port.rect.x - 12 : port.rect.right() + 12;
  const double room = port.in ? x - area.x : area.right() - x;
  if (drawing.width(text, style) > room) return;
  drawing.text(stage.id + (port.in ? ".into_port" : ".out_of_port"),
               {x, port.rect.center().y + drawing.cap_height(style) / 2 + 2}, text, style);
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
    const std::vector<LinkFlow>& links = stage.flows.links;
    double rise = places[i].cards.front().y - areas[i].y - 8;
    if (places[i].kind == CompactKind::groups) rise = 30;
    const CompactLinks routed = route_links(links, places[i], byte, rise);
    for (std::size_t group = 0; group < places[i].groups.size(); ++group)
      comparison.drawing.box(stage.id + ".group" + std::to_string(group), places[i].groups[group],
                             12, {}, {comparison.theme.rule, 1.5, 6});
    for (std::size_t link = 0; link < links.size(); ++link)
      draw_link(comparison, stage.id + ".link" + std::to_string(link), links[link],
                routed.links[link], byte);
    for (std::size_t link = 0; link < links.size(); ++link)
      draw_traveller(comparison, stage.id + ".link" + std::to_string(link), links[link],
                     routed.links[link]);
    for (std::size_t port = 0; port < routed.ports.size(); ++port) {
      const auto root = static_cast<std::size_t>(stage.counts.busiest_rank);
      const Flow& flow = routed.ports[port].in ? stage.flows.in[root] : stage.flows.out[root];
      draw_port(comparison, stage.id + ".port" + std::to_string(port), routed.ports[port], flow,
                byte);
      draw_port_words(comparison, stage, routed.ports[port], areas[i], flow.total);
    }
    if (places[i].kind == CompactKind::ring) draw_middle(comparison, stage, places[i].middle);
    draw_cards(comparison, stage, places[i]);
  }
}

}  // namespace ringscope
