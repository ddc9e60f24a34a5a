// The hypercube: a pair, a square, a cube, or a square of squares; the pairs of the round thick. A
// rank that is one too many stands beside the one that it folds into.
//
//   4:  0 ─── 1     8:      4 ────── 5     16:  0 ── 1 ── 3 ── 2   columns and rows in the order
//       │     │           / │      / │          │    │    │    │   of a Gray code: partners are
//       2 ─── 3         0 ────── 1   │          4 ── 5 ── 7 ── 6   neighbours, or the two ends
//                       │   6 ───│── 7          ...                of a row or column
//                       2 ────── 3
#include <algorithm>
#include <cmath>

#include "core/figure/graph.h"
#include "core/figure/nodes.h"
#include "core/figure/view_fits.h"
#include "core/schedule/fold.h"

namespace ringscope {
namespace {

constexpr double beside = 26;  // between a rank and the extra one at its side

struct Cube {
  Fold fold;
  std::vector<Rect> cards;   // [place]
  std::vector<Rect> extras;  // [pair]: of rank 2 * pair, beside place `pair`
  NodeLook look, extra_look;
  double pitch_x = 0, pitch_y = 0;
};

// Column and row of a place.
Point position(std::int32_t place, std::int32_t places) {
  const auto bit = [&](int i) { return (place >> i) & 1; };
  if (places <= 4) return {static_cast<double>(bit(0)), static_cast<double>(bit(1))};
  // A checkerboard: the back of the cube one column to the right and one row up.
  if (places == 8)
    return {static_cast<double>(2 * bit(0) + bit(2)), static_cast<double>(1 + 2 * bit(1) - bit(2))};
  constexpr double gray[] = {0, 1, 3, 2};  // where 00, 01, 10, 11 stand
  return {gray[place & 3], gray[place >> 2]};
}

Cube make_cube(const Scene& scene, const Rect& area) {
  Cube cube;
  cube.fold = fold_of(scene.schedule.ranks);
  const std::int32_t places = cube.fold.places;
  const double columns = places == 1 ? 1 : places <= 4 ? 2 : 4;
  const double rows = places <= 2 ? 1 : places == 4 ? 2 : 4;
  const bool extras = cube.fold.extras > 0;
  cube.pitch_x = area.width / columns;
  cube.pitch_y = area.height / rows;
  const double link = places <= 4 ? 190 : places == 8 ? 60 : 76;
  const double extra_width = !extras ? 0 : places <= 4 ? 150 : 64;
  // A low square leaves its cards the height of a row with words.
  constexpr double row_card = 106;
  const double gap_y = places <= 2   ? 0
                       : places == 4 ? std::clamp(cube.pitch_y - row_card, 64.0, 110.0)
                       : places == 8 ? 40
                                     : 58;
  const std::int32_t chunks = scene.schedule.chunks;
  const double width = cube.pitch_x - link - (extras ? extra_width + beside : 0);
  cube.look = node_look(
      scene, {std::min(width, 560.0), std::min(cube.pitch_y - gap_y, places <= 2 ? 330.0 : 268.0)},
      chunks);
  if (extras)
    cube.extra_look =
        node_look(scene, {extra_width, cube.look.card.height * (places <= 4 ? 0.5 : 0.4)}, chunks);
  const Size card = cube.look.card;
  const double whole = card.width + (extras ? beside + cube.extra_look.card.width : 0);
  // Few cards stand nearer to one another than the stage is wide.
  cube.pitch_x = std::min(cube.pitch_x, whole + (places <= 4 ? 320 : 400));
  cube.pitch_y = std::min(cube.pitch_y, card.height + 240);
  for (std::int32_t place = 0; place < places; ++place) {
    const Point at = position(place, places);
    const double x = area.center().x + (at.x - (columns - 1) / 2) * cube.pitch_x - whole / 2;
    const double y = area.center().y + (at.y - (rows - 1) / 2) * cube.pitch_y - card.height / 2;
    cube.cards.push_back({x, y, card.width, card.height});
    if (place < cube.fold.extras)
      cube.extras.push_back({x + card.width + beside, y + card.height - cube.extra_look.card.height,
                             cube.extra_look.card.width, cube.extra_look.card.height});
  }
  return cube;
}

// Straight to a neighbour; between the ends of a row or column beside it.
std::vector<Point> edge(const Cube& cube, std::int32_t place, std::int32_t other) {
  const Rect &from = cube.cards[static_cast<std::size_t>(place)],
             &to = cube.cards[static_cast<std::size_t>(other)];
  const Point a = position(place, cube.fold.places), b = position(other, cube.fold.places);
  if (cube.fold.places == 16 && std::abs(a.x - b.x) == 3) {
    const double y = from.y - 29;
    return {
        {from.center().x, from.y}, {from.center().x, y}, {to.center().x, y}, {to.center().x, to.y}};
  }
  if (cube.fold.places == 16 && std::abs(a.y - b.y) == 3) {
    const double x = from.x - 24;
    return {
        {from.x, from.center().y}, {x, from.center().y}, {x, to.center().y}, {to.x, to.center().y}};
  }
  if (std::abs(from.y - to.y) < 1) {
    const double y = from.y + from.height * (cube.extras.empty() ? 0.5 : 0.25);
    const bool right = to.x > from.x;
    return {{right ? from.right() : from.x, y}, {right ? to.x : to.right(), y}};
  }
  return between(from, to);
}

// Two that pass each other keep within the height of their cards; beside an extra card, above it.
Size chip_of(const Cube& cube) {
  const double height = cube.look.card.height * (cube.extras.empty() ? 1 : 0.5);
  const Size large = cube.fold.places <= 4 ? Size{110, 60} : Size{84, 56};
  const bool room = cube.fold.places <= 4 || (cube.fold.places == 8 && cube.extras.empty());
  if (room && height >= 2 * large.height - 8) return large;
  return height >= 54 ? Size{46, 34} : Size{14, 14};
}

}  // namespace

bool fits_hypercube(const Schedule& schedule) {
  return (schedule.algorithm == "recursive-doubling" || schedule.algorithm == "halving-doubling") &&
         schedule.ranks < 32;
}

Figure draw_hypercube(const ViewContext& context, const ReplayState& state) {
  Scene scene(context, state, fit_stage(context, least_stage_of(context, 2), true));
  Rect area = scene.inside();
  const bool pair = scene.schedule.ranks <= 2;  // has the ground to itself
  if (pair) {
    const Rect above{area.x, area.y, area.width, area.height * 0.42};
    draw_heading(scene, above);
    area.y += above.height, area.height -= above.height;
  } else {
    area = draw_heading_row(scene, area);
    // Round a row of four go links and their chips.
    const double clear = fold_of(scene.schedule.ranks).places == 16 ? 24 : 8;
    area.y += clear, area.height -= clear;
  }
  const Cube cube = make_cube(scene, area);
  Graph graph;
  graph.chip = chip_of(cube);
  Graph folds;
  folds.chip = {18, 18};
  for (std::int32_t place = 0; place < cube.fold.places; ++place)
    for (std::int32_t bit = 1; bit < cube.fold.places; bit *= 2)
      if ((place & bit) == 0)
        graph.links.push_back({cube.fold.rank_in(place), cube.fold.rank_in(place | bit),
                               edge(cube, place, place | bit)});
  for (GraphLink& link : graph.links)
    if (link.way.size() > 2)
      link.chip = {16, 16};  // beside a row or column of cards
    else if (std::abs(link.way[0].x - link.way[1].x) > 1 &&
             std::abs(link.way[0].y - link.way[1].y) > 1)
      link.chip = {46, 34};  // the cube's short edges
  for (std::size_t i = 0; i < cube.extras.size(); ++i) {
    const Rect &extra = cube.extras[i], &card = cube.cards[i];
    folds.links.push_back({static_cast<std::int32_t>(2 * i),
                           static_cast<std::int32_t>(2 * i + 1),
                           {{extra.x, extra.center().y}, {card.right(), extra.center().y}}});
  }
  draw_links(scene, graph);
  draw_links(scene, folds);
  const auto draw = [&](std::int32_t rank, const Rect& card, const NodeLook& look) {
    draw_node(scene, node_of(scene, rank, card), look);
  };
  for (std::int32_t place = 0; place < cube.fold.places; ++place)
    draw(cube.fold.rank_in(place), cube.cards[static_cast<std::size_t>(place)], cube.look);
  for (std::size_t i = 0; i < cube.extras.size(); ++i)
    draw(static_cast<std::int32_t>(2 * i), cube.extras[i], cube.extra_look);
  draw_chips(scene, graph);
  draw_chips(scene, folds);
  draw_foot(scene);
  return std::move(scene.drawing).finish(scene.theme.surface);
}

}  // namespace ringscope
