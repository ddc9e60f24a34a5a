// Two complementary binary trees, each with half of the buffer, as NCCL builds them (ncclGetBtree
// and ncclGetDtree in its graph/trees.cc; the idea is Sanders, Speck, Träff, Parallel Computing
// 2009). In the first tree odd ranks are leaves, so that the second, of the same shape, can have
// them inside. N = 10, an even number: the second tree is the first one mirrored, rank r being
// N-1-r. (Of an odd number it is shifted: rank r is r+1 modulo N.)
//
//   0───────────────8                 1───────────────9
//           ┌───────┤                 ├───────┐
//           4       9                 0       5
//       ┌───┴───┐                         ┌───┴───┐
//       2       6                         3       7
//     ┌─┴─┐   ┌─┴─┐                     ┌─┴─┐   ┌─┴─┐
//     1   3   5   7                     2   4   6   8
//
// A rank that is inside one tree is a leaf of the other: three links and one, each with half of the
// buffer each way, so that no rank sends more than 2K. (With N odd rank 0 is a leaf of neither, but
// the first one's root.) Both trees go up and down in the same 2 ceil(log2 N) rounds.
#include <utility>

#include "core/schedule/building.h"
#include "core/schedule/tree.h"

namespace ringscope {
namespace {

// NCCL's first tree. With b the lowest bit set in a rank, its parent is the rank with b cleared and
// the next higher bit set, so that ...01 and ...11 hang on ...10; where no such rank is there, the
// one with b cleared only. Rank 0 is the root.
std::int32_t parent_of(std::int32_t rank, std::int32_t ranks) {
  if (rank == 0) return -1;
  const std::int32_t lowest_bit = rank & -rank;
  const std::int64_t parent = std::int64_t{rank ^ lowest_bit} | 2 * std::int64_t{lowest_bit};
  return parent < ranks ? static_cast<std::int32_t>(parent) : rank ^ lowest_bit;
}

// The same tree, but name(r) stands where r stood.
template <class Name>
Tree first_tree_named(std::int32_t ranks, Name&& name) {
  std::vector<std::int32_t> parents(static_cast<std::size_t>(ranks));
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    const std::int32_t parent = parent_of(rank, ranks);
    parents[static_cast<std::size_t>(name(rank))] = parent < 0 ? -1 : name(parent);
  }
  return tree_of(std::move(parents));
}

}  // namespace

Schedule make_double_tree(const ScheduleRequest& request) {
  check_request(request, "double-tree");
  const std::int32_t n = request.ranks;
  Schedule schedule = begin_all_reduce(request, "double-tree", 4.0 * (n - 1));
  const Tree first = first_tree_named(n, [](std::int32_t rank) { return rank; });
  const Tree second = first_tree_named(
      n, [n](std::int32_t rank) { return n % 2 == 0 ? n - 1 - rank : (rank + 1) % n; });

  add_phase(schedule, "reduce", first.height);
  add_phase(schedule, "broadcast", first.height);
  for (std::int32_t round = 0; round < 2 * first.height; ++round) {
    add_tree_round(schedule, first, 0, round);
    add_tree_round(schedule, second, 1, round);
  }
  return schedule;
}

}  // namespace ringscope
