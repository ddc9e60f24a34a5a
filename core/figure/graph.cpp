#include "core/figure/graph.h"

#include <algorithm>
#include <cmath>

#include "core/figure/link_paths.h"
#include "core/figure/ring_places.h"

namespace ringscope {

std::vector<Point> between(const Rect& from, const Rect& to) {
  const Point a = from.center(), b = to.center();
  const double dx = b.x - a.x, dy = b.y - a.y;
  // The share of the way at which the line leaves a rectangle of that size about its start.
  const auto leaves = [&](const Rect& rect) {
    const double across = std::abs(dx) > 1e-9 ? rect.width / 2 / std::abs(dx) : 1e9;
    const double down = std::abs(dy) > 1e-9 ? rect.height / 2 / std::abs(dy) : 1e9;
    return std::min({across, down, 0.5});
  };
  const double start = leaves(from), end = 1 - leaves(to);
  return {{a.x + dx * start, a.y + dy * start}, {a.x + dx * end, a.y + dy * end}};
}

std::vector<Point> shifted(const std::vector<Point>& way, double by) {
  std::vector<Point> result;
  for (std::size_t i = 0; i < way.size(); ++i) {
    // The mean of the normals of the pieces before and behind, lengthened at a corner.
    Point normal{0, 0};
    int pieces = 0;
    const auto add = [&](Point from, Point to) {
      const double length = std::max(1e-9, std::hypot(to.x - from.x, to.y - from.y));
      normal.x -= (to.y - from.y) / length, normal.y += (to.x - from.x) / length;
      ++pieces;
    };
    if (i > 0) add(way[i - 1], way[i]);
    if (i + 1 < way.size()) add(way[i], way[i + 1]);
    const double square = std::max(0.25, (normal.x * normal.x + normal.y * normal.y) / pieces);
    result.push_back({way[i].x + normal.x / square * by, way[i].y + normal.y / square * by});
  }
  return result;
}

namespace {

constexpr double lane = 9;  // half of the room between the two directions of a link

struct Use {
  bool forth = false, back = false;
  std::int32_t forth_transfer = -1, back_transfer = -1;
  bool selected_forth = false, selected_back = false;
};

bool carries(const GraphLink& link, const Step& step) {
  const bool chunk =
      link.tree < 0 || (step.first_chunk <= link.tree && link.tree <= step.last_chunk);
  return chunk && ((link.src == step.src && link.dst == step.dst) ||
                   (link.src == step.dst && link.dst == step.src));
}

Use use_of(const Scene& scene, const GraphLink& link, const std::vector<Step>& steps) {
  Use use;
  for (const Step& step : steps) {
    if (!carries(link, step)) continue;
    const bool forth = step.src == link.src;
    const auto transfer = static_cast<std::int32_t>(step.transfer);
    (forth ? use.forth : use.back) = true;
    (forth ? use.forth_transfer : use.back_transfer) = transfer;
    if (is_selected(scene, step)) (forth ? use.selected_forth : use.selected_back) = true;
  }
  return use;
}

std::vector<Point> reversed(std::vector<Point> way) {
  std::reverse(way.begin(), way.end());
  return way;
}

std::vector<Point> way_of(const GraphLink& link, bool forth, bool both, double room) {
  const std::vector<Point> way = forth ? link.way : reversed(link.way);
  return both ? shifted(way, room) : way;
}

std::string id_of(const GraphLink& link, bool forth) {
  std::string id = "link" + std::to_string(forth ? link.src : link.dst) + "-" +
                   std::to_string(forth ? link.dst : link.src);
  if (link.tree >= 0) id += ".half" + std::to_string(link.tree);
  return id;
}

// Where nothing goes, what is said of one way holds for both.
void draw_way(Scene& scene, const GraphLink& link, bool forth, const std::vector<Point>& way,
              Stroke stroke, double arrow, std::int32_t transfer) {
  const std::string id = id_of(link, forth);
  const std::int32_t src = forth ? link.src : link.dst, dst = forth ? link.dst : link.src;
  const bool is_used = path_of(scene.trace, src, dst).has_value();
  const std::int32_t from = is_used ? src : dst, to = is_used ? dst : src;
  stroke.dash = link_dash(scene.trace, from, to);
  const Note note{.title = link_title(scene.trace, from, to, scene.language), .transfer = transfer};
  for (std::size_t i = 1; i < way.size(); ++i) {
    const bool last = i + 1 == way.size();
    std::string piece = id;
    if (!last) piece.append(".").append(std::to_string(i));
    scene.drawing.line(std::move(piece), way[i - 1], way[i], stroke, last ? arrow : 0, note);
  }
}

// How far beside the middle chips pass each other.
double passing_room(const std::vector<Point>& way, Size chip) {
  const double dx = std::abs(way.back().x - way[0].x), dy = std::abs(way.back().y - way[0].y);
  const double length = std::max(1e-9, std::hypot(dx, dy));
  return std::min(chip.height * length / std::max(dx, 1e-9),
                  chip.width * length / std::max(dy, 1e-9)) /
             2 +
         3;
}

// Where a chip is at a share of its way, such that it touches what stands at neither end; of a
// slanted link not even beside the end.
Point clear_point(const std::vector<Point>& way, Size chip, double share) {
  const Point from = way.front(), to = way.back();
  const double rise = std::abs(to.y - from.y);
  if (way.size() > 2 || rise < chip.height + 12 || std::abs(to.x - from.x) < 1)
    return along(way, chip, share);
  const double end = (chip.height / 2 + 6) / rise;
  const double t = end + (1 - 2 * end) * share;
  return {from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
}

}  // namespace

void draw_links(Scene& scene, const Graph& graph) {
  const Theme& theme = scene.theme;
  const std::vector<Step> steps = shown_steps(scene);
  const bool small = graph.chip.width < 40;
  for (const GraphLink& link : graph.links) {
    const Use use = use_of(scene, link, steps);
    if (!use.forth && !use.back) {
      draw_way(scene, link, true, link.way, {mix(theme.surface, theme.line, 0.65), 2}, 0, -1);
      continue;
    }
    const bool both = use.forth && use.back;
    const auto draw = [&](bool forth) {
      const bool selected = forth ? use.selected_forth : use.selected_back;
      const Stroke stroke =
          selected ? Stroke{theme.ink, small ? 6.0 : 8.0} : Stroke{theme.line, small ? 4.0 : 5.0};
      draw_way(scene, link, forth, way_of(link, forth, both, lane), stroke, small ? 14 : 20,
               forth ? use.forth_transfer : use.back_transfer);
    };
    if (use.forth) draw(true);
    if (use.back) draw(false);
  }
}

void draw_chips(Scene& scene, const Graph& graph) {
  const std::vector<Step> steps = moving_steps(scene);
  for (const GraphLink& link : graph.links) {
    const Use use = use_of(scene, link, steps);
    const bool both = use.forth && use.back;
    for (const Step& step : steps) {
      if (!carries(link, step)) continue;
      const bool forth = step.src == link.src;
      const std::vector<Point> way = way_of(link, forth, both, lane);
      const Size chip = step_chip_size(scene, step, link.chip.width > 0 ? link.chip : graph.chip);
      const std::vector<Point> passing =
          both ? way_of(link, forth, true, passing_room(way, chip)) : way;
      draw_step_chip(scene, step, clear_point(passing, chip, eased(step.fraction)), chip);
    }
  }
}

}  // namespace ringscope
