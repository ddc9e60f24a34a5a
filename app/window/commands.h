// Every action of the window is one row of one table: keys, tooltips, the help sheet, scripts and
// the README's key table all come from it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/session.h"

namespace ringscope {

// A key of the keyboard by GLFW's number, or a character however it is typed.
struct Chord {
  std::string_view label;  // as printed on the key
  int key = 0;
  char32_t character = 0;
  bool control = false;

  bool same_keys(const Chord& other) const {
    return key == other.key && character == other.character && control == other.control;
  }
};

enum class ArgumentKind { none, optional, required };

struct Command {
  std::string_view id;  // what it does: text 'action.<id>'
  ArgumentKind argument;
  std::vector<Chord> chords;
  bool (*enabled)(const Session& session);
  // Throws Error, and then nothing has changed.
  void (*run)(Session& session, std::string_view argument);
};
std::span<const Command> commands();
// Null where there is none.
const Command* find_command(std::string_view id);

// Whether there is an argument where it needs one, and none where it takes none.
bool takes(const Command& command, std::string_view argument);

// Runs a command of the table with an argument that it takes. Throws Error where it is not enabled
// now, where its argument is wrong, and where it fails.
void run_command(Session& session, std::string_view id, std::string_view argument = {});
// For keys and the mouse: does nothing where it is not enabled, and shows an error instead of
// throwing it.
void try_command(Session& session, std::string_view id, std::string_view argument = {});

// The command of a pressed key (character 0) or of a typed character (key 0); null where there is
// none.
const Command* command_of_key(int key, bool control);
const Command* command_of_character(char32_t character);

// 'Right, PgDn'; '' where it has no key.
std::string keys_of(const Command& command);
// 'Play one round (Right, PgDn)'.
std::string tooltip_of(const Command& command, const Language& language);
// The README's table: a line a command with keys.
std::string key_table(const Language& language);

}  // namespace ringscope
