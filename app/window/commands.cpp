#include "app/window/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <charconv>

#include "app/window/command_rows.h"
#include "core/engine/trouble.h"
#include "core/export/png.h"

namespace ringscope {

bool always(const Session&) { return true; }
bool has_trace(const Session& session) { return session.open != nullptr; }

double number_in(std::string_view argument, double smallest, double largest) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(argument.data(), argument.data() + argument.size(), number);
  if (error != std::errc{} || end != argument.data() + argument.size() ||
      !(number >= smallest && number <= largest))  // nor what is no number
    throw Error({"error.window.number",
                 {{"value", std::string(argument)},
                  {"smallest", fmt::format("{}", smallest)},
                  {"largest", fmt::format("{}", largest)}}},
                Blame::usage);
  return number;
}

std::chrono::nanoseconds time_in(std::string_view argument) {
  if (!argument.starts_with('-')) return parse_duration(argument);
  try {
    return -parse_duration(argument.substr(1));
  } catch (const Error&) {
    throw Error({"error.duration", {{"text", std::string(argument)}}}, Blame::usage);
  }
}

bool is_time(std::string_view argument) { return argument.ends_with('s'); }

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

namespace {

std::vector<Command> make_commands() {
  std::vector<Command> all = replay_commands();
  for (auto rows : {stage_commands, export_commands, window_commands}) {
    const std::vector<Command> more = rows();
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
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
  return argument.empty() ? command.argument != ArgumentKind::required
                          : command.argument != ArgumentKind::none;
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
    // Drawer and dialog show what is wrong with them beside the button that was pressed.
    if (session.set_up_shown && (id == "run" || id == "set"))
      session.set_up_error = error.message();
    else if (session.export_shown && id.starts_with("export"))
      session.export_error = error.message();
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
