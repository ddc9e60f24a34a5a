// The export dialog without a display: what is filled in, what is written, what goes wrong.
#include "app/window/export_form.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "app/window/commands.h"
#include "app/window/preferences.h"
#include "core/engine/record.h"
#include "core/export/cairo_painter.h"
#include "tests/error_of.h"
#include "tests/session_fixture.h"

using namespace ringscope;
namespace fs = std::filesystem;

namespace {

std::set<std::string> names(const fs::path& folder) {
  std::set<std::string> all;
  for (const auto& entry : fs::directory_iterator(folder)) all.insert(entry.path().filename());
  return all;
}

}  // namespace

TEST_CASE("what is chosen is remembered, but for the folder") {
  ExportForm form;
  CHECK(remembered(form).empty());
  set_value(form, "svg", "off");
  set_value(form, "text-scale", "1.4");
  set_value(form, "folder", "slides");
  const Remembered values{{"svg", "off"}, {"text-scale", "1.4"}};
  CHECK(remembered(form) == values);
  const Folder folder("remembered");
  Preferences preferences;
  preferences.export_form = values;
  save_preferences(preferences, folder.file("settings.toml"));
  CHECK(load_preferences(folder.file("settings.toml")) == preferences);
  ExportForm other;
  take_remembered(other, {{"theme", "plaid"}, {"colour", "red"}, {"dpi", "300"}});
  CHECK(remembered(other) == Remembered{{"dpi", "300"}});
}

TEST_CASE("every field has a label, and what it begins with can be read") {
  const Schedule schedule = make_ring({4, 4});
  const ExportForm form;
  const DeckSettings settings = settings_of(form, schedule);
  CHECK(settings.formats == std::vector<Format>{Format::svg, Format::pdf});
  CHECK(settings.beats == std::vector<Beat>{Beat::moving, Beat::after});
  CHECK(settings.first_round == 0);
  CHECK(settings.last_round == 6);
  CHECK(settings.size == Size{1920, 1080});
  for (const ExportField& field : export_fields())
    for (const std::string_view code : Language::codes()) {
      INFO(field.id << ' ' << code);
      CHECK(Language::named(code).has("window.export." + std::string(field.id)));
      CHECK(Language::named(code).has("window.export_group." + std::string(field.group)));
    }
}

TEST_CASE("every choice of every field can be made") {
  const Schedule schedule = make_ring({2, 2});
  for (const ExportField& field : export_fields()) {
    ExportForm form;
    std::vector<std::string_view> values = {"on", "off"};
    if (!field.flag) values = field.choices ? field.choices() : std::vector<std::string_view>{"12"};
    for (const std::string_view value : values) {
      INFO(field.id << ' ' << value);
      set_value(form, field.id, value);
      CHECK(value_of(form, field.id) == value);
      CHECK_NOTHROW(settings_of(form, schedule));
    }
  }
}

TEST_CASE("what can't be is refused in one sentence and changes nothing") {
  ExportForm form;
  const Schedule schedule = make_ring({2, 2});
  CHECK(error_of([&] { set_value(form, "colour", "red"); }) == "error.set_up.field");
  CHECK(error_of([&] { set_value(form, "svg", "yes"); }) == "error.set_up.choice");
  CHECK(error_of([&] { set_value(form, "theme", "pink"); }) == "error.set_up.choice");
  CHECK(value_of(form, "theme") == "light");
  for (const char* const width : {"0", "-1", "1e9", "wide", "nan", ""}) {
    INFO(width);
    set_value(form, "width-cm", width);
    CHECK(error_of([&] { settings_of(form, schedule); }) == "error.set_up.choice");
  }
  form = {};
  for (const char* const format : {"svg", "pdf"}) set_value(form, format, "off");
  CHECK(error_of([&] { settings_of(form, schedule); }) == "error.export.no_format");
  set_value(form, "csv", "on");
  for (const char* const beat : {"moving", "after"}) set_value(form, beat, "off");
  CHECK(error_of([&] { settings_of(form, schedule); }) == "error.export.no_moment");
}

TEST_CASE("the session writes what the form says, and says how much") {
  SessionFixture fixture;
  run_command(fixture.session, "export-dialog", "on");
  run_command(fixture.session, "export-set", "pdf off");
  run_command(fixture.session, "export-set", "rounds this");
  run_command(fixture.session, "go", "1.2");
  fixture.run_to_rest();
  run_command(fixture.session, "export");
  CHECK(busy(fixture.session));
  CHECK(error_of([&] { run_command(fixture.session, "export"); }) == "error.window.not_now");
  fixture.run_to_rest();
  CHECK(names(fixture.folder) ==
        std::set<std::string>{"ring-round-1.2-moving.svg", "ring-round-1.2-after.svg"});
  CHECK_FALSE(fixture.session.export_shown);
  REQUIRE(fixture.session.toast);
  CHECK(fixture.session.toast->message.id == "window.exported");
}

TEST_CASE("an export that fails says so in the dialog, which stays") {
  SessionFixture fixture;
  run_command(fixture.session, "export-dialog", "on");
  run_command(fixture.session, "export", (fixture.folder / "no/such/folder").string());
  fixture.run_to_rest();
  CHECK(fixture.session.export_shown);
  REQUIRE(fixture.session.export_error);
  CHECK(fixture.session.export_error->id == "error.file.no_folder");
  run_command(fixture.session, "close");
  CHECK_FALSE(fixture.session.export_shown);
}

TEST_CASE("an export goes on with what it began with, whatever is opened meanwhile") {
  SessionFixture fixture;
  run_command(fixture.session, "export");
  RunSettings other;
  other.ranks = 2;
  show_trace(fixture.session, record(other), "");
  fixture.run_to_rest();
  CHECK(names(fixture.folder).contains("ring-round-2.3-after.svg"));
}

TEST_CASE("the preview is the present moment with the form's looks, and fits its room") {
  SessionFixture fixture;
  run_command(fixture.session, "export-set", "theme dark");
  for (const Size room : {Size{640, 640}, Size{1000, 200}}) {
    const std::optional<Figure> figure = preview_figure(fixture.session, room);
    REQUIRE(figure);
    CHECK(figure->size.width <= room.width + 1e-9);
    CHECK(figure->size.height <= room.height + 1e-9);
    CHECK(figure->background == dark_theme().surface);
  }
  run_command(fixture.session, "export-set", "width-cm wide");
  CHECK_FALSE(preview_figure(fixture.session, {640, 640}));
}

TEST_CASE("a picture is copied by the program that is there and works, else an error says why") {
  if (!has_cairo()) return;
  SessionFixture fixture;
  const std::string path = getenv("PATH");
  setenv("PATH", (fixture.folder.string() + ":/bin:/usr/bin").c_str(), 1);
  setenv("WAYLAND_DISPLAY", "of this test", 1);
  setenv("DISPLAY", "of this test", 1);
  const auto set_program = [&](const std::string& name, const std::string& line) {
    std::ofstream((fixture.folder / name).string()) << "#!/bin/sh\n" << line << '\n';
    fs::permissions(fixture.folder / name, fs::perms::owner_all);
  };
  const std::string keep = "cat >" + (fixture.folder / "pasted").string();
  const auto copied = [&] {
    return error_of([&] { run_command(fixture.session, "copy-picture"); });
  };
  fixture.session.stage_size = {800, 500};

  set_program("wl-copy", keep);
  set_program("xclip", "exit 1");
  CHECK(copied() == "");
  run_command(fixture.session, "save-picture", (fixture.folder / "saved.png").string());
  CHECK((bytes_of_file((fixture.folder / "pasted").string()) ==
         bytes_of_file((fixture.folder / "saved.png").string())));

  fs::remove(fixture.folder / "pasted");
  set_program("wl-copy", "exit 1");
  set_program("xclip", keep);
  CHECK(copied() == "");
  CHECK((bytes_of_file((fixture.folder / "pasted").string()) ==
         bytes_of_file((fixture.folder / "saved.png").string())));

  set_program("xclip", "exit 1");
  CHECK(copied() == "error.clipboard.failed");
  setenv("PATH", "/nowhere", 1);
  CHECK(copied() == "error.clipboard.none");
  setenv("PATH", path.c_str(), 1);
  unsetenv("WAYLAND_DISPLAY");
  unsetenv("DISPLAY");
}
