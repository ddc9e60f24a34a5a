// The options of a subcommand. CLI11 splits the line into texts; what a text means is decided here,
// so that whatever is wrong with it is said in the user's language.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/figure/figure.h"
#include "core/language/language.h"

namespace CLI {
class App;
}

namespace ringscope {

// Adds options to a command. The help of option '--ranks' of record is the text
// 'option.record.ranks', or 'option.ranks' where there is none. The targets must outlive the
// parsing; what a target holds before is what help shows as the default.
class Options {
 public:
  Options(CLI::App& command, const Language& language) : command_(command), language_(language) {}

  // '--ranks N'; the last one counts.
  void value(const std::string& name, const std::string& placeholder, std::string& target);
  // The same; may be given several times.
  void values(const std::string& name, const std::string& placeholder,
              std::vector<std::string>& target);
  void flag(const std::string& name, bool& target);
  // FILE, at any place on the line; help shows several as 'FILE...', optional ones as '[FILE...]'.
  void file(std::string& target);
  // FILE..., at any place on the line.
  void files(std::vector<std::string>& target);
  void optional_files(std::vector<std::string>& target);

 private:
  std::string help_of(const std::string& name) const;

  CLI::App& command_;
  const Language& language_;
};

// Each throws Error (usage) that names the option and says what it takes.

// Throws where nothing was said.
void require(std::string_view option, std::string_view text);
std::uint64_t parse_whole(std::string_view option, std::string_view text, std::uint64_t min,
                          std::uint64_t max = std::numeric_limits<std::uint64_t>::max());
std::int32_t parse_int(std::string_view option, std::string_view text, std::int32_t min);
// Which of the names it is.
std::size_t parse_choice(std::string_view option, std::string_view text,
                         std::span<const std::string_view> names);
// '12.5', with a point in any locale.
double parse_real(std::string_view option, std::string_view text, double min, double max);
// 'svg,pdf': which of the names each one is; at least one.
std::vector<std::size_t> parse_choices(std::string_view option, std::string_view text,
                                       std::span<const std::string_view> names);
// '0,2,1,3'; nothing for ''.
std::vector<std::int32_t> parse_list(std::string_view option, std::string_view text);
// '1KiB', '64MiB', '1GiB', '512B', '512'.
std::uint64_t parse_bytes(std::string_view option, std::string_view text);
// '1KiB,64MiB'.
std::vector<std::uint64_t> parse_bytes_list(std::string_view option, std::string_view text);
// '1920x1080'; 320 to 16,384 each way.
Size parse_size(std::string_view option, std::string_view text);

// 'svg,pdf,...', for help.
std::string list_of(std::span<const std::string_view> names);

// The names of a table's rows.
template <class Rows>
std::vector<std::string_view> names_of(const Rows& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}
// 'sum|avg|prod', for help.
std::string choices(std::span<const std::string_view> names);

// The help of a command, or of the whole program (CLI11's formatter).
std::string help_text(const CLI::App& command, const std::string& name, const Language& language);

}  // namespace ringscope
