// The trees of a schedule, read off its transfers, and where their ranks stand.
#pragma once

#include <vector>

#include "core/figure/figure.h"
#include "core/schedule/schedule.h"

namespace ringscope {

// One tree, over which chunks [first_chunk, first_chunk + chunks) go up or down.
struct TreeShape {
  std::int32_t first_chunk = 0, chunks = 1;
  std::int32_t root = 0;
  std::vector<std::int32_t> parents;  // [rank]; -1: the root
  std::vector<std::int32_t> depths;   // [rank]
  std::int32_t height = 0;
  std::vector<double> columns;  // [rank]: its middle, in columns of one leaf each
  std::int32_t leaves = 1;
};

// The trees of all chunks, adjacent chunks of the same tree together. Empty where what some chunk
// does is no tree (every rank but one root has one parent, to which it gives or from which it
// takes), or a transfer belongs to two.
std::vector<TreeShape> trees_of(const Schedule& schedule);
// Whether a stage has room for them.
bool fits_tree(const Schedule& schedule);

// The rank with which all transfers have to do, where there is one: a star's middle. Nobody: -1.
std::int32_t star_root(const Schedule& schedule);
bool fits_star(const Schedule& schedule);

}  // namespace ringscope
