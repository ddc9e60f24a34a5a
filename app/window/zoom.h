// The part of a run that a timeline shows: made longer or shorter, and moved. No ImGui.
#pragma once

#include <cstdint>

#include "core/figure/views.h"

namespace ringscope {

// Nothing shorter is shown: clocks of most machines tell no less.
inline constexpr std::int64_t shortest_span = 100;

// The span `factor` times as long; `about` (nanoseconds) stays where it is. Within 0 to `end`.
TimeSpan zoomed(TimeSpan shown, double factor, std::int64_t about, std::int64_t end);
// The span moved by so many nanoseconds, as far as it goes within 0 to `end`.
TimeSpan panned(TimeSpan shown, std::int64_t by, std::int64_t end);

// The time at a place of the plot that shows the span, and the place of a time; x as the plot's.
double time_of(TimeSpan shown, const Rect& plot, double x);
double place_of(TimeSpan shown, const Rect& plot, double nanoseconds);

}  // namespace ringscope
