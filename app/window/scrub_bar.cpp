#include "app/window/scrub_bar.h"

#include "app/window/imgui_versions.h"

namespace ringscope {
namespace {

constexpr double head_radius = 14, track = 8;

}  // namespace

std::optional<Hand> hand_on(Pen& pen, const Rect& bar, double scale) {
  const Rect reach{bar.x - head_radius, bar.y - 8, bar.width + 2 * head_radius, bar.height + 16};
  const Hit hit = pen.area("scrub", reach);
  if (hit.hovered || hit.held) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const bool lets_go = hit.clicked || ImGui::IsItemDeactivated();
  if (!hit.held && !lets_go) return std::nullopt;
  return Hand{static_cast<double>(ImGui::GetIO().MousePos.x) / scale, lets_go};
}

void play_head(Pen& pen, const Rect& bar, double x) {
  const Point head{x, bar.center().y};
  pen.box({bar.x, head.y - track / 2, head.x - bar.x, track}, track / 2, pen.theme().accent);
  pen.disc(head, head_radius, pen.theme().surface, {pen.theme().accent, 5, 0});
}

Color phase_color(const Theme& theme, std::size_t phase) {
  return phase % 2 == 0 ? theme.phase_even : theme.phase_odd;
}

Rect row_of(const Rect& bar, std::size_t row, std::size_t rows) {
  constexpr double gap = 4;
  const double height = (bar.height + gap) / static_cast<double>(rows) - gap;
  return {bar.x, bar.y + static_cast<double>(row) * (height + gap), bar.width, height};
}

void row_name(Pen& pen, const Rect& row, double end, const Schedule& schedule) {
  constexpr double least_height = 16, gap = 12;
  const std::string name = pen.text("scheme." + schedule.algorithm);
  const double width = pen.width(name, size::small, Face::sans);
  const double left = std::max(end, row.x + head_radius) + gap;  // clear of the head at the start
  if (row.height < least_height || left + width > row.right()) return;
  pen.label({left, row.center().y + 7}, name, size::small, Face::sans, Align::left,
            pen.theme().quiet);
}

}  // namespace ringscope
