// The catalogues of texts against the sources that use them, and against the rules of writing.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "core/language/language.h"

using namespace ringscope;

namespace {

// Ids that are put together at run time, by what they begin with. Everything else must stand in the
// sources as a whole.
constexpr auto prefixes = std::to_array<std::string_view>({
    "action.",               // a command of the window
    "word.adds.",            // what of a sentence depends on the operator
    "word.branch.",          //
    "word.sum.",             //
    "word.takes.",           //
    "algorithm.",            // an algorithm
    "command.",              // a subcommand
    "compare.legend.",       // a sign of the legend
    "compare.port.",         // a direction, and how many ranks have as much
    "error.option.",         // what is wrong with the value of an option
    "line.bench.",           // a heading of a column
    "line.compare.",         // a heading of a column
    "line.info.",            // a label
    "line.info.kept.",       // how much was kept
    "line.info.path.",       // which way data went
    "line.progress.",        // a stage of a run
    "line.verdict.",         // an outcome
    "number.",               // a number
    "operator.",             // an operator
    "option.",               // an option of a subcommand
    "panel.legend.",         // a sign of the legend
    "view.link_mark.",       // how a link is drawn
    "phase.",                // a phase
    "result.",               // an operator
    "player.",               // a button of the page for the browser
    "scheme.",               // an algorithm
    "sentence.",             // an action, an operator, a beat
    "sentence.measured.",    // what is on its way at a moment of measured time
    "the.",                  // an algorithm
    "view.",                 // a view
    "window.export.",        // a field of the export
    "window.export_group.",  // a group of them
    "window.export_hint.",   // what a field takes
    "window.field.",         // a field of the set-up
    "window.group.",         // a group of them
    "window.hint.",          // what a field takes
    "window.stage.",         // a stage of a run
});

// Shapes of figures have ids of the same form in these sections: there, only what is looked up by
// a language's text() is the id of a text.
const std::set<std::string> also_of_shapes{"panel", "round", "view"};

const Language& english = Language::named("en");
const Language& chinese = Language::named("zh");

std::string section_of(std::string_view id) { return std::string(id.substr(0, id.find('.'))); }

struct Use {
  std::string files;
  bool sure = false;  // it can be nothing but a text
};

// Every string literal of core/ and app/ that looks like the id of a text or the beginning of one.
std::map<std::string, Use> uses() {
  std::set<std::string> sections;
  for (const std::string_view id : english.ids()) sections.insert(section_of(id));
  // Written in the same way, but places in a trace (trace_check.cpp).
  const std::set<std::string> places{"verdict.outcome", "verdict.failure"};
  static const std::regex literal(
      R"re((language_?\.text\(\{?)?"([a-z]+\.[A-Za-z0-9_.-]*)(\{\}[^"]*)?")re");
  std::map<std::string, Use> found;
  for (const char* const folder : {"core", "app"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(SOURCE_DIR "/") + folder)) {
      const std::string extension = entry.path().extension(), name = entry.path().filename();
      if (extension != ".cpp" && extension != ".h") continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        const std::size_t begin = line.find_first_not_of(' ');
        if (begin == line.npos || line.compare(begin, 2, "//") == 0 || line[begin] == '#') continue;
        for (std::sregex_iterator it(line.begin(), line.end(), literal), end; it != end; ++it) {
          const std::string id = (*it)[2], section = section_of(id);
          if (!sections.contains(section) || places.contains(id)) continue;
          found[id].files += ' ' + name;
          found[id].sure |= (*it)[1].matched || !also_of_shapes.contains(section);
        }
      }
    }
  return found;
}

// Code points of UTF-8 that is known to be valid.
std::u32string code_points(const std::string& text) {
  std::u32string points;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) == 0x80)
      points.back() = points.back() << 6 | (byte & 0x3Fu);
    else
      points += byte < 0x80   ? byte
                : byte < 0xE0 ? byte & 0x1Fu
                : byte < 0xF0 ? byte & 0x0Fu
                              : byte & 7u;
  }
  return points;
}

bool is_ideograph(char32_t c) { return c >= 0x3400 && c <= 0x9FFF; }
bool is_full_width_mark(char32_t c) {
  return (c >= 0x3001 && c <= 0x3011) || (c >= 0xFF01 && c <= 0xFF5E);
}
bool is_full_width_letter(char32_t c) {
  return (c >= 0xFF10 && c <= 0xFF19) || (c >= 0xFF21 && c <= 0xFF3A) ||
         (c >= 0xFF41 && c <= 0xFF5A) || c == 0x3000;
}

// What is wrong with how a Chinese text is written; "" where nothing is.
std::string fault_of_chinese(const std::string& text) {
  static const std::u32string half_width = U",;:!?()\"'";
  const std::u32string points = code_points(text);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const char32_t before = i > 0 ? points[i - 1] : 0;
    const char32_t after = i + 1 < points.size() ? points[i + 1] : 0;
    const bool mark = half_width.find(points[i]) != half_width.npos;
    if (mark && (is_ideograph(before) || is_ideograph(after))) return "a half-width mark";
    if (points[i] == U'.' && is_ideograph(before)) return "a half-width stop";
    if (is_full_width_letter(points[i])) return "a full-width letter, digit or space";
    if (points[i] == U' ' && (is_full_width_mark(before) || is_full_width_mark(after)))
      return "a space beside a full-width mark";
    if (points[i] == U' ' && is_ideograph(before) && is_ideograph(after))
      return "a space within Chinese";
  }
  if (text.find("规约") != text.npos) return "规约 instead of 归约";
  return "";
}

bool ends_with_one_of(const std::string& text, std::initializer_list<const char*> ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [&](const char* end) { return text.ends_with(end); });
}

}  // namespace

TEST_CASE("every id in the sources is in the catalogue") {
  const std::map<std::string, Use> all = uses();
  REQUIRE(all.size() > 50);
  for (const auto& [id, use] : all) {
    if (!use.sure) continue;
    INFO(id << " in" << use.files);
    if (id.ends_with('.'))
      CHECK(std::ranges::count(prefixes, id) == 1);
    else
      CHECK(english.has(id));
  }
}

TEST_CASE("every text is used") {
  const std::map<std::string, Use> all = uses();
  for (const std::string_view id : english.ids()) {
    const bool built = std::ranges::any_of(
        prefixes, [&](std::string_view prefix) { return id.starts_with(prefix); });
    INFO(id);
    CHECK((built || all.contains(std::string(id))));
  }
}

TEST_CASE("no text is empty, or begins or ends with a space") {
  for (const Language* const language : {&english, &chinese})
    for (const std::string_view id : language->ids()) {
      const std::string text = language->text(id);
      INFO(language->code() << ' ' << id << ": " << text);
      REQUIRE_FALSE(text.empty());
      const bool drawn = section_of(id) == "sentence";
      CHECK((drawn || text.find('\n') == text.npos));
      CHECK(text.find("  ") == text.npos);
      if (id.ends_with("separator")) continue;
      CHECK((text.front() != ' ' || language == &english));  // what is put behind a word
      CHECK(text.back() != ' ');
    }
}

TEST_CASE("what a test of writing must find it finds") {
  for (const char* const wrong :
       {"块,切片", "块 (切片)", "（ 块", "第１轮", "块 切片", "规约", "块.", "块，　切片"})
    CHECK(fault_of_chinese(wrong) != "");
  for (const char* const right :
       {"第 1.2 轮（块 3）。", "“{file}”有 {count} 处", "(a0+b0)/4", "2:5ms"})
    CHECK(fault_of_chinese(right) == "");
}

TEST_CASE("Chinese is written with Chinese marks and the project's words") {
  for (const std::string_view id : chinese.ids()) {
    const std::string text = chinese.text(id);
    INFO(id << ": " << text);
    CHECK(fault_of_chinese(text) == "");
  }
}

TEST_CASE("English is written without Chinese") {
  for (const std::string_view id : english.ids()) {
    const std::string text = english.text(id);
    INFO(id << ": " << text);
    CHECK(std::ranges::none_of(code_points(text), [](char32_t c) {
      return is_ideograph(c) || is_full_width_mark(c) || is_full_width_letter(c);
    }));
  }
}

TEST_CASE("an error is a sentence") {
  for (const std::string_view id : english.ids()) {
    if (section_of(id) != "error" && section_of(id) != "check") continue;
    INFO(id);
    CHECK(ends_with_one_of(english.text(id), {".", "?", "'"}));
    CHECK(ends_with_one_of(chinese.text(id), {"。", "？"}));
    const char first = english.text(id).front();
    CHECK_FALSE((first >= 'a' && first <= 'z'));
  }
}
