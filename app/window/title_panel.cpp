#include <fmt/format.h>

#include "app/window/panels.h"

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

void view_tabs(RightToLeft& row) {
  Pen& pen = row.pen;
  const Session& session = pen.session();
  const std::span<const View> all = views();
  for (auto view = all.rbegin(); view != all.rend(); ++view) {
    if (session.open && !view->fits(session.open->trace.schedule)) continue;
    const std::string name = pen.text(fmt::format("view.{}", view->name));
    pen.text_button(name, row.take(name), session.view == &*view, "view", view->name);
  }
  row.right -= 2 * gap;
}

// What was run; a record that contradicts itself is not smoothed over, but called wrong.
std::string run_text(const Session& session) {
  if (!session.open) return session.language->text("window.nothing_open");
  const std::vector<Message>& wrong = session.open->replay.contradictions();
  if (!wrong.empty())
    return session.language->text("window.contradicts",
                                  {{"what", session.language->text(wrong.front())}});
  return run_title(session.open->trace, *session.language);
}

// In one line, or in two where it is too long for one.
void run_line(Pen& pen, double left, double right, double middle) {
  const Session& session = pen.session();
  const std::vector<std::string> lines =
      pen.balanced_lines(run_text(session), size::small, Face::sans, right - left);
  const bool wrong = session.open && !session.open->replay.contradictions().empty();
  constexpr double line_height = 26;
  const double first = middle + 7 - line_height * static_cast<double>(lines.size() - 1) / 2;
  for (std::size_t i = 0; i < lines.size(); ++i)
    pen.label({left, first + line_height * static_cast<double>(i)}, lines[i], size::small,
              wrong ? Face::bold : Face::sans, Align::left,
              wrong ? pen.theme().ink : pen.theme().quiet);
}

}  // namespace

void title_panel(Pen& pen, const Rect& rect) {
  pen.box(rect, 0, pen.theme().surface);
  pen.line({rect.x, rect.bottom()}, {rect.right(), rect.bottom()}, {pen.theme().rule, 1, 0});
  const double middle = rect.center().y;
  const std::string name = pen.text("window.title");
  pen.label({rect.x + padding, middle + 9}, name, size::body, Face::bold, Align::left,
            pen.theme().ink);
  RightToLeft row{pen, rect.right() - padding, middle};
  switches(row);
  view_tabs(row);
  const std::string set_up = pen.text("window.set_up");
  pen.text_button(set_up, row.take(set_up), pen.session().set_up_shown, "set-up");
  run_line(pen, rect.x + padding + pen.width(name, size::body, Face::bold) + 20, row.right - 12,
           middle);
}

}  // namespace ringscope
