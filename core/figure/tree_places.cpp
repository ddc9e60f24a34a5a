#include "core/figure/tree_places.h"

#include <algorithm>
#include <optional>

#include "core/schedule/opaque.h"

namespace ringscope {
namespace {

using Parents = std::vector<std::int32_t>;

// [rank] of one chunk: -1 for the root. Nothing where some rank has two parents.
std::optional<Parents> parents_of(const Schedule& schedule, std::int32_t chunk) {
  Parents parents(static_cast<std::size_t>(schedule.ranks), -1);
  for (const Transfer& transfer : schedule.transfers) {
    const std::int32_t first = transfer.first_cell / schedule.slices;
    const std::int32_t last = (transfer.first_cell + transfer.cell_count - 1) / schedule.slices;
    if (chunk < first || chunk > last) continue;
    const bool up = transfer.action == Action::reduce;
    const std::int32_t parent = up ? transfer.dst : transfer.src;
    std::int32_t& known = parents[static_cast<std::size_t>(up ? transfer.src : transfer.dst)];
    if (known >= 0 && known != parent) return std::nullopt;
    known = parent;
  }
  return parents;
}

// Depths and root; false where the parents lead round in a circle, or to several roots.
bool measure(TreeShape& tree) {
  const auto ranks = static_cast<std::int32_t>(tree.parents.size());
  tree.root = -1;
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    std::int32_t depth = 0, at = rank;
    for (; tree.parents[static_cast<std::size_t>(at)] >= 0; ++depth) {
      at = tree.parents[static_cast<std::size_t>(at)];
      if (depth > ranks) return false;
    }
    if (tree.root >= 0 && tree.root != at) return false;
    tree.root = at;
    tree.depths.push_back(depth);
    tree.height = std::max(tree.height, depth);
  }
  return true;
}

// Leaves side by side in the order of their branches; above them their parents, each over the
// middle of its children.
void place(TreeShape& tree) {
  const auto ranks = static_cast<std::int32_t>(tree.parents.size());
  std::vector<std::vector<std::int32_t>> children(tree.parents.size());
  for (std::int32_t rank = 0; rank < ranks; ++rank)
    if (const std::int32_t parent = tree.parents[static_cast<std::size_t>(rank)]; parent >= 0)
      children[static_cast<std::size_t>(parent)].push_back(rank);
  tree.columns.assign(tree.parents.size(), 0);
  tree.leaves = 0;
  std::vector<std::int32_t> order{tree.root};  // parents first
  for (std::vector<std::int32_t> open{tree.root}; !open.empty();) {
    const std::int32_t rank = open.back();
    open.pop_back();
    if (rank != tree.root) order.push_back(rank);
    const auto& own = children[static_cast<std::size_t>(rank)];
    if (own.empty()) tree.columns[static_cast<std::size_t>(rank)] = 0.5 + tree.leaves++;
    open.insert(open.end(), own.rbegin(), own.rend());
  }
  for (std::size_t i = order.size(); i-- > 0;) {
    const auto& own = children[static_cast<std::size_t>(order[i])];
    if (own.empty()) continue;
    tree.columns[static_cast<std::size_t>(order[i])] =
        (tree.columns[static_cast<std::size_t>(own.front())] +
         tree.columns[static_cast<std::size_t>(own.back())]) /
        2;
  }
}

constexpr std::int32_t most_ranks = 64, most_leaves = 32, most_height = 6;
// More would meet at their parent; with them it is a star.
constexpr std::int32_t most_children = 2;

}  // namespace

std::vector<TreeShape> trees_of(const Schedule& schedule) {
  std::vector<TreeShape> trees;
  for (std::int32_t chunk = 0; chunk < schedule.chunks; ++chunk) {
    std::optional<Parents> parents = parents_of(schedule, chunk);
    if (!parents) return {};
    if (!trees.empty() && trees.back().parents == *parents) {
      ++trees.back().chunks;
      continue;
    }
    TreeShape tree;
    tree.first_chunk = chunk;
    tree.parents = std::move(*parents);
    if (!measure(tree)) return {};
    place(tree);
    trees.push_back(std::move(tree));
    if (trees.size() > 2) return {};
  }
  for (const Transfer& transfer : schedule.transfers) {
    const std::int32_t first = transfer.first_cell / schedule.slices;
    const std::int32_t last = (transfer.first_cell + transfer.cell_count - 1) / schedule.slices;
    for (const TreeShape& tree : trees)
      if (first < tree.first_chunk && last >= tree.first_chunk) return {};
  }
  return trees;
}

bool fits_tree(const Schedule& schedule) {
  if (schedule.ranks > most_ranks || is_opaque(schedule)) return false;
  const std::vector<TreeShape> trees = trees_of(schedule);
  std::int32_t leaves = 0, height = 0, children = 0;
  for (const TreeShape& tree : trees) {
    leaves = std::max(leaves, tree.leaves);
    height = std::max(height, tree.height);
    for (const std::int32_t rank : tree.parents)
      children = std::max(children, static_cast<std::int32_t>(std::count(
                                        tree.parents.begin(), tree.parents.end(), rank)));
  }
  return !trees.empty() && leaves * static_cast<std::int32_t>(trees.size()) <= most_leaves &&
         height <= most_height && children <= most_children;
}

std::int32_t star_root(const Schedule& schedule) {
  if (schedule.transfers.empty()) return 0;
  const Transfer& first = schedule.transfers.front();
  // Which of the two that the first transfer joins have all others to do with?
  for (const std::int32_t rank : {first.dst, first.src})
    if (std::all_of(
            schedule.transfers.begin(), schedule.transfers.end(),
            [&](const Transfer& transfer) { return transfer.src == rank || transfer.dst == rank; }))
      return rank;
  return -1;
}

bool fits_star(const Schedule& schedule) {
  return !is_opaque(schedule) && schedule.ranks <= most_ranks && schedule.chunks == 1 &&
         star_root(schedule) >= 0;
}

}  // namespace ringscope
