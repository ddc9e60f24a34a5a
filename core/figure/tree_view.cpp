// The tree: the root on top, a level a row; two trees, each with half of the buffer, side by side.
#include <algorithm>

#include "core/figure/graph.h"
#include "core/figure/nodes.h"
#include "core/figure/tree_places.h"

namespace ringscope {
namespace {

// Where one tree stands, and how its cards look.
struct TreeLayout {
  Rect area;
  NodeLook look;
  double column = 0, level = 0;  // from leaf to leaf, from row to row

  Rect card(const TreeShape& tree, std::int32_t rank) const {
    const auto at = static_cast<std::size_t>(rank);
    const double width = column * tree.leaves;
    const double x = area.center().x - width / 2 + tree.columns[at] * column;
    return {x - look.card.width / 2, area.y + tree.depths[at] * level, look.card.width,
            look.card.height};
  }
};

TreeLayout layout_of(const Scene& scene, const TreeShape& tree, const Rect& area) {
  TreeLayout layout;
  layout.area = area;
  layout.column = std::min(area.width / tree.leaves, 420.0);
  const double most = area.height / (tree.height + 1);
  const double gap = layout.column > 60 ? 16 : 6;
  const double link = tree.height >= 4 ? 56 : tree.height == 3 ? 64 : tree.height == 2 ? 62 : 120;
  layout.look = node_look(scene, {layout.column - gap, std::min(most - link, 250.0)}, tree.chunks);
  const double height = layout.look.card.height;
  layout.level =
      tree.height == 0 ? 0 : std::min((area.height - height) / tree.height, height + 220);
  // A low tree stands in the middle of its ground.
  const double used = layout.level * tree.height + height;
  layout.area.y += (area.height - used) / 2;
  return layout;
}

// Has nothing to send or to receive, although others have.
bool waits(const Scene& scene, const TreeShape& tree, std::int32_t rank) {
  if (scene.state.moving.empty() && scene.state.changed.empty()) return false;
  for (std::int32_t i = 0; i < tree.chunks; ++i) {
    const CellView& cell = scene.cell(rank, tree.first_chunk + i);
    if (cell.sending >= 0 || !cell.arriving.empty() || cell.changed ||
        cell.holding == Holding::complete)
      return false;
  }
  return true;
}

// From the middle of its card towards the child, where a link begins at the parent; a fifth of it
// back at the child.
double lean_of(double sideways, double card_width) {
  return std::clamp(sideways * 0.25, -0.3 * card_width, 0.3 * card_width);
}

// How far apart the links to two neighbouring leaves are half-way.
double apart_midway(const TreeLayout& layout) {
  const double sideways = layout.column / 2;
  return sideways + 0.8 * lean_of(sideways, layout.look.card.width);
}
constexpr double least_chip_width = 80;  // of a chip with words

void draw_tree_of(Scene& scene, const TreeShape& tree, const TreeLayout& layout, bool several) {
  Graph graph;
  const double gap = layout.level - layout.look.card.height;
  graph.chip = {12, 12};
  const double width = std::min(apart_midway(layout) - 4, 124.0);
  if (width >= least_chip_width && gap >= 58) graph.chip = {width, 56};
  if (layout.look.form == NodeForm::cells && gap >= 84)
    graph.chip = gap >= 180 ? Size{122, 136} : Size{124, 60};
  if (graph.chip.width < 40 && layout.column >= 76 && gap >= 44) graph.chip = {44, 34};
  for (std::int32_t rank = 0; rank < scene.schedule.ranks; ++rank) {
    const std::int32_t parent = tree.parents[static_cast<std::size_t>(rank)];
    if (parent < 0) continue;
    const Rect from = layout.card(tree, rank), to = layout.card(tree, parent);
    const double lean = lean_of(from.center().x - to.center().x, to.width);
    // Of a short upright link a large chip would leave nothing to see.
    const bool upright = std::abs(from.center().x - to.center().x) < 1 && graph.chip.height > 34;
    graph.links.push_back(
        {rank,
         parent,
         {{from.center().x - lean * 0.2, from.y}, {to.center().x + lean, to.bottom()}},
         several ? tree.first_chunk : -1,
         upright && gap < 80 ? Size{44, 34} : Size{}});
  }
  draw_links(scene, graph);
  for (std::int32_t rank = 0; rank < scene.schedule.ranks; ++rank) {
    Node node;
    node.id = (several ? "half" + std::to_string(tree.first_chunk) + "." : std::string()) + "rank" +
              std::to_string(rank);
    node.rank = rank;
    node.first_chunk = tree.first_chunk;
    node.chunks = tree.chunks;
    node.card = layout.card(tree, rank);
    node.faded = waits(scene, tree, rank);
    if (rank == tree.root && scene.schedule.ranks > 1) node.role = scene.language.text("view.root");
    draw_node(scene, node, layout.look);
  }
  draw_chips(scene, graph);
}

}  // namespace

Figure draw_tree(const ViewContext& context, const ReplayState& state) {
  const std::vector<TreeShape> trees = trees_of(context.replay.trace().schedule);
  // Leaves keep apart.
  constexpr double least_column = 41;
  double leaves = 0;
  for (const TreeShape& tree : trees) leaves += tree.leaves;
  Scene scene(
      context, state,
      fit_stage(context,
                {std::max(least_stage.width, leaves * least_column + 64), least_stage.height},
                true));
  Rect area = scene.inside();
  const bool several = trees.size() > 1;
  const TreeLayout whole = layout_of(scene, trees[0], area);
  // Beside a single root there is room for words, as long as the next level is well below.
  // Chips on their way pass below the beats, or right of them.
  const double card = whole.look.card.height, chip_top = card + (whole.level - card - 56) / 2;
  const double beside = whole.card(trees[0], trees[0].root).x - area.x;
  const bool sides = !several && trees[0].height >= 1 && whole.level >= 190 &&
                     (beside >= 440 || chip_top >= beats_bottom(scene) + 4);
  const bool values = whole.look.form == NodeForm::cells;
  if (sides) {
    const Rect root = whole.card(trees[0], trees[0].root);
    const double low = root.y + whole.level - area.y;
    draw_heading_sides(scene, {area.x, area.y, root.x - area.x - 24, low},
                       {root.right() + 24, area.y, area.right() - root.right() - 24, low}, values);
  } else {
    area = draw_heading_row(scene, area);
  }
  if (several)
    for (std::size_t i = 0; i < trees.size(); ++i) {
      const Rect half{area.x + static_cast<double>(i) * (area.width / 2 + 12), area.y,
                      area.width / 2 - 12, area.height};
      scene.drawing.text(
          "half" + std::to_string(i) + ".title", {half.center().x, half.y + 26},
          scene.language.text("view.half", {{"chunk", std::to_string(trees[i].first_chunk)}}),
          {size::body, Face::bold, Align::center, scene.theme.quiet});
      draw_tree_of(scene, trees[i],
                   layout_of(scene, trees[i], {half.x, half.y + 44, half.width, half.height - 44}),
                   true);
    }
  else
    draw_tree_of(scene, trees[0], sides ? whole : layout_of(scene, trees[0], area), false);
  draw_foot(scene);
  return std::move(scene.drawing).finish(scene.theme.surface);
}

}  // namespace ringscope
