// The ring all-reduce (Patarasuk and Yuan, JPDC 2009). The ranks stand in a ring; with N = 4 in the
// order 0, 1, 2, 3:
//
//   GPU 0 ──> GPU 1     scatter-reduce, N-1 rounds: in round s (from 0) the rank in place p passes
//     ^         │       chunk p-s on, and its neighbour adds it. Chunk j starts in place j and ends
//     │         v       complete in place j-1.
//   GPU 3 <── GPU 2     all-gather, N-1 rounds: the rank in place p passes chunk p+1-s on, and its
//                       neighbour overwrites its own. Places and chunks are counted modulo N.
//
// Every rank sends 2(N-1)/N of its buffer in 2(N-1) rounds.
#include "core/schedule/building.h"
#include "core/schedule/schedule.h"

namespace ringscope {

Schedule make_ring(const ScheduleRequest& request) {
  check_request(request, "ring");
  const std::int32_t n = request.ranks, steps = n - 1;
  Schedule schedule = begin_all_reduce(request, "ring", 2.0 * steps * n);
  schedule.order = ring_order(request);
  schedule.phases = {{"scatter-reduce", 0, steps}, {"all-gather", steps, steps}};
  schedule.transfers.reserve(2 * static_cast<std::size_t>(steps) * static_cast<std::size_t>(n) *
                             static_cast<std::size_t>(request.slices));

  const std::vector<std::int32_t> starting = counted_from(0, n), complete = counted_from(1, n);
  for (std::int32_t step = 0; step < steps; ++step)
    add_ring_round(schedule, step, schedule.order, starting, step, Action::reduce);
  for (std::int32_t step = 0; step < steps; ++step)
    add_ring_round(schedule, steps + step, schedule.order, complete, step, Action::copy);
  return schedule;
}

}  // namespace ringscope
