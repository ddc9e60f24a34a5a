// The ring: ranks clockwise, GPU 0 top left; how much a card shows depends on how many there are.
// Also what goes along a ring in another way: in both directions at once, or whole buffers in a
// chain.
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "core/figure/graph.h"
#include "core/figure/link_paths.h"
#include "core/figure/nodes.h"
#include "core/figure/ring_cards.h"
#include "core/figure/ring_places.h"
#include "core/figure/view_fits.h"
#include "core/schedule/opaque.h"

namespace ringscope {
namespace {

// Ring order; every other schedule has its ranks in the order of their numbers.
std::vector<std::int32_t> ranks_by_place(const Schedule& schedule) {
  if (!schedule.order.empty()) return schedule.order;
  std::vector<std::int32_t> ranks(static_cast<std::size_t>(schedule.ranks));
  for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = static_cast<std::int32_t>(i);
  return ranks;
}

std::vector<std::size_t> places_by_rank(const std::vector<std::int32_t>& ranks) {
  std::vector<std::size_t> places(ranks.size());
  for (std::size_t place = 0; place < ranks.size(); ++place)
    places[static_cast<std::size_t>(ranks[place])] = place;
  return places;
}

// Half of the buffer goes the other way.
bool both_ways(const Schedule& schedule) {
  return schedule.ranks > 1 && schedule.chunks == 2 * schedule.ranks;
}

// From the rank in a place to the next one, or back to the one before.
struct Direction {
  std::size_t link = 0;
  bool back = false;
};

constexpr double lane = 9;  // half of what lies between the two directions of a link

std::vector<Point> way_of(const RingPlaces& places, const Direction& direction, double by) {
  std::vector<Point> way = places.links[direction.link];
  if (direction.back) std::reverse(way.begin(), way.end());
  return by == 0 ? way : shifted(way, by);
}

// Nothing goes along a link that is thin: on the measured clock, or beside the one of a chain that
// is in use.
void draw_way(Scene& scene, const std::string& id, const std::vector<Point>& way, std::int32_t src,
              std::int32_t dst, const Step* step) {
  const bool selected = step && is_selected(scene, *step);
  const bool is_thin = !step && (scene.state.measured ||
                                 (scene.schedule.chunks == 1 && scene.state.cursor.round > 0));
  Stroke stroke = selected  ? Stroke{scene.theme.ink, 8}
                  : is_thin ? Stroke{scene.theme.line, 2}
                            : Stroke{scene.theme.line, 5};
  stroke.dash = link_dash(scene.trace, src, dst);
  const Note note{.title = link_title(scene.trace, src, dst, scene.language),
                  .transfer = step ? static_cast<std::int32_t>(step->transfer) : -1};
  for (std::size_t i = 1; i < way.size(); ++i) {
    const bool last = i + 1 == way.size();
    std::string piece = id;
    if (!last) piece.append(".").append(std::to_string(i));
    scene.drawing.line(std::move(piece), way[i - 1], way[i], stroke, last ? (is_thin ? 14 : 20) : 0,
                       note);
  }
}

// Where a step goes; nothing where it does not go along the ring.
std::optional<Direction> direction_of(const Scene& scene, const RingPlaces& places,
                                      const std::vector<std::size_t>& place_of, const Step& step) {
  const std::size_t all = places.links.size();
  if (all == 0) return std::nullopt;
  const std::size_t src = place_of[static_cast<std::size_t>(step.src)];
  const std::size_t dst = place_of[static_cast<std::size_t>(step.dst)];
  const bool back = both_ways(scene.schedule) && step.first_chunk >= scene.schedule.ranks;
  if (!back && (src + 1) % all == dst) return Direction{src, false};
  if (back && (dst + 1) % all == src) return Direction{dst, true};
  return std::nullopt;
}

// A chain has no link from its last rank to its first one.
bool ends_between(const Schedule& schedule, std::int32_t src, std::int32_t dst) {
  return schedule.chunks == 1 && std::none_of(schedule.transfers.begin(), schedule.transfers.end(),
                                              [&](const Transfer& transfer) {
                                                return transfer.src == src && transfer.dst == dst;
                                              });
}

void draw_links(Scene& scene, const RingPlaces& places, const std::vector<std::int32_t>& ranks) {
  const std::vector<std::size_t> place_of = places_by_rank(ranks);
  const std::vector<Step> steps = shown_steps(scene);
  const bool both = both_ways(scene.schedule);
  const auto step_on = [&](const Direction& way) -> const Step* {
    for (const Step& step : steps) {
      const auto direction = direction_of(scene, places, place_of, step);
      if (direction && direction->link == way.link && direction->back == way.back) return &step;
    }
    return nullptr;
  };
  for (std::size_t place = 0; place < places.links.size(); ++place) {
    const std::int32_t next = ranks[(place + 1) % ranks.size()];
    if (ends_between(scene.schedule, ranks[place], next)) continue;
    const std::string id = "link" + std::to_string(ranks[place]);
    draw_way(scene, id, way_of(places, {place, false}, both ? lane : 0), ranks[place], next,
             step_on({place, false}));
    if (both)
      draw_way(scene, id + ".back", way_of(places, {place, true}, lane), next, ranks[place],
               step_on({place, true}));
  }
}

// What travels. Where things go both ways, beside the middle, so that they pass each other.
using DrawChip = std::function<void(const Step& step, Point center, bool lying)>;
void draw_chips(Scene& scene, const RingPlaces& places, const std::vector<std::size_t>& place_of,
                const std::function<Size(bool lying)>& chip_size, bool may_lie,
                const DrawChip& draw) {
  const bool both = both_ways(scene.schedule);
  for (const Step& step : moving_steps(scene)) {
    const auto direction = direction_of(scene, places, place_of, step);
    if (!direction) continue;
    const std::vector<Point> link = places.links[direction->link];
    const bool upright = std::abs(link[0].x - link[1].x) < 1;
    const bool lying = may_lie && upright;
    const Size size = step_chip_size(scene, step, chip_size(lying));
    const double room = (upright ? size.width : size.height) / 2 + 3;
    draw(step, along(way_of(places, *direction, both ? room : 0), size, eased(step.fraction)),
         lying);
  }
}

void draw_cells_ring(Scene& scene, const CellsLook& look) {
  const Schedule& schedule = scene.schedule;
  const std::vector<std::int32_t> ranks = ranks_by_place(schedule);
  const RingPlaces places = place_ring(schedule.ranks, scene.inside(), look.card);
  draw_links(scene, places, ranks);
  for (std::size_t place = 0; place < ranks.size(); ++place)
    draw_cells_card(scene, ranks[place], places.cards[place], look);
  Rect middle = places.middle;
  // Half a card to the links, half a chip where any is on its way.
  const double chips = scene.state.moving.empty() ? 16 : look.chip.width / 2 + 20;
  const double side = schedule.ranks <= 2 ? 120 : look.card.width / 2 + chips;
  middle = {middle.x + side, middle.y, middle.width - 2 * side, middle.height};
  draw_heading(scene, middle);
  draw_chips(
      scene, places, places_by_rank(ranks), [&](bool) { return look.chip; }, false,
      [&](const Step& step, Point center, bool) {
        draw_step_chip(scene, step, center, look.chip);
      });
}

void draw_columns_ring(Scene& scene, const ColumnsLook& look) {
  const Schedule& schedule = scene.schedule;
  const std::vector<std::int32_t> ranks = ranks_by_place(schedule);
  const Rect area = scene.inside();
  const Sides sides = sides_of(schedule.ranks);
  const RingPlaces places = place_ring(schedule.ranks, area, look.card);
  draw_links(scene, places, ranks);
  for (std::size_t place = 0; place < ranks.size(); ++place)
    draw_columns_card(scene, ranks[place], places.cards[place], look);
  // Two that pass each other have to be lower than a column.
  const bool both = both_ways(schedule);
  const Size small = sides.top <= 2 ? Size{80, 58} : Size{44, 34};
  // Half a card to the links, and what is on its way there.
  const double side = sides.right > 0 ? 60 : look.card.width / 2 + (both ? small.width + 14 : 44);
  draw_heading(scene, {places.middle.x + side, places.middle.y, places.middle.width - 2 * side,
                       places.middle.height});
  draw_chips(
      scene, places, places_by_rank(ranks),
      [&](bool lying) { return both ? small : column_chip_size(scene, look.column, lying); },
      sides.rows() > 2,
      [&](const Step& step, Point center, bool lying) {
        if (both) return draw_step_chip(scene, step, center, small);
        draw_column_chip(scene, step.transfer, center, look.column, lying);
      });
}

// Whole buffers along a chain, and two ranks that exchange both halves: cards of any form.
void draw_nodes_ring(Scene& scene) {
  const Schedule& schedule = scene.schedule;
  const std::vector<std::int32_t> ranks = ranks_by_place(schedule);
  const Rect area = scene.inside();
  const Sides sides = sides_of(schedule.ranks);
  const double gap = sides.top <= 3 ? 190 : sides.top <= 5 ? 72 : 44;
  const NodeLook look =
      node_look(scene,
                {std::min(schedule.ranks == 2 ? 620.0 : 420.0,
                          (area.width - (sides.top - 1) * gap) / sides.top),
                 sides.rows() <= 2 ? std::min(schedule.ranks == 2 ? 330.0 : 250.0,
                                              (area.height - least_heading) / sides.rows())
                                   : (area.height - (sides.rows() - 1) * 44) / sides.rows()},
                schedule.chunks);
  RingPlaces places = place_ring(schedule.ranks, area, look.card);
  const bool both = both_ways(schedule);
  if (!both && schedule.ranks == 2) places.links = {{places.links[0]}, {places.links[1]}};
  const std::vector<std::size_t> place_of = places_by_rank(ranks);
  draw_links(scene, places, ranks);
  for (const std::int32_t rank : ranks)
    draw_node(scene, node_of(scene, rank, places.cards[place_of[static_cast<std::size_t>(rank)]]),
              look);
  const double side = schedule.ranks <= 2 ? 120 : sides.right > 0 ? 40 : look.card.width / 2 + 90;
  draw_heading(scene, {places.middle.x + side, places.middle.y, places.middle.width - 2 * side,
                       places.middle.height});
  const Size chip = both             ? Size{46, 34}
                    : sides.top <= 3 ? Size{124, 60}
                    : sides.top <= 5 ? Size{44, 34}
                                     : Size{12, 12};
  draw_chips(
      scene, places, place_of, [&](bool) { return chip; }, false,
      [&](const Step& step, Point center, bool) { draw_step_chip(scene, step, center, chip); });
}

// A ring of more than 64 cards nobody could read.
void draw_shades_only(Scene& scene) { draw_shades(scene, draw_heading_row(scene, scene.inside())); }

void draw_bars_ring(Scene& scene) {
  const Schedule& schedule = scene.schedule;
  if (scene.cells.empty()) return draw_shades_only(scene);
  const std::vector<std::int32_t> ranks = ranks_by_place(schedule);
  const Rect area = scene.inside();
  const Sides sides = sides_of(schedule.ranks);
  BarsLook look = bars_look(schedule, area.width, area.height, sides.top, sides.rows());
  if (both_ways(schedule) && look.card.height < 2 * look.chip.height - 16) look.chip = {12, 12};
  constexpr double least_card = 30;  // that holds a number
  if (look.card.height < least_card || look.card.width < least_card) return draw_shades_only(scene);
  const RingPlaces places = place_ring(schedule.ranks, area, look.card);
  draw_links(scene, places, ranks);
  for (std::size_t place = 0; place < ranks.size(); ++place) {
    if (look.bars)
      draw_bars_card(scene, ranks[place], places.cards[place]);
    else
      draw_node(scene, node_of(scene, ranks[place], places.cards[place]),
                {.form = NodeForm::number, .card = look.card});
  }
  // With no cards at the sides, links are there.
  const double side = sides.right > 0 ? 16 : look.card.width / 2 + 40;
  const Rect middle{places.middle.x + side, places.middle.y + 16, places.middle.width - 2 * side,
                    places.middle.height - 32};
  const double heading = heading_height(scene, middle.width);
  constexpr double least_shades = 140;
  if (middle.height - heading - 24 < least_shades) {
    draw_heading(scene, middle);
  } else {
    draw_heading(scene, {middle.x, middle.y, middle.width, heading});
    draw_shades(scene,
                {middle.x, middle.y + heading + 24, middle.width, middle.height - heading - 24});
  }
  draw_chips(
      scene, places, places_by_rank(ranks), [&](bool) { return look.chip; }, false,
      [&](const Step& step, Point center, bool) {
        draw_number_chip(scene, step.transfer, center, look);
      });
}

}  // namespace

bool fits_ring(const Schedule& schedule) {
  if (is_opaque(schedule)) return false;
  if (schedule.order.size() != static_cast<std::size_t>(schedule.ranks)) return false;
  if (schedule.chunks == schedule.ranks || schedule.ranks == 1) return true;
  return (both_ways(schedule) || schedule.chunks == 1) && schedule.ranks <= 32;
}

Figure draw_ring(const ViewContext& context, const ReplayState& state) {
  // With less room three or four GPUs would no longer show their sums.
  constexpr Size least_of_four{1062, 572};
  const std::int32_t all = context.replay.trace().schedule.ranks;
  const Size least = all == 3 || all == 4 ? least_of_four : least_stage_of(context, 2);
  Scene scene(context, state, fit_stage(context, least, true));
  const std::int32_t ranks = scene.schedule.ranks, chunks = scene.schedule.chunks;
  const Size room{scene.inside().width, scene.inside().height};
  const Sides sides = sides_of(ranks);
  if (ranks > 1 && (chunks == 1 || (ranks == 2 && chunks == 4)))
    draw_nodes_ring(scene);
  else if (const auto cells =
               ranks <= 4 && chunks <= 4 ? cells_look(scene.schedule, room) : std::nullopt)
    draw_cells_ring(scene, *cells);
  else if (const auto columns = ranks <= 12 && chunks <= 12
                                    ? columns_look(scene, room, sides.top, sides.rows())
                                    : std::nullopt)
    draw_columns_ring(scene, *columns);
  else
    draw_bars_ring(scene);
  draw_foot(scene);
  return std::move(scene.drawing).finish(scene.theme.surface);
}

}  // namespace ringscope
