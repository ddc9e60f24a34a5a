// The bidirectional ring: half of the buffer goes round one way, half the other way, at the same
// time, so that both directions of every link are used (two rings of Patarasuk and Yuan, JPDC
// 2009).
//
//   GPU 0 ══> GPU 1     C = 2N chunks. Chunk j < N starts in place j and goes up the places, as in
//    ║ ^       ║ ^      the ring; chunk N+j starts in place j and goes down them, and ends complete
//    v ║       v ║      in place j+1. Every round is a round of both rings: a rank sends one chunk
//   GPU 3 <══ GPU 2     to each of its neighbours.
//
// Every rank sends 2(N-1)/N of its buffer in 2(N-1) rounds, half of it in each direction.
#include <algorithm>

#include "core/schedule/building.h"
#include "core/schedule/schedule.h"

namespace ringscope {
namespace {

// A ring that everybody passes on along, and the chunks by place at the start of either phase.
struct Direction {
  std::vector<std::int32_t> ring, starting, complete;
};

Direction upward(const std::vector<std::int32_t>& order) {
  const auto n = static_cast<std::int32_t>(order.size());
  return {order, counted_from(0, n), counted_from(1, n)};
}

// The same seen from the other side: place p of this ring is place N-1-p of the order.
Direction downward(const std::vector<std::int32_t>& order) {
  const auto n = static_cast<std::int32_t>(order.size());
  Direction down{order, counted_from(0, n), counted_from(n - 1, n)};
  for (std::vector<std::int32_t>* list : {&down.ring, &down.starting, &down.complete})
    std::reverse(list->begin(), list->end());
  for (std::int32_t& chunk : down.starting) chunk += n;
  for (std::int32_t& chunk : down.complete) chunk += n;
  return down;
}

}  // namespace

Schedule make_bidirectional(const ScheduleRequest& request) {
  check_request(request, "bidirectional");
  const std::int32_t n = request.ranks, steps = n - 1;
  Schedule schedule = begin_all_reduce(request, "bidirectional", 4.0 * steps * n);
  schedule.order = ring_order(request);

  const Direction up = upward(schedule.order), down = downward(schedule.order);
  const std::int32_t reducing = add_phase(schedule, "scatter-reduce", steps);
  for (std::int32_t step = 0; step < steps; ++step)
    for (const Direction& way : {up, down})
      add_ring_round(schedule, reducing + step, way.ring, way.starting, step, Action::reduce);
  const std::int32_t gathering = add_phase(schedule, "all-gather", steps);
  for (std::int32_t step = 0; step < steps; ++step)
    for (const Direction& way : {up, down})
      add_ring_round(schedule, gathering + step, way.ring, way.complete, step, Action::copy);
  return schedule;
}

}  // namespace ringscope
