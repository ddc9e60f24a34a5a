#include "core/schedule/opaque.h"

namespace ringscope {

Schedule make_opaque(const ScheduleRequest& request) {
  Schedule schedule;
  schedule.algorithm = opaque_algorithm;
  schedule.ranks = request.ranks;
  schedule.count = request.count;
  for (std::int32_t rank = 0; rank < request.ranks; ++rank) schedule.initial.push_back(rank);
  schedule.goal.assign(schedule.initial.size(), everyone);
  return schedule;
}

bool is_opaque(const Schedule& schedule) { return schedule.algorithm == opaque_algorithm; }

}  // namespace ringscope
