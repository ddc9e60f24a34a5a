#include "core/replay/playback.h"

#include <catch2/catch.hpp>

using namespace ringscope;

namespace {

Playback of_rounds(std::int32_t rounds) {
  Playback playback;
  playback.rounds = rounds;
  return playback;
}

}  // namespace

TEST_CASE("a replay begins at the start and rests there") {
  Playback playback = of_rounds(GENERATE(0, 1, 6));
  CHECK(cursor_of(playback) == Cursor{0, 1});
  CHECK_FALSE(runs(playback));
  advance(playback, 100);
  CHECK(cursor_of(playback) == Cursor{0, 1});
}

TEST_CASE("one press plays one round to its landed state, and no further") {
  Playback playback = of_rounds(6);
  step_forward(playback);
  CHECK(beat_of(cursor_of(playback)) == Beat::moving);
  advance(playback, round_seconds / 2);
  CHECK(cursor_of(playback) == Cursor{1, 0.5});
  CHECK(position_of(playback) == 0.5);
  advance(playback, 100);
  CHECK(cursor_of(playback) == Cursor{1, 1});
  CHECK_FALSE(runs(playback));
}

TEST_CASE("a press while a round moves finishes it") {
  Playback playback = of_rounds(6);
  step_forward(playback);
  advance(playback, 0.1);
  step_forward(playback);
  CHECK(cursor_of(playback) == Cursor{1, 1});
  CHECK_FALSE(runs(playback));
  step_forward(playback);
  CHECK(playback.round == 2);
}

TEST_CASE("a press at the end, or with no round at all, changes nothing") {
  Playback playback = of_rounds(GENERATE(0, 1, 6));
  go_last(playback);
  const Cursor end = cursor_of(playback);
  step_forward(playback);
  CHECK(cursor_of(playback) == end);
  CHECK_FALSE(runs(playback));
}

TEST_CASE("back goes to the stop before, from a stop and from half-way") {
  Playback playback = of_rounds(6);
  go_to(playback, 3);
  step_back(playback);
  CHECK(cursor_of(playback) == Cursor{2, 1});
  step_forward(playback);
  advance(playback, 0.1);
  step_back(playback);
  CHECK(cursor_of(playback) == Cursor{2, 1});
  go_first(playback);
  step_back(playback);
  CHECK(cursor_of(playback) == Cursor{0, 1});
}

TEST_CASE("play runs to the end, rests at each stop, and then starts anew") {
  Playback playback = of_rounds(3);
  toggle_play(playback);
  advance(playback, round_seconds + stop_seconds / 2);
  CHECK(cursor_of(playback) == Cursor{1, 1});
  CHECK(runs(playback));
  advance(playback, stop_seconds / 2 + round_seconds / 2);
  CHECK(playback.round == 2);
  CHECK(playback.progress == Approx(0.5));
  advance(playback, 100);
  CHECK(at_end(playback));
  CHECK_FALSE(runs(playback));
  toggle_play(playback);
  CHECK(at_start(playback));
  CHECK(runs(playback));
}

TEST_CASE("pause stops half-way, and play and a press both go on from there") {
  Playback playback = of_rounds(3);
  toggle_play(playback);
  advance(playback, round_seconds / 2);
  toggle_play(playback);
  CHECK_FALSE(runs(playback));
  CHECK(cursor_of(playback) == Cursor{1, 0.5});
  SECTION("play") {
    toggle_play(playback);
    advance(playback, round_seconds / 4);
    CHECK(cursor_of(playback) == Cursor{1, 0.75});
    CHECK(playback.playing);
  }
  SECTION("a press") {
    step_forward(playback);
    advance(playback, 100);
    CHECK(cursor_of(playback) == Cursor{1, 1});
  }
}

TEST_CASE("the same seconds give the same state however they are cut") {
  Playback whole = of_rounds(30), cut = of_rounds(30);
  toggle_play(whole), toggle_play(cut);
  advance(whole, 20);
  for (int frame = 0; frame < 2000; ++frame) advance(cut, 0.01);
  CHECK(whole.round == cut.round);
  CHECK(whole.progress == Approx(cut.progress).margin(1e-6));
}

TEST_CASE("speed makes everything that much faster") {
  Playback playback = of_rounds(6);
  playback.speed = 2;
  step_forward(playback);
  advance(playback, round_seconds / 4);
  CHECK(cursor_of(playback) == Cursor{1, 0.5});
}

TEST_CASE("with reduced motion a round lands at once, and playing rests at each stop") {
  Playback playback = of_rounds(3);
  playback.reduced_motion = true;
  step_forward(playback);
  CHECK(cursor_of(playback) == Cursor{1, 1});
  CHECK_FALSE(runs(playback));
  toggle_play(playback);
  advance(playback, stop_seconds / 2);
  CHECK(cursor_of(playback) == Cursor{2, 1});
  advance(playback, stop_seconds);
  CHECK(at_end(playback));
}

TEST_CASE("a hand puts the play head anywhere, and it rests there") {
  Playback playback = of_rounds(6);
  toggle_play(playback);
  scrub(playback, 2.25);
  CHECK(cursor_of(playback) == Cursor{3, 0.25});
  CHECK(position_of(playback) == 2.25);
  CHECK_FALSE(runs(playback));
  scrub(playback, 3);
  CHECK(cursor_of(playback) == Cursor{3, 1});
  scrub(playback, -1);
  CHECK(cursor_of(playback) == Cursor{0, 1});
  scrub(playback, 99);
  CHECK(at_end(playback));
}

namespace {

// Three rounds that had landed at 100, 400 and 800 ns, on the measured clock, 100 ns a second.
Playback in_time() {
  Playback playback;
  restart(playback, 3, {800, {0, 100, 400, 800}, {0, 100, 400, 800}, {}});
  set_clock(playback, true);
  playback.pace = 100;
  return playback;
}

}  // namespace

TEST_CASE("on the measured clock one press plays to where the next round had landed") {
  Playback playback = in_time();
  CHECK(at_start(playback));
  step_forward(playback);
  advance(playback, 0.5);
  CHECK(nanoseconds_of(playback) == 50);
  CHECK(runs(playback));
  advance(playback, 100);
  CHECK(nanoseconds_of(playback) == 100);
  CHECK_FALSE(runs(playback));
  step_forward(playback);
  advance(playback, 1);
  step_forward(playback);
  CHECK(nanoseconds_of(playback) == 400);
  CHECK_FALSE(runs(playback));
}

TEST_CASE("on the measured clock back goes to the landing before, from anywhere") {
  Playback playback = in_time();
  scrub_time(playback, 450);
  step_back(playback);
  CHECK(nanoseconds_of(playback) == 400);
  step_back(playback);
  CHECK(nanoseconds_of(playback) == 100);
  step_back(playback);
  step_back(playback);
  CHECK(at_start(playback));
}

TEST_CASE("play on the measured clock goes to the end at its pace, without a stop") {
  Playback playback = in_time();
  toggle_play(playback);
  advance(playback, 2);
  CHECK(nanoseconds_of(playback) == 200);
  SECTION("to the end, and from there anew") {
    advance(playback, 100);
    CHECK(at_end(playback));
    CHECK_FALSE(runs(playback));
    toggle_play(playback);
    CHECK(at_start(playback));
    CHECK(runs(playback));
  }
  SECTION("a press is at the next landing at once") {
    step_forward(playback);
    CHECK(nanoseconds_of(playback) == 400);
    CHECK_FALSE(runs(playback));
  }
  SECTION("a pause rests where it is") {
    toggle_play(playback);
    advance(playback, 1);
    CHECK(nanoseconds_of(playback) == 200);
  }
}

TEST_CASE("with reduced motion measured time leaps from landing to landing, in its own time") {
  Playback playback = in_time();
  playback.reduced_motion = true;
  step_forward(playback);
  CHECK(nanoseconds_of(playback) == 100);
  CHECK_FALSE(runs(playback));
  toggle_play(playback);
  advance(playback, 2.5);
  CHECK(nanoseconds_of(playback) == 100);
  advance(playback, 1);
  CHECK(nanoseconds_of(playback) == 400);
  advance(playback, 1);
  toggle_play(playback);
  CHECK(nanoseconds_of(playback) == 400);
}

TEST_CASE("the other clock shows the same moment, and rests there") {
  Playback playback;
  restart(playback, 3, {800, {0, 100, 400, 800}, {0, 100, 400, 800}, {}});
  const std::int32_t round = GENERATE(0, 1, 2, 3);
  go_to(playback, round);
  toggle_play(playback);
  toggle_play(playback);
  go_to(playback, round);
  set_clock(playback, true);
  CHECK(nanoseconds_of(playback) == playback.moments.landed[static_cast<std::size_t>(round)]);
  CHECK_FALSE(runs(playback));
  set_clock(playback, false);
  CHECK(position_of(playback) == round);
  CHECK(beat_of(cursor_of(playback)) == Beat::after);
}

TEST_CASE("a hand and the name of a round move either clock") {
  Playback playback = in_time();
  go_to(playback, 2);
  CHECK(nanoseconds_of(playback) == 400);
  scrub(playback, 1.5);
  CHECK(nanoseconds_of(playback) == 250);
  scrub_time(playback, 1e9);
  CHECK(at_end(playback));
  set_clock(playback, false);
  scrub_time(playback, 250);
  CHECK(position_of(playback) == 1.5);
}

TEST_CASE("nothing to play is the start and the end at once, on the measured clock, too") {
  Playback playback;
  restart(playback, 0, {});
  set_clock(playback, true);
  toggle_play(playback);
  CHECK_FALSE(runs(playback));
  step_forward(playback);
  CHECK_FALSE(runs(playback));
  CHECK(at_start(playback));
  CHECK(at_end(playback));
}

TEST_CASE("a run takes about eight seconds, at a pace that one can say") {
  const std::int64_t end =
      GENERATE(as<std::int64_t>{}, 31'200, 409'000, 29'400'000, 235'000'000, 12'345'678'901);
  const double pace = usual_pace(end);
  CHECK(static_cast<double>(end) / pace > 4.9);
  CHECK(static_cast<double>(end) / pace < 13);
  CHECK(usual_pace(409'000) == Approx(50'000));
  CHECK(usual_pace(0) == 1);
  CHECK(next_pace(pace, true) > 1.9 * pace);
  CHECK(next_pace(pace, false) < pace / 1.9);
  CHECK(next_pace(next_pace(pace, true), false) == Approx(pace));
}
