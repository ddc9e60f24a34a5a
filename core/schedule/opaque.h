// What stands for the schedule of an all-reduce of which nobody sees the transfers: a vendor's own,
// which is run as a whole.
#pragma once

#include <string_view>

#include "core/schedule/schedule.h"

namespace ringscope {

// The name of its 'algorithm', which is no row of the table of algorithms: NCCL chooses among its
// own, and does not say which.
inline constexpr std::string_view opaque_algorithm = "nccl";

// The buffer as one chunk that every rank has, and shall have the sum of; no transfer.
Schedule make_opaque(const ScheduleRequest& request);

bool is_opaque(const Schedule& schedule);

}  // namespace ringscope
