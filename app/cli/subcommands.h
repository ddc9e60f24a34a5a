// The table of subcommands, one file each.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "core/language/language.h"

namespace CLI {
class App;
}

namespace ringscope {

// What to do once the line is parsed; gives the exit status. `said`: the language was asked for
// with
// --lang, and is not only that of the environment.
using CommandAction = std::function<int(const Language& language, bool said)>;

// set_up adds the options to `command`; the action that it returns owns what they are put in.
struct Subcommand {
  std::string_view name;  // its description is the text 'command.<name>'
  CommandAction (*set_up)(CLI::App& command, const Language& language);
};
std::span<const Subcommand> subcommands();

CommandAction set_up_record(CLI::App& command, const Language& language);
CommandAction set_up_show(CLI::App& command, const Language& language);
CommandAction set_up_verify(CLI::App& command, const Language& language);
CommandAction set_up_info(CLI::App& command, const Language& language);
CommandAction set_up_picture(CLI::App& command, const Language& language);
CommandAction set_up_export(CLI::App& command, const Language& language);
CommandAction set_up_compare(CLI::App& command, const Language& language);
CommandAction set_up_bench(CLI::App& command, const Language& language);
CommandAction set_up_window(CLI::App& command, const Language& language);

}  // namespace ringscope
