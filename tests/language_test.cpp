#include "core/language/language.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <regex>
#include <set>
#include <stdexcept>

using namespace ringscope;

namespace {

// The places of a text: '{rounds|round|rounds}' counts as 'rounds'.
std::set<std::string> places_of(const std::string& text) {
  static const std::regex place(R"(\{([a-z_0-9]+)(\|[^}]*)?\})");
  std::set<std::string> names;
  for (std::sregex_iterator it(text.begin(), text.end(), place), end; it != end; ++it)
    names.insert((*it)[1]);
  return names;
}

struct Environment {  // sets the three variables, and puts them back
  std::vector<std::pair<const char*, std::string>> before;
  Environment(const char* all, const char* messages, const char* lang) {
    for (const auto& [name, value] :
         {std::pair{"LC_ALL", all}, std::pair{"LC_MESSAGES", messages}, std::pair{"LANG", lang}}) {
      const char* const old = std::getenv(name);
      before.emplace_back(name, old ? old : "");
      setenv(name, value, 1);
    }
  }
  ~Environment() {
    for (const auto& [name, value] : before) setenv(name, value.c_str(), 1);
  }
};

const Language& english = Language::named("en");
const Language& chinese = Language::named("zh");

}  // namespace

TEST_CASE("tables in a catalogue become ids with dots") {
  const Language language("xx", "[a]\nb = \"one\"\nc.d = \"two\"\n[e.f]\ng = \"three\"\n");
  CHECK(language.ids() == std::vector<std::string_view>{"a.b", "a.c.d", "e.f.g"});
  CHECK(language.text("a.c.d") == "two");
  CHECK(language.has("e.f.g"));
  CHECK_FALSE(language.has("e.f"));
  CHECK(language.text("e.f") == "[e.f]");
  CHECK(language.text(Message{"e.f", {}}) == "[e.f]");
}

TEST_CASE("a catalogue that is no TOML or holds a number is refused") {
  CHECK_THROWS_AS(Language("xx", "a = \"open\nb"), std::logic_error);
  CHECK_THROWS_AS(Language("xx", "a = 1"), std::logic_error);
}

TEST_CASE("places are filled by name") {
  const Language language("xx",
                          "a = \"{x} and {y}, {x}\"\nb = \"{n} {n|round|rounds}.\"\n"
                          "c = \"an open { brace\"\nd = \"{n|s}{n||s}\"");
  CHECK(language.text("a", {{"y", "2"}, {"x", "1"}}) == "1 and 2, 1");
  CHECK(language.text(Message{"a", {{"y", "2"}, {"x", "1"}}}) == "1 and 2, 1");
  CHECK(language.text("a", {{"y", "{x}"}}) == "{x} and {x}, {x}");
  CHECK(language.text("b", {{"n", "1"}}) == "1 round.");
  CHECK(language.text("b", {{"n", "one"}}) == "one round.");
  CHECK(language.text("b", {{"n", "0"}}) == "0 rounds.");
  CHECK(language.text("b", {{"n", "11"}}) == "11 rounds.");
  CHECK(language.text("c") == "an open { brace");
  CHECK(language.text("d", {{"n", "2"}}) == "ss");
}

TEST_CASE("a language has a code, and others are refused by name") {
  CHECK(english.code() == "en");
  CHECK(chinese.code() == "zh");
  CHECK(Language::codes() == std::vector<std::string_view>{"en", "zh"});
  try {
    Language::named("fr");
    FAIL("'fr' was taken");
  } catch (const Error& error) {
    CHECK(error.blame() == Blame::usage);
    CHECK(english.text(error.message()) == "There is no language 'fr'; choose one of en, zh.");
  }
}

TEST_CASE("the environment chooses the language, the most general variable that is set first") {
  CHECK(Environment("", "", "").before.size() == 3);
  {
    const Environment environment("", "", "");
    CHECK(Language::of_environment().code() == "en");
  }
  {
    const Environment environment("", "", "zh_CN.UTF-8");
    CHECK(Language::of_environment().code() == "zh");
  }
  {
    const Environment environment("", "en_GB.UTF-8", "zh_CN.UTF-8");
    CHECK(Language::of_environment().code() == "en");
  }
  {
    const Environment environment("zh_TW", "en_GB.UTF-8", "C");
    CHECK(Language::of_environment().code() == "zh");
  }
}

TEST_CASE("both catalogues have the same texts with the same places") {
  REQUIRE(english.ids().size() > 0);
  for (const std::string_view id : english.ids()) {
    if (id.starts_with("number.")) continue;
    INFO(id);
    REQUIRE(chinese.has(id));
    CHECK(places_of(english.text(id)) == places_of(chinese.text(id)));
    CHECK_FALSE(chinese.text(id).empty());
  }
  for (const std::string_view id : chinese.ids()) {
    INFO(id);
    CHECK(english.has(id));
  }
}

TEST_CASE("durations have three significant digits and a fitting unit") {
  CHECK(english.duration(0) == "0 ns");
  CHECK(english.duration(999) == "999 ns");
  CHECK(english.duration(1'000) == "1.00 µs");
  CHECK(english.duration(31'249) == "31.2 µs");
  CHECK(english.duration(9'996) == "10.0 µs");
  CHECK(english.duration(99'960) == "100 µs");
  CHECK(english.duration(999'499) == "999 µs");
  CHECK(english.duration(999'500) == "1.00 ms");
  CHECK(english.duration(5'000'000) == "5.00 ms");
  CHECK(english.duration(61'000'000'000) == "61.0 s");
  CHECK(english.duration(12'345'000'000'000) == "12,345 s");
  CHECK(english.duration(-1'500) == "-1.50 µs");
  CHECK(chinese.duration(31'249) == "31.2 µs");
}

TEST_CASE("bytes are binary and drop zeros behind the point") {
  CHECK(english.bytes(0) == "0 B");
  CHECK(english.bytes(1) == "1 B");
  CHECK(english.bytes(1023) == "1,023 B");
  CHECK(english.bytes(1024) == "1 KiB");
  CHECK(english.bytes(1536) == "1.5 KiB");
  CHECK(english.bytes((1024u << 10) - 1) == "1 MiB");
  CHECK(english.bytes(8u << 20) == "8 MiB");
  CHECK(english.bytes(100u << 20) == "100 MiB");
  CHECK(english.bytes(~std::uint64_t{0}) == "16 EiB");
}

TEST_CASE("rates are decimal, as nccl-tests prints them") {
  CHECK(english.rate(0) == "0 B/s");
  CHECK(english.rate(1) == "1.00 B/s");
  CHECK(english.rate(12.34e9) == "12.3 GB/s");
  CHECK(english.rate(999.6e6) == "1.00 GB/s");
  CHECK(english.rate(2.5e15) == "2500 TB/s");
}

TEST_CASE("integers are grouped by thousands") {
  CHECK(english.integer(0) == "0");
  CHECK(english.integer(999) == "999");
  CHECK(english.integer(1000) == "1,000");
  CHECK(english.integer(2'097'152) == "2,097,152");
  CHECK(english.integer(~std::uint64_t{0}) == "18,446,744,073,709,551,615");
}

TEST_CASE("small numbers are words") {
  CHECK(english.small_number(0) == "zero");
  CHECK(english.small_number(1) == "one");
  CHECK(english.small_number(4) == "four");
  CHECK(english.small_number(16) == "sixteen");
  CHECK(english.small_number(17) == "17");
  CHECK(chinese.small_number(2) == "两");
  CHECK(chinese.small_number(10) == "十");
  CHECK(chinese.small_number(11) == "11");
}
