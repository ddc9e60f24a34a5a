#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/panels.h"
#include "app/window/scrub_bar.h"

namespace ringscope {
namespace {

// Positions 0..R over its width.
struct Bar {
  Rect rect;
  std::int32_t rounds;

  double x_of(double position) const {
    return rect.x + (rounds == 0 ? 0 : rect.width * position / rounds);
  }
  double position_at(double x) const {
    return std::clamp((x - rect.x) / rect.width, 0.0, 1.0) * rounds;
  }
};

void phases(Pen& pen, const Bar& bar, const Rect& row, const Schedule& schedule, bool named) {
  for (std::size_t i = 0; i < schedule.phases.size(); ++i) {
    const Phase& phase = schedule.phases[i];
    if (phase.round_count == 0) continue;
    const double left = bar.x_of(phase.first_round);
    const double right = bar.x_of(phase.first_round + phase.round_count);
    pen.box({left, row.y, right - left, row.height}, 4, phase_color(pen.theme(), i));
    const std::string name = pen.text("phase." + phase.id);
    if (named && pen.width(name, size::small, Face::sans) < right - left)
      pen.label({(left + right) / 2, row.y - 12}, name, size::small, Face::sans, Align::center,
                pen.theme().quiet);
  }
}

void tick_lines(Pen& pen, const Bar& bar) {
  if (bar.rounds == 0 || bar.rect.width / bar.rounds < 6) return;
  for (std::int32_t stop = 1; stop < bar.rounds; ++stop) {
    const double x = bar.x_of(stop);
    pen.line({x, bar.rect.y}, {x, bar.rect.bottom()}, {pen.theme().line, 1, 0});
  }
}

// Every how many rounds a label fits: 1, 2, 4, 5, 10, 20, 40, ...
std::int32_t label_stride(const Bar& bar, double label_width) {
  const double rounds_a_label = label_width * bar.rounds / bar.rect.width;
  for (std::int32_t power = 1;; power *= 10)
    for (const std::int32_t digit : {1, 2, 4, 5})
      if (digit * power >= rounds_a_label) return digit * power;
}

// 0 and, in each phase, the first and every so many-th round after it; the current one always, and
// none that would touch it. Records that are compared have names of their own for their rounds:
// then these are just numbered, as if they were of one phase.
void tick_labels(Pen& pen, const Bar& bar, const Schedule* schedule, std::int32_t current) {
  constexpr double apart = 16;
  const auto name_of = [&](std::int32_t stop) {
    return schedule ? round_name(*schedule, stop - 1) : std::to_string(stop);
  };
  const auto half_width = [&](std::int32_t stop) {
    return (pen.width(name_of(stop), size::small, Face::bold) + apart) / 2;
  };
  double taken = -1e9;  // where the last label ends
  const auto label = [&](std::int32_t stop) {
    const double x = bar.x_of(stop), half = half_width(stop);
    const bool now = stop == current;
    const bool touches = std::abs(x - bar.x_of(current)) < half + half_width(current);
    if (!now && (touches || x - half < taken)) return;
    pen.label({x, bar.rect.bottom() + 28}, name_of(stop), size::small,
              now ? Face::bold : Face::sans, Align::center,
              now ? pen.theme().ink : pen.theme().quiet);
    if (!now) taken = x + half;
  };
  const std::int32_t stride = label_stride(bar, 2 * half_width(bar.rounds));
  const std::vector<Phase> phases =
      schedule ? schedule->phases : std::vector{Phase{"", 0, bar.rounds}};
  label(0);
  for (const Phase& phase : phases)
    for (std::int32_t round = 0; round < phase.round_count; round += stride)
      if (phase.first_round + round + 1 != current) label(phase.first_round + round + 1);
  if (current > 0) label(current);
}

}  // namespace

void rounds_bar(Pen& pen, const Rect& rect, double scale) {
  Session& session = pen.session();
  const Bar bar{rect, session.playback.rounds};
  const std::vector<const OpenTrace*> shown = shown_traces(session);
  const bool alone = shown.size() == 1;
  if (bar.rounds == 0) pen.box(rect, 4, pen.theme().card);
  for (std::size_t i = 0; i < shown.size(); ++i)
    phases(pen, bar, row_of(rect, i, shown.size()), shown[i]->trace.schedule, alone);
  tick_lines(pen, bar);
  tick_labels(pen, bar, alone ? &shown[0]->trace.schedule : nullptr, session.playback.round);
  // Anywhere while a hand holds it, on the nearest stop when it lets go.
  if (const std::optional<Hand> hand = hand_on(pen, rect, scale)) {
    const double position = bar.position_at(hand->x);
    const double place = hand->lets_go ? std::round(position) : position;
    try_command(session, "seek", fmt::format("{}", place));
  }
  play_head(pen, rect, bar.x_of(position_of(session.playback)));
}

namespace {

// A stroke a round, in the colour of its phase.
void round_strokes(Pen& pen, const Bar& bar, const Schedule& schedule, double gap) {
  for (std::int32_t round = 0; round < bar.rounds; ++round) {
    const double left = bar.x_of(round), right = bar.x_of(round + 1) - gap;
    const auto phase =
        static_cast<std::size_t>(phase_of(schedule, std::min(round, rounds_of(schedule) - 1)));
    pen.box({left, bar.rect.y, right - left, bar.rect.height}, gap > 0 ? bar.rect.height / 2 : 0,
            phase_color(pen.theme(), phase));
  }
}

}  // namespace

void progress_line(Pen& pen, const Rect& rect) {
  const Session& session = pen.session();
  const Playback& playback = session.playback;
  if (!session.open || (playback.measured ? playback.moments.end == 0 : playback.rounds == 0))
    return;
  double share = 0, gap = 0;
  if (playback.measured) {
    pen.box(rect, rect.height / 2, phase_color(pen.theme(), 0));
    share = position_of(playback) / static_cast<double>(playback.moments.end);
  } else {
    const Bar bar{rect, playback.rounds};
    if (rect.width / bar.rounds > 16) gap = 4;
    round_strokes(pen, bar, session.open->trace.schedule, gap);
    share = position_of(playback) / bar.rounds;
  }
  if (share > 0)
    pen.box({rect.x, rect.y, share * rect.width - gap, rect.height}, rect.height / 2,
            pen.theme().accent);
}

}  // namespace ringscope
