// Films: made by ffmpeg, or by nobody, and never half of one left.
#include "core/export/film.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/export/deck.h"
#include "core/trace/trace_file.h"
#include "tests/command_line.h"
#include "tests/error_of.h"

using namespace ringscope;
namespace fs = std::filesystem;

namespace {

const std::string record = SOURCE_DIR "/tests/golden/ring-3.ring";

// A folder of its own, whose programs come before all others.
struct Programs : Folder {
  Programs() : Folder("film"), before(getenv("PATH")) {
    fs::create_directory(path / "bin");
    fs::create_directory(path / "films");
    setenv("PATH", (file("bin") + ':' + before).c_str(), 1);
  }
  ~Programs() { setenv("PATH", before.c_str(), 1); }

  // An ffmpeg that first writes something under the name that it is given last.
  void set_ffmpeg(const std::string& lines) const {
    const std::string program = file("bin/ffmpeg");
    std::ofstream(program) << "#!/bin/sh\nfor word; do last=$word; done; echo half >\"$last\"\n"
                           << lines << '\n';
    fs::permissions(program, fs::perms::owner_all);
  }
  std::set<std::string> made() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(path / "films"))
      names.insert(entry.path().filename());
    return names;
  }

  std::string before;
};

DeckResult film_of(FilmKind kind, const std::string& folder, bool measured = false) {
  const Trace trace = load_trace(record);
  const Replay replay(trace);
  const Replay* const replays[] = {&replay};
  DeckSettings settings;
  settings.formats = {kind == FilmKind::gif ? Format::gif : Format::mp4};
  settings.size = {321, 201};
  settings.last_round = 1;
  settings.frames_a_second = 2;
  settings.measured = measured;
  settings.folder = folder;
  settings.name = "ring";
  return export_deck(replays, Fonts(), Language::named("en"), settings);
}

}  // namespace

TEST_CASE("a film is made by ffmpeg, or its frames and how to make it are left") {
  if (!has_cairo()) return;
  const Programs programs;
  const bool measured = GENERATE(false, true);
  if (has_ffmpeg()) {
    film_of(FilmKind::gif, programs.file("films"), measured);
    CHECK(programs.made() == std::set<std::string>{"ring.gif"});
    CHECK(text_of_file(programs.file("films/ring.gif")).starts_with("GIF8"));
  }
  setenv("PATH", "/nowhere", 1);
  const DeckResult result = film_of(FilmKind::gif, programs.file("films"), measured);
  CHECK(result.files.size() > 5);
  CHECK(text_of_file(programs.file("films/ring-frame-0000.png")).starts_with("\x89PNG"));
  REQUIRE(result.notes.size() == 1);
  CHECK(result.notes[0].id == "export.no_ffmpeg");
  CHECK(Language::named("en").text(result.notes[0]).find("ring-frame-%04d.png") !=
        std::string::npos);
}

TEST_CASE("other programs are told of missing films, too") {
  if (!has_cairo()) return;
  const Programs programs;
  const Outcome outcome =
      shell(programs, "PATH=/nowhere $R export " + record +
                          " --format gif --size 320x320 --round 0 --json -o films");
  REQUIRE(outcome.status == 0);
  const nlohmann::json json = nlohmann::json::parse(outcome.out);
  CHECK(json["files"].size() == programs.made().size());
  REQUIRE(json["notes"].size() == 1);
  CHECK(json["notes"][0].get<std::string>().find("ffmpeg") != std::string::npos);
}

TEST_CASE("a film that is cut off is not whole") {
  const Folder folder;
  const std::string path = folder.file("film");
  const auto whole = [&](std::string_view bytes) {
    write(path, std::as_bytes(std::span(bytes)));
    return is_whole(path);
  };
  CHECK_FALSE(whole(""));
  CHECK(whole("GIF89a, and then;"));
  CHECK_FALSE(whole("GIF89a, and th"));
  using namespace std::string_view_literals;
  CHECK(whole("\0\0\0\x08moov\0\0\0\x0cmdat1234"sv));
  CHECK_FALSE(whole("\0\0\0\x08moov\0\0\0\x0cmdat123"sv));
  CHECK_FALSE(whole("\0\0\0\x0cmdat1234"sv));
}

TEST_CASE("an ffmpeg that fails, at any time, leaves nothing, and its last words are said") {
  if (!has_cairo()) return;
  const Programs programs;
  const std::string lines = GENERATE("echo 'no codec' >&2; exit 3",
                                     "head -c 100000 >/dev/null; echo no codec >&2; exit 1",
                                     "cat >/dev/null; echo no codec >&2; exit 1",
                                     "head -c 100000 >/dev/null; kill -9 $$", "cat >/dev/null");
  INFO(lines);
  programs.set_ffmpeg(lines);
  std::string why;
  try {
    film_of(FilmKind::mp4, programs.file("films"));
  } catch (const Error& error) {
    CHECK(error.message().id == "error.film.failed");
    why = Language::named("en").text(error.message());
  }
  CHECK(why.find(lines.find("codec") != lines.npos ? "(ffmpeg: no codec)" : "(") != why.npos);
  CHECK(programs.made().empty());
}

TEST_CASE("a film that can't take its name is refused before it is made") {
  if (!has_cairo()) return;
  const Programs programs;
  programs.set_ffmpeg("cat >/dev/null; touch " + programs.file("ran"));
  fs::create_directory(programs.path / "films/ring.gif");
  CHECK(error_of([&] { film_of(FilmKind::gif, programs.file("films")); }) ==
        "error.file.is_folder");
  CHECK_FALSE(fs::exists(programs.path / "ran"));
}

TEST_CASE("who presses Ctrl-C in the midst of a film is told so, and finds nothing half-made") {
  if (!has_cairo()) return;
  const Programs programs;
  programs.set_ffmpeg("cat >/dev/null");
  const std::string signal = GENERATE("INT", "TERM");
  const Outcome outcome = shell(programs, "$R export " + record +
                                              " --format mp4 -o films & pid=$!; until [ -e "
                                              "films/.ringscope-*-film ] || ! kill -0 $pid; do "
                                              "sleep 0.05; done; kill -" +
                                              signal + " $pid; wait $pid");
  check_refused(outcome, 1, "cancelled");
  CHECK(programs.made().empty());
}
