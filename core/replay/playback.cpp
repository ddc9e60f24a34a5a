#include "core/replay/playback.h"

#include <algorithm>
#include <cmath>

namespace ringscope {
namespace {

// Smaller than any frame, larger than nothing: a round that has begun is 'moving', not 'before'.
constexpr double just_begun = 1e-6;
// Of a nanosecond: records are whole ones.
constexpr double half = 0.5;

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

double end_of(const Playback& playback) { return static_cast<double>(playback.moments.end); }

void rest_at_time(Playback& playback, double nanoseconds) {
  playback.nanoseconds = std::clamp(nanoseconds, 0.0, end_of(playback));
  playback.playing = playback.moving = false;
}

void rest_at(Playback& playback, std::int32_t round) {
  round = std::clamp(round, 0, playback.rounds);
  if (playback.measured) return rest_at_time(playback, time_at(playback.moments, round));
  playback.round = round;
  playback.playing = false;
  land(playback);
}

void rest_between(Playback& playback, double position) {
  position = std::clamp(position, 0.0, static_cast<double>(playback.rounds));
  playback.playing = playback.moving = false;
  playback.round = static_cast<std::int32_t>(std::ceil(position));
  playback.progress = playback.round == 0 ? 1 : position - (playback.round - 1);
}

// The last stop up to a time, and the first one behind it.
double stop_until(const Playback& playback, double nanoseconds) {
  double last = 0;
  for (const std::int64_t stop : playback.moments.stops)
    if (static_cast<double>(stop) <= nanoseconds + half) last = static_cast<double>(stop);
  return last;
}
double stop_behind(const Playback& playback, double nanoseconds) {
  for (const std::int64_t stop : playback.moments.stops)
    if (static_cast<double>(stop) > nanoseconds + half) return static_cast<double>(stop);
  return end_of(playback);
}

void step_in_time(Playback& playback) {
  const bool at_once = runs(playback) || playback.reduced_motion;
  if (!playback.moving)
    playback.target = stop_behind(playback, static_cast<double>(nanoseconds_of(playback)));
  if (at_once) return rest_at_time(playback, playback.target);
  playback.moving = !at_end(playback);
}

void advance_time(Playback& playback, double seconds) {
  const double goal = playback.playing ? end_of(playback) : playback.target;
  playback.nanoseconds += seconds * playback.pace;
  if (playback.nanoseconds >= goal) rest_at_time(playback, goal);
}

void advance_rounds(Playback& playback, double seconds) {
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

}  // namespace

void restart(Playback& playback, std::int32_t rounds, Moments moments) {
  playback.rounds = rounds;
  playback.pace = usual_pace(moments.end);
  playback.moments = std::move(moments);
  playback.nanoseconds = 0;
  playback.round = 0;
  playback.playing = false;
  land(playback);
}

Cursor cursor_of(const Playback& playback) {
  if (playback.round == 0) return {0, 1};
  return {playback.round, std::max(playback.progress, just_begun)};
}

std::int64_t nanoseconds_of(const Playback& playback) {
  const bool leaps = playback.reduced_motion && playback.playing;
  return std::llround(leaps ? stop_until(playback, playback.nanoseconds) : playback.nanoseconds);
}

double position_of(const Playback& playback) {
  if (playback.measured) return static_cast<double>(nanoseconds_of(playback));
  return playback.round == 0 ? 0 : playback.round - 1 + playback.progress;
}

bool at_start(const Playback& playback) {
  return playback.measured ? playback.nanoseconds < half : playback.round == 0;
}

bool at_end(const Playback& playback) {
  if (playback.measured) return playback.nanoseconds > end_of(playback) - half;
  return playback.round >= playback.rounds && playback.progress >= 1;
}

bool runs(const Playback& playback) { return playback.moving || playback.playing; }

void set_clock(Playback& playback, bool measured) {
  if (playback.measured == measured) return;
  const double position = position_of(playback);
  playback.measured = measured;
  if (measured)
    rest_at_time(playback, time_at(playback.moments, position));
  else
    rest_between(playback, position_at(playback.moments, position));
}

void step_forward(Playback& playback) {
  if (playback.measured) return step_in_time(playback);
  const bool was_moving = playback.moving;
  playback.playing = false;
  if (was_moving)
    land(playback);
  else if (playback.progress < 1)
    playback.reduced_motion ? land(playback) : void(playback.moving = true);
  else if (playback.round < playback.rounds)
    begin(playback, playback.round + 1);
}

void step_back(Playback& playback) {
  if (playback.measured)
    rest_at_time(playback, stop_until(playback, static_cast<double>(nanoseconds_of(playback)) - 1));
  else
    rest_at(playback, playback.round - 1);
}

void go_first(Playback& playback) { rest_at(playback, 0); }

void go_last(Playback& playback) {
  if (playback.measured)
    rest_at_time(playback, end_of(playback));
  else
    rest_at(playback, playback.rounds);
}

void go_to(Playback& playback, std::int32_t round) { rest_at(playback, round); }

void toggle_play(Playback& playback) {
  if (runs(playback)) {
    if (playback.measured) playback.nanoseconds = static_cast<double>(nanoseconds_of(playback));
    playback.playing = playback.moving = false;
    return;
  }
  if (at_end(playback)) go_first(playback);
  if (at_end(playback)) return;  // there is nothing to play
  playback.playing = true;
  playback.rest = 0;
  if (!playback.measured && playback.progress < 1) playback.moving = true;
}

void scrub(Playback& playback, double position) {
  if (playback.measured)
    rest_at_time(playback, time_at(playback.moments, position));
  else
    rest_between(playback, position);
}

void scrub_time(Playback& playback, double nanoseconds) {
  if (playback.measured)
    rest_at_time(playback, nanoseconds);
  else
    rest_between(playback, position_at(playback.moments, nanoseconds));
}

void advance(Playback& playback, double seconds) {
  if (!playback.measured)
    advance_rounds(playback, seconds);
  else if (runs(playback))
    advance_time(playback, seconds);
}

namespace {

constexpr double slowest_pace = 1, fastest_pace = 1e12;

// The largest of 1, 2 and 5 times a power of ten that is not above.
double round_pace(double pace) {
  const double power = std::pow(10, std::floor(std::log10(pace * (1 + 1e-9))));
  const double digits = pace * (1 + 1e-9) / power;
  return power * (digits >= 5 ? 5 : digits >= 2 ? 2 : 1);
}

}  // namespace

double usual_pace(std::int64_t end) {
  constexpr double seconds = 8;
  const double wanted = std::clamp(static_cast<double>(end) / seconds, slowest_pace, fastest_pace);
  const double below = round_pace(wanted), above = next_pace(below, true);
  return wanted * wanted > below * above ? above : below;
}

double next_pace(double pace, bool faster) {
  const double next = faster ? round_pace(pace * 2.5) : round_pace(pace / 1.9);
  return std::clamp(next, slowest_pace, fastest_pace);
}

}  // namespace ringscope
