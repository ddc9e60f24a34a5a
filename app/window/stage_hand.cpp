#include <fmt/format.h>

#include <cmath>

#include "app/window/hit.h"
#include "app/window/imgui_versions.h"
#include "app/window/panels.h"
#include "app/window/zoom.h"

namespace ringscope {
namespace {

constexpr double still = 4;         // pixels: a click may tremble
constexpr double head_reach = 8;    // from the play head, in pixels
constexpr double wheel_step = 1.2;  // a notch of the wheel

std::string nanoseconds_text(double nanoseconds) {
  return fmt::format("{}ns", std::llround(nanoseconds));
}

// The part of the figure where x is time; nothing where there is none.
std::optional<Rect> plot_of(const Figure& figure) {
  const Shape* plot = shape_named(figure, "timeline.plot");
  if (!plot) return std::nullopt;
  return bounds_of(*plot);
}

UiTools::Grip grip_at(const Session& session, const std::optional<Rect>& plot, Point at) {
  UiTools::Grip grip{.x = at.x, .y = at.y};
  if (!plot || at.x < plot->x || at.x > plot->right()) return grip;
  const TimeSpan shown = shown_time(session);
  grip.on_timeline = true;
  grip.nanoseconds = time_of(shown, *plot, at.x);
  const double head = place_of(shown, *plot, position_of(session.playback));
  grip.on_play_head = session.playback.measured && std::abs(at.x - head) <= head_reach;
  return grip;
}

void drag(Session& session, UiTools::Grip& grip, const Rect& plot, Point at) {
  const double now = time_of(shown_time(session), plot, at.x);
  if (grip.on_play_head) {
    try_command(session, "seek", nanoseconds_text(std::max(now, 0.0)));
  } else if (const double by = std::round(grip.nanoseconds - now); by != 0) {
    try_command(session, "pan", nanoseconds_text(by));
  }
}

void turn_wheel(Session& session, const Rect& plot, Point at, double notches) {
  const std::string argument =
      fmt::format("{} {}", nanoseconds_text(time_of(shown_time(session), plot, at.x)),
                  std::pow(wheel_step, std::abs(notches)));
  try_command(session, notches > 0 ? "zoom-in" : "zoom-out", argument);
}

}  // namespace

void point_at(Pen& pen, const Figure& figure, Point at) {
  if (find_command("select")->enabled(pen.session()) && transfer_at(figure, at) >= 0)
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (const Shape* shape = titled_shape_at(figure, at)) pen.tooltip(shape->title);
}

void select_at(Pen& pen, const Figure& figure, Point at) {
  const std::int32_t transfer = transfer_at(figure, at);
  try_command(pen.session(), "select", transfer < 0 ? "" : std::to_string(transfer));
}

void stage_hand(Pen& pen, const Figure& figure, const Hit& hit, Point corner) {
  Session& session = pen.session();
  const ImGuiIO& io = ImGui::GetIO();
  const Point at{static_cast<double>(io.MousePos.x) - corner.x,
                 static_cast<double>(io.MousePos.y) - corner.y};
  std::optional<UiTools::Grip>& grip = pen.tools().grip;
  const std::optional<Rect> plot = plot_of(figure);
  if (hit.held) {
    if (!grip) grip = grip_at(session, plot, at);
    grip->moves = grip->moves || std::hypot(at.x - grip->x, at.y - grip->y) > still;
    if (grip->moves && grip->on_timeline && plot) drag(session, *grip, *plot, at);
  }
  if (hit.hovered) {
    const UiTools::Grip under = grip ? *grip : grip_at(session, plot, at);
    if (!hit.held) point_at(pen, figure, at);
    if (under.on_play_head) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (under.on_timeline && io.MouseWheel != 0)
      turn_wheel(session, *plot, at, static_cast<double>(io.MouseWheel));
    if (under.on_timeline && ImGui::IsMouseDoubleClicked(0)) try_command(session, "zoom-reset");
  }
  if (hit.clicked && grip && !grip->moves) select_at(pen, figure, at);
  if (!hit.held) grip.reset();
}

}  // namespace ringscope
