// Ticks of a time axis, and times as they are written on it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ringscope {

struct TimeTick {
  double nanoseconds;
  std::string label;
};

// From `from` to `to` nanoseconds over `length` units: as many ticks, at 1, 2, 4 or 5 times a power
// of ten, as their labels have room, the first with the unit. `width`: units that a label takes.
std::vector<TimeTick> time_ticks(double from, double to, double length,
                                 const std::function<double(const std::string&)>& width);

// '50 µs', '2 ms': no more digits than it has.
std::string short_time(double nanoseconds);

}  // namespace ringscope
