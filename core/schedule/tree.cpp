// The binary tree: leaves to root, then root to leaves. Numbered as a heap: the children of rank i
// are 2i+1 and 2i+2.
//
//              GPU 0                     reduce, L = floor(log2 N) rounds: the deepest ranks send
//            /       \                   their buffers to their parents, which add their first
//        GPU 1       GPU 2               child's, then their second's; then the next level does.
//       /     \     /     \              broadcast, L rounds: the sum comes down the same links.
//   GPU 3  GPU 4  GPU 5  GPU 6
//
// A rank passes K on each of its links each way: a leaf K, the root 2K, an inner rank 3K.
#include "core/schedule/tree.h"

#include <algorithm>
#include <utility>

#include "core/schedule/building.h"

namespace ringscope {

Tree tree_of(std::vector<std::int32_t> parents) {
  Tree tree{std::move(parents), {}, 0};
  for (std::int32_t rank : counted_from(0, static_cast<std::int32_t>(tree.parents.size()))) {
    std::int32_t depth = 0;
    for (; tree.parents[static_cast<std::size_t>(rank)] >= 0; ++depth)
      rank = tree.parents[static_cast<std::size_t>(rank)];
    tree.depths.push_back(depth);
    tree.height = std::max(tree.height, depth);
  }
  return tree;
}

void add_tree_round(Schedule& schedule, const Tree& tree, std::int32_t chunk, std::int32_t round) {
  const bool rising = round < tree.height;
  const std::int32_t depth = rising ? tree.height - round : round - tree.height + 1;
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    const std::int32_t parent = tree.parents[static_cast<std::size_t>(rank)];
    if (tree.depths[static_cast<std::size_t>(rank)] != depth) continue;
    if (rising)
      add_step(schedule, round, rank, parent, chunk, 1, Action::reduce);
    else
      // A slice comes down here 2 * depth rounds after it was added here. A lane that waited for it
      // would carry one slice up and down at a time, so it goes on with as many others meanwhile.
      add_step(schedule, round, parent, rank, chunk, 1, Action::copy, 2 * depth);
  }
}

Schedule make_tree(const ScheduleRequest& request) {
  check_request(request, "tree");
  Schedule schedule = begin_all_reduce(request, "tree", 2.0 * (request.ranks - 1));
  std::vector<std::int32_t> parents{-1};
  for (std::int32_t rank = 1; rank < request.ranks; ++rank) parents.push_back((rank - 1) / 2);

  const Tree tree = tree_of(std::move(parents));
  add_phase(schedule, "reduce", tree.height);
  add_phase(schedule, "broadcast", tree.height);
  for (std::int32_t round = 0; round < 2 * tree.height; ++round)
    add_tree_round(schedule, tree, 0, round);
  return schedule;
}

}  // namespace ringscope
