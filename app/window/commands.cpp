#include "app/window/commands.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <charconv>

#include "core/export/cairo_painter.h"

namespace ringscope {
namespace {

bool always(const Session&) { return true; }
bool has_trace(const Session& session) { return session.open != nullptr; }
bool before_end(const Session& session) { return session.open && !at_end(session.playback); }
bool after_start(const Session& session) { return session.open && !at_start(session.playback); }
bool not_presenting(const Session& session) { return !session.presenting; }
bool can_run(const Session& session) { return !session.run; }
bool is_running(const Session& session) { return session.run != nullptr; }

double number_in(std::string_view argument, double smallest, double largest) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(argument.data(), argument.data() + argument.size(), number);
  if (error != std::errc{} || end != argument.data() + argument.size() || number < smallest ||
      number > largest)
    throw Error({"error.window.number",
                 {{"value", std::string(argument)},
                  {"smallest", fmt::format("{}", smallest)},
                  {"largest", fmt::format("{}", largest)}}},
                Blame::usage);
  return number;
}

// '1280 720' -> both words.
std::pair<std::string_view, std::string_view> two_words(std::string_view argument) {
  const std::size_t blank = std::min(argument.find(' '), argument.size());
  std::string_view rest = argument.substr(blank);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return {argument.substr(0, blank), rest};
}

bool switched(bool now, std::string_view argument) {
  if (argument.empty()) return !now;
  if (argument == "on" || argument == "off") return argument == "on";
  throw Error({"error.window.on_off", {{"value", std::string(argument)}}}, Blame::usage);
}

constexpr double speeds[] = {0.25, 0.5, 1, 2, 4};

void set_speed(Session& session, std::string_view argument) {
  double& speed = session.playback.speed;
  if (!argument.empty()) {
    speed = number_in(argument, 0.1, 100);
    return;
  }
  const double* next = std::upper_bound(std::begin(speeds), std::end(speeds), speed);
  speed = next == std::end(speeds) ? speeds[0] : *next;
}

void go(Session& session, std::string_view argument) {
  go_to(session.playback, round_named(session.open->trace.schedule, argument) + 1);
}

// The next one in the table that can show the record, or the same where there is no other.
const View& next_view(const Session& session) {
  const std::span<const View> all = views();
  const auto now = static_cast<std::size_t>(session.view - all.data());
  for (std::size_t i = 1; i < all.size(); ++i) {
    const View& view = all[(now + i) % all.size()];
    if (!session.open || view.fits(session.open->trace.schedule)) return view;
  }
  return *session.view;
}

void choose_view(Session& session, std::string_view argument) {
  const View& view = argument.empty() ? next_view(session) : view_named(argument);
  if (session.open && !view.fits(session.open->trace.schedule))
    throw Error({"error.window.view", {{"view", std::string(argument)}}});
  session.view = &view;
}

void choose_theme(Session& session, std::string_view argument) {
  const Theme& other = session.theme == &light_theme() ? dark_theme() : light_theme();
  session.theme = argument.empty() ? &other : &theme_named(argument);
}

void choose_language(Session& session, std::string_view argument) {
  const std::string_view other = session.language->code() == "en" ? "zh" : "en";
  session.language = &Language::named(argument.empty() ? other : argument);
}

void save_picture(Session& session, std::string_view argument) {
  const std::string path = argument.empty() ? picture_path(session) : std::string(argument);
  write_png(*stage_figure(session, session.stage_size, session.stage_scale), *session.fonts, path);
  show_toast(session, {"window.picture_saved", {{"file", path}}}, false);
}

void resize(Session& session, std::string_view argument) {
  const auto [width, height] = two_words(argument);
  session.requests.size = Size{number_in(width, 320, 16384), number_in(height, 240, 16384)};
}

void set_field(Session& session, std::string_view argument) {
  const auto [field, value] = two_words(argument);
  set_value(session.set_up, field, value);
}

// What is in front goes first.
void close_front(Session& session) {
  if (session.help_shown)
    session.help_shown = false;
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

std::vector<Command> make_commands() {
  return {
      {"forward",
       none,
       {{"→", GLFW_KEY_RIGHT}, {"PgDn", GLFW_KEY_PAGE_DOWN}},
       before_end,
       [](Session& session, std::string_view) { step_forward(session.playback); }},
      {"back",
       none,
       {{"←", GLFW_KEY_LEFT}, {"PgUp", GLFW_KEY_PAGE_UP}},
       after_start,
       [](Session& session, std::string_view) { step_back(session.playback); }},
      {"play",
       none,
       {{"Space", GLFW_KEY_SPACE}},
       has_trace,
       [](Session& session, std::string_view) { toggle_play(session.playback); }},
      {"first",
       none,
       {{"Home", GLFW_KEY_HOME}},
       has_trace,
       [](Session& session, std::string_view) { go_first(session.playback); }},
      {"last",
       none,
       {{"End", GLFW_KEY_END}},
       has_trace,
       [](Session& session, std::string_view) { go_last(session.playback); }},
      {"go", required, {}, has_trace, go},
      {"seek",
       required,
       {},
       has_trace,
       [](Session& session, std::string_view argument) {
         scrub(session.playback, number_in(argument, 0, session.playback.rounds));
       }},
      {"speed", optional, {{"+", 0, U'+'}}, always, set_speed},
      {"reduced-motion",
       optional,
       {{"M", GLFW_KEY_M}},
       always,
       [](Session& session, std::string_view argument) {
         bool& reduced = session.playback.reduced_motion;
         reduced = switched(reduced, argument);
       }},
      {"view", optional, {{"V", GLFW_KEY_V}}, always, choose_view},
      {"presenter",
       optional,
       {{"F11", GLFW_KEY_F11}},
       always,
       [](Session& session, std::string_view argument) {
         session.presenting = switched(session.presenting, argument);
       }},
      {"theme", optional, {{"T", GLFW_KEY_T}}, always, choose_theme},
      {"language", optional, {{"L", GLFW_KEY_L}}, always, choose_language},
      {"save-picture", optional, {{"F12", GLFW_KEY_F12}}, has_trace, save_picture},
      {"open",
       required,
       {},
       always,
       [](Session& session, std::string_view argument) {
         open_file(session, std::string(argument));
       }},
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
       [](Session& session, std::string_view argument) { session.requests.screenshot = argument; }},
      {"size", required, {}, always, resize},
      {"quit",
       none,
       {{"Ctrl+Q", GLFW_KEY_Q, 0, true}},
       always,
       [](Session& session, std::string_view) { session.requests.quit = true; }},
  };
}

Message text_id(const Command& command) { return {"action." + std::string(command.id), {}}; }

}  // namespace

std::span<const Command> commands() {
  static const std::vector<Command> table = make_commands();
  return table;
}

const Command* find_command(std::string_view id) {
  for (const Command& command : commands())
    if (command.id == id) return &command;
  return nullptr;
}

bool takes(const Command& command, std::string_view argument) {
  return argument.empty() ? command.argument != required : command.argument != none;
}

void run_command(Session& session, std::string_view id, std::string_view argument) {
  const Command* command = find_command(id);
  assert(command && takes(*command, argument));
  if (!command->enabled(session))
    throw Error({"error.window.not_now", {{"name", std::string(id)}}});
  command->run(session, argument);
}

void try_command(Session& session, std::string_view id, std::string_view argument) {
  const Command* command = find_command(id);
  if (!command || !command->enabled(session)) return;
  try {
    run_command(session, id, argument);
  } catch (const Error& error) {
    // The drawer shows what is wrong with the set-up beside the button that was pressed.
    if (session.set_up_shown && (id == "run" || id == "set"))
      session.set_up_error = error.message();
    else
      show_toast(session, error.message(), true);
  }
}

const Command* command_of_key(int key, bool control) {
  for (const Command& command : commands())
    for (const Chord& chord : command.chords)
      if (chord.key != 0 && chord.key == key && chord.control == control) return &command;
  return nullptr;
}

const Command* command_of_character(char32_t character) {
  for (const Command& command : commands())
    for (const Chord& chord : command.chords)
      if (chord.character != 0 && chord.character == character) return &command;
  return nullptr;
}

std::string keys_of(const Command& command) {
  std::vector<std::string_view> labels;
  for (const Chord& chord : command.chords) labels.push_back(chord.label);
  return fmt::format("{}", fmt::join(labels, ", "));
}

std::string tooltip_of(const Command& command, const Language& language) {
  const std::string text = language.text(text_id(command));
  return command.chords.empty() ? text : fmt::format("{} ({})", text, keys_of(command));
}

std::string key_table(const Language& language) {
  std::string table = fmt::format("| {} | {} |\n|---|---|\n", language.text("window.key"),
                                  language.text("window.key_does"));
  for (const Command& command : commands())
    if (!command.chords.empty())
      table += fmt::format("| {} | {} |\n", keys_of(command), language.text(text_id(command)));
  return table;
}

}  // namespace ringscope
