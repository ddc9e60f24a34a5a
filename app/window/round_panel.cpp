#include "app/window/imgui_versions.h"
#include "app/window/panels.h"

namespace ringscope {

void round_panel(Session& session, UiTools& tools, const Layout& layout) {
  const Rect rect = layout.panel;
  const double scale = layout.scale;
  Pen frame(session, tools, scale);
  frame.box(rect, 12, session.theme->surface, {session.theme->rule, 1, 0});
  if (!session.open) return;
  Figure figure = session.view->panel(
      context_of(session, {rect.width * scale, rect.height * scale}, scale), state_of(session));

  ImGui::SetCursorScreenPos(
      {static_cast<float>(rect.x * scale), static_cast<float>(rect.y * scale)});
  ImGui::BeginChild(
      "round", {static_cast<float>(rect.width * scale), static_cast<float>(rect.height * scale)});
  const ImVec2 corner = ImGui::GetCursorScreenPos();  // moves with the scroll bar
  Pen pen(session, tools, scale, {static_cast<double>(corner.x), static_cast<double>(corner.y)});
  figure.background = transparent;  // it lies on the frame's, and may be shorter
  pen.figure(figure, {}, 0);
  ImGui::Dummy({1, static_cast<float>(figure.size.height)});
  ImGui::EndChild();
}

}  // namespace ringscope
