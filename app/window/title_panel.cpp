#include <fmt/format.h>

#include <algorithm>

#include "app/window/imgui_versions.h"
#include "app/window/panels.h"
#include "core/figure/comparison.h"

namespace ringscope {
namespace {

constexpr double padding = 24, gap = 8, button_height = 40, button_padding = 16;

// Lays buttons out from the right end to the left.
struct RightToLeft {
  Pen& pen;
  double right, middle;

  Rect take(double width) {
    right -= width;
    const Rect rect{right, middle - button_height / 2, width, button_height};
    right -= gap;
    return rect;
  }
  Rect take(std::string_view text) {
    return take(pen.width(text, size::small, Face::bold) + 2 * button_padding);
  }
};

void switches(RightToLeft& row) {
  Pen& pen = row.pen;
  const Session& session = pen.session();
  pen.text_button("?", row.take(button_height), session.help_shown, "help");
  const bool light = session.theme == &light_theme();
  pen.icon_button(light ? Icon::moon : Icon::sun, row.take(button_height), "theme");
  // Each language is offered in its own words.
  const std::string_view other_code = session.language->code() == "en" ? "zh" : "en";
  const std::string other = Language::named(other_code).text("window.language_name");
  pen.text_button(other, row.take(other), false, "language");
  row.right -= 2 * gap;
}

// More tabs than these nobody reads at a glance.
constexpr std::size_t most_tabs = 6;

std::string name_of(const Pen& pen, const View& view) {
  return pen.text(fmt::format("view.{}", view.name));
}

// The name of the view that is shown, which opens the menu of all.
void menu_button(RightToLeft& row) {
  Pen& pen = row.pen;
  const Session& session = pen.session();
  const std::string name = name_of(pen, *session.view);
  constexpr double chevron = 28;
  const Rect button =
      row.take(pen.width(name, size::small, Face::bold) + 2 * button_padding + chevron);
  pen.command_area(button, 8, "views");
  pen.box(button, 8, pen.theme().selected);
  pen.label_in({button.x, button.y, button.width - chevron, button.height}, name, size::small,
               Face::bold, pen.theme().ink);
  const Point tip{button.right() - button_padding - 8, button.center().y + 4};
  pen.path({{tip.x - 7, tip.y - 7}, tip, {tip.x + 7, tip.y - 7}}, false, transparent,
           {pen.theme().ink, 2.5, 0});
  pen.tools().views_below = button;
}

// What was run; a record that contradicts itself is not smoothed over, but called wrong.
std::string run_text(const Session& session) {
  const Language& language = *session.language;
  if (!session.open) return language.text("window.nothing_open");
  std::vector<const Replay*> replays;
  for (const OpenTrace* shown : shown_traces(session)) {
    replays.push_back(&shown->replay);
    const std::vector<Message>& wrong = shown->replay.contradictions();
    if (!wrong.empty())
      return language.text("window.contradicts", {{"what", language.text(wrong.front())}});
  }
  if (replays.size() == 1) return run_title(session.open->trace, language);
  return comparison_caption(replays, language);
}

bool is_wrong(const Session& session) {
  const std::vector<const OpenTrace*> shown = shown_traces(session);
  return std::any_of(shown.begin(), shown.end(),
                     [](const OpenTrace* each) { return !each->replay.contradictions().empty(); });
}

constexpr double line_height = 26;

std::size_t lines_in(const Rect& area) {
  return static_cast<std::size_t>(area.height / line_height);
}

std::vector<std::string> run_lines(const Pen& pen, double width) {
  return pen.balanced_lines(run_text(pen.session()), size::small, Face::sans, width);
}

// Tabs where what was run has room beside them; `taken`: by all that stands to their left.
void view_tabs(RightToLeft& row, const Rect& title, double taken) {
  Pen& pen = row.pen;
  const Session& session = pen.session();
  if (!session.compared.empty()) {
    const std::string end = pen.text("window.end_comparison");
    pen.text_button(end, row.take(end), false, "end-comparison");
    row.right -= 2 * gap;
    return;
  }
  const std::vector<const View*> fitting = fitting_views(session);
  double width = 0;
  for (const View* view : fitting)
    width += pen.width(name_of(pen, *view), size::small, Face::bold) + 2 * button_padding + gap;
  const double room = std::max(row.right - width - title.x - taken, 1.0);
  if (fitting.size() > most_tabs || run_lines(pen, room).size() > lines_in(title)) {
    menu_button(row);
  } else {
    for (auto view = fitting.rbegin(); view != fitting.rend(); ++view) {
      const std::string name = name_of(pen, **view);
      const Rect button = row.take(name);
      pen.text_button(name, button, session.view == *view, "view", (*view)->name);
      pen.tools().views_below = button;
    }
  }
  row.right -= 2 * gap;
}

// In as few lines as it needs; what does not fit is under the mouse.
void run_line(Pen& pen, const Rect& area) {
  std::vector<std::string> lines = run_lines(pen, area.width);
  if (lines.size() > lines_in(area)) {
    const std::string text = run_text(pen.session());
    lines = pen.lines(text, size::small, Face::sans, area.width - 24);
    lines.resize(lines_in(area));
    lines.back() += " …";
    if (pen.area("run", area).hovered) pen.tooltip(text);
  }
  const bool wrong = is_wrong(pen.session());
  const double first =
      area.center().y + 7 - line_height * static_cast<double>(lines.size() - 1) / 2;
  for (std::size_t i = 0; i < lines.size(); ++i)
    pen.label({area.x, first + line_height * static_cast<double>(i)}, lines[i], size::small,
              wrong ? Face::bold : Face::sans, Align::left,
              wrong ? pen.theme().ink : pen.theme().quiet);
}

}  // namespace

void title_panel(Pen& pen, const Rect& rect) {
  pen.box(rect, 0, pen.theme().surface);
  pen.line({rect.x, rect.bottom()}, {rect.right(), rect.bottom()}, {pen.theme().rule, 1, 0});
  const double middle = rect.center().y;
  const std::string name = pen.text("window.title");
  const double name_width = pen.width(name, size::body, Face::bold) + 20;
  RightToLeft row{pen, rect.right() - padding, middle};
  switches(row);
  const std::string set_up = pen.text("window.set_up");
  const double set_up_width = pen.width(set_up, size::small, Face::bold) + 2 * button_padding;
  view_tabs(row, rect, padding + name_width + set_up_width + 4 * gap);
  pen.text_button(set_up, row.take(set_up_width), pen.session().set_up_shown, "set-up");
  // What was run goes before the program's name, which the desktop says, too.
  double left = rect.x + padding;
  const double right = row.right - 12;
  if (run_lines(pen, right - left - name_width).size() <= lines_in(rect)) {
    pen.label({left, middle + 9}, name, size::body, Face::bold, Align::left, pen.theme().ink);
    left += name_width;
  }
  run_line(pen, {left, rect.y, right - left, rect.height});
}

void views_menu(Session& session, UiTools& tools, const Layout& layout) {
  if (!session.views_shown || session.presenting || !session.open) return;
  constexpr double row_height = 48, inner = 8;
  const double scale = layout.scale;
  Pen measure(session, tools, scale);
  const std::vector<const View*> fitting = fitting_views(session);
  double width = tools.views_below.width;
  for (const View* view : fitting)
    width = std::max(width, measure.width(name_of(measure, *view), size::small, Face::bold) + 64);
  const Rect menu{tools.views_below.right() - width, layout.title.bottom() + 4, width,
                  row_height * static_cast<double>(fitting.size()) + 2 * inner};
  ImGui::SetNextWindowPos(
      {static_cast<float>((menu.x - 2) * scale), static_cast<float>((menu.y - 2) * scale)});
  ImGui::SetNextWindowSize({static_cast<float>((menu.width + 4) * scale),
                            static_cast<float>((menu.height + 4) * scale)});
  ImGui::Begin("views", nullptr, bare_window);
  Pen pen(session, tools, scale);
  pen.box(menu, 12, session.theme->surface, {session.theme->line, 1.5, 0});
  Rect row{menu.x + inner, menu.y + inner, menu.width - 2 * inner, row_height};
  for (const View* view : fitting) {
    pen.text_button(name_of(pen, *view), row, session.view == view, "view", view->name);
    row.y += row_height;
  }
  // A click beside the menu closes it; on its button it would open it again.
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const double x = static_cast<double>(mouse.x) / scale, y = static_cast<double>(mouse.y) / scale;
  const auto holds = [&](const Rect& rect) {
    return x >= rect.x && x <= rect.right() && y >= rect.y && y <= rect.bottom();
  };
  if (ImGui::IsMouseClicked(0) && !holds(menu) && !holds(tools.views_below))
    try_command(session, "views", "off");
  ImGui::End();
}

}  // namespace ringscope
