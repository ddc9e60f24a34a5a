// Schedules that no algorithm of the table makes yet, written by hand, for the tests of what must
// work for any schedule.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/schedule/schedule.h"

namespace ringscope {

// An all-reduce with no transfer yet: every rank starts with its own term in every chunk.
inline Schedule empty_all_reduce(std::string name, std::int32_t ranks, std::int32_t chunks,
                                 std::int32_t slices) {
  Schedule schedule;
  schedule.algorithm = std::move(name);
  schedule.ranks = ranks;
  schedule.count = 7 * static_cast<std::uint64_t>(chunks * slices);
  schedule.chunks = chunks;
  schedule.slices = slices;
  for (std::int32_t i = 0; i < ranks * chunks; ++i) schedule.initial.push_back(i / chunks);
  schedule.goal.assign(schedule.initial.size(), everyone);
  return schedule;
}

// A step's run of cells, cut into one transfer a slice.
inline void add_step(Schedule& schedule, std::int32_t round, std::int32_t src, std::int32_t dst,
                     std::int32_t first_chunk, std::int32_t chunks, Action action) {
  for (std::int32_t slice = 0; slice < schedule.slices; ++slice)
    schedule.transfers.push_back(
        {src, dst, first_chunk * schedule.slices + slice * chunks, chunks, round, slice, action});
}

// The parameter server: all send to rank 0, which sends the sum to all.
inline Schedule make_star(std::int32_t ranks, std::int32_t slices = 1) {
  Schedule schedule = empty_all_reduce("star", ranks, 1, slices);
  schedule.phases = {{"reduce", 0, 1}, {"broadcast", 1, 1}};
  for (std::int32_t rank = 1; rank < ranks; ++rank)
    add_step(schedule, 0, rank, 0, 0, 1, Action::reduce);
  for (std::int32_t rank = 1; rank < ranks; ++rank)
    add_step(schedule, 1, 0, rank, 0, 1, Action::copy);
  return schedule;
}

// The binary tree of four ranks: 3 -> 1, {1, 2} -> 0, and back.
inline Schedule make_tree_of_four(std::int32_t slices = 1) {
  Schedule schedule = empty_all_reduce("tree", 4, 1, slices);
  schedule.phases = {{"reduce", 0, 2}, {"broadcast", 2, 2}};
  add_step(schedule, 0, 3, 1, 0, 1, Action::reduce);
  add_step(schedule, 1, 1, 0, 0, 1, Action::reduce);
  add_step(schedule, 1, 2, 0, 0, 1, Action::reduce);
  add_step(schedule, 2, 0, 1, 0, 1, Action::copy);
  add_step(schedule, 2, 0, 2, 0, 1, Action::copy);
  add_step(schedule, 3, 1, 3, 0, 1, Action::copy);
  return schedule;
}

// Recursive doubling; ranks: a power of two. Partners exchange and both add.
inline Schedule make_exchange(std::int32_t ranks, std::int32_t slices = 1) {
  Schedule schedule = empty_all_reduce("exchange", ranks, 1, slices);
  std::int32_t round = 0;
  for (std::int32_t distance = 1; distance < ranks; distance *= 2, ++round)
    for (std::int32_t rank = 0; rank < ranks; ++rank)
      add_step(schedule, round, rank, rank ^ distance, 0, 1, Action::reduce);
  schedule.phases = {{"exchange", 0, round}};
  return schedule;
}

// Halving-doubling of four ranks: runs of two chunks, then of one, and back.
inline Schedule make_halving_doubling_of_four() {
  Schedule schedule = empty_all_reduce("halving-doubling", 4, 4, 1);
  schedule.phases = {{"reduce-scatter", 0, 2}, {"all-gather", 2, 2}};
  for (std::int32_t rank = 0; rank < 4; ++rank)
    add_step(schedule, 0, rank, rank ^ 2, (rank & 2) == 0 ? 2 : 0, 2, Action::reduce);
  for (std::int32_t rank = 0; rank < 4; ++rank)
    add_step(schedule, 1, rank, rank ^ 1, rank ^ 1, 1, Action::reduce);
  for (std::int32_t rank = 0; rank < 4; ++rank)
    add_step(schedule, 2, rank, rank ^ 1, rank, 1, Action::copy);
  for (std::int32_t rank = 0; rank < 4; ++rank)
    add_step(schedule, 3, rank, rank ^ 2, rank & 2, 2, Action::copy);
  return schedule;
}

// All ranks pass their buffer on to the next at once: every destination is also read.
inline Schedule make_shift(std::int32_t ranks) {
  Schedule schedule = empty_all_reduce("shift", ranks, 1, 1);
  schedule.phases = {{"shift", 0, 1}};
  for (std::int32_t rank = 0; rank < ranks; ++rank)
    add_step(schedule, 0, rank, (rank + 1) % ranks, 0, 1, Action::copy);
  for (std::int32_t rank = 0; rank < ranks; ++rank)
    schedule.goal[static_cast<std::size_t>(rank)] = (rank + ranks - 1) % ranks;
  return schedule;
}

// One rank's buffer for all, and nothing in the others at the start.
inline Schedule make_broadcast(std::int32_t ranks) {
  Schedule schedule = empty_all_reduce("broadcast", ranks, 1, 1);
  schedule.phases = {{"broadcast", 0, 1}};
  for (std::size_t rank = 1; rank < schedule.initial.size(); ++rank)
    schedule.initial[rank] = nothing;
  for (std::int32_t rank = 1; rank < ranks; ++rank)
    add_step(schedule, 0, 0, rank, 0, 1, Action::copy);
  return schedule;
}

}  // namespace ringscope
