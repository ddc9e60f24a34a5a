#include "app/cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>

#include "core/error.h"

namespace ringscope {
namespace {

Error option_error(std::string_view id, std::string_view option, std::string_view value) {
  return Error({"error.option." + std::string(id),
                {{"option", std::string(option)}, {"value", std::string(value)}}},
               Blame::usage);
}

// Pieces of a text between commas; a comma at the end makes an empty last piece.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (std::size_t at = 0; at != text.npos;) {
    const std::size_t next = text.find(separator, at);
    pieces.push_back(text.substr(at, next == text.npos ? next : next - at));
    at = next == text.npos ? next : next + 1;
  }
  return pieces;
}

// CLI11's check of a value: an option where a value should be means that the value was forgotten,
// and an empty one (of a shell's variable, say) is none.
// (What it returns only tells that there is a fault; run.cpp finds the words.)
std::string no_option(const std::string& value) {
  return value.empty() || value.starts_with("--") ? "no value" : "";
}

}  // namespace

std::string Options::help_of(const std::string& name) const {
  const std::string bare = name.substr(name.find_first_not_of('-'));
  const std::string own = "option." + command_.get_name() + '.' + bare;
  return language_.text(language_.has(own) ? own : "option." + bare);
}

void Options::value(const std::string& name, const std::string& placeholder, std::string& target) {
  command_.add_option(name, target, help_of(name))
      ->check(no_option)
      ->type_name(placeholder)
      ->default_str(target)
      ->take_last();
}

void Options::values(const std::string& name, const std::string& placeholder,
                     std::vector<std::string>& target) {
  command_.add_option(name, target, help_of(name))
      ->check(no_option)
      ->type_name(placeholder)
      ->allow_extra_args(false);
}

void Options::flag(const std::string& name, bool& target) {
  command_.add_flag(name, target, help_of(name))->disable_flag_override();
}

void Options::file(std::string& target) {
  command_.add_option("FILE", target, help_of("FILE"))->type_name("FILE");
}

void Options::optional_files(std::vector<std::string>& target) {
  command_.add_option("FILE", target, help_of("FILE"))->type_name("[FILE...]");
}

void Options::files(std::vector<std::string>& target) {
  command_.add_option("FILE", target, help_of("FILE"))->type_name("FILE...");
}

void require(std::string_view option, std::string_view text) {
  if (text.empty()) throw option_error("missing", option, "");
}

std::uint64_t parse_whole(std::string_view option, std::string_view text, std::uint64_t min,
                          std::uint64_t max) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, number);
  if (fault == std::errc::invalid_argument || rest != end || (fault == std::errc{} && number < min))
    throw Error({"error.option.whole",
                 {{"option", std::string(option)},
                  {"value", std::string(text)},
                  {"min", std::to_string(min)}}},
                Blame::usage);
  if (fault != std::errc{} || number > max)
    throw Error({"error.option.too_large",
                 {{"option", std::string(option)},
                  {"value", std::string(text)},
                  {"max", std::to_string(max)}}},
                Blame::usage);
  return number;
}

std::int32_t parse_int(std::string_view option, std::string_view text, std::int32_t min) {
  return static_cast<std::int32_t>(parse_whole(option, text, static_cast<std::uint64_t>(min),
                                               std::numeric_limits<std::int32_t>::max()));
}

double parse_real(std::string_view option, std::string_view text, double min, double max) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, number);
  if (fault == std::errc{} && rest == end && number >= min && number <= max) return number;
  throw Error({"error.option.real",
               {{"option", std::string(option)},
                {"value", std::string(text)},
                {"min", fmt::format("{}", min)},
                {"max", fmt::format("{}", max)}}},
              Blame::usage);
}

std::size_t parse_choice(std::string_view option, std::string_view text,
                         std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) return i;
  throw Error({"error.option.choice",
               {{"option", std::string(option)},
                {"value", std::string(text)},
                {"known", fmt::format("{}", fmt::join(names, ", "))}}},
              Blame::usage);
}

std::vector<std::size_t> parse_choices(std::string_view option, std::string_view text,
                                       std::span<const std::string_view> names) {
  require(option, text);
  std::vector<std::size_t> chosen;
  for (const std::string_view piece : split(text, ',')) {
    const std::size_t choice = parse_choice(option, piece, names);
    if (std::find(chosen.begin(), chosen.end(), choice) != chosen.end())
      throw option_error("twice", option, piece);
    chosen.push_back(choice);
  }
  return chosen;
}

std::vector<std::int32_t> parse_list(std::string_view option, std::string_view text) {
  std::vector<std::int32_t> numbers;
  if (text.empty()) return numbers;
  for (const std::string_view piece : split(text, ',')) {
    std::int32_t number = 0;
    const char* const end = piece.data() + piece.size();
    const auto [rest, fault] = std::from_chars(piece.data(), end, number);
    if (fault != std::errc{} || rest != end) throw option_error("list", option, text);
    numbers.push_back(number);
  }
  return numbers;
}

std::uint64_t parse_bytes(std::string_view option, std::string_view text) {
  struct Unit {
    std::string_view name;
    int shift;
  };
  constexpr std::array<Unit, 5> units{{{"", 0}, {"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}}};
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, number);
  if (fault == std::errc{})
    for (const Unit& unit : units)
      if (unit.name == std::string_view(rest, static_cast<std::size_t>(end - rest)) &&
          number <= std::numeric_limits<std::uint64_t>::max() >> unit.shift)
        return number << unit.shift;
  throw option_error("bytes", option, text);
}

std::vector<std::uint64_t> parse_bytes_list(std::string_view option, std::string_view text) {
  std::vector<std::uint64_t> sizes;
  for (const std::string_view piece : split(text, ',')) sizes.push_back(parse_bytes(option, piece));
  return sizes;
}

Size parse_size(std::string_view option, std::string_view text) {
  constexpr int least = 320, most = 16384;
  int width = 0, height = 0;
  const char* const end = text.data() + text.size();
  const auto [cross, width_fault] = std::from_chars(text.data(), end, width);
  if (width_fault == std::errc{} && cross != end && *cross == 'x') {
    const auto [rest, height_fault] = std::from_chars(cross + 1, end, height);
    if (height_fault == std::errc{} && rest == end && width >= least && width <= most &&
        height >= least && height <= most)
      return {static_cast<double>(width), static_cast<double>(height)};
  }
  throw option_error("size", option, text);
}

std::string choices(std::span<const std::string_view> names) {
  return fmt::format("{}", fmt::join(names, "|"));
}

std::string list_of(std::span<const std::string_view> names) {
  return fmt::format("{}", fmt::join(names, ","));
}

}  // namespace ringscope
