#include "core/figure/compact_places.h"

#include <algorithm>
#include <cmath>

#include "core/figure/ring_places.h"

namespace ringscope {
namespace {

std::size_t at(std::int32_t rank) { return static_cast<std::size_t>(rank); }

// [rank]: where it stands in the ring.
std::vector<std::int32_t> places_of(const Schedule& schedule) {
  std::vector<std::int32_t> places(schedule.order.size());
  for (std::size_t place = 0; place < places.size(); ++place)
    places[at(schedule.order[place])] = static_cast<std::int32_t>(place);
  return places;
}

bool joins_neighbours(const Schedule& schedule, std::span<const LinkFlow> links) {
  const std::vector<std::int32_t> places = places_of(schedule);
  const std::int32_t n = schedule.ranks;
  return std::all_of(links.begin(), links.end(), [&](const LinkFlow& link) {
    const std::int32_t step = (places[at(link.dst)] - places[at(link.src)] + n) % n;
    return step == 1 || step == n - 1;
  });
}

// The rank in which all links end; -1: there is none.
std::int32_t root_of(const Schedule& schedule, std::span<const LinkFlow> links) {
  if (links.empty()) return -1;
  // Of two ranks it is the one that adds.
  for (const std::int32_t rank : {schedule.transfers.front().dst, schedule.transfers.front().src})
    if (std::all_of(links.begin(), links.end(),
                    [&](const LinkFlow& link) { return link.src == rank || link.dst == rank; }))
      return rank;
  return -1;
}

double spread(double first, double last, std::size_t i, std::size_t count) {
  return count <= 1
             ? (first + last) / 2
             : first + (last - first) * static_cast<double>(i) / static_cast<double>(count - 1);
}

}  // namespace

CompactKind compact_kind(const Schedule& schedule, std::span<const LinkFlow> links) {
  if (schedule.ranks == 1) return CompactKind::ring;
  if (!schedule.order.empty() && joins_neighbours(schedule, links)) return CompactKind::ring;
  if (schedule.algorithm == "tree") return CompactKind::tree;
  if (schedule.algorithm == "hierarchical" && groups_of(schedule).size() > 1)
    return CompactKind::groups;
  const bool shares_port = schedule.ranks > 2 || schedule.algorithm == "parameter-server";
  return shares_port && root_of(schedule, links) >= 0 ? CompactKind::star : CompactKind::row;
}

namespace {

constexpr double tallest_card = 104;

void place_ring_cards(const Schedule& schedule, const Rect& area, CompactPlaces& places) {
  const Sides sides = sides_of(schedule.ranks);
  const double columns = std::max(sides.top, 2), rows = sides.rows();
  const double gap_x = area.width > 700 ? 56 : 44, gap_y = rows > 2 ? 32 : 60;
  const Size card{std::min(176.0, std::floor((area.width - (columns - 1) * gap_x) / columns)),
                  std::min(tallest_card, std::floor((area.height - (rows - 1) * gap_y) / rows))};
  const RingPlaces ring = place_ring(schedule.ranks, area, card);
  places.cards.resize(at(schedule.ranks));
  for (std::size_t place = 0; place < ring.cards.size(); ++place)
    places.cards[schedule.order.empty() ? place : at(schedule.order[place])] = ring.cards[place];
  places.middle = {ring.middle.x + 24, ring.middle.y, ring.middle.width - 48, ring.middle.height};
}

void place_star_cards(const Schedule& schedule, std::span<const LinkFlow> links, const Rect& area,
                      CompactPlaces& places) {
  const std::int32_t root = places.root = root_of(schedule, links);
  const double height = std::min(tallest_card, std::floor(area.height * 0.3));
  const double gap = schedule.ranks > 9 && area.width < 700 ? 3 : schedule.ranks > 9 ? 8 : 12;
  const double pitch = (area.width + gap) / std::max(1, schedule.ranks - 1);
  const double width = std::min(150.0, pitch - gap);
  std::size_t member = 0;
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    if (rank == root) {
      const double root_width = std::min(320.0, area.width * 0.42);
      places.cards.push_back({area.center().x - root_width / 2, area.y, root_width, height});
      continue;
    }
    const double middle = area.x - gap / 2 + pitch * (static_cast<double>(member++) + 0.5);
    places.cards.push_back({middle - width / 2, area.bottom() - height, width, height});
  }
}

// Leaves side by side, every parent over the middle of its children.
void place_tree_cards(const Schedule& schedule, const Rect& area, CompactPlaces& places) {
  const std::int32_t n = schedule.ranks;
  places.root = 0;
  std::vector<double> middles(at(n));
  double leaves = 0;
  const auto place = [&](const auto& self, std::int32_t rank) -> void {
    const std::int32_t left = 2 * rank + 1, right = left + 1;
    if (left >= n) {
      middles[at(rank)] = 0.5 + leaves++;
      return;
    }
    self(self, left);
    if (right < n) self(self, right);
    middles[at(rank)] =
        right < n ? (middles[at(left)] + middles[at(right)]) / 2 : middles[at(left)];
  };
  place(place, 0);
  const auto depth_of = [](std::int32_t rank) {
    std::size_t depth = 0;
    for (; rank > 0; rank = (rank - 1) / 2) ++depth;
    return depth;
  };
  const std::size_t layers = depth_of(n - 1) + 1;
  constexpr double lowest_card = 46;
  const double pitch = area.width / leaves;
  const double gap = std::clamp((area.height - lowest_card * static_cast<double>(layers)) /
                                    std::max(1.0, static_cast<double>(layers - 1)),
                                30.0, 64.0);
  const double height =
      std::min(tallest_card - 16, std::floor((area.height - gap * static_cast<double>(layers - 1)) /
                                             static_cast<double>(layers)));
  const double width = std::min(150.0, pitch - 12);
  for (std::int32_t rank = 0; rank < n; ++rank)
    places.cards.push_back({area.x + middles[at(rank)] * pitch - width / 2,
                            spread(area.y, area.bottom() - height, depth_of(rank), layers), width,
                            height});
}

void place_group_cards(const Schedule& schedule, const Rect& area, CompactPlaces& places) {
  const std::vector<std::int32_t> groups = groups_of(schedule);
  const auto columns_of = [](std::int32_t size) { return std::max(1.5, size - 1.0); };
  double columns = 0;
  for (const std::int32_t size : groups) columns += columns_of(size);
  const bool narrow = area.width < 700;
  const double between = narrow ? 24 : 28, padding = narrow ? 4 : 10, gap = narrow ? 3 : 8;
  constexpr double above = 44;
  const double unit = (area.width - between * static_cast<double>(groups.size() - 1)) / columns;
  const double height = std::min(tallest_card - 16, std::floor((area.height - above - 80) / 2));
  const double members_y = area.bottom() - padding - height;
  double x = area.x;
  for (const std::int32_t size : groups) {
    const double width = columns_of(size) * unit;
    const double leader = std::min(150.0, width - 2 * padding);
    places.groups.push_back({x, area.y + above, width, area.height - above});
    places.cards.push_back({x + width / 2 - leader / 2, area.y + above + padding, leader, height});
    const double pitch = (width - 2 * padding + gap) / std::max(1, size - 1);
    const double member = std::min(150.0, pitch - gap);
    for (std::int32_t i = 1; i < size; ++i) {
      const double middle = x + padding - gap / 2 + pitch * (i - 0.5);
      places.cards.push_back({middle - member / 2, members_y, member, height});
    }
    x += width + between;
  }
}

void place_row_cards(const Schedule& schedule, const Rect& area, CompactPlaces& places) {
  const double n = schedule.ranks, gap = n > 9 && area.width < 700 ? 3 : n > 8 ? 8 : 16;
  const double pitch = (area.width + gap) / n, width = std::min(150.0, pitch - gap);
  const double height = std::min(tallest_card - 24, area.height * 0.24);
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank)
    places.cards.push_back({area.x - gap / 2 + pitch * (rank + 0.5) - width / 2,
                            area.center().y - height / 2, width, height});
}

}  // namespace

CompactPlaces place_cards(const Schedule& schedule, std::span<const LinkFlow> links,
                          const Rect& area) {
  CompactPlaces places;
  places.kind = compact_kind(schedule, links);
  switch (places.kind) {
    case CompactKind::ring: place_ring_cards(schedule, area, places); break;
    case CompactKind::star: place_star_cards(schedule, links, area, places); break;
    case CompactKind::tree: place_tree_cards(schedule, area, places); break;
    case CompactKind::groups: place_group_cards(schedule, area, places); break;
    case CompactKind::row: place_row_cards(schedule, area, places); break;
  }
  return places;
}

}  // namespace ringscope
