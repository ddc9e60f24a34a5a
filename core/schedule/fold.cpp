#include "core/schedule/fold.h"

#include <algorithm>
#include <bit>

#include "core/schedule/building.h"

namespace ringscope {

Fold fold_of(std::int32_t ranks) {
  const auto n = static_cast<std::uint32_t>(std::max(ranks, 1));
  const std::uint32_t places = std::bit_floor(n);
  return {std::countr_zero(places), static_cast<std::int32_t>(places),
          static_cast<std::int32_t>(n - places)};
}

void add_fold_in(Schedule& schedule, const Fold& fold) {
  const std::int32_t round = add_phase(schedule, "fold-in", fold.extras > 0 ? 1 : 0);
  for (std::int32_t rank = 0; rank < 2 * fold.extras; rank += 2)
    add_step(schedule, round, rank, rank + 1, 0, schedule.chunks, Action::reduce);
}

void add_fold_out(Schedule& schedule, const Fold& fold) {
  const std::int32_t round = add_phase(schedule, "fold-out", fold.extras > 0 ? 1 : 0);
  for (std::int32_t rank = 0; rank < 2 * fold.extras; rank += 2)
    add_step(schedule, round, rank + 1, rank, 0, schedule.chunks, Action::copy);
}

}  // namespace ringscope
