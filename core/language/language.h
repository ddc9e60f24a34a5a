// All texts that a person reads, in English and Chinese: assets/texts/*.toml, embedded at build.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"

namespace ringscope {

// One language's catalogue. Texts have ids such as 'panel.this_round' and named places such as
// '{rank}'. Where a word follows a number, '{rounds|round|rounds}' chooses by the argument of that
// name: the first for 1 (or 'one'), else the second.
class Language {
 public:
  // "en" or "zh". Throws Error (usage).
  static const Language& named(std::string_view code);
  // From LC_ALL, LC_MESSAGES, LANG: zh* is Chinese, all else English.
  static const Language& of_environment();
  static std::vector<std::string_view> codes();

  std::string_view code() const { return code_; }
  bool has(std::string_view id) const;
  // All ids, sorted (for the tests that hold the catalogues against each other and the sources).
  std::vector<std::string_view> ids() const;

  using Arguments = std::initializer_list<std::pair<std::string_view, std::string>>;
  // The text with its places filled. An id that is not in the catalogue comes back as '[id]'.
  std::string text(std::string_view id, Arguments arguments = {}) const;
  std::string text(const Message& message) const;

  // Quantities, as people read them. Three significant digits; units are the same in both
  // languages.
  std::string duration(std::int64_t nanoseconds) const;  // '31.2 µs', '5.00 ms'
  std::string bytes(std::uint64_t bytes) const;          // '64 B', '8 MiB'
  std::string rate(double bytes_per_second) const;       // '12.3 GB/s'
  std::string integer(std::uint64_t number) const;       // '2,097,152'
  // To count with: 'four' up to sixteen, then digits; '四', '两' up to ten, then digits.
  std::string small_number(std::uint64_t number) const;

  // For embedding and tests: parses a catalogue. Throws std::logic_error where it is no TOML or
  // holds anything but texts.
  Language(std::string code, std::string_view toml);

 private:
  std::string code_;
  std::map<std::string, std::string, std::less<>> texts_;
};

}  // namespace ringscope
