// The star: the root on top, all others below, each with a link into the root's one port and one
// out of the other. A link is as wide as its bytes: pale the whole run, black so far, accent
// moving.
#include <algorithm>
#include <cmath>

#include "core/figure/graph.h"
#include "core/figure/link_paths.h"
#include "core/figure/nodes.h"
#include "core/figure/ring_places.h"
#include "core/figure/tree_places.h"

namespace ringscope {
namespace {

constexpr double port_height = 30;

// One direction of the star.
struct Side {
  bool into_root = true;
  Rect port;
};

struct Star {
  std::int32_t root = 0;
  std::vector<std::int32_t> others;
  Rect root_card;
  std::vector<Rect> cards;  // [place of others]
  NodeLook root_look, look;
  double link = 10;  // width of one
  Side in{true, {}}, out{false, {}};
};

// From one point down to another, leaving and arriving upright.
std::vector<Point> curve(Point from, Point to) {
  std::vector<Point> points;
  constexpr int pieces = 24;
  const double middle = (from.y + to.y) / 2;
  for (int i = 0; i <= pieces; ++i) {
    const double t = static_cast<double>(i) / pieces, u = 1 - t;
    points.push_back(
        {u * u * u * from.x + 3 * u * u * t * from.x + 3 * u * t * t * to.x + t * t * t * to.x,
         u * u * u * from.y + 3 * u * u * t * middle + 3 * u * t * t * middle + t * t * t * to.y});
  }
  return points;
}

// Rows in which the others stand, so that a link of a lower row passes between cards of a higher.
int rows_of(std::size_t others) { return others <= 16 ? 1 : others <= 32 ? 2 : 4; }

Star make_star(const Scene& scene, const Rect& area) {
  Star star;
  star.root = star_root(scene.schedule);
  for (std::int32_t rank = 0; rank < scene.schedule.ranks; ++rank)
    if (rank != star.root) star.others.push_back(rank);
  const auto count = static_cast<double>(star.others.size());
  const std::int32_t chunks = scene.schedule.chunks;
  star.root_look = node_look(scene, {460, star.others.size() <= 4 ? 232.0 : 200.0}, chunks);
  // Of many the root is at least as wide as its ports.
  if (star.root_look.form == NodeForm::number && count > 0) star.root_look.card = {440, 64};
  const Size root = star.root_look.card;
  const double top =
      star.others.empty() ? area.center().y - root.height / 2 : std::max(area.y, 200 - root.height);
  star.root_card = {area.center().x - root.width / 2, top, root.width, root.height};
  if (star.others.empty()) return star;
  const int rows = rows_of(star.others.size());
  const double pitch = std::min(area.width / count, 420.0);
  const double card_width = pitch * rows - (rows > 1 ? 46 : pitch > 60 ? 16 : 6);
  // What travels needs some way below the ports.
  constexpr double least_way = 110;
  const double room = std::min(rows > 1     ? 46.0
                               : count <= 4 ? 268.0
                                            : 200.0,
                               area.bottom() - star.root_card.bottom() - port_height - least_way);
  star.look = node_look(scene, {std::min(card_width, rows > 1 ? 44.0 : card_width), room}, chunks);
  const double height = star.look.card.height, step = height + 20;
  const double first = area.bottom() - height - (rows - 1) * step -
                       (star.look.form == NodeForm::number || rows > 1 ? 40 : 0);
  const double left = area.center().x - pitch * count / 2;
  for (std::size_t i = 0; i < star.others.size(); ++i)
    star.cards.push_back({left + (static_cast<double>(i) + 0.5) * pitch - star.look.card.width / 2,
                          first + step * static_cast<double>(i % static_cast<std::size_t>(rows)),
                          star.look.card.width, height});
  // The ports are as wide as what goes through them.
  star.link = std::clamp(root.width * 0.42 / count, 3.0, 12.0);
  const double port = star.link * count, y = star.root_card.bottom();
  const double apart = std::max(root.width * 0.24, port / 2 + 10);
  star.in.port = {area.center().x - apart - port / 2, y, port, port_height};
  star.out.port = {area.center().x + apart - port / 2, y, port, port_height};
  return star;
}

// From the port to the card, the strand of one rank.
std::vector<Point> strand(const Star& star, const Side& side, std::size_t place) {
  const Rect& card = star.cards[place];
  const double beside = std::min(card.width * 0.22, 40.0) * (side.into_root ? -1 : 1);
  return curve({side.port.x + (static_cast<double>(place) + 0.5) * star.link, side.port.bottom()},
               {card.center().x + beside, card.y - 2});
}

// How many of all elements of a direction of a link have landed, and are on their way.
struct Share {
  double landed = 0, moving = 0, total = 0;
  std::int32_t transfer = -1;  // of now
  std::int32_t round = -1;
};

Share share_of(const Scene& scene, std::int32_t src, std::int32_t dst) {
  Share share;
  for (std::uint32_t t = 0; t < scene.schedule.transfers.size(); ++t) {
    const Transfer& transfer = scene.schedule.transfers[t];
    if (transfer.src != src || transfer.dst != dst) continue;
    const auto elements = static_cast<double>(transfer_extent(scene.schedule, transfer).count);
    share.total += elements;
    share.round = transfer.round;
    if (scene.replay.has_landed(scene.state, t)) share.landed += elements;
    if (share.transfer < 0) share.transfer = static_cast<std::int32_t>(t);
  }
  for (const Motion& motion : scene.state.moving) {
    const Transfer& transfer = scene.schedule.transfers[motion.transfer];
    if (transfer.src != src || transfer.dst != dst) continue;
    if (share.moving == 0) share.transfer = static_cast<std::int32_t>(motion.transfer);
    share.moving += static_cast<double>(transfer_extent(scene.schedule, transfer).count);
  }
  if (scene.schedule.count == 0) share.total = 1;
  return share;
}

void draw_strands(Scene& scene, const Star& star, const Side& side) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const Color pale = side.into_root ? theme.phase_even : theme.phase_odd;
  const std::string name = side.into_root ? "in" : "out";
  for (std::size_t i = 0; i < star.others.size(); ++i) {
    const std::int32_t other = star.others[i];
    const Share share =
        side.into_root ? share_of(scene, other, star.root) : share_of(scene, star.root, other);
    if (share.total == 0) continue;
    const std::vector<Point> way = strand(star, side, i);
    const std::string id = "link." + name + std::to_string(other);
    const bool selected =
        share.transfer >= 0 && scene.selects(static_cast<std::uint32_t>(share.transfer));
    const double width = star.link;
    const std::string path = side.into_root
                                 ? link_title(scene.trace, other, star.root, scene.language)
                                 : link_title(scene.trace, star.root, other, scene.language);
    const Note note{
        .title = path.empty() ? scene.language.text("view.gpu", {{"rank", std::to_string(other)}})
                              : path,
        .transfer = share.transfer};
    drawing.path(id + ".edge", way, false, {},
                 {selected ? theme.ink : theme.line, width + (selected ? 7 : 1.5)}, note);
    drawing.path(id, way, false, {}, {pale, width - 0.5}, note);
    if (share.landed > 0)
      drawing.path(id + ".landed", way, false, {},
                   {theme.landed, std::max(1.5, width * share.landed / share.total)}, note);
    if (share.moving > 0)
      drawing.path(id + ".moving", way, false, {},
                   {theme.accent, std::max(2.0, width * share.moving / share.total)}, note);
    const double x = side.port.x + static_cast<double>(i) * width;
    const Color color = share.moving > 0              ? theme.accent
                        : share.landed >= share.total ? theme.landed
                                                      : pale;
    drawing.box("port." + name + std::to_string(other), {x, side.port.y, width, side.port.height},
                0, {color, transparent});
  }
  drawing.box("port." + name, side.port, 0, {}, {theme.ink, 2});
}

// The triangle of a port: up for what comes in.
void draw_direction(Scene& scene, const Star& star, const Side& side) {
  const Theme& theme = scene.theme;
  const double x = side.into_root ? side.port.x - 16 : side.port.right() + 16;
  const double y = side.port.center().y, half = 8;
  const double tip = side.into_root ? -half : half;
  scene.drawing.path(side.into_root ? "port.in.arrow" : "port.out.arrow",
                     {{x - half, y - tip}, {x + half, y - tip}, {x, y + tip}}, true,
                     {theme.ink, transparent}, {});
  const auto bytes = [&](double elements) {
    return scene.language.bytes(static_cast<std::uint64_t>(elements) *
                                bytes_of(scene.trace.run.type));
  };
  double landed = 0, total = 0;
  for (const std::int32_t other : star.others) {
    const Share share =
        side.into_root ? share_of(scene, other, star.root) : share_of(scene, star.root, other);
    if (scene.schedule.count == 0) continue;
    landed += share.landed, total += share.total;
  }
  const TextStyle style{size::body, Face::bold, side.into_root ? Align::right : Align::left,
                        theme.ink};
  const double at = side.into_root ? x - 18 : x + 18;
  const double room = side.into_root ? at - scene.inside().x : scene.inside().right() - at;
  const std::string words =
      scene.language.text(side.into_root ? "view.into_port" : "view.out_of_port",
                          {{"landed", bytes(landed)}, {"total", bytes(total)}});
  scene.drawing.text(side.into_root ? "through.in" : "through.out",
                     {at, y + scene.drawing.cap_height(style) / 2},
                     scene.drawing.fit(words, style, room), style, {.title = words});
}

void draw_star_chips(Scene& scene, const Star& star) {
  const double drop = star.cards[0].y - star.root_card.bottom() - port_height;
  const double pitch = star.cards.size() > 1 ? star.cards[1].x - star.cards[0].x : 400;
  Size chip{14, 14};
  if (star.look.form == NodeForm::cells && star.others.size() <= 4 && drop >= 260)
    chip = {122, 136};
  else if (pitch >= 110 && drop >= 150)
    chip = {std::min(100.0, pitch - 12), 56};
  else if (pitch >= 50)
    chip = {44, 34};
  // Those that pass each other on the two strands of one card are narrower than these are apart.
  const std::vector<Step> steps = moving_steps(scene);
  for (const Step& one : steps)
    for (const Step& other : steps)
      if (one.src == other.dst && one.dst == other.src && chip.width > 76) chip = {76, 56};
  const Graph sized{{}, chip};
  for (const Step& step : steps) {
    const bool in = step.dst == star.root;
    const std::int32_t other = in ? step.src : step.dst;
    const auto place = static_cast<std::size_t>(
        std::find(star.others.begin(), star.others.end(), other) - star.others.begin());
    if (place == star.others.size()) continue;
    std::vector<Point> way = strand(star, in ? star.in : star.out, place);
    // Between the cards of a higher row there is no room for it.
    while (way.size() > 2 && way.back().y > star.cards[0].y - 12) way.pop_back();
    if (in) std::reverse(way.begin(), way.end());
    // At the port they would lie over one another: they are seen on the lower part of the way.
    const double eased_share = eased(step.fraction);
    const double share = in ? eased_share * 0.45 : 0.55 + eased_share * 0.45;
    const Size size = step_chip_size(scene, step, sized.chip);
    draw_step_chip(scene, step, along(way, size, share), size);
  }
}

}  // namespace

Figure draw_star(const ViewContext& context, const ReplayState& state) {
  // Links into several rows need their height.
  const bool many =
      rows_of(static_cast<std::size_t>(context.replay.trace().schedule.ranks) - 1) > 1;
  Scene scene(context, state, fit_stage(context, many ? Size{1300, 680} : least_stage));
  const Rect area = scene.inside();
  const Star star = make_star(scene, area);
  const Rect& root = star.root_card;
  draw_heading_sides(scene, {area.x, area.y, root.x - area.x - 24, 200},
                     {root.right() + 24, area.y, area.right() - root.right() - 24, 200},
                     star.look.form == NodeForm::cells || star.others.empty());
  if (!star.others.empty()) {
    draw_strands(scene, star, star.out);
    draw_strands(scene, star, star.in);
  }
  const auto draw_card_of = [&](std::int32_t rank, const Rect& card, const NodeLook& look) {
    const bool is_root = rank == star.root && scene.schedule.ranks > 1;
    draw_node(scene, node_of(scene, rank, card, is_root ? scene.language.text("view.root") : ""),
              look);
  };
  draw_card_of(star.root, root, star.root_look);
  for (std::size_t i = 0; i < star.others.size(); ++i)
    draw_card_of(star.others[i], star.cards[i], star.look);
  if (!star.others.empty()) {
    draw_direction(scene, star, star.in);
    draw_direction(scene, star, star.out);
    draw_star_chips(scene, star);
  }
  draw_foot(scene);
  return std::move(scene.drawing).finish(scene.theme.surface);
}

}  // namespace ringscope
