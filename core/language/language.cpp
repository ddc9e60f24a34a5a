#include "core/language/language.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>

#include "core/language/embedded_texts.h"

namespace ringscope {
namespace {

using Texts = std::map<std::string, std::string, std::less<>>;

// Puts the texts of a table and of the tables in it into `texts`, their keys joined with dots.
void flatten(const toml::table& table, const std::string& prefix, Texts& texts) {
  for (const auto& [key, node] : table) {
    const std::string id = prefix + std::string(key.str());
    if (const toml::table* const nested = node.as_table())
      flatten(*nested, id + '.', texts);
    else if (const auto text = node.value<std::string>())
      texts.emplace(id, *text);
    else
      throw std::logic_error("catalogue: '" + id + "' is not a text");
  }
}

std::span<const EmbeddedText> rows() { return {embedded_texts, embedded_text_count}; }

// Read when it is first asked for: most runs of the program need one language only.
const Language& catalogue(std::size_t row) {
  static std::vector<std::once_flag> once(embedded_text_count);
  static std::vector<std::optional<Language>> all(embedded_text_count);
  std::call_once(once[row],
                 [row] { all[row].emplace(std::string(rows()[row].language), rows()[row].toml); });
  return *all[row];
}

// Replaces every place '{name}' or '{name|one|many}' by what `value_of(name)` gives; a place
// without a value stays as it is.
template <class ValueOf>
std::string fill(std::string_view text, const ValueOf& value_of) {
  std::string filled;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    const std::size_t close = text.find('}', open == text.npos ? text.size() : open);
    filled += text.substr(0, open);
    if (close == text.npos) {
      if (open != text.npos) filled += text.substr(open);
      break;
    }
    const std::string_view place = text.substr(open + 1, close - open - 1);
    const std::size_t bar = place.find('|');
    const std::string* const value = value_of(place.substr(0, bar));
    if (value == nullptr) {
      filled += text.substr(open, close - open + 1);
    } else if (bar == place.npos) {
      filled += *value;
    } else {
      const std::string_view forms = place.substr(bar + 1);
      const bool one = *value == "1" || *value == "one";
      filled += one ? forms.substr(0, forms.find('|'))
                    : forms.substr(std::min(forms.size(), forms.find('|') + 1));
    }
    text.remove_prefix(close + 1);
  }
  return filled;
}

// Three significant digits of a number below 1024: '1.23', '31.2', '985'.
std::string three_digits(double number) {
  const int decimals = number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", number, decimals);
}

// '1.50' -> '1.5', '8.00' -> '8'.
std::string without_trailing_zeros(std::string digits) {
  if (digits.find('.') == digits.npos) return digits;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

struct Scaled {
  double number;
  std::string_view unit;
};

// The number in the largest unit in which it rounds to 1 or more.
Scaled scale(double number, double step, std::span<const std::string_view> units) {
  std::size_t unit = 0;
  for (; unit + 1 < units.size() && std::round(number) >= step; ++unit) number /= step;
  return {number, units[unit]};
}

}  // namespace

Language::Language(std::string code, std::string_view toml) : code_(std::move(code)) {
  try {
    flatten(toml::parse(toml), "", texts_);
  } catch (const toml::parse_error& fault) {
    throw std::logic_error(fmt::format("catalogue {}, line {}: {}", code_,
                                       fault.source().begin.line, fault.description()));
  }
}

const Language& Language::named(std::string_view code) {
  std::string known;
  for (std::size_t row = 0; row < rows().size(); ++row) {
    if (rows()[row].language == code) return catalogue(row);
    known += (known.empty() ? "" : ", ") + std::string(rows()[row].language);
  }
  throw Error({"error.language.unknown", {{"language", std::string(code)}, {"known", known}}},
              Blame::usage);
}

const Language& Language::of_environment() {
  for (const char* const name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    return named(std::string_view(value).starts_with("zh") ? "zh" : "en");
  }
  return named("en");
}

std::vector<std::string_view> Language::codes() {
  std::vector<std::string_view> codes;
  for (const EmbeddedText& row : rows()) codes.push_back(row.language);
  return codes;
}

bool Language::has(std::string_view id) const { return texts_.contains(id); }

std::vector<std::string_view> Language::ids() const {
  std::vector<std::string_view> ids;
  for (const auto& [id, text] : texts_) ids.push_back(id);
  return ids;
}

std::string Language::text(std::string_view id, Arguments arguments) const {
  const auto found = texts_.find(id);
  if (found == texts_.end()) return fmt::format("[{}]", id);
  return fill(found->second, [&](std::string_view name) -> const std::string* {
    for (const auto& [known, value] : arguments)
      if (known == name) return &value;
    return nullptr;
  });
}

std::string Language::text(const Message& message) const {
  const auto found = texts_.find(message.id);
  if (found == texts_.end()) return fmt::format("[{}]", message.id);
  return fill(found->second, [&](std::string_view name) -> const std::string* {
    for (const auto& [known, value] : message.arguments)
      if (known == name) return &value;
    return nullptr;
  });
}

std::string Language::duration(std::int64_t nanoseconds) const {
  if (nanoseconds < 0) return fmt::format("-{}", duration(-nanoseconds));
  if (nanoseconds < 1000) return fmt::format("{} ns", nanoseconds);
  constexpr std::array<std::string_view, 3> units{"µs", "ms", "s"};
  const auto [number, unit] = scale(static_cast<double>(nanoseconds) / 1e3, 1e3, units);
  if (number >= 1e3) return integer(static_cast<std::uint64_t>(std::llround(number))) + " s";
  return fmt::format("{} {}", three_digits(number), unit);
}

std::string Language::bytes(std::uint64_t bytes) const {
  constexpr std::array<std::string_view, 7> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  const auto [number, unit] = scale(static_cast<double>(bytes), 1024, units);
  if (number >= 1e3)
    return fmt::format("{} {}", integer(static_cast<std::uint64_t>(std::llround(number))), unit);
  return fmt::format("{} {}", without_trailing_zeros(three_digits(number)), unit);
}

std::string Language::rate(double bytes_per_second) const {
  constexpr std::array<std::string_view, 5> units{"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
  if (bytes_per_second < 0.5) return "0 B/s";
  const auto [number, unit] = scale(bytes_per_second, 1e3, units);
  return fmt::format("{} {}", three_digits(number), unit);
}

std::string Language::integer(std::uint64_t number) const {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string Language::small_number(std::uint64_t number) const {
  const std::string id = fmt::format("number.{}", number);
  return has(id) ? text(id) : integer(number);
}

}  // namespace ringscope
