// Commands about what stands on the stage: clock, selection, zoom, records beside one another.
#include <catch2/catch.hpp>
#include <filesystem>

#include "app/window/commands.h"
#include "core/engine/record.h"
#include "core/trace/trace_file.h"
#include "tests/session_fixture.h"

using namespace ringscope;
namespace fs = std::filesystem;

namespace {

// Records of four ranks on the same data, by algorithm.
std::string saved_run(const SessionFixture& fixture, const std::string& algorithm, int ranks = 4) {
  RunSettings settings;
  settings.algorithm = algorithm;
  settings.ranks = ranks;
  const std::string path = (fixture.folder / (algorithm + ".ring")).string();
  save_trace(record(settings), path);
  return path;
}

}  // namespace

TEST_CASE("the measured clock shows the moment that the rounds showed, and takes times") {
  SessionFixture fixture;
  Session& session = fixture.session;
  run_command(session, "go", "1.2");
  run_command(session, "clock", "time");
  CHECK(nanoseconds_of(session.playback) == session.open->moments.landed[2]);
  CHECK(state_of(session).measured);
  run_command(session, "seek", "1us");
  CHECK(nanoseconds_of(session.playback) == 1000);
  run_command(session, "seek", "2");
  CHECK(nanoseconds_of(session.playback) == session.open->moments.landed[2]);
  run_command(session, "speed", "3us");
  CHECK(session.playback.pace == 3000);
  run_command(session, "faster");
  CHECK(session.playback.pace == Approx(5000));
  run_command(session, "clock");
  CHECK_FALSE(state_of(session).measured);
  CHECK(cursor_of(session.playback) == Cursor{2, 1});
  CHECK(id_of_error(session, "clock", "sundial") == "error.window.clock");
  CHECK(id_of_error(session, "speed", "0ns") == "error.window.pace");
  CHECK(id_of_error(session, "seek", "1hours") == "error.duration");
}

TEST_CASE("the clock stays when another record is opened, which begins at its start") {
  SessionFixture fixture;
  Session& session = fixture.session;
  run_command(session, "clock", "time");
  run_command(session, "last");
  CHECK(at_end(session.playback));
  show_trace(session, session.open->trace, "");
  CHECK(session.playback.measured);
  CHECK(at_start(session.playback));
}

TEST_CASE("a transfer is selected with its chunk, and escape selects none again") {
  SessionFixture fixture;
  Session& session = fixture.session;
  run_command(session, "select", "3");
  CHECK(session.selection.transfer == 3);
  CHECK(session.selection.chunk == session.open->trace.schedule.transfers[3].first_cell);
  run_command(session, "close");
  CHECK(session.selection.transfer == -1);
  run_command(session, "select", "5");
  run_command(session, "select");
  CHECK(session.selection.transfer == -1);
  CHECK(id_of_error(session, "select", "24") == "error.window.number");
  CHECK(context_of(session, {100, 100}, 1).selection == session.selection);
}

TEST_CASE("the chunk that is followed goes round") {
  SessionFixture fixture;
  Session& session = fixture.session;
  run_command(session, "chunk", "3");
  run_command(session, "next-chunk");
  CHECK(session.selection.chunk == 0);
  run_command(session, "previous-chunk");
  CHECK(session.selection.chunk == 3);
  CHECK(id_of_error(session, "chunk", "4") == "error.window.number");
  CHECK(id_of_error(session, "chunk", "nan") == "error.window.number");
}

TEST_CASE("a timeline is zoomed round a time, moved, and shown as a whole again") {
  SessionFixture fixture;
  Session& session = fixture.session;
  const std::int64_t end = session.playback.moments.end;
  const auto length = [&] { return shown_time(session).to - shown_time(session).from; };
  CHECK(length() == end);
  run_command(session, "zoom-in", "0ns 2");
  CHECK(shown_time(session) == TimeSpan{0, (end + 1) / 2});
  run_command(session, "pan", "100ns");
  CHECK(shown_time(session).from == 100);
  run_command(session, "pan", "-1s");
  CHECK(shown_time(session).from == 0);
  run_command(session, "zoom-out", "0ns 10");
  CHECK_FALSE(session.zoom.has_value());
  run_command(session, "zoom-in");
  CHECK(session.zoom.has_value());
  run_command(session, "zoom-reset");
  CHECK_FALSE(session.zoom.has_value());
}

TEST_CASE("a zoomed timeline goes with the play head") {
  SessionFixture fixture;
  Session& session = fixture.session;
  run_command(session, "clock", "time");
  run_command(session, "zoom-in", "0ns 10");
  const TimeSpan before = shown_time(session);
  run_command(session, "last");
  CHECK(shown_time(session).to == session.playback.moments.end);
  CHECK(shown_time(session).to - shown_time(session).from == before.to - before.from);
  run_command(session, "first");
  CHECK(shown_time(session) == before);
}

TEST_CASE("a picture of a moment of measured time is named after it") {
  SessionFixture fixture;
  Session& session = fixture.session;
  run_command(session, "clock", "time");
  run_command(session, "seek", "1500ns");
  CHECK(fs::path(picture_path(session)).filename() == "ring-ring-at-1.5us.png");
}

TEST_CASE("records stand beside one another from their start, on one clock") {
  SessionFixture fixture;
  Session& session = fixture.session;
  go_to(session.playback, 3);
  run_command(session, "compare-with", saved_run(fixture, "parameter-server"));
  CHECK(at_start(session.playback));
  CHECK(shown_traces(session).size() == 2);
  CHECK(session.playback.rounds == 6);
  CHECK(session.playback.moments.end ==
        std::max(shown_traces(session)[0]->moments.end, shown_traces(session)[1]->moments.end));
  for (const char* clock : {"rounds", "time"}) {
    run_command(session, "clock", clock);
    for (const char* where : {"first", "last"}) {
      run_command(session, where);
      CHECK(stage_figure(session, {1920, 900}, 1).has_value());
    }
  }
  run_command(session, "clock", "rounds");
  run_command(session, "compare-with", saved_run(fixture, "tree"));
  CHECK(shown_traces(session).size() == 3);
  run_command(session, "go", "2.1");
  CHECK(session.playback.round == 4);
  run_command(session, "end-comparison");
  CHECK(shown_traces(session).size() == 1);
  CHECK(session.open->trace.schedule.algorithm == "ring");
}

TEST_CASE("other data, or a fourth record, are refused and change nothing") {
  SessionFixture fixture;
  Session& session = fixture.session;
  const std::string tree = saved_run(fixture, "tree");
  run_command(session, "compare-with", tree);
  const std::string other = saved_run(fixture, "bidirectional", 3);
  CHECK_THAT(id_of_error(session, "compare-with", other), Catch::Contains("differences"));
  CHECK(shown_traces(session).size() == 2);
  run_command(session, "compare-with", tree);
  CHECK(id_of_error(session, "compare-with", tree) == "error.window.stages");
  CHECK(shown_traces(session).size() == 3);
}

TEST_CASE("while records are compared there is no view to choose and nothing to select") {
  SessionFixture fixture;
  Session& session = fixture.session;
  run_command(session, "select", "2");
  run_command(session, "compare-with", saved_run(fixture, "tree"));
  CHECK(session.selection.transfer == -1);
  for (const char* id : {"view", "views", "select", "zoom-in"})
    CHECK(id_of_error(session, id, "") == "error.window.not_now");
}

TEST_CASE("opening a record ends a comparison, opening several begins one") {
  SessionFixture fixture;
  Session& session = fixture.session;
  const std::vector<std::string> paths{saved_run(fixture, "ring"), saved_run(fixture, "tree")};
  open_files(session, paths);
  CHECK(shown_traces(session).size() == 2);
  run_command(session, "open", paths[1]);
  CHECK(shown_traces(session).size() == 1);
  open_files(session, {});
  CHECK(session.open->trace.schedule.algorithm == "tree");
}

TEST_CASE("algorithms are run one after the other and shown beside one another") {
  SessionFixture fixture;
  Session& session = fixture.session;
  session.set_up_shown = true;
  run_command(session, "set", "ranks 4");
  run_command(session, "set", "compare tree, parameter-server");
  run_command(session, "run");
  fixture.run_to_rest();
  CHECK_FALSE(session.set_up_error.has_value());
  CHECK_FALSE(session.set_up_shown);
  REQUIRE(shown_traces(session).size() == 3);
  CHECK(shown_traces(session)[2]->trace.schedule.algorithm == "parameter-server");

  run_command(session, "run");
  run_command(session, "cancel");
  fixture.run_to_rest();
  CHECK(session.set_up_error.has_value());
  CHECK(shown_traces(session).size() == 3);
}

TEST_CASE("a picture of a comparison is named after what is compared") {
  SessionFixture fixture;
  Session& session = fixture.session;
  run_command(session, "compare-with", saved_run(fixture, "tree"));
  go_last(session.playback);
  CHECK(fs::path(picture_path(session)).filename() == "ring-tree-compared-round-6.png");
}
