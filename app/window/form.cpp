#include "app/window/form.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "app/window/imgui_versions.h"

namespace ringscope {
namespace {

using Set = std::function<void(std::string_view value)>;

ImVec2 vector(double x, double y) { return {static_cast<float>(x), static_cast<float>(y)}; }

ImVec4 color_of(Color color) {
  const auto part = [](std::uint8_t value) { return static_cast<float>(value) / 255; };
  return {part(color.r), part(color.g), part(color.b), part(color.a)};
}

// The list with the name in it, or without where it is in it.
std::string toggled(std::vector<std::string> parts, const std::string& name) {
  const auto found = std::find(parts.begin(), parts.end(), name);
  if (found != parts.end())
    parts.erase(found);
  else
    parts.push_back(name);
  return fmt::format("{}", fmt::join(parts, ", "));
}

// One of a list; greyed where it can't be, with the reason beneath, for all to read.
bool choice(const Theme& theme, const std::string& name, bool is_chosen, ImGuiSelectableFlags flags,
            const std::string& reason) {
  ImGui::PushStyleColor(ImGuiCol_Text, color_of(reason.empty() ? theme.ink : theme.faint));
  const bool clicked = ImGui::Selectable(name.c_str(), is_chosen, flags);
  ImGui::PopStyleColor();
  if (reason.empty()) return clicked;
  ImGui::PushStyleColor(ImGuiCol_Text, color_of(theme.quiet));
  ImGui::Indent();
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(reason.c_str());
  ImGui::PopTextWrapPos();
  ImGui::Unindent();
  ImGui::Spacing();
  ImGui::PopStyleColor();
  return clicked;
}

void choices(const Theme& theme, const FormField& field, double width, const Set& set) {
  const std::string& shown = field.value.empty() ? field.nobody : field.value;
  // A reason wants more room than a name: to the end of the other column.
  if (field.why_not)
    ImGui::SetNextWindowSizeConstraints(vector(2.7 * width, 0), vector(2.7 * width, 1e4));
  if (!ImGui::BeginCombo(field.id.c_str(), shown.c_str(), ImGuiComboFlags_NoArrowButton)) return;
  const bool several = field.kind == FieldKind::several;
  const std::vector<std::string> chosen =
      several ? several_of(field.value) : std::vector{field.value};
  for (const std::string_view one : field.choices) {
    const std::string name(one);
    const bool is_chosen = std::find(chosen.begin(), chosen.end(), name) != chosen.end();
    const std::string reason = field.why_not ? field.why_not(one) : std::string();
    if (choice(theme, name, is_chosen, several ? ImGuiSelectableFlags_DontClosePopups : 0, reason))
      set(several ? toggled(chosen, name) : name);
  }
  ImGui::EndCombo();
}

// Where ImGui's cursor stands.
void widget(const Theme& theme, const FormField& field, double width, const Set& set) {
  ImGui::SetNextItemWidth(static_cast<float>(width));
  if (field.kind == FieldKind::flag) {
    bool on = field.value == "on";
    if (ImGui::Checkbox(field.id.c_str(), &on)) set(on ? "on" : "off");
  } else if (field.kind == FieldKind::text) {
    std::string typed = field.value;
    if (ImGui::InputTextWithHint(field.id.c_str(), field.hint.c_str(), &typed)) set(typed);
  } else {
    choices(theme, field, width, set);
  }
  if (field.kind != FieldKind::text && ImGui::IsItemHovered())
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
}

}  // namespace

void form_row(Pen& pen, const FormPlace& place, const FormField& field, const Rect& row,
              double label_width, bool label_behind, const Set& set) {
  constexpr double widget_height = 34, box_width = 44;
  const double before = label_behind ? 0 : label_width;
  pen.label({row.x + (label_behind ? box_width : 0), row.y + 29}, field.label, size::small,
            Face::sans, Align::left, pen.theme().quiet);
  ImGui::SetCursorScreenPos(
      vector(place.origin.x + (row.x + before) * place.scale,
             place.origin.y + (row.y + (row.height - widget_height) / 2) * place.scale));
  widget(pen.theme(), field, (row.width - before) * place.scale, set);
  if (field.choices.empty()) return;
  const Point tip{row.right() - 20, row.center().y + 4};
  pen.path({{tip.x - 7, tip.y - 7}, tip, {tip.x + 7, tip.y - 7}}, false, transparent,
           {pen.theme().quiet, 2.5, 0});
}

void form_heading(Pen& pen, double x, double y, const std::string& text) {
  pen.label({x, y + 27}, text, size::small, Face::bold, Align::left, pen.theme().ink);
}

void wide_button(Pen& pen, const Rect& rect, const std::string& text, const char* command,
                 Color fill, Color ink) {
  pen.command_area(rect, 8, command);
  pen.box(rect, 8, fill);
  pen.label_in(rect, text, size::body, Face::bold, ink);
}

double problem_box(Pen& pen, double x, double bottom, double width, const std::string& text) {
  constexpr double inner = 16, line = 28;
  const std::vector<std::string> lines =
      pen.lines(text, size::small, Face::sans, width - 2 * inner);
  const double height = line * static_cast<double>(lines.size()) + 20;
  pen.box({x, bottom - height, width, height}, 8, pen.theme().warm, {pen.theme().ink, 1.5, 0});
  for (std::size_t i = 0; i < lines.size(); ++i)
    pen.label({x + inner, bottom - height + 30 + line * static_cast<double>(i)}, lines[i],
              size::small, Face::sans, Align::left, pen.theme().ink);
  return height;
}

}  // namespace ringscope
