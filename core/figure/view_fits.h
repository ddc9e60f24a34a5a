// Which schedules a view can show.
#pragma once

#include "core/schedule/schedule.h"

namespace ringscope {

// One direction or both, or a chain, with a link a rank.
bool fits_ring(const Schedule& schedule);
bool fits_ring_and_matrix(const Schedule& schedule);
bool fits_groups(const Schedule& schedule);
bool fits_opaque(const Schedule& schedule);
bool fits_hypercube(const Schedule& schedule);

}  // namespace ringscope
