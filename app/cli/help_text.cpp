#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/columns.h"
#include "app/cli/options.h"

namespace ringscope {
namespace {

// '-h, --help', '--ranks N', 'FILE', '[FILE...]'.
std::string names_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_type_name();
  std::string names;
  for (const std::string& name : option.get_snames()) names += (names.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames())
    names += (names.empty() ? "--" : ", --") + name;
  const bool takes_value = option.get_expected_max() > 0;
  return takes_value ? names + ' ' + option.get_type_name() : names;
}

// A heading and a row an option or command, what it means in one column; a name too long for that
// stands on a line of its own.
std::string section(const std::string& heading, const std::vector<std::vector<std::string>>& rows) {
  constexpr std::size_t longest = 26;
  std::size_t width = 0;
  for (const std::vector<std::string>& row : rows)
    if (display_width(row[0]) <= longest) width = std::max(width, display_width(row[0]));
  std::string text = heading + '\n';
  for (const std::vector<std::string>& row : rows) {
    const std::size_t own = display_width(row[0]);
    text += "  " + row[0];
    text += own <= width ? std::string(width - own, ' ') : '\n' + std::string(width + 2, ' ');
    text += "  " + row[1] + '\n';
  }
  return text;
}

}  // namespace

std::string help_text(const CLI::App& command, const std::string& name, const Language& language) {
  const bool whole = command.get_parent() == nullptr;
  std::vector<std::vector<std::string>> arguments, options, commands;
  for (const CLI::Option* const option : command.get_options()) {
    std::string help = option->get_description();
    if (!option->get_default_str().empty())
      help += language.text("line.help.default", {{"value", option->get_default_str()}});
    (option->get_positional() ? arguments : options).push_back({names_of(*option), help});
  }
  // -h last but one, as everywhere; what the command is for first.
  std::stable_partition(options.begin(), options.end(),
                        [](const auto& row) { return row[0] != "-h, --help"; });
  for (const CLI::App* const below : command.get_subcommands({}))
    commands.push_back({below->get_name(), below->get_description()});

  std::string usage = name;
  if (whole) usage += ' ' + language.text("line.help.command");
  for (const auto& row : arguments) usage += " " + row[0];
  usage += ' ' + language.text("line.help.options");

  std::string text = command.get_description() + "\n\n" +
                     language.text("line.help.usage", {{"usage", usage}}) + '\n';
  if (!commands.empty()) text += '\n' + section(language.text("line.help.commands"), commands);
  if (!arguments.empty()) text += '\n' + section(language.text("line.help.arguments"), arguments);
  text += '\n' + section(language.text("line.help.options_heading"), options);
  if (whole) text += '\n' + language.text("line.help.more") + '\n';
  return text;
}

}  // namespace ringscope
