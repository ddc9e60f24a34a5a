// The texts of --late, --delay and --die, and what they ask for.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>

#include "core/schedule/schedule.h"
#include "core/trace/trace.h"

namespace ringscope {

// '120us', '5ms', '1.5s', '40ns' -> nanoseconds. Throws Error (usage).
std::chrono::nanoseconds parse_duration(std::string_view text);

// Late '2:120us'; delays '2:5ms' (all that rank 2 receives) and '1-2:5ms' (from rank 1 only);
// deaths '2@1.2'. A delay of a rank and one of a link to it add up. Throws Error (usage) for
// another form, for a rank, link or round that the schedule does not use, and for the same rank or
// link twice.
Trouble parse_trouble(const Schedule& schedule, std::span<const std::string> late,
                      std::span<const std::string> delays, std::span<const std::string> deaths);

}  // namespace ringscope
