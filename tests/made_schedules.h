// Schedules by the name of their algorithm, and who sends to whom in them.
#pragma once

#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "core/schedule/schedule.h"

namespace ringscope {

inline const std::vector<std::int32_t> all_ranks{1,  2,  3,  4,  5,  6,  7,  8,  9,  11,
                                                 13, 15, 16, 17, 24, 31, 32, 33, 64, 65};

inline Schedule make(std::string_view name, ScheduleRequest request) {
  return algorithm_named(name).make(request);
}

inline std::vector<std::int32_t> backwards(std::int32_t ranks) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(ranks));
  std::iota(order.rbegin(), order.rend(), 0);
  return order;
}

// Who sends to whom in a round, in list order; several chunks or slices once.
using Links = std::vector<std::pair<std::int32_t, std::int32_t>>;
inline Links links_of(const Schedule& schedule, std::int32_t round, std::int32_t chunk = -1) {
  Links links;
  for (const Transfer& transfer : schedule.transfers) {
    if (transfer.round != round) continue;
    if (chunk >= 0 && transfer.first_cell / schedule.slices != chunk) continue;
    if (links.empty() || links.back() != std::pair(transfer.src, transfer.dst))
      links.emplace_back(transfer.src, transfer.dst);
  }
  return links;
}

}  // namespace ringscope
