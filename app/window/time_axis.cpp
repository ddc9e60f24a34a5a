#include "app/window/time_axis.h"

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

std::vector<TimeTick> time_ticks(double end, double length,
                                 const std::function<double(const std::string&)>& width) {
  const Unit unit = unit_of(end);
  std::vector<TimeTick> ticks{{0, fmt::format("0 {}", unit.name)}};
  if (end < 1) return ticks;
  // Multiples have no more digits than the last one and the step.
  const auto fits = [&](double step) {
    const double last = std::floor(end / step) * step / unit.nanoseconds;
    const std::string labels[] = {fmt::format("{:g}", step / unit.nanoseconds),
                                  fmt::format("{:g}", last - step / unit.nanoseconds),
                                  fmt::format("{:g}", last), ticks[0].label};
    double widest = 0;
    for (const std::string& label : labels) widest = std::max(widest, width(label));
    return step / end * length >= widest;
  };
  double step = 0;
  for (double power = 1; step == 0; power *= 10)
    for (const double digit : {1., 2., 4., 5.})
      if (step == 0 && (digit * power > end || fits(digit * power))) step = digit * power;
  for (int i = 1; i * step <= end; ++i)
    ticks.push_back({i * step, fmt::format("{:g}", i * step / unit.nanoseconds)});
  return ticks;
}

std::string short_time(double nanoseconds) {
  const Unit unit = unit_of(nanoseconds);
  return fmt::format("{:.4g} {}", nanoseconds / unit.nanoseconds, unit.name);
}

}  // namespace ringscope
