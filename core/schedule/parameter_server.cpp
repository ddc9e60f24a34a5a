// The parameter server as the documents have it, their 'traditional scheme': one rank is the
// server.
//
//   GPU 1 ──┐                 GPU 1 <──┐
//   GPU 2 ──┼──> GPU 0        GPU 2 <──┼── GPU 0
//   GPU 3 ──┘                 GPU 3 <──┘
//   reduce: it adds all       broadcast: it sends the sum
//   buffers in rank order     back to all
//
// All links end in the root's port, which takes (N-1)K in and (N-1)K out.
#include "core/schedule/building.h"
#include "core/schedule/schedule.h"

namespace ringscope {

Schedule make_parameter_server(const ScheduleRequest& request) {
  check_request(request, "parameter-server");
  const std::int32_t n = request.ranks, root = request.root.value_or(0);
  Schedule schedule = begin_all_reduce(request, "parameter-server", 2.0 * (n - 1));
  if (n == 1) return schedule;

  const std::int32_t reducing = add_phase(schedule, "reduce", 1);
  for (std::int32_t rank = 0; rank < n; ++rank)
    if (rank != root) add_step(schedule, reducing, rank, root, 0, 1, Action::reduce);
  const std::int32_t sending_back = add_phase(schedule, "broadcast", 1);
  for (std::int32_t rank = 0; rank < n; ++rank)
    if (rank != root) add_step(schedule, sending_back, root, rank, 0, 1, Action::copy);
  return schedule;
}

}  // namespace ringscope
