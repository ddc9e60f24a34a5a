// The parts of an all-reduce on their own, along the ring, with NCCL's placement:
//
//   reduce-scatter   all ranks hold all chunks     ─>  rank r holds the sum of chunk r
//   all-gather       rank r holds chunk r          ─>  all ranks hold all chunks
//   reduce           all ranks hold the buffer     ─>  the root holds the sum
//   broadcast        the root holds the buffer     ─>  all ranks hold it
//
// The first two are the two phases of the ring (ring.cpp), but that each chunk starts one place
// further on, so that it ends where NCCL wants it. The others go down a chain, as NCCL's do:
//
//   reduce      root+1 ──> root+2 ──> ... ──> root-1 ──> root      places of the ring, modulo N
//   broadcast   root ──> root+1 ──> root+2 ──> ... ──> root-1
#include <algorithm>

#include "core/schedule/building.h"
#include "core/schedule/schedule.h"

namespace ringscope {
namespace {

// Index into initial and goal of chunk r at rank r.
std::size_t own_chunk(const Schedule& schedule, std::int32_t rank) {
  return static_cast<std::size_t>(rank) * static_cast<std::size_t>(schedule.chunks + 1);
}

// The ring's ranks, the root first.
std::vector<std::int32_t> from_root(const Schedule& schedule, std::int32_t root) {
  std::vector<std::int32_t> chain = schedule.order;
  std::rotate(chain.begin(), std::find(chain.begin(), chain.end(), root), chain.end());
  return chain;
}

// The whole buffer goes from each rank of the chain to the next, one round after another.
void pass_along(Schedule& schedule, const std::vector<std::int32_t>& chain, Action action) {
  for (std::size_t place = 0; place + 1 < chain.size(); ++place)
    add_step(schedule, static_cast<std::int32_t>(place), chain[place], chain[place + 1], 0, 1,
             action);
}

}  // namespace

Schedule make_reduce_scatter(const ScheduleRequest& request) {
  check_request(request, "reduce-scatter");
  const std::int32_t n = request.ranks, steps = n - 1;
  Schedule schedule = begin_all_reduce(request, "reduce-scatter", 1.0 * steps * n);
  schedule.order = ring_order(request);
  std::fill(schedule.goal.begin(), schedule.goal.end(), do_not_care);
  for (std::int32_t rank = 0; rank < n; ++rank) schedule.goal[own_chunk(schedule, rank)] = everyone;

  // By place, the chunk that starts there: that of the rank in the place before, its journey's end.
  std::vector<std::int32_t> starting = schedule.order;
  std::rotate(starting.begin(), starting.end() - 1, starting.end());
  const std::int32_t first = add_phase(schedule, "reduce-scatter", steps);
  for (std::int32_t step = 0; step < steps; ++step)
    add_ring_round(schedule, first + step, schedule.order, starting, step, Action::reduce);
  return schedule;
}

Schedule make_all_gather(const ScheduleRequest& request) {
  check_request(request, "all-gather");
  const std::int32_t n = request.ranks, steps = n - 1;
  Schedule schedule = begin_all_reduce(request, "all-gather", 1.0 * steps * n);
  schedule.order = ring_order(request);
  std::fill(schedule.initial.begin(), schedule.initial.end(), nothing);
  for (std::int32_t rank = 0; rank < n; ++rank) schedule.initial[own_chunk(schedule, rank)] = rank;

  const std::int32_t first = add_phase(schedule, "all-gather", steps);
  for (std::int32_t step = 0; step < steps; ++step)
    add_ring_round(schedule, first + step, schedule.order, schedule.order, step, Action::copy);
  return schedule;
}

Schedule make_reduce(const ScheduleRequest& request) {
  check_request(request, "reduce");
  const std::int32_t steps = request.ranks - 1, root = request.root.value_or(0);
  Schedule schedule = begin_all_reduce(request, "reduce", steps);
  schedule.order = ring_order(request);
  std::fill(schedule.goal.begin(), schedule.goal.end(), do_not_care);
  schedule.goal[static_cast<std::size_t>(root)] = everyone;

  std::vector<std::int32_t> chain = from_root(schedule, root);
  std::rotate(chain.begin(), chain.begin() + 1, chain.end());
  add_phase(schedule, "reduce", steps);
  pass_along(schedule, chain, Action::reduce);
  return schedule;
}

Schedule make_broadcast(const ScheduleRequest& request) {
  check_request(request, "broadcast");
  const std::int32_t steps = request.ranks - 1, root = request.root.value_or(0);
  Schedule schedule = begin_all_reduce(request, "broadcast", steps);
  schedule.order = ring_order(request);
  std::fill(schedule.initial.begin(), schedule.initial.end(), nothing);
  schedule.initial[static_cast<std::size_t>(root)] = root;

  add_phase(schedule, "broadcast", steps);
  pass_along(schedule, from_root(schedule, root), Action::copy);
  return schedule;
}

}  // namespace ringscope
