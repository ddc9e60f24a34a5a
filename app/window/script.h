// Commands from a file that drive the window, a line each: 'forward', 'go 1.2', 'screenshot a.png'.
// Empty lines, and lines that begin with '#', are skipped. Each command ends, motion included,
// before the next begins.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/window/session.h"

namespace ringscope {

struct ScriptLine {
  int number;  // from 1
  std::string command;
  std::string argument;  // may be empty

  bool operator==(const ScriptLine&) const = default;
};

// Throws Error (usage) with the line's number where a command is unknown, or its argument missing
// or too much.
std::vector<ScriptLine> parse_script(std::string_view text);
// Reads the file first. Throws Error.
std::vector<ScriptLine> load_script(const std::string& path);

// Runs a script bit by bit, between frames.
class Script {
 public:
  Script() = default;
  // `language`: in which the caller tells errors, whatever the script makes the window's.
  Script(std::vector<ScriptLine> lines, const Language& language)
      : lines_(std::move(lines)), language_(&language) {}

  // Whether every line has begun.
  bool done() const { return next_ >= lines_.size(); }
  // Runs the next line, if nothing is under way any more. Throws Error with the line's number
  // where it fails, or where what it began has failed.
  void go_on(Session& session);

 private:
  std::vector<ScriptLine> lines_;
  const Language* language_ = nullptr;
  std::size_t next_ = 0;
  bool waiting_ = false;  // for what the line before next_ began
};

}  // namespace ringscope
