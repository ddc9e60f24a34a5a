// The ring: ranks clockwise, GPU 0 top left; how much a card shows depends on how many there are.
#include <algorithm>
#include <array>
#include <functional>

#include "core/figure/cells.h"
#include "core/figure/ring_cards.h"
#include "core/figure/ring_places.h"

namespace ringscope {
namespace {

constexpr double margin_x = 32, margin_y = 20;

Rect ring_area(const Scene& scene) {
  return {margin_x, margin_y, scene.stage.width - 2 * margin_x, scene.stage.height - 2 * margin_y};
}

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

void draw_links(Scene& scene, const RingPlaces& places, const std::vector<std::int32_t>& ranks) {
  for (std::size_t place = 0; place < places.links.size(); ++place) {
    const std::vector<Point>& link = places.links[place];
    const std::string id = "link" + std::to_string(ranks[place]);
    for (std::size_t i = 1; i < link.size(); ++i) {
      const bool last = i + 1 == link.size();
      std::string piece = id;
      if (!last) piece.append(".").append(std::to_string(i));
      scene.drawing.line(std::move(piece), link[i - 1], link[i], {scene.theme.line, 5},
                         last ? 20 : 0);
    }
  }
}

// A chip for each chunk on its way, of several slices the first that is not empty.
using DrawChip = std::function<void(std::uint32_t transfer, Point center, bool lying)>;
void draw_chips(Scene& scene, const RingPlaces& places, const std::vector<std::size_t>& place_of,
                const std::function<Size(bool lying)>& chip_size, bool may_lie,
                const DrawChip& draw) {
  std::vector<std::int32_t> drawn(places.links.size(), -1);
  for (const Motion& motion : scene.state.moving) {
    const Transfer& transfer = scene.schedule.transfers[motion.transfer];
    const std::size_t place = place_of[static_cast<std::size_t>(transfer.src)];
    if (place >= places.links.size() || drawn[place] == scene.chunk_of(motion.transfer)) continue;
    if ((place + 1) % places.links.size() != place_of[static_cast<std::size_t>(transfer.dst)])
      continue;
    const std::int32_t chunk = scene.chunk_of(motion.transfer);
    if (transfer_extent(scene.schedule, transfer).count == 0 &&
        chunk_extent(scene.schedule, chunk).count > 0)
      continue;
    drawn[place] = chunk;
    const std::vector<Point>& link = places.links[place];
    const bool upright = std::abs(link[0].x - link[1].x) < 1;
    const bool lying = may_lie && upright;
    const Size size = chip_size(lying);
    draw(motion.transfer, along(link, size, eased(motion.fraction)), lying);
  }
}

void draw_cells_ring(Scene& scene) {
  const Schedule& schedule = scene.schedule;
  const std::vector<std::int32_t> ranks = ranks_by_place(schedule);
  const CellsLook look = cells_look(schedule);
  const RingPlaces places = place_ring(schedule.ranks, ring_area(scene), look.card);
  draw_links(scene, places, ranks);
  for (std::size_t place = 0; place < ranks.size(); ++place)
    draw_cells_card(scene, ranks[place], places.cards[place], look);
  Rect middle = places.middle;
  // Half a card to the links, half a chip where any is on its way.
  const Size chip = chip_size(schedule);
  const double chips = scene.state.moving.empty() ? 16 : chip.width / 2 + 20;
  const double side = schedule.ranks <= 2 ? 120 : look.card.width / 2 + chips;
  middle = {middle.x + side, middle.y, middle.width - 2 * side, middle.height};
  draw_heading(scene, middle);
  draw_chips(
      scene, places, places_by_rank(ranks), [&](bool) { return chip; }, false,
      [&](std::uint32_t transfer, Point center, bool) {
        draw_chip(scene, transfer, center, chip);
      });
}

void draw_columns_ring(Scene& scene) {
  const Schedule& schedule = scene.schedule;
  const std::vector<std::int32_t> ranks = ranks_by_place(schedule);
  const Rect area = ring_area(scene);
  const Sides sides = sides_of(schedule.ranks);
  const ColumnsLook look = columns_look(scene, area.width, area.height, sides.top, sides.rows());
  const RingPlaces places = place_ring(schedule.ranks, area, look.card);
  draw_links(scene, places, ranks);
  for (std::size_t place = 0; place < ranks.size(); ++place)
    draw_columns_card(scene, ranks[place], places.cards[place], look);
  const double side = sides.right > 0 ? 60 : 260;
  draw_heading(scene, {places.middle.x + side, places.middle.y, places.middle.width - 2 * side,
                       places.middle.height});
  draw_chips(
      scene, places, places_by_rank(ranks),
      [&](bool lying) { return column_chip_size(scene, look.column, lying); }, sides.rows() > 2,
      [&](std::uint32_t transfer, Point center, bool lying) {
        draw_column_chip(scene, transfer, center, look.column, lying);
      });
}

// A ring of more than 64 cards nobody could read.
void draw_shades_only(Scene& scene) {
  const Rect area = ring_area(scene);
  draw_heading_row(scene, {area.x, area.y, area.width, heading_row_height});
  draw_shades(scene,
              {area.x, area.y + heading_row_height, area.width, area.height - heading_row_height});
}

void draw_bars_ring(Scene& scene) {
  const Schedule& schedule = scene.schedule;
  if (scene.cells.empty()) return draw_shades_only(scene);
  const std::vector<std::int32_t> ranks = ranks_by_place(schedule);
  const Rect area = ring_area(scene);
  const Sides sides = sides_of(schedule.ranks);
  const BarsLook look = bars_look(schedule, area.width, area.height, sides.top, sides.rows());
  const RingPlaces places = place_ring(schedule.ranks, area, look.card);
  draw_links(scene, places, ranks);
  for (std::size_t place = 0; place < ranks.size(); ++place)
    draw_bars_card(scene, ranks[place], places.cards[place], look);
  const Rect middle = inset(places.middle, 16);
  const double heading = heading_height(scene, middle.width);
  draw_heading(scene, {middle.x, middle.y, middle.width, heading});
  draw_shades(scene,
              {middle.x, middle.y + heading + 24, middle.width, middle.height - heading - 24});
  draw_chips(
      scene, places, places_by_rank(ranks), [&](bool) { return look.chip; }, false,
      [&](std::uint32_t transfer, Point center, bool) {
        draw_number_chip(scene, transfer, center, look);
      });
}

}  // namespace

Figure draw_ring(const ViewContext& context, const ReplayState& state) {
  Scene scene(context, state, stage_unit(context));
  const std::int32_t ranks = scene.schedule.ranks, chunks = scene.schedule.chunks;
  if (ranks <= 4 && chunks <= 4)
    draw_cells_ring(scene);
  else if (ranks <= 12 && chunks <= 12)
    draw_columns_ring(scene);
  else
    draw_bars_ring(scene);
  draw_foot(scene);
  return std::move(scene.drawing).finish(scene.theme.surface);
}

}  // namespace ringscope
