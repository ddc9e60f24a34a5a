// The hierarchical all-reduce: groups (the GPUs of a machine) first, then the groups' leaders
// (their first ranks) among themselves, then the groups again. Groups 3, 1, 2:
//
//   GPU 1 ──┐                ┌──> GPU 3 ──┐            ┌──> GPU 1
//   GPU 2 ──┴─> GPU 0        │            v     GPU 0 ──┴──> GPU 2
//               GPU 3      GPU 0 <───── GPU 4   GPU 3
//   GPU 5 ────> GPU 4                           GPU 4 ─────> GPU 5
//
//   reduce, 1 round:       scatter-reduce and        broadcast, 1 round:
//   leaders add their      all-gather round the      leaders send the result
//   members in rank order  leaders, G chunks         to their members
//
// The leader of m ranks sends and receives (m-1)K inside and 2(G-1)/G K outside.
#include "core/schedule/building.h"
#include "core/schedule/schedule.h"

namespace ringscope {
namespace {

// [rank]: the first rank of its group.
std::vector<std::int32_t> leaders_of(const std::vector<std::int32_t>& sizes) {
  std::vector<std::int32_t> leaders;
  for (const std::int32_t size : sizes)
    leaders.insert(leaders.end(), static_cast<std::size_t>(size),
                   static_cast<std::int32_t>(leaders.size()));
  return leaders;
}

}  // namespace

std::vector<std::int32_t> groups_of(const Schedule& schedule) {
  // Members are those who receive in the broadcast; a group begins with its leader.
  std::vector<bool> is_member(static_cast<std::size_t>(schedule.ranks), false);
  for (const Transfer& transfer : schedule.transfers)
    if (schedule.phases[static_cast<std::size_t>(phase_of(schedule, transfer.round))].id ==
        "broadcast")
      is_member[static_cast<std::size_t>(transfer.dst)] = true;
  std::vector<std::int32_t> sizes;
  for (const bool member : is_member) {
    if (!member || sizes.empty()) sizes.push_back(0);
    ++sizes.back();
  }
  return sizes;
}

Schedule make_hierarchical(const ScheduleRequest& request) {
  check_request(request, "hierarchical");
  const std::int32_t n = request.ranks;
  const std::int32_t group_count = algorithm_named("hierarchical").chunks(request);
  Schedule schedule = begin_all_reduce(request, "hierarchical", 2.0 * (n - 1) * group_count);
  const std::vector<std::int32_t> leaders = leaders_of(group_sizes(request));
  const std::int32_t star_rounds = group_count < n ? 1 : 0, steps = group_count - 1;
  std::vector<std::int32_t> ring;  // of the leaders
  for (std::int32_t rank = 0; rank < n; ++rank)
    if (leaders[static_cast<std::size_t>(rank)] == rank) ring.push_back(rank);

  std::int32_t round = add_phase(schedule, "reduce", star_rounds);
  for (std::int32_t rank = 0; rank < n; ++rank)
    if (const std::int32_t leader = leaders[static_cast<std::size_t>(rank)]; leader != rank)
      add_step(schedule, round, rank, leader, 0, group_count, Action::reduce);

  const std::vector<std::int32_t> starting = counted_from(0, group_count);
  const std::vector<std::int32_t> complete = counted_from(1, group_count);
  round = add_phase(schedule, "scatter-reduce", steps);
  for (std::int32_t step = 0; step < steps; ++step)
    add_ring_round(schedule, round + step, ring, starting, step, Action::reduce);
  round = add_phase(schedule, "all-gather", steps);
  for (std::int32_t step = 0; step < steps; ++step)
    add_ring_round(schedule, round + step, ring, complete, step, Action::copy);

  round = add_phase(schedule, "broadcast", star_rounds);
  for (std::int32_t rank = 0; rank < n; ++rank)
    if (const std::int32_t leader = leaders[static_cast<std::size_t>(rank)]; leader != rank)
      add_step(schedule, round, leader, rank, 0, group_count, Action::copy);
  return schedule;
}

}  // namespace ringscope
