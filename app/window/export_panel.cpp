#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/form.h"
#include "app/window/imgui_versions.h"
#include "app/window/panels.h"

namespace ringscope {
namespace {

constexpr double sheet_width = 1480, sheet_height = 768, padding = 32, form_width = 640;
constexpr double row_height = 42, heading_height = 40, column_gap = 20, label_width = 132;

ImVec2 vector(double x, double y) { return {static_cast<float>(x), static_cast<float>(y)}; }

void set_field(Session& session, const ExportField& field, std::string_view value) {
  try_command(session, "export-set", fmt::format("{} {}", field.id, value));
}

FormField form_field(const Session& session, const ExportField& field, const std::string& value) {
  const Language& language = *session.language;
  const std::string hint_id = fmt::format("window.export_hint.{}", field.id);
  FormField shown{.id = fmt::format("##export {}", field.id),
                  .label = language.text(fmt::format("window.export.{}", field.id)),
                  .hint = language.has(hint_id) ? language.text(hint_id) : "",
                  .kind = field.flag      ? FieldKind::flag
                          : field.choices ? FieldKind::choice
                                          : FieldKind::text,
                  .value = value};
  if (field.choices) shown.choices = field.choices();
  return shown;
}

// Columns that a field takes of the four that a row has.
int columns_of(const ExportField& field) { return field.flag ? 1 : field.id == "folder" ? 4 : 2; }

// All fields from the top down; returns where they end.
double fields(Pen& pen, double width, const FormPlace& place) {
  const ExportForm& form = pen.session().export_form;
  const double column = (width - 3 * column_gap) / 4;
  std::string_view group;
  double y = 0;
  int taken = 0;  // columns of the row
  for (std::size_t i = 0; i < form.values.size(); ++i) {
    const ExportField& field = export_fields()[i];
    const int columns = columns_of(field);
    const bool new_group = field.group != group;
    if (taken > 0 && (new_group || taken + columns > 4)) y += row_height, taken = 0;
    if (new_group) {
      group = field.group;
      form_heading(pen, 0, y, pen.text(fmt::format("window.export_group.{}", group)));
      y += heading_height;
    }
    form_row(pen, place, form_field(pen.session(), field, form.values[i]),
             {taken * (column + column_gap), y, columns * column + (columns - 1) * column_gap,
              row_height},
             label_width, field.flag,
             [&](std::string_view value) { set_field(pen.session(), field, value); });
    taken += columns;
  }
  return y + (taken > 0 ? row_height : 0);
}

// Export; while it runs, how far it is and Cancel. What went wrong, above.
void foot(Pen& pen, const Rect& area) {
  const Session& session = pen.session();
  const Theme& theme = pen.theme();
  if (session.exporting) {
    constexpr double cancel_width = 128;
    const Rect bar{area.x, area.bottom() - 52, area.width - cancel_width - 12, 52};
    pen.box(bar, 8, theme.card);
    pen.box({bar.x, bar.y, bar.width * session.exporting->fraction(), bar.height}, 8,
            theme.selected);
    pen.label_in(bar, pen.text("line.progress.exporting"), size::small, Face::sans, theme.ink);
    wide_button(pen, {bar.right() + 12, bar.y, cancel_width, 52}, pen.text("window.cancel"),
                "cancel-export", theme.card, theme.ink);
  } else {
    wide_button(pen, {area.x, area.bottom() - 52, area.width, 52}, pen.text("window.export_run"),
                "export", theme.accent, theme.on_accent);
  }
  if (session.export_error)
    problem_box(pen, area.x, area.bottom() - 52 - 12, area.width,
                session.language->text(*session.export_error));
}

// The present moment as it would be exported.
void preview(Pen& pen, const Rect& area, double scale) {
  const Session& session = pen.session();
  pen.label({area.x, area.y + 28}, pen.text("window.export_preview"), size::small, Face::bold,
            Align::left, pen.theme().ink);
  const Rect room{area.x, area.y + heading_height, area.width, area.height - heading_height};
  const std::optional<Figure> figure =
      preview_figure(session, {std::floor(room.width * scale), std::floor(room.height * scale)});
  if (!figure) return;
  const Size shown{figure->size.width / scale, figure->size.height / scale};
  const Point at{room.x + (room.width - shown.width) / 2, room.y};
  pen.figure(*figure, at, 0);
  pen.box({at.x, at.y, shown.width, shown.height}, 0, transparent, {pen.theme().line, 1.5, 0});
}

}  // namespace

void export_panel(Session& session, UiTools& tools, const Layout& layout, Size window) {
  if (!session.export_shown || !session.open) return;
  // On a small window the sheet shrinks rather than lose its last lines.
  const double scale = std::min(
      {layout.scale, window.height / (sheet_height + 24), window.width / (sheet_width + 24)});
  const double width = window.width / scale, height = window.height / scale;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(vector(window.width, window.height));
  ImGui::Begin("export", nullptr, bare_window);
  Pen pen(session, tools, scale);
  const Theme& theme = *session.theme;
  Color veil = theme.ground;
  veil.a = 190;
  pen.box({0, 0, width, height}, 0, veil);
  const Rect sheet{(width - sheet_width) / 2, (height - sheet_height) / 2, sheet_width,
                   sheet_height};
  pen.box(sheet, 16, theme.surface, {theme.rule, 1, 0});
  pen.label({sheet.x + padding, sheet.y + 56}, pen.text("window.export_title"), size::large,
            Face::bold, Align::left, theme.ink);
  pen.icon_button(Icon::close, {sheet.right() - 68, sheet.y + 20, 48, 48}, "export-dialog", "off");
  const Rect form{sheet.x + padding, sheet.y + 84, form_width, sheet.height - 84 - padding};
  foot(pen, form);
  const double right = form.right() + 48;
  preview(pen, {right, form.y, sheet.right() - padding - right, form.height}, scale);

  const double above = session.export_error ? 150 : 64;
  ImGui::SetCursorScreenPos(vector(form.x * scale, form.y * scale));
  ImGui::BeginChild("export fields", vector(form.width * scale, (form.height - above) * scale));
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const Point origin{static_cast<double>(corner.x), static_cast<double>(corner.y)};
  Pen inner(session, tools, scale, origin);
  const double used = fields(inner, form.width - 24, {origin, scale});
  ImGui::SetCursorScreenPos(vector(origin.x, origin.y + used * scale));
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace ringscope
