#include "app/window/frame.h"

#include "app/window/imgui_versions.h"
#include "app/window/panels.h"

namespace ringscope {
namespace {

ImVec4 vector(Color color) {
  constexpr float share = 1.0f / 255;
  return {color.r * share, color.g * share, color.b * share, color.a * share};
}

}  // namespace

void apply_looks(const Theme& theme, double scale) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  const auto units = [&](double value) { return static_cast<float>(value * scale); };
  style.WindowPadding = {0, 0};
  style.WindowBorderSize = 0;
  style.WindowMinSize = {1, 1};
  style.ChildBorderSize = 0;
  style.PopupBorderSize = units(1.5);
  style.PopupRounding = units(8);
  style.FrameRounding = units(6);
  style.FrameBorderSize = units(1.5);
  style.FramePadding = {units(10), units(3.5)};
  style.ItemSpacing = {units(8), units(8)};
  style.ScrollbarSize = units(14);
  style.ScrollbarRounding = units(7);
  style.CircleTessellationMaxError = 0.1f;
  const Color raised = mix(theme.surface, theme.ink, 0.1);
  const auto set = [&](ImGuiCol which, Color color) { style.Colors[which] = vector(color); };
  set(ImGuiCol_Text, theme.ink);
  set(ImGuiCol_TextDisabled, theme.faint);
  set(ImGuiCol_TextSelectedBg, theme.selected);
  set(ImGuiCol_WindowBg, theme.ground);
  set(ImGuiCol_ChildBg, transparent);
  set(ImGuiCol_PopupBg, theme.surface);
  set(ImGuiCol_Border, theme.rule);
  for (const ImGuiCol frame : {ImGuiCol_FrameBg, ImGuiCol_Button}) set(frame, theme.cell);
  for (const ImGuiCol over : {ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive,
                              ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive})
    set(over, raised);
  for (const ImGuiCol chosen : {ImGuiCol_Header, ImGuiCol_HeaderHovered, ImGuiCol_HeaderActive})
    set(chosen, theme.selected);
  set(ImGuiCol_CheckMark, theme.accent);
  set(ImGuiCol_ScrollbarBg, transparent);
  set(ImGuiCol_ScrollbarGrab, theme.rule);
  set(ImGuiCol_ScrollbarGrabHovered, theme.line);
  set(ImGuiCol_ScrollbarGrabActive, theme.line);
}

Color ground_of(const Session& session) {
  return session.presenting && session.compared.empty() ? session.theme->surface
                                                        : session.theme->ground;
}

void draw_frame(Session& session, UiTools& tools, const Layout& layout, Size window) {
  const ImVec2 size{static_cast<float>(window.width), static_cast<float>(window.height)};
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  if (moved.x != 0 || moved.y != 0) tools.pointing = true;
  if (session.presenting && !tools.pointing) ImGui::SetMouseCursor(ImGuiMouseCursor_None);
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(size);
  ImGui::Begin("main", nullptr, bare_window | ImGuiWindowFlags_NoBringToFrontOnFocus);
  Pen pen(session, tools, layout.scale);
  stage_panel(pen, layout);
  if (session.presenting) {
    progress_line(pen, layout.progress);
  } else {
    if (session.compared.empty()) round_panel(session, tools, layout);
    transport_panel(pen, layout);
    title_panel(pen, layout.title);
  }
  ImGui::End();
  views_menu(session, tools, layout);
  set_up_panel(session, tools, layout);
  export_panel(session, tools, layout, window);
  help_panel(session, tools, layout, window);
  toast_panel(session, tools, layout);
}

}  // namespace ringscope
