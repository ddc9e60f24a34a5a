#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/window/command_rows.h"
#include "core/export/png.h"

namespace ringscope {
namespace {

bool not_presenting(const Session& session) { return !session.presenting; }
bool can_run(const Session& session) { return !session.run; }
bool is_running(const Session& session) { return session.run != nullptr; }

void choose_theme(Session& session, std::string_view argument) {
  const Theme& other = session.theme == &light_theme() ? dark_theme() : light_theme();
  session.theme = argument.empty() ? &other : &theme_named(argument);
}

void choose_language(Session& session, std::string_view argument) {
  const std::string_view other = session.language->code() == "en" ? "zh" : "en";
  session.language = &Language::named(argument.empty() ? other : argument);
}

void resize(Session& session, std::string_view argument) {
  const auto [width, height] = two_words(argument);
  session.requests.size = Size{number_in(width, 320, 16384), number_in(height, 240, 16384)};
}

void set_field(Session& session, std::string_view argument) {
  const auto [field, value] = two_words(argument);
  set_value(session.set_up, field, value);
}

void open(Session& session, std::string_view argument) {
  open_file(session, std::string(argument));
  session.set_up_shown = false;
}

// What is in front goes first.
void close_front(Session& session) {
  if (session.help_shown)
    session.help_shown = false;
  else if (session.export_shown)
    session.export_shown = false;
  else if (session.views_shown)
    session.views_shown = false;
  else if (session.selection.transfer >= 0)
    session.selection.transfer = -1;
  else if (session.presenting)
    session.presenting = false;
  else if (session.set_up_shown)
    session.set_up_shown = false;
  else
    session.toast.reset();
}

constexpr auto none = ArgumentKind::none;
constexpr auto optional = ArgumentKind::optional;
constexpr auto required = ArgumentKind::required;

}  // namespace

std::vector<Command> window_commands() {
  return {
      {"presenter",
       optional,
       {{"F11", GLFW_KEY_F11}},
       always,
       [](Session& session, std::string_view argument) {
         session.presenting = switched(session.presenting, argument);
       }},
      {"theme", optional, {{"T", GLFW_KEY_T}}, always, choose_theme},
      {"language", optional, {{"L", GLFW_KEY_L}}, always, choose_language},
      {"open", required, {}, always, open},
      {"set-up",
       optional,
       {{"S", GLFW_KEY_S}},
       not_presenting,
       [](Session& session, std::string_view argument) {
         session.set_up_shown = switched(session.set_up_shown, argument);
       }},
      {"set", required, {}, always, set_field},
      {"run",
       none,
       {{"Ctrl+R", GLFW_KEY_R, 0, true}},
       can_run,
       [](Session& session, std::string_view) { start_run(session); }},
      {"cancel",
       none,
       {},
       is_running,
       [](Session& session, std::string_view) { session.run->cancel(); }},
      {"help",
       optional,
       {{"?", 0, U'?'}, {"F1", GLFW_KEY_F1}},
       always,
       [](Session& session, std::string_view argument) {
         session.help_shown = switched(session.help_shown, argument);
       }},
      {"close",
       none,
       {{"Esc", GLFW_KEY_ESCAPE}},
       always,
       [](Session& session, std::string_view) { close_front(session); }},
      {"screenshot",
       required,
       {},
       always,
       [](Session& session, std::string_view argument) {
         require_png_name(std::string(argument));
         session.requests.screenshot = argument;
       }},
      {"size", required, {}, always, resize},
      {"quit",
       none,
       {{"Ctrl+Q", GLFW_KEY_Q, 0, true}},
       always,
       [](Session& session, std::string_view) { session.requests.quit = true; }},
  };
}

}  // namespace ringscope
