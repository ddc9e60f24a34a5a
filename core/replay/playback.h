// Where the replay stands and how it goes on: a plain struct that is advanced by seconds. It asks
// no clock and knows no view; easing is the view's.
#pragma once

#include <cstdint>

#include "core/replay/replay.h"

namespace ringscope {

struct Playback {
  std::int32_t rounds = 0;      // R: there are R + 1 stops
  std::int32_t round = 0;       // the stop where it rests, or the round that is on its way
  double progress = 1;          // share of that round's time that has passed; 1: landed
  bool moving = false;          // the round is being played
  bool playing = false;         // goes on to the end, round after round
  double rest = 0;              // seconds that it still rests at this stop before it goes on
  double speed = 1;             // 2: twice as fast
  bool reduced_motion = false;  // rounds land at once
};

// How long one round takes, and how long a stop is shown while playing; in seconds at speed 1.
inline constexpr double round_seconds = 1.6;
inline constexpr double stop_seconds = 0.9;

// What is shown. Between two stops only 'moving': the fraction is never quite 0 there.
Cursor cursor_of(const Playback& playback);
// From 0 (the start) to R (the end): where the play head stands.
double position_of(const Playback& playback);
bool at_start(const Playback& playback);
bool at_end(const Playback& playback);
// Whether time changes it.
bool runs(const Playback& playback);

// One press of a remote: plays the next round to its landed state. While a round moves, finishes
// it; a round that was stopped half-way is played to its end.
void step_forward(Playback& playback);
// To the stop before, at once.
void step_back(Playback& playback);
void go_first(Playback& playback);
void go_last(Playback& playback);
// To the landed state of a round (1..R), or the start (0). Clamped.
void go_to(Playback& playback, std::int32_t round);
// Plays to the end, from the start where it is at the end; or stops where it is.
void toggle_play(Playback& playback);
// Where a hand puts the play head: 0..R, any fraction. Clamped.
void scrub(Playback& playback, double position);

// Lets time pass. Any number of seconds: what a slow frame missed is caught up.
void advance(Playback& playback, double seconds);

}  // namespace ringscope
