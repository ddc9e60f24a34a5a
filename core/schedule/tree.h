// A tree over the ranks, and the rounds of an all-reduce up and down it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/schedule/schedule.h"

namespace ringscope {

struct Tree {
  std::vector<std::int32_t> parents;  // [rank]; -1: the root
  std::vector<std::int32_t> depths;   // [rank]; 0: the root
  std::int32_t height = 0;            // the largest depth
};

// Of lists that lead from every rank to one root.
Tree tree_of(std::vector<std::int32_t> parents);

// Round `round` of the 2 * height rounds in which one chunk is added up to the root and copied down
// again. Round numbers are those of the schedule, the chunk goes over the links of the tree:
//
//   height 3:   depth 3 ──> 2 ──> 1 ──> 0 ──> 1 ──> 2 ──> 3
//   round                 0     1     2     3     4     5
void add_tree_round(Schedule& schedule, const Tree& tree, std::int32_t chunk, std::int32_t round);

}  // namespace ringscope
