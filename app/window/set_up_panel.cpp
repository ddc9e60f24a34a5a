#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/window/imgui_versions.h"
#include "app/window/panels.h"

namespace ringscope {
namespace {

constexpr double padding = 24, row_height = 40, heading_height = 36, column_gap = 24;
constexpr double wide_label = 148, half_label = 108;

ImVec2 vector(double x, double y) { return {static_cast<float>(x), static_cast<float>(y)}; }

void set_field(Session& session, const SetUpField& field, std::string_view value) {
  try_command(session, "set", fmt::format("{} {}", field.id, value));
}

// The list with the name in it, or without where it is in it.
std::string toggled(const std::string& list, std::string_view name) {
  std::vector<std::string> parts = several_of(list);
  const auto found = std::find(parts.begin(), parts.end(), name);
  if (found != parts.end())
    parts.erase(found);
  else
    parts.emplace_back(name);
  return fmt::format("{}", fmt::join(parts, ", "));
}

// The widget of a field, where ImGui's cursor stands.
void widget(Session& session, const SetUpField& field, const std::string& value) {
  const std::string id = fmt::format("##{}", field.id);
  if (field.choices) {
    const bool one = field.kind == FieldKind::choice;
    const std::string shown = value.empty() ? session.language->text("window.nobody") : value;
    if (!ImGui::BeginCombo(id.c_str(), shown.c_str(), ImGuiComboFlags_NoArrowButton)) return;
    const std::vector<std::string> chosen = several_of(value);
    for (const std::string_view choice : field.choices()) {
      const std::string name(choice);
      const bool is_chosen = std::find(chosen.begin(), chosen.end(), name) != chosen.end();
      const ImGuiSelectableFlags flags = one ? 0 : ImGuiSelectableFlags_DontClosePopups;
      if (ImGui::Selectable(name.c_str(), is_chosen, flags))
        set_field(session, field, one ? name : toggled(value, name));
    }
    ImGui::EndCombo();
  } else if (field.kind == FieldKind::flag) {
    bool on = value == "on";
    if (ImGui::Checkbox(id.c_str(), &on)) set_field(session, field, on ? "on" : "off");
  } else {
    std::string typed = value;
    const std::string hint_id = fmt::format("window.hint.{}", field.id);
    const Language& language = *session.language;
    const std::string hint = language.has(hint_id) ? language.text(hint_id) : "";
    if (ImGui::InputTextWithHint(id.c_str(), hint.c_str(), &typed))
      set_field(session, field, typed);
  }
}

void field_row(Pen& pen, const SetUpField& field, const std::string& value, const Rect& rect,
               Point origin, double scale) {
  const double label_width = field.wide ? wide_label : half_label;
  pen.label({rect.x, rect.y + 29}, pen.text(fmt::format("window.field.{}", field.id)), size::small,
            Face::sans, Align::left, pen.theme().quiet);
  ImGui::SetCursorScreenPos(
      vector(origin.x + (rect.x + label_width) * scale, origin.y + (rect.y + 3) * scale));
  ImGui::SetNextItemWidth(static_cast<float>((rect.width - label_width) * scale));
  widget(pen.session(), field, value);
  if (field.choices) {
    const Point tip{rect.right() - 20, rect.y + 24};
    pen.path({{tip.x - 7, tip.y - 7}, tip, {tip.x + 7, tip.y - 7}}, false, transparent,
             {pen.theme().quiet, 2.5, 0});
  }
  if (ImGui::IsItemHovered() && field.kind != FieldKind::text)
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
}

// All fields from the top down, in two columns; returns where they end.
double fields(Pen& pen, double width, Point origin, double scale) {
  const SetUp& set_up = pen.session().set_up;
  const double column = (width - 2 * padding - column_gap) / 2;
  std::string_view group;
  double y = 0;
  bool right = false;  // the next half row goes to the right column
  for (std::size_t i = 0; i < set_up.values.size(); ++i) {
    const SetUpField& field = set_up_fields()[i];
    if (!says_something(set_up, field)) continue;
    const bool new_group = field.group != group;
    if (right && (new_group || field.wide)) y += row_height, right = false;
    if (new_group) {
      group = field.group;
      pen.label({padding, y + 27}, pen.text(fmt::format("window.group.{}", group)), size::small,
                Face::bold, Align::left, pen.theme().ink);
      y += heading_height;
    }
    const double x = padding + (right ? column + column_gap : 0);
    field_row(pen, field, set_up.values[i],
              {x, y, field.wide ? width - 2 * padding : column, row_height}, origin, scale);
    if (field.wide || right) y += row_height;
    right = !field.wide && !right;
  }
  return y + (right ? row_height : 0);
}

void wide_button(Pen& pen, const Rect& rect, const std::string& text, const char* command,
                 Color fill, Color ink) {
  pen.command_area(rect, 8, command);
  pen.box(rect, 8, fill);
  pen.label_in(rect, text, size::body, Face::bold, ink);
}

std::string stage_text(const Pen& pen, RunStage stage) {
  constexpr std::string_view names[] = {"preparing", "filling", "warming_up", "running",
                                        "verifying"};
  return pen.text(fmt::format("window.stage.{}", names[static_cast<std::size_t>(stage)]));
}

// 'Running', '2 of 3: Running'.
std::string progress_text(const Pen& pen, const BackgroundRun& run) {
  const std::string stage = stage_text(pen, run.stage());
  if (run.runs() == 1) return stage;
  return pen.session().language->text("window.run_of",
                                      {{"run", std::to_string(std::min(run.run() + 1, run.runs()))},
                                       {"runs", std::to_string(run.runs())},
                                       {"stage", stage}});
}

// Run; while it runs, how far it is and Cancel. What went wrong, above.
double foot(Pen& pen, const Rect& panel) {
  const Session& session = pen.session();
  const Theme& theme = pen.theme();
  const double width = panel.width - 2 * padding;
  double y = panel.bottom() - padding - 52;
  if (session.run) {
    constexpr double cancel_width = 128;
    const Rect bar{panel.x + padding, y, width - cancel_width - 12, 52};
    pen.box(bar, 8, theme.card);
    pen.box({bar.x, bar.y, bar.width * session.run->fraction(), bar.height}, 8, theme.selected);
    pen.label_in(bar, progress_text(pen, *session.run), size::small, Face::sans, theme.ink);
    wide_button(pen, {bar.right() + 12, y, cancel_width, 52}, pen.text("window.cancel"), "cancel",
                theme.card, theme.ink);
  } else {
    wide_button(pen, {panel.x + padding, y, width, 52}, pen.text("window.run"), "run", theme.accent,
                theme.on_accent);
  }
  if (!session.set_up_error) return y - 12;
  const std::vector<std::string> lines =
      pen.lines(session.language->text(*session.set_up_error), size::small, Face::sans, width - 32);
  const double height = 28 * static_cast<double>(lines.size()) + 20;
  y -= height + 12;
  pen.box({panel.x + padding, y, width, height}, 8, theme.warm, {theme.ink, 1.5, 0});
  for (std::size_t i = 0; i < lines.size(); ++i)
    pen.label({panel.x + padding + 16, y + 30 + 28 * static_cast<double>(i)}, lines[i], size::small,
              Face::sans, Align::left, theme.ink);
  return y - 12;
}

}  // namespace

void set_up_panel(Session& session, UiTools& tools, const Layout& layout) {
  if (!session.set_up_shown || session.presenting) return;
  // Where the panel of the round is, a little wider: the stage stays in sight.
  constexpr double drawer_width = 600;
  const double scale = layout.scale;
  constexpr double apart = 18;  // from the title line and the bar
  const double top_edge = layout.title.bottom() + apart;
  const Rect panel{layout.transport.right() - drawer_width, top_edge, drawer_width,
                   layout.transport.y - apart - top_edge};
  constexpr double edge = 2;  // room for the outline
  ImGui::SetNextWindowPos(vector((panel.x - edge) * scale, (panel.y - edge) * scale));
  ImGui::SetNextWindowSize(
      vector((panel.width + 2 * edge) * scale, (panel.height + 2 * edge) * scale));
  ImGui::Begin("set-up", nullptr, bare_window);
  Pen pen(session, tools, scale);
  pen.box(panel, 12, session.theme->surface, {session.theme->line, 1.5, 0});
  pen.label({panel.x + padding, panel.y + 46}, pen.text("window.set_up_title"), size::large,
            Face::bold, Align::left, session.theme->ink);
  pen.icon_button(Icon::close, {panel.right() - 60, panel.y + 14, 44, 44}, "set-up", "off");
  const double top = panel.y + 64, bottom = foot(pen, panel);

  ImGui::SetCursorScreenPos(vector((panel.x + 2) * scale, top * scale));
  ImGui::BeginChild("fields", vector((panel.width - 4) * scale, (bottom - top) * scale));
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const Point origin{static_cast<double>(corner.x), static_cast<double>(corner.y)};
  Pen inner(session, tools, scale, origin);
  const double height = fields(inner, panel.width - 4, origin, scale);
  ImGui::SetCursorScreenPos(vector(origin.x, origin.y + height * scale));
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace ringscope
