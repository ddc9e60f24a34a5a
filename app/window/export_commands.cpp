#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/window/clipboard.h"
#include "app/window/command_rows.h"
#include "core/export/png.h"

namespace ringscope {
namespace {

bool can_export(const Session& session) { return session.open && !session.exporting; }
bool is_exporting(const Session& session) { return session.exporting != nullptr; }

void set_field(Session& session, std::string_view argument) {
  const auto [field, value] = two_words(argument);
  set_value(session.export_form, field, value);
}

// The argument: a folder other than the form's.
void start(Session& session, std::string_view argument) {
  if (!argument.empty()) set_value(session.export_form, "folder", argument);
  start_export(session);
}

void copy_picture(Session& session, std::string_view) {
  const Figure figure = *stage_figure(session, session.stage_size, session.stage_scale);
  copy_png(png_of(draw_pixels(figure, *session.fonts)));
  show_toast(session, {"window.picture_copied", {}}, false);
}

constexpr auto none = ArgumentKind::none;
constexpr auto optional = ArgumentKind::optional;
constexpr auto required = ArgumentKind::required;

}  // namespace

std::vector<Command> export_commands() {
  return {
      {"export-dialog",
       optional,
       {{"Ctrl+E", GLFW_KEY_E, 0, true}},
       has_trace,
       [](Session& session, std::string_view argument) {
         session.export_shown = switched(session.export_shown, argument);
       }},
      {"export-set", required, {}, always, set_field},
      {"export", optional, {}, can_export, start},
      {"cancel-export",
       none,
       {},
       is_exporting,
       [](Session& session, std::string_view) { session.exporting->cancel(); }},
      {"copy-picture", none, {{"Ctrl+C", GLFW_KEY_C, 0, true}}, has_trace, copy_picture},
  };
}

}  // namespace ringscope
