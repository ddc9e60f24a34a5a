#include "core/figure/time_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace ringscope {
namespace {

struct Unit {
  std::string_view name;
  double nanoseconds;
};

// The largest of which there is at least one.
Unit unit_of(double nanoseconds) {
  for (const Unit& unit : {Unit{"s", 1e9}, Unit{"ms", 1e6}, Unit{"µs", 1e3}})
    if (nanoseconds >= unit.nanoseconds) return unit;
  return {"ns", 1};
}

}  // namespace

std::vector<TimeTick> time_ticks(double from, double to, double length,
                                 const std::function<double(const std::string&)>& width) {
  const Unit unit = unit_of(to);
  const auto number = [&](double nanoseconds) {
    return fmt::format("{:.12g}", nanoseconds / unit.nanoseconds);
  };
  const auto with_unit = [&](double nanoseconds) {
    return fmt::format("{} {}", number(nanoseconds), unit.name);
  };
  if (to - from < 1) return {{from, with_unit(from)}};
  // Multiples have no more digits than the first, the last one and the step.
  const auto fits = [&](double step) {
    const double first = std::ceil(from / step) * step, last = std::floor(to / step) * step;
    double widest = 0;
    for (const std::string& label :
         {number(step), number(first + step), number(last - step), number(last), with_unit(first)})
      widest = std::max(widest, width(label));
    return step / (to - from) * length >= widest;
  };
  double step = 0;
  for (double power = 1; step == 0; power *= 10)
    for (const double digit : {1., 2., 4., 5.})
      if (step == 0 && (digit * power > to - from || fits(digit * power))) step = digit * power;
  std::vector<TimeTick> ticks;
  for (double i = std::ceil(from / step); i * step <= to; ++i)
    ticks.push_back({i * step, ticks.empty() ? with_unit(i * step) : number(i * step)});
  if (ticks.empty()) ticks.push_back({from, with_unit(from)});
  return ticks;
}

std::string short_time(double nanoseconds) {
  const Unit unit = unit_of(nanoseconds);
  return fmt::format("{:.4g} {}", nanoseconds / unit.nanoseconds, unit.name);
}

}  // namespace ringscope
