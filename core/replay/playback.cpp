#include "core/replay/playback.h"

#include <algorithm>
#include <cmath>

namespace ringscope {
namespace {

// Smaller than any frame, larger than nothing: a round that has begun is 'moving', not 'before'.
constexpr double just_begun = 1e-6;

void land(Playback& playback) {
  playback.progress = 1;
  playback.moving = false;
  playback.rest = stop_seconds;
  if (playback.round >= playback.rounds) playback.playing = false;
}

void begin(Playback& playback, std::int32_t round) {
  playback.round = round;
  playback.progress = 0;
  playback.moving = true;
  if (playback.reduced_motion) land(playback);
}

void rest_at(Playback& playback, std::int32_t round) {
  playback.round = std::clamp(round, 0, playback.rounds);
  playback.playing = false;
  land(playback);
}

}  // namespace

Cursor cursor_of(const Playback& playback) {
  if (playback.round == 0) return {0, 1};
  return {playback.round, std::max(playback.progress, just_begun)};
}

double position_of(const Playback& playback) {
  return playback.round == 0 ? 0 : playback.round - 1 + playback.progress;
}

bool at_start(const Playback& playback) { return playback.round == 0; }

bool at_end(const Playback& playback) {
  return playback.round >= playback.rounds && playback.progress >= 1;
}

bool runs(const Playback& playback) { return playback.moving || playback.playing; }

void step_forward(Playback& playback) {
  const bool was_moving = playback.moving;
  playback.playing = false;
  if (was_moving)
    land(playback);
  else if (playback.progress < 1)
    playback.reduced_motion ? land(playback) : void(playback.moving = true);
  else if (playback.round < playback.rounds)
    begin(playback, playback.round + 1);
}

void step_back(Playback& playback) { rest_at(playback, playback.round - 1); }

void go_first(Playback& playback) { rest_at(playback, 0); }

void go_last(Playback& playback) { rest_at(playback, playback.rounds); }

void go_to(Playback& playback, std::int32_t round) { rest_at(playback, round); }

void toggle_play(Playback& playback) {
  if (playback.playing || playback.moving) {
    playback.playing = playback.moving = false;
    return;
  }
  if (at_end(playback)) go_first(playback);
  if (playback.rounds == 0) return;
  playback.playing = true;
  playback.rest = 0;
  if (playback.progress < 1) playback.moving = true;
}

void scrub(Playback& playback, double position) {
  position = std::clamp(position, 0.0, static_cast<double>(playback.rounds));
  playback.playing = playback.moving = false;
  playback.round = static_cast<std::int32_t>(std::ceil(position));
  playback.progress = playback.round == 0 ? 1 : position - (playback.round - 1);
}

void advance(Playback& playback, double seconds) {
  double left = seconds * playback.speed;
  while (left > 0 && runs(playback)) {
    if (playback.moving) {
      const double needed = (1 - playback.progress) * round_seconds;
      if (left < needed) {
        playback.progress += left / round_seconds;
        return;
      }
      left -= needed;
      land(playback);
    } else if (left < playback.rest) {
      playback.rest -= left;
      return;
    } else {
      left -= playback.rest;
      begin(playback, playback.round + 1);
    }
  }
}

}  // namespace ringscope
