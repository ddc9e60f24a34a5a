#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/imgui_versions.h"
#include "app/window/panels.h"

namespace ringscope {
namespace {

constexpr double row_height = 44, key_column = 176, column_width = 690, padding = 40;
constexpr double heading_height = 88, foot_height = 76;
constexpr std::size_t columns = 2;

void key_cap(Pen& pen, double& left, double middle, std::string_view key) {
  const double width = std::max(pen.width(key, size::small, Face::bold) + 20, 40.0);
  const Rect cap{left, middle - 17, width, 34};
  pen.box(cap, 6, pen.theme().card, {pen.theme().rule, 1.5, 0});
  pen.label_in(cap, key, size::small, Face::bold, pen.theme().ink);
  left += width + 8;
}

void row(Pen& pen, const Command& command, const Rect& rect) {
  const std::string id = fmt::format("help {}", command.id);
  const Hit hit = pen.area(id.c_str(), rect);
  if (hit.hovered) pen.box(rect, 6, pen.theme().card);
  double left = rect.x + 12;
  for (const Chord& chord : command.chords) key_cap(pen, left, rect.center().y, chord.label);
  pen.label({rect.x + key_column, rect.center().y + 8},
            pen.text(fmt::format("action.{}", command.id)), size::body, Face::sans, Align::left,
            pen.theme().ink);
  if (hit.clicked) try_command(pen.session(), command.id);
}

// From the top down, column by column.
void sheet(Pen& pen, const Rect& rect, const std::vector<const Command*>& rows) {
  const Theme& theme = pen.theme();
  pen.box(rect, 16, theme.surface, {theme.rule, 1, 0});
  pen.label({rect.x + padding, rect.y + 62}, pen.text("window.help_title"), size::large, Face::bold,
            Align::left, theme.ink);
  const std::size_t in_column = (rows.size() + columns - 1) / columns;
  for (std::size_t i = 0; i < rows.size(); ++i)
    row(pen, *rows[i],
        {rect.x + padding - 12 + static_cast<double>(i / in_column) * column_width,
         rect.y + heading_height + static_cast<double>(i % in_column) * row_height, column_width,
         row_height});
  pen.label({rect.x + padding, rect.bottom() - 32}, pen.text("window.help_drop"), size::small,
            Face::sans, Align::left, theme.quiet);
  pen.icon_button(Icon::close, {rect.right() - 72, rect.y + 24, 48, 48}, "close");
}

}  // namespace

void help_panel(Session& session, UiTools& tools, const Layout& layout, Size window) {
  if (!session.help_shown) return;
  std::vector<const Command*> rows;
  for (const Command& command : commands())
    if (!command.chords.empty()) rows.push_back(&command);
  // On a small window the sheet shrinks rather than lose its last lines.
  const double sheet_width = columns * column_width + 2 * padding - 24;
  const double wanted = heading_height +
                        row_height * std::ceil(static_cast<double>(rows.size()) / columns) +
                        foot_height;
  const double scale =
      std::min({layout.scale, window.height / (wanted + 40), window.width / (sheet_width + 40)});
  const double width = window.width / scale, height = window.height / scale;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({static_cast<float>(window.width), static_cast<float>(window.height)});
  ImGui::Begin("help", nullptr, bare_window);
  Pen pen(session, tools, scale);
  Color veil = session.theme->ground;
  veil.a = 190;
  pen.box({0, 0, width, height}, 0, veil);
  const Rect rect{(width - sheet_width) / 2, (height - wanted) / 2, sheet_width, wanted};
  sheet(pen, rect, rows);
  // A click beside the sheet closes it; asked last, so that the rows come first.
  if (ImGui::IsMouseClicked(0) && !ImGui::IsAnyItemHovered()) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const double x = static_cast<double>(mouse.x) / scale, y = static_cast<double>(mouse.y) / scale;
    if (x < rect.x || x > rect.right() || y < rect.y || y > rect.bottom())
      try_command(session, "help", "off");
  }
  ImGui::End();
}

}  // namespace ringscope
