// The table of subcommands, one file each.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string_view>

#include "core/language/language.h"

namespace ringscope {

// Adds its options to `command` and returns what to do once they are parsed; that returns the exit
// status.
struct Subcommand {
  std::string_view name;  // its description is the text 'command.<name>'
  std::function<int(const Language&)> (*set_up)(CLI::App& command, const Language& language);
};
std::span<const Subcommand> subcommands();

}  // namespace ringscope
