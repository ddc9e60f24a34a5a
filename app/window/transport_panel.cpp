#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/imgui_versions.h"
#include "app/window/panels.h"

namespace ringscope {
namespace {

constexpr double padding = 24, bar_height = 36, head_radius = 14, track = 8;
constexpr double button = 52, play_radius = 34;

// The scrub bar: positions 0..R over its width.
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

Color phase_color(const Theme& theme, std::size_t phase) {
  return phase % 2 == 0 ? theme.phase_even : theme.phase_odd;
}

void buttons(Pen& pen, const Rect& rect) {
  const double middle = rect.center().y;
  double x = rect.x + padding - 8;
  const auto place = [&] {
    const Rect at{x, middle - button / 2, button, button};
    x += button + 4;
    return at;
  };
  pen.icon_button(Icon::first, place(), "first");
  pen.icon_button(Icon::back, place(), "back");
  const Rect play{x + 6, middle - play_radius, 2 * play_radius, 2 * play_radius};
  x += 2 * play_radius + 16;
  const bool enabled = pen.session().open != nullptr;
  pen.command_area(play, play_radius, "play");
  pen.disc(play.center(), play_radius, enabled ? pen.theme().accent : pen.theme().rule);
  pen.icon(runs(pen.session().playback) ? Icon::pause : Icon::play, play.center(), 15,
           enabled ? pen.theme().on_accent : pen.theme().surface);
  pen.icon_button(Icon::forward, place(), "forward");
  pen.icon_button(Icon::last, place(), "last");
}

void phases(Pen& pen, const Bar& bar, const Schedule& schedule) {
  for (std::size_t i = 0; i < schedule.phases.size(); ++i) {
    const Phase& phase = schedule.phases[i];
    if (phase.round_count == 0) continue;
    const double left = bar.x_of(phase.first_round);
    const double right = bar.x_of(phase.first_round + phase.round_count);
    pen.box({left, bar.rect.y, right - left, bar.rect.height}, 4, phase_color(pen.theme(), i));
    const std::string name = pen.text("phase." + phase.id);
    if (pen.width(name, size::small, Face::sans) < right - left)
      pen.label({(left + right) / 2, bar.rect.y - 12}, name, size::small, Face::sans, Align::center,
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
// none that would touch it.
void tick_labels(Pen& pen, const Bar& bar, const Schedule& schedule, std::int32_t current) {
  constexpr double apart = 16;
  const auto half_width = [&](std::int32_t stop) {
    return (pen.width(round_name(schedule, stop - 1), size::small, Face::bold) + apart) / 2;
  };
  double taken = -1e9;  // where the last label ends
  const auto label = [&](std::int32_t stop) {
    const double x = bar.x_of(stop), half = half_width(stop);
    const bool now = stop == current;
    const bool touches = std::abs(x - bar.x_of(current)) < half + half_width(current);
    if (!now && (touches || x - half < taken)) return;
    pen.label({x, bar.rect.bottom() + 28}, round_name(schedule, stop - 1), size::small,
              now ? Face::bold : Face::sans, Align::center,
              now ? pen.theme().ink : pen.theme().quiet);
    if (!now) taken = x + half;
  };
  const std::int32_t stride = label_stride(bar, 2 * half_width(bar.rounds));
  label(0);
  for (const Phase& phase : schedule.phases)
    for (std::int32_t round = 0; round < phase.round_count; round += stride)
      if (phase.first_round + round + 1 != current) label(phase.first_round + round + 1);
  if (current > 0) label(current);
}

// A hand on the bar: anywhere while it is held, on the nearest stop when it lets go.
void scrub_area(Pen& pen, const Bar& bar, double scale) {
  const Rect reach{bar.rect.x - head_radius, bar.rect.y - 8, bar.rect.width + 2 * head_radius,
                   bar.rect.height + 16};
  const Hit hit = pen.area("scrub", reach);
  if (hit.hovered || hit.held) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const double position = bar.position_at(static_cast<double>(ImGui::GetIO().MousePos.x) / scale);
  if (hit.held) try_command(pen.session(), "seek", fmt::format("{}", position));
  if (hit.clicked || ImGui::IsItemDeactivated())
    try_command(pen.session(), "seek", fmt::format("{}", std::round(position)));
}

void scrub_bar(Pen& pen, const Rect& rect, double scale) {
  Session& session = pen.session();
  const Bar bar{rect, session.playback.rounds};
  const Theme& theme = pen.theme();
  if (!session.open) {
    pen.box(rect, 4, theme.card);
    return;
  }
  const Schedule& schedule = session.open->trace.schedule;
  if (bar.rounds == 0) pen.box(rect, 4, theme.card);
  phases(pen, bar, schedule);
  tick_lines(pen, bar);
  tick_labels(pen, bar, schedule, session.playback.round);
  scrub_area(pen, bar, scale);
  const Point head{bar.x_of(position_of(session.playback)), rect.center().y};
  pen.box({rect.x, head.y - track / 2, head.x - rect.x, track}, track / 2, theme.accent);
  pen.disc(head, head_radius, theme.surface, {theme.accent, 5, 0});
}

}  // namespace

void transport_panel(Pen& pen, const Layout& layout) {
  const Rect rect = layout.transport;
  pen.box(rect, 12, pen.theme().surface, {pen.theme().rule, 1, 0});
  buttons(pen, rect);
  const double middle = rect.center().y;
  const std::string speed = fmt::format("{:g}×", pen.session().playback.speed);
  const Rect camera{rect.right() - padding - 52, middle - 24, 56, 48};
  const Rect speed_chip{camera.x - 12 - 84, middle - 24, 84, 48};
  pen.box(speed_chip, 8, pen.theme().card);
  pen.command_area(speed_chip, 8, "speed");
  pen.label_in(speed_chip, speed, size::small, Face::bold, pen.theme().ink);
  pen.icon_button(Icon::camera, camera, "save-picture");
  const double left = rect.x + padding + 4 * (button + 4) + 2 * play_radius + 48;
  scrub_bar(pen, {left, middle - bar_height / 2, speed_chip.x - 44 - left, bar_height},
            layout.scale);
}

void progress_line(Pen& pen, const Rect& rect) {
  const Session& session = pen.session();
  if (!session.open || session.playback.rounds == 0) return;
  const Bar bar{rect, session.playback.rounds};
  const Schedule& schedule = session.open->trace.schedule;
  constexpr double gap = 4;
  const bool apart = rect.width / bar.rounds > 4 * gap;
  for (std::int32_t round = 0; round < bar.rounds; ++round) {
    const double left = bar.x_of(round), right = bar.x_of(round + 1) - (apart ? gap : 0);
    const auto phase = static_cast<std::size_t>(phase_of(schedule, round));
    pen.box({left, rect.y, right - left, rect.height}, apart ? rect.height / 2 : 0,
            phase_color(pen.theme(), phase));
  }
  const double position = position_of(session.playback);
  if (position > 0)
    pen.box({rect.x, rect.y, bar.x_of(position) - rect.x - (apart ? gap : 0), rect.height},
            rect.height / 2, pen.theme().accent);
}

}  // namespace ringscope
