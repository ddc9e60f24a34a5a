// The window: GLFW, OpenGL 3.3 core and Dear ImGui, from opening to closing.
#pragma once

#include <string>
#include <vector>

#include "core/language/language.h"

namespace ringscope {

struct WindowOptions {
  // Opened at the start, beside one another; none: the set-up drawer.
  std::vector<std::string> trace_paths;
  std::string script_path;             // commands that drive the window, a line each; empty: none
  const Language* language = nullptr;  // null: the remembered one, else that of the environment
  std::string theme;                   // 'light', 'dark'; empty: the one of the last time
};

// Runs until the window is closed; returns the exit status. Throws Error where there is no display
// or no OpenGL, which names the subcommand that works without; where a file can't be opened; and
// where a line of the script fails.
int open_window(const WindowOptions& options);

}  // namespace ringscope
