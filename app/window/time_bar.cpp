#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/scrub_bar.h"
#include "core/figure/time_axis.h"

namespace ringscope {
namespace {

struct Bar {
  Rect rect;
  double end;  // nanoseconds

  double x_of(double nanoseconds) const {
    return rect.x + (end > 0 ? rect.width * nanoseconds / end : 0);
  }
  double time_at(double x) const { return std::clamp((x - rect.x) / rect.width, 0.0, 1.0) * end; }
};

// One after the other in the upper and the lower half, as they may overlap.
void phases_of_one(Pen& pen, const Bar& bar, const OpenTrace& open) {
  double taken = -1e9;  // where the last name ends
  for (std::size_t i = 0; i < open.moments.phases.size(); ++i) {
    const PhaseSpan span = open.moments.phases[i];
    if (span.to <= span.from) continue;
    const double left = bar.x_of(static_cast<double>(span.from));
    const double right = bar.x_of(static_cast<double>(span.to));
    const Rect row = row_of(bar.rect, i % 2, 2);
    pen.box({left, row.y, right - left, row.height}, 4, phase_color(pen.theme(), i));
    const std::string name = pen.text("phase." + open.trace.schedule.phases[i].id);
    const double width = pen.width(name, size::small, Face::sans);
    const double middle = (left + right) / 2;
    if (width > right - left || middle - width / 2 < taken) continue;
    taken = middle + width / 2 + 16;
    pen.label({middle, bar.rect.y - 12}, name, size::small, Face::sans, Align::center,
              pen.theme().quiet);
  }
}

void phases_in_row(Pen& pen, const Bar& bar, const Rect& row, const OpenTrace& open) {
  for (std::size_t i = 0; i < open.moments.phases.size(); ++i) {
    const PhaseSpan span = open.moments.phases[i];
    const double left = bar.x_of(static_cast<double>(span.from));
    const double right = bar.x_of(static_cast<double>(span.to));
    if (right > left)
      pen.box({left, row.y, right - left, row.height}, 4, phase_color(pen.theme(), i));
  }
  row_name(pen, row, bar.x_of(static_cast<double>(open.moments.end)), open.trace.schedule);
}

void ticks(Pen& pen, const Bar& bar) {
  const auto width = [&](const std::string& text) {
    return pen.width(text, size::small, Face::sans) + 28;
  };
  for (const TimeTick& tick : time_ticks(0, bar.end, bar.rect.width, width)) {
    const double x = bar.x_of(tick.nanoseconds);
    pen.line({x, bar.rect.bottom() + 3}, {x, bar.rect.bottom() + 9}, {pen.theme().line, 1.5, 0});
    pen.label({x, bar.rect.bottom() + 28}, tick.label, size::small, Face::sans, Align::center,
              pen.theme().quiet);
  }
}

}  // namespace

void time_bar(Pen& pen, const Rect& rect, double scale) {
  Session& session = pen.session();
  const Bar bar{rect, static_cast<double>(session.playback.moments.end)};
  const std::vector<const OpenTrace*> shown = shown_traces(session);
  if (shown.size() == 1) phases_of_one(pen, bar, *shown[0]);
  for (std::size_t i = 0; shown.size() > 1 && i < shown.size(); ++i)
    phases_in_row(pen, bar, row_of(rect, i, shown.size()), *shown[i]);
  ticks(pen, bar);
  if (const std::optional<Hand> hand = hand_on(pen, rect, scale))
    try_command(session, "seek", fmt::format("{}ns", std::llround(bar.time_at(hand->x))));
  play_head(pen, rect, bar.x_of(position_of(session.playback)));
}

}  // namespace ringscope
