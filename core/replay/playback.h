// Where the replay stands and how it goes on, on one of two clocks: that of rounds, or measured
// time. A plain struct that is advanced by seconds; it asks no clock and knows no view, and easing
// is the view's.
#pragma once

#include <cstdint>

#include "core/replay/moments.h"
#include "core/replay/replay.h"

namespace ringscope {

struct Playback {
  bool measured = false;        // on the measured clock, else on that of rounds
  bool playing = false;         // goes on to the end
  bool moving = false;          // goes to the end of the round, or to `target`
  bool reduced_motion = false;  // goes from stop to stop at once

  // The clock of rounds.
  std::int32_t rounds = 0;  // R: there are R + 1 stops
  std::int32_t round = 0;   // the stop where it rests, or the round that is on its way
  double progress = 1;      // share of that round's time that has passed; 1: landed
  double rest = 0;          // seconds that it still rests at this stop before it goes on
  double speed = 1;         // 2: twice as fast

  // The measured clock.
  Moments moments;
  double nanoseconds = 0;  // from the common start
  double target = 0;       // where a step ends
  double pace = 1000;      // nanoseconds that pass in a second
};

// How long one round takes, and how long a stop is shown while playing; in seconds at speed 1.
inline constexpr double round_seconds = 1.6;
inline constexpr double stop_seconds = 0.9;

// A playback at the start of what is to be replayed, with the pace that is usual for it; clock,
// speed and reduced motion stay as they are.
void restart(Playback& playback, std::int32_t rounds, Moments moments);

// What is shown on the clock of rounds. Between two stops only 'moving': the fraction is never
// quite 0 there.
Cursor cursor_of(const Playback& playback);
// What is shown on the measured clock: with reduced motion the last stop that was passed.
std::int64_t nanoseconds_of(const Playback& playback);
// From 0 (the start) to R (the end), or from 0 to the run's nanoseconds: where the play head
// stands.
double position_of(const Playback& playback);
bool at_start(const Playback& playback);
bool at_end(const Playback& playback);
// Whether time changes it.
bool runs(const Playback& playback);

// The other clock shows the same moment: a round's end and the time when it had landed. Rests.
void set_clock(Playback& playback, bool measured);

// One press of a remote. On the clock of rounds: plays the next round to its landed state. While a
// round moves, finishes it; a round that was stopped half-way is played to its end. On the measured
// clock: plays to the next moment when a round had landed (Moments::stops); while it plays, is
// there at once.
void step_forward(Playback& playback);
// To the stop before, at once.
void step_back(Playback& playback);
void go_first(Playback& playback);
void go_last(Playback& playback);
// To the landed state of a round (1..R), or the start (0). Clamped.
void go_to(Playback& playback, std::int32_t round);
// Plays to the end, from the start where it is at the end; or stops where it is.
void toggle_play(Playback& playback);
// Where a hand puts the play head: a place on the clock of rounds, or a time. Clamped; the clock
// stays as it is.
void scrub(Playback& playback, double position);
void scrub_time(Playback& playback, double nanoseconds);

// Lets time pass. Any number of seconds: what a slow frame missed is caught up.
void advance(Playback& playback, double seconds);

// 1, 2 or 5 times a power of ten: a run of that many nanoseconds takes about eight seconds.
double usual_pace(std::int64_t end);
// The next of those paces, faster or slower, within 1 ns to 1000 s a second.
double next_pace(double pace, bool faster);

}  // namespace ringscope
