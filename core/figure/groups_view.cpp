// The hierarchy: a box a group, its leader towards the middle, its members outside; the ring of the
// leaders goes across the boxes.
#include <algorithm>
#include <numeric>

#include "core/figure/graph.h"
#include "core/figure/nodes.h"
#include "core/figure/ring_places.h"
#include "core/figure/view_fits.h"

namespace ringscope {
namespace {

constexpr double pad = 14, label = 36, smallest = 40;
constexpr std::int32_t most_groups = 16;
constexpr double usual_width = 1296;  // inside the stage of a window at 1080p

std::int32_t columns_of(std::int32_t groups) { return groups <= 3 ? groups : (groups + 1) / 2; }
double column_width(std::int32_t groups) { return (usual_width + 40) / columns_of(groups) - 40; }

struct Group {
  Rect box, leader;
  std::vector<Rect> members;
  std::int32_t first = 0;  // the leader; members are the ranks behind it
  bool low = false;        // in the lower row: its leader stands on top
};

struct Layout {
  std::vector<Group> groups;
  NodeLook leader, member;
};

Layout make_layout(const Scene& scene, const Rect& area) {
  const std::vector<std::int32_t> sizes = groups_of(scene.schedule);
  const auto count = static_cast<std::int32_t>(sizes.size());
  const std::int32_t columns = columns_of(count);
  const bool two_rows = count > columns;
  const std::int32_t most = *std::max_element(sizes.begin(), sizes.end());
  const double width = std::min((area.width + 40) / columns - 40, 640.0);
  const double across = two_rows ? 56 : 40;  // room for links between rows
  const double height = std::min(two_rows ? (area.height - across) / 2 : area.height, 660.0);
  const double rows = most > 1 ? 2 : 1;
  const double link = most > 1 ? (two_rows ? 40 : 80) : 0;
  const double card = (height - label - pad - link) / rows - 4;
  const std::int32_t chunks = scene.schedule.chunks;
  Layout layout;
  layout.leader = node_look(scene, {std::min(width - 2 * pad, 420.0), card}, chunks);
  const double member_width = most > 1 ? (width - 2 * pad + 10) / (most - 1) - 10 : width - 2 * pad;
  layout.member =
      node_look(scene, {std::min(member_width, layout.leader.card.width), card}, chunks);

  const double used =
      label + pad + layout.leader.card.height + (most > 1 ? link + layout.member.card.height : 0);
  const double row_gap = two_rows ? std::min(area.height - 2 * used, 120.0) : 0;
  const double top = area.y + (area.height - (two_rows ? 2 * used + row_gap : used)) / 2;
  std::int32_t first = 0;
  for (std::int32_t i = 0; i < count; ++i) {
    // Clockwise as the ring: the upper row from left to right, the lower one back.
    Group group;
    group.low = i >= columns;
    group.first = first;
    const std::int32_t in_row = group.low ? count - columns : columns;
    const std::int32_t place = group.low ? columns - 1 - (i - columns) : i;
    const double row_width =
        in_row == columns || group.low ? columns * (width + 40) - 40 : in_row * (width + 40) - 40;
    group.box = {area.center().x - row_width / 2 + place * (width + 40),
                 group.low ? top + used + row_gap : top, width, used};
    const Size leader = layout.leader.card, member = layout.member.card;
    const double inner_top = group.box.y + (group.low ? pad : label);
    const bool leader_on_top = group.low || !two_rows;
    const double leader_y =
        leader_on_top || most == 1 ? inner_top : inner_top + member.height + link;
    const double member_y = leader_on_top ? inner_top + leader.height + link : inner_top;
    group.leader = {group.box.center().x - leader.width / 2, leader_y, leader.width, leader.height};
    const std::int32_t members = sizes[static_cast<std::size_t>(i)] - 1;
    const double pitch = members > 0 ? (width - 2 * pad + 10) / members : 0;
    for (std::int32_t m = 0; m < members; ++m)
      group.members.push_back({group.box.x + pad + (m + 0.5) * pitch - 5 - member.width / 2,
                               member_y, member.width, member.height});
    layout.groups.push_back(std::move(group));
    first += sizes[static_cast<std::size_t>(i)];
  }
  return layout;
}

// From leader to leader: straight within a row, down and up between the rows.
std::vector<Point> across(const Rect& from, const Rect& to) {
  if (std::abs(from.y - to.y) < 1) {
    const double y = from.center().y;
    return from.x < to.x ? std::vector<Point>{{from.right(), y}, {to.x, y}}
                         : std::vector<Point>{{from.x, y}, {to.right(), y}};
  }
  return between(from, to);
}

// Of one row the ring closes under the boxes.
std::vector<Point> around(const Group& last, const Group& first) {
  const double y = std::max(last.box.bottom(), first.box.bottom()) + 26;
  const double right = last.box.right() + 12, left = first.box.x - 12;
  return {{last.leader.right(), last.leader.center().y},
          {right, last.leader.center().y},
          {right, y},
          {left, y},
          {left, first.leader.center().y},
          {first.leader.x, first.leader.center().y}};
}

void draw_boxes(Scene& scene, const Layout& layout) {
  const Theme& theme = scene.theme;
  for (std::size_t i = 0; i < layout.groups.size(); ++i) {
    const Group& group = layout.groups[i];
    const std::string id = "group" + std::to_string(i);
    scene.drawing.box(id, group.box, 14, {mix(theme.surface, theme.ground, 0.7), transparent},
                      {theme.line, 2, 8});
    const TextStyle style{size::body, Face::bold, Align::left, theme.quiet};
    const std::string number = std::to_string(i);
    std::string words = scene.language.text("view.group", {{"group", number}});
    if (scene.drawing.width(words, style) > group.box.width - 2 * pad) words = number;
    scene.drawing.text(id + ".name",
                       {group.box.x + pad, group.low ? group.box.bottom() - 10 : group.box.y + 27},
                       words, style);
  }
}

Size chip_of(const Layout& layout, bool of_ring) {
  if (of_ring) {
    if (layout.groups.size() < 2) return {12, 12};
    const Group &a = layout.groups[0], &b = layout.groups[1];
    const Group& last = layout.groups.back();
    // Chips keep off the names: between the rows, or beside the leaders, where of two groups they
    // pass each other.
    const double room = last.low ? last.box.y - a.box.bottom()
                                 : a.leader.height * (layout.groups.size() == 2 ? 0.5 : 1) + 6;
    if (room < 64) return room < 38 ? Size{12, 12} : Size{46, 34};
    const double gap = b.leader.x - a.leader.right();
    return gap >= 150 ? Size{110, 60} : gap >= 70 ? Size{46, 34} : Size{12, 12};
  }
  double gap = 0, pitch = 400;
  for (const Group& group : layout.groups) {
    if (group.members.empty()) continue;
    gap = std::abs(group.members[0].y - group.leader.y) -
          (group.members[0].y > group.leader.y ? group.leader.height : group.members[0].height);
    if (group.members.size() > 1) pitch = std::min(pitch, group.members[1].x - group.members[0].x);
  }
  if (gap >= 70 && pitch >= 110) return {std::min(100.0, pitch - 10), 56};
  return gap >= 42 && pitch >= 52 ? Size{44, 34} : Size{12, 12};
}

}  // namespace

bool fits_groups(const Schedule& schedule) {
  if (schedule.algorithm != "hierarchical") return false;
  const std::vector<std::int32_t> sizes = groups_of(schedule);
  const auto count = static_cast<std::int32_t>(sizes.size());
  if (count > most_groups || schedule.ranks > 64) return false;
  const std::int32_t most = *std::max_element(sizes.begin(), sizes.end());
  return (std::min(column_width(count), 640.0) - 2 * pad + 10) / std::max(most - 1, 1) >=
         smallest + 4;
}

Figure draw_groups(const ViewContext& context, const ReplayState& state) {
  Scene scene(context, state, fit_stage(context, least_stage, true));
  Rect area = scene.inside();
  area = draw_heading_row(scene, area);
  area.y += 8, area.height -= 8;
  const std::size_t count = groups_of(scene.schedule).size();
  const bool closes_below = count == 3;  // one row of three: the way back needs room
  if (closes_below) area.height -= 36, area.x += 16, area.width -= 32;
  const Layout layout = make_layout(scene, area);
  Graph inside, ring;
  inside.chip = chip_of(layout, false);
  ring.chip = chip_of(layout, true);
  for (std::size_t i = 0; i < count; ++i) {
    const Group& group = layout.groups[i];
    for (std::size_t m = 0; m < group.members.size(); ++m) {
      const Rect &leader = group.leader, &member = group.members[m];
      const bool below = member.y > leader.y;
      const double lean = std::clamp((member.center().x - leader.center().x) * 0.35,
                                     -leader.width * 0.4, leader.width * 0.4);
      inside.links.push_back({group.first + static_cast<std::int32_t>(m) + 1,
                              group.first,
                              {{member.center().x, below ? member.y : member.bottom()},
                               {leader.center().x + lean, below ? leader.bottom() : leader.y}}});
    }
    const std::size_t next = (i + 1) % count;
    if (count < 2 || (count == 2 && i == 1)) continue;
    const Group& other = layout.groups[next];
    ring.links.push_back(
        {group.first, other.first,
         closes_below && next == 0 ? around(group, other) : across(group.leader, other.leader)});
  }
  draw_boxes(scene, layout);
  draw_links(scene, inside);
  draw_links(scene, ring);
  for (const Group& group : layout.groups)
    for (std::size_t m = 0; m <= group.members.size(); ++m) {
      const bool leads = m == 0 && !group.members.empty() && scene.state.moving.empty();
      draw_node(scene,
                node_of(scene, group.first + static_cast<std::int32_t>(m),
                        m == 0 ? group.leader : group.members[m - 1],
                        leads ? scene.language.text("view.leader") : ""),
                m == 0 ? layout.leader : layout.member);
    }
  draw_chips(scene, inside);
  draw_chips(scene, ring);
  draw_foot(scene);
  return std::move(scene.drawing).finish(scene.theme.surface);
}

}  // namespace ringscope
