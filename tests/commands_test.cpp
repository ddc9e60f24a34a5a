#include "app/window/commands.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/engine/record.h"
#include "core/export/png.h"
#include "core/trace/trace_file.h"
#include "tests/error_of.h"
#include "tests/session_fixture.h"

using namespace ringscope;
namespace fs = std::filesystem;

namespace {

// An argument that each command that takes one can do something with.
std::string sensible_argument(std::string_view id, const SessionFixture& fixture) {
  if (id == "go") return "1.2";
  if (id == "seek") return "0.5";
  if (id == "speed") return "2";
  if (id == "chunk") return "1";
  if (id == "pan") return "1us";
  if (id == "view") return "matrix";
  if (id == "open") return (fixture.folder / "a.ring").string();
  if (id == "compare-with") return (fixture.folder / "a.ring").string();
  if (id == "set") return "ranks 3";
  if (id == "export-set") return "png on";
  if (id == "screenshot") return (fixture.folder / "a.png").string();
  if (id == "size") return "800 600";
  return "";
}

}  // namespace

TEST_CASE("the view's key goes through the views that can show the record") {
  SessionFixture fixture;
  const std::vector<const View*> fitting = fitting_views(fixture.session);
  REQUIRE(fitting.size() >= 3);
  for (const View* const view : fitting) {
    CHECK(fixture.session.view == view);
    run_command(fixture.session, "view");
  }
  CHECK(fixture.session.view->name == "ring");
}

TEST_CASE("every key chord and every id is there once") {
  std::set<std::tuple<int, char32_t, bool>> chords;
  std::set<std::string_view> ids;
  for (const Command& command : commands()) {
    CHECK(ids.insert(command.id).second);
    for (const Chord& chord : command.chords) {
      INFO(chord.label);
      CHECK((chord.key == 0) != (chord.character == 0));
      CHECK(chords.insert({chord.key, chord.character, chord.control}).second);
    }
  }
}

TEST_CASE("every command says what it does, in both languages") {
  for (const char* code : {"en", "zh"})
    for (const Command& command : commands()) {
      const Language& language = Language::named(code);
      INFO(code << ' ' << command.id);
      CHECK(language.has("action." + std::string(command.id)));
      for (const Chord& chord : command.chords)
        CHECK_THAT(tooltip_of(command, language), Catch::Contains(std::string(chord.label)));
    }
}

TEST_CASE("every command runs by its id, without a window") {
  SessionFixture fixture;
  save_trace(fixture.session.open->trace, (fixture.folder / "a.ring").string());
  for (const Command& command : commands()) {
    go_to(fixture.session.playback, 2);
    fixture.session.presenting = false;
    // Copying needs another program, cancelling a run or an export, ending a comparison one.
    if (command.id == "copy-picture") continue;
    if (command.id == "cancel") run_command(fixture.session, "run");
    if (command.id == "cancel-export") run_command(fixture.session, "export");
    if (command.id == "end-comparison")
      run_command(fixture.session, "compare-with", (fixture.folder / "a.ring").string());
    else
      fixture.session.compared.clear();
    INFO(command.id);
    CHECK_NOTHROW(run_command(fixture.session, command.id, sensible_argument(command.id, fixture)));
    fixture.session.requests = {};
    fixture.run_to_rest();
  }
}

TEST_CASE("keys and characters find their commands") {
  CHECK(command_of_key(32, false)->id == "play");
  CHECK(command_of_key(262, false)->id == "forward");
  CHECK(command_of_key(262, true) == nullptr);
  CHECK(command_of_character(U'?')->id == "help");
  CHECK(command_of_character(U'x') == nullptr);
  CHECK(command_of_key(0, false) == nullptr);
  CHECK(command_of_character(0) == nullptr);
}

TEST_CASE("a step plays one round, and the other way goes back at once") {
  SessionFixture fixture;
  Session& session = fixture.session;
  run_command(session, "forward");
  CHECK(busy(session));
  fixture.run_to_rest();
  CHECK(cursor_of(session.playback) == Cursor{1, 1});
  run_command(session, "back");
  CHECK(cursor_of(session.playback) == Cursor{0, 1});
  CHECK(id_of_error(session, "back", "") == "error.window.not_now");
  run_command(session, "go", "2.3");
  CHECK(at_end(session.playback));
  CHECK(id_of_error(session, "forward", "") == "error.window.not_now");
  CHECK(id_of_error(session, "go", "9.9") == "error.round.unknown");
  CHECK(at_end(session.playback));
}

TEST_CASE("without a record there is nothing to play, and nothing breaks") {
  Fonts fonts;
  Session session(Language::named("en"), fonts);
  for (const char* id : {"forward", "back", "play", "first", "last", "save-picture"}) {
    CHECK(id_of_error(session, id, "") == "error.window.not_now");
    try_command(session, id);
  }
  CHECK_FALSE(stage_figure(session, {1920, 1080}, 1).has_value());
  CHECK_FALSE(session.toast.has_value());
}

TEST_CASE("a file that can't be opened leaves what was open, and says why") {
  SessionFixture fixture;
  Session& session = fixture.session;
  go_to(session.playback, 3);
  const OpenTrace* before = session.open.get();
  const fs::path bad = fixture.folder / "bad.ring";
  std::ofstream(bad) << "this is no trace";
  for (const std::string& path : {bad.string(), (fixture.folder / "none.ring").string()}) {
    session.toast.reset();
    try_command(session, "open", path);
    CHECK(session.open.get() == before);
    CHECK(session.playback.round == 3);
    REQUIRE(session.toast.has_value());
    CHECK(session.toast->error);
  }
}

TEST_CASE("a file that can be opened replaces what was open, from its start") {
  SessionFixture fixture;
  Session& session = fixture.session;
  RunSettings settings;
  const int ranks = GENERATE(1, 2, 5);
  settings.ranks = ranks;
  const std::string path = (fixture.folder / "other.ring").string();
  save_trace(record(settings), path);
  go_to(session.playback, 3);
  run_command(session, "open", path);
  CHECK(session.open->trace.schedule.ranks == ranks);
  CHECK(session.playback.rounds == 2 * (ranks - 1));
  CHECK(at_start(session.playback));
  CHECK(session.last_folder == fixture.folder.string());
}

TEST_CASE("a run replaces the record; one that can't begin leaves it and is explained") {
  SessionFixture fixture;
  Session& session = fixture.session;
  session.set_up_shown = true;
  run_command(session, "set", "ranks 3");
  run_command(session, "set", "output " + (fixture.folder / "mine.ring").string());
  run_command(session, "run");
  fixture.run_to_rest();
  CHECK_FALSE(session.set_up_error.has_value());
  CHECK_FALSE(session.set_up_shown);
  CHECK(session.open->trace.schedule.ranks == 3);
  CHECK(load_trace((fixture.folder / "mine.ring").string()) == session.open->trace);

  session.set_up_shown = true;
  run_command(session, "set", "ranks 0");
  run_command(session, "run");
  fixture.run_to_rest();
  CHECK(session.set_up_error.has_value());
  CHECK(session.set_up_shown);
  CHECK(session.open->trace.schedule.ranks == 3);

  run_command(session, "set", "ranks many");
  try_command(session, "run");
  CHECK(session.set_up_error->id == "error.set_up.number");
  CHECK(value_of(session.set_up, "ranks") == "many");
}

TEST_CASE("a field of the set-up takes only what it can") {
  SessionFixture fixture;
  Session& session = fixture.session;
  CHECK(id_of_error(session, "set", "colour red") == "error.set_up.field");
  CHECK(id_of_error(session, "set", "type f17") == "error.set_up.choice");
  CHECK(id_of_error(session, "set", "in-place yes") == "error.set_up.choice");
  CHECK(id_of_error(session, "set", "type bf16").empty());
  CHECK(value_of(session.set_up, "type") == "bf16");
  CHECK(id_of_error(session, "set", "port 500MB/s").empty());
  CHECK(id_of_error(session, "set", "latency 5us").empty());
  CHECK(settings_of(session.set_up).port == "500MB/s");
  CHECK(settings_of(session.set_up).latency == "5us");
}

TEST_CASE("what is saved as a picture is a PNG by name, too") {
  SessionFixture fixture;
  for (const char* const id : {"save-picture", "screenshot"}) {
    const std::string path = (fixture.folder / "a.txt").string();
    CHECK(error_of([&] { run_command(fixture.session, id, path); }) == "error.picture.format");
    CHECK_FALSE(fs::exists(path));
    CHECK_FALSE(fixture.session.requests.screenshot);
  }
}

TEST_CASE("what is saved is the figure on the stage, under a name that is free") {
  SessionFixture fixture;
  Session& session = fixture.session;
  if (!has_cairo()) return;
  session.stage_size = {1000, 700};
  session.stage_scale = 0.8;
  go_to(session.playback, 2);
  run_command(session, "save-picture");
  run_command(session, "save-picture");
  const fs::path first = fixture.folder / "ring-ring-round-1.2.png";
  CHECK(fs::exists(first));
  CHECK(fs::exists(fixture.folder / "ring-ring-round-1.2-2.png"));
  REQUIRE(session.toast.has_value());
  CHECK_FALSE(session.toast->error);

  const fs::path direct = fixture.folder / "direct.png";
  write_png(*stage_figure(session, {1000, 700}, 0.8), fixture.fonts, direct.string());
  const auto bytes = [](const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  CHECK(bytes(first) == bytes(direct));
}

TEST_CASE("escape closes what is in front, one thing at a time") {
  SessionFixture fixture;
  Session& session = fixture.session;
  session.presenting = session.help_shown = session.set_up_shown = true;
  run_command(session, "close");
  CHECK_FALSE(session.help_shown);
  CHECK(session.presenting);
  run_command(session, "close");
  CHECK_FALSE(session.presenting);
  CHECK(session.set_up_shown);
  run_command(session, "close");
  CHECK_FALSE(session.set_up_shown);
}

TEST_CASE("theme, language, view, speed and motion switch, or take what is named") {
  SessionFixture fixture;
  Session& session = fixture.session;
  run_command(session, "theme");
  CHECK(session.theme == &dark_theme());
  run_command(session, "theme", "dark");
  CHECK(session.theme == &dark_theme());
  run_command(session, "language");
  CHECK(session.language->code() == "zh");
  run_command(session, "view", "matrix");
  CHECK(session.view->name == "matrix");
  CHECK(id_of_error(session, "view", "globe") == "error.view.unknown");
  run_command(session, "faster");
  CHECK(session.playback.speed == 2);
  run_command(session, "slower");
  CHECK(session.playback.speed == 1);
  run_command(session, "speed", "0.5");
  CHECK(session.playback.speed == 0.5);
  CHECK(id_of_error(session, "speed", "0") == "error.window.number");
  CHECK(id_of_error(session, "speed", "nan") == "error.window.number");
  CHECK(id_of_error(session, "seek", "nan") == "error.window.number");
  CHECK(id_of_error(session, "speed", "fast") == "error.window.number");
  run_command(session, "reduced-motion", "on");
  CHECK(session.playback.reduced_motion);
  CHECK(id_of_error(session, "help", "maybe") == "error.window.on_off");
}

TEST_CASE("a toast goes by itself") {
  SessionFixture fixture;
  show_toast(fixture.session, {"window.title", {}}, false);
  advance(fixture.session, 1);
  CHECK(fixture.session.toast.has_value());
  advance(fixture.session, 100);
  CHECK_FALSE(fixture.session.toast.has_value());
}

TEST_CASE("the README's table of keys is the program's") {
  std::ifstream file(SOURCE_DIR "/README.md");
  const std::string readme{std::istreambuf_iterator<char>(file), {}};
  const std::string table = key_table(Language::named("en"));
  INFO(table);
  CHECK(readme.find(table) != readme.npos);
}

TEST_CASE("opening a record by a command closes the drawer, failing to does not") {
  SessionFixture fixture;
  Session& session = fixture.session;
  const std::string path = (fixture.folder / "a.ring").string();
  save_trace(session.open->trace, path);
  session.set_up_shown = true;
  try_command(session, "open", path + ".none");
  CHECK(session.set_up_shown);
  run_command(session, "open", path);
  CHECK_FALSE(session.set_up_shown);
}
