#include "app/window/clipboard.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/error.h"

namespace ringscope {
namespace {

bool is_installed(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

// Of a Wayland display first, since X programs run there, too.
std::vector<std::string> copy_commands() {
  std::vector<std::string> commands;
  if (getenv("WAYLAND_DISPLAY") != nullptr && is_installed("wl-copy"))
    commands.push_back("wl-copy --type image/png");
  if (getenv("DISPLAY") != nullptr && is_installed("xclip"))
    commands.push_back("xclip -selection clipboard -t image/png");
  return commands;
}

// Whether the program took them.
bool feed(const std::string& command, const std::string& bytes) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);  // a program that ends early is a failed write
  std::FILE* const pipe = popen((command + " >/dev/null 2>&1").c_str(), "w");
  bool written =
      pipe != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), pipe) == bytes.size();
  if (pipe != nullptr && pclose(pipe) != 0) written = false;
  std::signal(SIGPIPE, before);
  return written;
}

}  // namespace

void copy_png(const std::string& bytes) {
  const std::vector<std::string> commands = copy_commands();
  if (commands.empty()) throw Error({"error.clipboard.none", {}});
  for (const std::string& command : commands)
    if (feed(command, bytes)) return;
  throw Error({"error.clipboard.failed", {{"command", commands.front()}}});
}

}  // namespace ringscope
