#include "app/cli/run.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/subcommands.h"
#include "core/error.h"
#include "core/language/language.h"
#include "core/trace/plain_text.h"

namespace ringscope {
namespace {

constexpr std::array<Subcommand, 9> table{{
    {"record", set_up_record},
    {"show", set_up_show},
    {"verify", set_up_verify},
    {"info", set_up_info},
    {"picture", set_up_picture},
    {"export", set_up_export},
    {"compare", set_up_compare},
    {"bench", set_up_bench},
    {"window", set_up_window},
}};

int say(const Language& language, const Message& message, Blame blame) {
  std::fflush(stdout);
  // What was typed is quoted in it: it stays one line, and is no command to the terminal.
  std::fprintf(stderr, "ringscope: %s\n", plain_text(language.text(message)).c_str());
  return blame == Blame::usage ? 2 : 1;
}

// Takes '--lang zh' and '--lang=zh' out of the line, wherever they stand, so that help and errors
// are in that language, too. The last one counts.
// Null where there is none.
const Language* take_language(std::vector<std::string>& arguments) {
  const Language* language = nullptr;
  for (auto it = arguments.begin(); it != arguments.end();) {
    if (*it == "--") break;
    if (it->starts_with("--lang=")) {
      language = &Language::named(it->substr(7));
      it = arguments.erase(it);
    } else if (*it == "--lang") {
      if (it + 1 == arguments.end())
        throw Error({"error.option.no_value", {{"option", "--lang"}}}, Blame::usage);
      language = &Language::named(*(it + 1));
      it = arguments.erase(it, it + 2);
    } else {
      ++it;
    }
  }
  return language;
}

// What CLI11 has against the line, as a sentence of ours. It names the option in its own sentence
// only, with its dashes or without.
Error error_of(const CLI::ParseError& fault, const CLI::App& command) {
  const std::string sentence = fault.what();
  for (const CLI::Option* const option : command.get_options()) {
    if (option->get_positional()) continue;
    const std::string name = option->get_name();
    const std::string bare = name.substr(name.find_first_not_of('-'));
    if (sentence.find(name) == sentence.npos && !sentence.starts_with(bare)) continue;
    const bool flag = option->get_expected_max() == 0;
    return Error({flag ? "error.option.takes_none" : "error.option.no_value", {{"option", name}}},
                 Blame::usage);
  }
  return Error({"error.line", {{"command", command.get_name()}}}, Blame::usage);
}

// What is left over on the line.
Error unexpected(const std::string& text, const CLI::App& command) {
  const bool whole = command.get_parent() == nullptr;
  if (text.starts_with('-') && text.size() > 1)
    return Error({whole ? "error.option.unknown_at_all" : "error.option.unknown",
                  {{"option", text}, {"command", command.get_name()}}},
                 Blame::usage);
  if (!whole)
    return Error({"error.argument.unexpected", {{"value", text}, {"command", command.get_name()}}},
                 Blame::usage);
  std::string known;
  for (const Subcommand& row : table) known += (known.empty() ? "" : ", ") + std::string(row.name);
  return Error({"error.command.unknown", {{"command", text}, {"known", known}}}, Blame::usage);
}

// Help shows --lang at every command; what it is has been taken from the line before.
void add_language_option(CLI::App& command, const Language& language) {
  command.add_option("--lang", CLI::callback_t{}, language.text("option.lang"))->type_name("en|zh");
}

int run(std::vector<std::string> arguments, const Language& language, bool said) {
  CLI::App program(language.text("command.program"), "ringscope");
  program.set_help_flag("-h,--help", language.text("option.help"));
  program.set_version_flag("--version", "ringscope " RINGSCOPE_VERSION,
                           language.text("option.version"));
  program.formatter_fn([&](const CLI::App* command, const std::string& name, CLI::AppFormatMode) {
    return help_text(*command, name, language);
  });
  program.require_subcommand(0, 1)->allow_extras();
  add_language_option(program, language);
  std::vector<CommandAction> actions;
  for (const Subcommand& row : table) {
    CLI::App& command = *program.add_subcommand(std::string(row.name),
                                                language.text("command." + std::string(row.name)));
    actions.push_back(row.set_up(command, language));
    add_language_option(command, language);
  }

  const auto chosen = [&]() -> CLI::App& {
    return program.get_subcommands().empty() ? program : *program.get_subcommands().front();
  };
  try {
    program.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    print(program.help());
    return 0;
  } catch (const CLI::CallForVersion&) {
    print("ringscope " RINGSCOPE_VERSION "\n");
    return 0;
  } catch (const CLI::ParseError& fault) {
    throw error_of(fault, chosen());
  }
  std::vector<std::string> left = program.remaining(true);
  std::erase(left, "--");  // what follows it has been taken for no option
  if (!left.empty()) throw unexpected(left.front(), chosen());
  for (std::size_t i = 0; i < table.size(); ++i)
    if (program.got_subcommand(std::string(table[i].name))) return actions[i](language, said);
  return actions.back()(language, said);  // the window
}

}  // namespace

std::span<const Subcommand> subcommands() { return table; }

int run_command_line(int argument_count, char** arguments) {
  // A write fails instead, and is dealt with below.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  const Language* language = &Language::of_environment();
  try {
    std::vector<std::string> line(arguments + std::min(argument_count, 1),
                                  arguments + argument_count);
    const Language* const said = take_language(line);
    if (said) language = said;
    const int status = run(std::move(line), *language, said != nullptr);
    finish_printing();
    return status;
  } catch (const ReaderLeft&) {
    return 0;
  } catch (const Error& error) {
    return say(*language, error.message(), error.blame());
  } catch (const std::bad_alloc&) {
    return say(*language, {"error.out_of_memory", {}}, Blame::failure);
  } catch (const std::exception& fault) {
    return say(*language, {"error.internal", {{"reason", fault.what()}}}, Blame::failure);
  }
}

}  // namespace ringscope
