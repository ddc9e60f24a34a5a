// What leaves a record is the same bytes, whatever the clock, the time zone, the locale and the
// folder.
#include <catch2/catch.hpp>
#include <chrono>
#include <clocale>
#include <filesystem>
#include <set>
#include <thread>

#include "core/export/cairo_painter.h"
#include "core/export/deck.h"
#include "core/trace/trace_file.h"
#include "tests/command_line.h"

using namespace ringscope;
namespace fs = std::filesystem;

namespace {

const std::string record = SOURCE_DIR "/tests/golden/ring-3.ring";

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

void check_equal(const fs::path& one, const fs::path& other) {
  INFO(one << " and " << other);
  // 9 beats as SVG and PNG, one PDF with its .tex, one page, one table, one trace.
  REQUIRE(names_in(one).size() == 9 * 2 + 5);
  REQUIRE(names_in(one) == names_in(other));
  for (const std::string& name : names_in(one)) {
    INFO(name);
    CHECK((bytes_of_file(one / name) == bytes_of_file(other / name)));  // not to be printed
  }
}

// A German locale, which writes 0.5 as 0,5, made once; "" where its source is not installed. Only
// what is quickly made of it.
const std::string& german_locale() {
  static const Folder folder("locale");
  static const std::string name = [] {
    std::ofstream source(folder.file("german"));
    for (const char* const part : {"CTYPE", "COLLATE"})
      source << "LC_" << part << "\ncopy \"POSIX\"\nEND LC_" << part << '\n';
    for (const char* const part : {"NUMERIC", "TIME", "MONETARY", "MESSAGES"})
      source << "LC_" << part << "\ncopy \"de_DE\"\nEND LC_" << part << '\n';
    source.close();
    const bool made = shell(folder, "localedef -c -i ./german -f UTF-8 ./german.UTF-8").status < 2;
    if (!made) WARN("the package locales is missing: no locale with a comma is tried");
    setenv("LOCPATH", folder.path.c_str(), 1);
    return made ? "german.UTF-8" : "";
  }();
  return name;
}

}  // namespace

TEST_CASE("the same record gives the same bytes in another place at another time") {
  if (!has_cairo()) return;
  const Folder folder("bytes");
  const std::string command =
      "$R export " + record +
      " --format svg,pdf,png,html,csv,perfetto --size 640x360 --lang zh -o ";
  const auto begun = std::chrono::steady_clock::now();
  REQUIRE(shell(folder, command + "first").status == 0);
  const std::string& german = german_locale();
  std::this_thread::sleep_until(begun + std::chrono::seconds(2));
  REQUIRE(shell(folder, "mkdir -p elsewhere; cd elsewhere; export TZ=Asia/Kathmandu LC_ALL=" +
                            german + "; " + command + folder.file("second/"))
              .status == 0);
  check_equal(folder.path / "first", folder.path / "second");
}

TEST_CASE("a locale with commas for points changes no byte") {
  if (!has_cairo()) return;
  const Folder folder("bytes");
  if (german_locale().empty()) return;
  const Trace trace = load_trace(record);
  const Replay replay(trace);
  const Replay* const replays[] = {&replay};
  const Fonts fonts;
  const auto export_to = [&](const std::string& name) {
    DeckSettings settings;
    settings.formats = {Format::svg,  Format::pdf, Format::png,
                        Format::html, Format::csv, Format::perfetto};
    settings.size = {480, 320};
    settings.last_round = rounds_of(trace.schedule);
    settings.folder = folder.file(name);
    export_deck(replays, fonts, Language::named("en"), settings);
  };
  export_to("plain");
  REQUIRE(std::setlocale(LC_ALL, german_locale().c_str()) != nullptr);
  char half[8] = "";
  std::snprintf(half, sizeof(half), "%.1f", 0.5);
  export_to("commas");
  std::setlocale(LC_ALL, "C");
  REQUIRE(std::string(half) == "0,5");
  check_equal(folder.path / "plain", folder.path / "commas");
}
