#include <algorithm>

#include "app/window/imgui_versions.h"
#include "app/window/panels.h"

namespace ringscope {

void toast_panel(Session& session, UiTools& tools, const Layout& layout) {
  if (!session.toast) return;
  const Theme& theme = *session.theme;
  constexpr double padding = 24, line_height = 32;
  const double scale = layout.scale;
  Pen measure(session, tools, scale);
  const std::vector<std::string> lines =
      measure.lines(session.language->text(session.toast->message), size::body, Face::sans,
                    std::min(layout.stage.width - 120, 1100.0));
  double width = 0;
  for (const std::string& line : lines)
    width = std::max(width, measure.width(line, size::body, Face::sans));
  const double height = line_height * static_cast<double>(lines.size()) + padding;
  const Rect rect{layout.stage.center().x - width / 2 - padding,
                  layout.stage.bottom() - height - 24, width + 2 * padding, height};
  ImGui::SetNextWindowPos({static_cast<float>(rect.x * scale), static_cast<float>(rect.y * scale)});
  ImGui::SetNextWindowSize(
      {static_cast<float>(rect.width * scale), static_cast<float>(rect.height * scale)});
  ImGui::Begin("toast", nullptr, bare_window | ImGuiWindowFlags_NoInputs);
  Pen pen(session, tools, scale);
  const bool error = session.toast->error;
  pen.box(rect, 12, error ? theme.warm : theme.ink, error ? Stroke{theme.ink, 2, 0} : Stroke{});
  for (std::size_t i = 0; i < lines.size(); ++i)
    pen.label({rect.x + padding, rect.y + padding / 2 + 24 + line_height * static_cast<double>(i)},
              lines[i], size::body, Face::sans, Align::left, error ? theme.ink : theme.surface);
  ImGui::End();
}

}  // namespace ringscope
