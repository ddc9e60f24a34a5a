#include "app/window/script.h"

#include <catch2/catch.hpp>

using namespace ringscope;

namespace {

const Error error_of(std::string_view text) {
  try {
    parse_script(text);
  } catch (const Error& error) {
    return error;
  }
  FAIL("no error");
  throw;
}

std::string line_of(const Error& error) {
  for (const auto& [name, value] : error.message().arguments)
    if (name == "line") return value;
  return "";
}

}  // namespace

TEST_CASE("a script is a command a line, with empty lines and remarks between") {
  CHECK(parse_script("").empty());
  CHECK(parse_script("\n\n# nothing\n").empty());
  const std::vector<ScriptLine> lines =
      parse_script("forward\n\n  # to the table\r\n\tview   matrix \r\nsize 1280 720");
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == ScriptLine{1, "forward", ""});
  CHECK(lines[1] == ScriptLine{4, "view", "matrix"});
  CHECK(lines[2] == ScriptLine{5, "size", "1280 720"});
}

TEST_CASE("an argument may hold blanks") {
  const std::vector<ScriptLine> lines = parse_script("open /tapes/my ring.ring\n");
  CHECK(lines.front().argument == "/tapes/my ring.ring");
}

TEST_CASE("a wrong line is wrong usage, and named by its number") {
  const Error unknown = error_of("forward\n\njump\n");
  CHECK(unknown.message().id == "error.script.unknown");
  CHECK(line_of(unknown) == "3");
  CHECK(unknown.blame() == Blame::usage);
  CHECK(error_of("go").message().id == "error.script.argument");
  CHECK(error_of("forward twice").message().id == "error.script.no_argument");
}

TEST_CASE("a script that can't be read is said to be so") {
  CHECK_THROWS_AS(load_script(SOURCE_DIR "/tests/no-such.script"), Error);
}

TEST_CASE("a line begins when the one before has ended, motion included") {
  Fonts fonts;
  Session session(Language::named("en"), fonts);
  RunSettings settings;
  settings.ranks = 2;
  show_trace(session, record(settings), "");
  Script script(parse_script("forward\nforward\nback"), Language::named("en"));
  script.go_on(session);
  CHECK(session.playback.round == 1);
  script.go_on(session);
  CHECK(session.playback.round == 1);
  advance(session, round_seconds);
  script.go_on(session);
  CHECK(session.playback.round == 2);
  CHECK_FALSE(script.done());
  advance(session, round_seconds);
  script.go_on(session);
  CHECK(script.done());
  CHECK(cursor_of(session.playback) == Cursor{1, 1});
}

TEST_CASE("a line that fails stops the script with its number and its reason") {
  Fonts fonts;
  Session session(Language::named("en"), fonts);
  Script script(parse_script("theme dark\n\nforward"), Language::named("en"));
  script.go_on(session);
  try {
    script.go_on(session);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.message().id == "error.script.failed");
    CHECK(line_of(error) == "3");
    CHECK(error.blame() == Blame::failure);
  }
}

TEST_CASE("a script that changes the window's language fails in that of its caller") {
  const Fonts fonts;
  Session session(Language::named("en"), fonts);
  Script script(parse_script("language zh\ntheme pink"), Language::named("en"));
  script.go_on(session);
  try {
    script.go_on(session);
    FAIL("it did not fail");
  } catch (const Error& error) {
    const std::string told = Language::named("en").text(error.message());
    CHECK(told.find("There is no theme 'pink'") == 0);
    CHECK(told.ends_with("That was line 2 of the script, 'theme'."));
  }
}

TEST_CASE("what fails after its line has begun stops the script, too") {
  Fonts fonts;
  Session session(Language::named("en"), fonts);
  Script script(parse_script("set ranks 0\nrun\nquit"), Language::named("en"));
  script.go_on(session);
  script.go_on(session);
  while (busy(session)) advance(session, 0.01);
  CHECK_THROWS_AS(script.go_on(session), Error);
  CHECK_FALSE(session.requests.quit);
}
