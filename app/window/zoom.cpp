#include "app/window/zoom.h"

#include <algorithm>
#include <cmath>

namespace ringscope {

TimeSpan zoomed(TimeSpan shown, double factor, std::int64_t about, std::int64_t end) {
  const auto length = static_cast<double>(shown.to - shown.from);
  const std::int64_t longer =
      std::clamp(std::llround(length * factor),
                 static_cast<long long>(std::min(shortest_span, end)), static_cast<long long>(end));
  about = std::clamp(about, shown.from, shown.to);
  const double share = length > 0 ? static_cast<double>(about - shown.from) / length : 0;
  const std::int64_t from = about - std::llround(share * static_cast<double>(longer));
  return panned({from, from + longer}, 0, end);
}

TimeSpan panned(TimeSpan shown, std::int64_t by, std::int64_t end) {
  const std::int64_t length = std::min(shown.to - shown.from, end);
  const std::int64_t from = std::clamp<std::int64_t>(shown.from + by, 0, end - length);
  return {from, from + length};
}

double time_of(TimeSpan shown, const Rect& plot, double x) {
  const double share = plot.width > 0 ? (x - plot.x) / plot.width : 0;
  return static_cast<double>(shown.from) + share * static_cast<double>(shown.to - shown.from);
}

double place_of(TimeSpan shown, const Rect& plot, double nanoseconds) {
  const auto length = static_cast<double>(shown.to - shown.from);
  if (length <= 0) return plot.x;
  return plot.x + plot.width * (nanoseconds - static_cast<double>(shown.from)) / length;
}

}  // namespace ringscope
