#include "app/window/script.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "app/window/commands.h"

namespace ringscope {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

void check_line(const ScriptLine& line) {
  const Command* command = find_command(line.command);
  if (command && takes(*command, line.argument)) return;
  std::vector<std::string_view> names;
  for (const Command& each : commands()) names.push_back(each.id);
  const char* id = !command                ? "error.script.unknown"
                   : line.argument.empty() ? "error.script.argument"
                                           : "error.script.no_argument";
  throw Error({id,
               {{"line", std::to_string(line.number)},
                {"name", line.command},
                {"names", fmt::format("{}", fmt::join(names, ", "))}}},
              Blame::usage);
}

Error failed_at(const ScriptLine& line, const Message& reason, Blame blame,
                const Language& language) {
  return Error({"error.script.failed",
                {{"line", std::to_string(line.number)},
                 {"name", line.command},
                 {"reason", language.text(reason)}}},
               blame);
}

}  // namespace

std::vector<ScriptLine> parse_script(std::string_view text) {
  std::vector<ScriptLine> lines;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    const std::size_t blank = std::min(line.find_first_of(blanks), line.size());
    lines.push_back(
        {number, std::string(line.substr(0, blank)), std::string(trimmed(line.substr(blank)))});
    check_line(lines.back());
  }
  return lines;
}

std::vector<ScriptLine> load_script(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw Error({"error.script.unreadable", {{"file", path}}});
  return parse_script(text);
}

void Script::go_on(Session& session) {
  if (busy(session)) return;
  if (waiting_ && session.failure)
    throw failed_at(lines_[next_ - 1], *session.failure, Blame::failure, *language_);
  waiting_ = false;
  if (done()) return;
  const ScriptLine& line = lines_[next_++];
  session.failure.reset();
  waiting_ = true;
  try {
    run_command(session, line.command, line.argument);
  } catch (const Error& error) {
    throw failed_at(line, error.message(), error.blame(), *language_);
  }
}

}  // namespace ringscope
