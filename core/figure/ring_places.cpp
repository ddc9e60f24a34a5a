#include "core/figure/ring_places.h"

#include <algorithm>
#include <cmath>

namespace ringscope {

Sides sides_of(int ranks) {
  if (ranks <= 2) return {ranks, 0, 0, 0};
  if (ranks <= 10) return {(ranks + 1) / 2, 0, ranks / 2, 0};
  if (ranks <= 12) return {5, 1, ranks - 7, 1};
  // Near a square of the stage's shape; an odd one is missing at the bottom.
  int top = 5, sides = (ranks + 1) / 2 - top;
  while (sides > top - 2) sides = (ranks + 1) / 2 - ++top;
  return {top, sides, ranks - top - 2 * sides, sides};
}

namespace {

double spread(double first, double last, int i, int count) {
  return count <= 1 ? (first + last) / 2 : first + (last - first) * i / (count - 1);
}

bool overlap(double a, double a_end, double b, double b_end) {
  return std::min(a_end, b_end) - std::max(a, b) > 1;
}

// Straight where the cards stand side by side or one under the other, else once round a corner.
std::vector<Point> link(const Rect& from, const Rect& to) {
  const Point a = from.center(), b = to.center();
  if (overlap(from.y, from.bottom(), to.y, to.bottom()))
    return b.x > a.x ? std::vector<Point>{{from.right(), a.y}, {to.x, a.y}}
                     : std::vector<Point>{{from.x, a.y}, {to.right(), a.y}};
  if (std::abs(a.x - b.x) < 1)
    return b.y > a.y ? std::vector<Point>{{a.x, from.bottom()}, {a.x, to.y}}
                     : std::vector<Point>{{a.x, from.y}, {a.x, to.bottom()}};
  if (b.y > a.y)  // down, then across to the card's side
    return {{a.x, from.bottom()}, {a.x, b.y}, {b.x < a.x ? to.right() : to.x, b.y}};
  return {{b.x < a.x ? from.x : from.right(), a.y}, {b.x, a.y}, {b.x, to.bottom()}};
}

RingPlaces place_pair(int ranks, const Rect& area, Size card) {
  RingPlaces places;
  // A little above the bottom, but where the heading needs the room.
  const double below = std::clamp(area.height - card.height - least_heading, 0.0,
                                  (area.height - card.height) * 0.18);
  const double y = area.bottom() - card.height - below;
  const double gap = std::min(area.width - 2 * card.width, card.width);
  const double width = ranks * card.width + (ranks - 1) * gap;
  for (int i = 0; i < ranks; ++i)
    places.cards.push_back(
        {area.center().x - width / 2 + i * (card.width + gap), y, card.width, card.height});
  places.middle = {area.x, area.y, area.width, y - area.y};
  if (ranks < 2) return places;
  // One lane each way.
  const Rect &first = places.cards[0], &second = places.cards[1];
  const double up = y + card.height * 0.24, down = y + card.height * 0.76;
  places.links = {{{first.right(), up}, {second.x, up}}, {{second.x, down}, {first.right(), down}}};
  return places;
}

}  // namespace

RingPlaces place_ring(int ranks, const Rect& area, Size card) {
  const Sides sides = sides_of(ranks);
  if (sides.bottom == 0) return place_pair(ranks, area, card);
  RingPlaces places;
  const double right = area.right() - card.width, bottom = area.bottom() - card.height;
  const auto put = [&](double x, double y) {
    places.cards.push_back({x, y, card.width, card.height});
  };
  for (int i = 0; i < sides.top; ++i) put(spread(area.x, right, i, sides.top), area.y);
  for (int i = 1; i <= sides.right; ++i) put(right, spread(area.y, bottom, i, sides.right + 2));
  for (int i = 0; i < sides.bottom; ++i) put(spread(right, area.x, i, sides.bottom), bottom);
  for (int i = 1; i <= sides.left; ++i) put(area.x, spread(bottom, area.y, i, sides.left + 2));
  for (int i = 0; i < ranks; ++i)
    places.links.push_back(link(places.cards[static_cast<std::size_t>(i)],
                                places.cards[static_cast<std::size_t>((i + 1) % ranks)]));
  const double side = sides.right > 0 ? card.width : 0;
  places.middle = {area.x + side, area.y + card.height, area.width - 2 * side,
                   area.height - 2 * card.height};
  return places;
}

namespace {

// Half of the chip in the direction of a piece of the link.
double half_along(Point from, Point to, Size chip) {
  return std::abs(to.x - from.x) > std::abs(to.y - from.y) ? chip.width / 2 : chip.height / 2;
}

}  // namespace

Point along(const std::vector<Point>& link, Size chip, double share) {
  double length = 0;
  for (std::size_t i = 1; i < link.size(); ++i)
    length += std::hypot(link[i].x - link[i - 1].x, link[i].y - link[i - 1].y);
  constexpr double clear = 6;
  const double start = half_along(link[0], link[1], chip) + clear;
  const double end = half_along(link[link.size() - 2], link.back(), chip) + clear;
  double at = start < length - end ? start + (length - end - start) * share : length / 2;
  for (std::size_t i = 1; i < link.size(); ++i) {
    const Point &from = link[i - 1], &to = link[i];
    const double piece = std::hypot(to.x - from.x, to.y - from.y);
    if (at <= piece || i + 1 == link.size()) {
      const double t = piece > 0 ? at / piece : 0;
      return {from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
    }
    at -= piece;
  }
  return link.back();
}

}  // namespace ringscope
