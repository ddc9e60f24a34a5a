#include "app/window/hit.h"
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
  const Hit hit = pen.area("panel", {0, 0, figure.size.width / scale, figure.size.height / scale});
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Point at{static_cast<double>(mouse.x - corner.x), static_cast<double>(mouse.y - corner.y)};
  if (hit.hovered) point_at(pen, figure, at);
  // Beside them nothing is meant: what is selected stays.
  if (hit.clicked && transfer_at(figure, at) >= 0) select_at(pen, figure, at);
  ImGui::EndChild();
}

}  // namespace ringscope
