#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/window/form.h"
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

// Why an engine can't run what is filled in; empty where it can.
std::string why_not(const Session& session, std::string_view engine) {
  if (!session.engine_list) return {};
  const auto why = session.engine_list->why_not(engine, ranks_of(session.set_up));
  return why ? session.language->text(*why) : std::string();
}

FormField form_field(const Session& session, const SetUpField& field, const std::string& value) {
  const Language& language = *session.language;
  const std::string hint_id = fmt::format("window.hint.{}", field.id);
  FormField shown{.id = fmt::format("##{}", field.id),
                  .label = language.text(fmt::format("window.field.{}", field.id)),
                  .hint = language.has(hint_id) ? language.text(hint_id) : "",
                  .kind = field.kind,
                  .value = value,
                  .nobody = language.text("window.nobody")};
  if (field.choices) shown.choices = field.choices();
  if (field.id == "engine")
    shown.why_not = [&session](std::string_view engine) { return why_not(session, engine); };
  return shown;
}

// Beneath the row of the engine: why it can't run. Returns how high that is.
double engine_note(Pen& pen, double y, double width) {
  const Session& session = pen.session();
  const std::string reason = why_not(session, value_of(session.set_up, "engine"));
  if (reason.empty()) return 0;
  constexpr double line = 26, around = 8;
  const std::vector<std::string> lines = pen.lines(reason, size::small, Face::sans, width);
  for (std::size_t i = 0; i < lines.size(); ++i)
    pen.label({padding, y + around + 20 + line * static_cast<double>(i)}, lines[i], size::small,
              Face::sans, Align::left, pen.theme().ink);
  return line * static_cast<double>(lines.size()) + 2 * around;
}

// All fields from the top down, in two columns; returns where they end.
double fields(Pen& pen, double width, const FormPlace& place) {
  Session& session = pen.session();
  const double inner = width - 2 * padding, column = (inner - column_gap) / 2;
  std::string_view group;
  double y = 0;
  bool right = false;       // the next half row goes to the right column
  bool has_engine = false;  // the row
  const auto end_row = [&] {
    y += row_height;
    right = false;
    if (std::exchange(has_engine, false)) y += engine_note(pen, y, inner);
  };
  for (std::size_t i = 0; i < session.set_up.values.size(); ++i) {
    const SetUpField& field = set_up_fields()[i];
    if (!says_something(session.set_up, field)) continue;
    if (right && (field.group != group || field.wide)) end_row();
    if (field.group != group) {
      group = field.group;
      form_heading(pen, padding, y, pen.text(fmt::format("window.group.{}", group)));
      y += heading_height;
    }
    form_row(
        pen, place, form_field(session, field, session.set_up.values[i]),
        {padding + (right ? column + column_gap : 0), y, field.wide ? inner : column, row_height},
        field.wide ? wide_label : half_label, false,
        [&](std::string_view value) { set_field(session, field, value); });
    has_engine = has_engine || field.id == "engine";
    if (field.wide || right)
      end_row();
    else
      right = true;
  }
  if (right) end_row();
  return y;
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
  y -= 12;
  if (session.set_up_error)
    y -= 12 + problem_box(pen, panel.x + padding, y, width,
                          session.language->text(*session.set_up_error));
  return y;
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
  const double height = fields(inner, panel.width - 4, {origin, scale});
  ImGui::SetCursorScreenPos(vector(origin.x, origin.y + height * scale));
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace ringscope
