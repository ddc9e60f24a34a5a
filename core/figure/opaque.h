// What the views of an all-reduce that shows no transfers have in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/figure/stage.h"

namespace ringscope {

// [repeat] The times of the run; and which of them is the record's.
struct OpaqueTimes {
  std::vector<std::int64_t> repeats;
  std::size_t kept = 0;
  std::vector<std::int64_t> ranks;  // [rank]: of the kept one
};
OpaqueTimes opaque_times(const Trace& trace);

// 'NCCL does not show its chunks.'
std::string opaque_sentence(const Language& language);

}  // namespace ringscope
