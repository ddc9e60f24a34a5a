#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <iterator>

#include "app/window/command_rows.h"

namespace ringscope {
namespace {

bool before_end(const Session& session) { return session.open && !at_end(session.playback); }
bool after_start(const Session& session) { return session.open && !at_start(session.playback); }

// A command that moves the play head takes a zoomed timeline with it.
template <void (*move)(Playback&)>
void moved(Session& session, std::string_view) {
  move(session.playback);
  follow_head(session);
}

// Of records beside one another the rounds of that which has most are named.
void go(Session& session, std::string_view argument) {
  const OpenTrace* longest = session.open.get();
  for (const OpenTrace* shown : shown_traces(session))
    if (shown->replay.rounds() > longest->replay.rounds()) longest = shown;
  go_to(session.playback, round_named(longest->trace.schedule, argument) + 1);
  follow_head(session);
}

void seek(Session& session, std::string_view argument) {
  if (is_time(argument))
    scrub_time(session.playback, static_cast<double>(time_in(argument).count()));
  else
    scrub(session.playback, number_in(argument, 0, session.playback.rounds));
  follow_head(session);
}

void choose_clock(Session& session, std::string_view argument) {
  if (!argument.empty() && argument != "rounds" && argument != "time")
    throw Error({"error.window.clock", {{"value", std::string(argument)}}}, Blame::usage);
  set_clock(session.playback, argument.empty() ? !session.playback.measured : argument == "time");
  follow_head(session);
}

constexpr double speeds[] = {0.25, 0.5, 1, 2, 4};

void change_speed(Playback& playback, bool faster) {
  if (playback.measured) {
    playback.pace = next_pace(playback.pace, faster);
    return;
  }
  const auto first = std::begin(speeds), last = std::end(speeds);
  const double* at = faster ? std::upper_bound(first, last, playback.speed)
                            : std::lower_bound(first, last, playback.speed);
  if (faster && at != last) playback.speed = *at;
  if (!faster && at != first) playback.speed = at[-1];
}

// '2': of rounds, twice as fast; '50us': of measured time, so much in a second.
void set_speed(Session& session, std::string_view argument) {
  if (!is_time(argument)) {
    session.playback.speed = number_in(argument, 0.1, 100);
    return;
  }
  const auto pace = static_cast<double>(time_in(argument).count());
  if (pace < 1)
    throw Error({"error.window.pace", {{"value", std::string(argument)}}}, Blame::usage);
  session.playback.pace = pace;
}

constexpr auto none = ArgumentKind::none;
constexpr auto optional = ArgumentKind::optional;
constexpr auto required = ArgumentKind::required;

}  // namespace

std::vector<Command> replay_commands() {
  return {
      {"forward",
       none,
       {{"→", GLFW_KEY_RIGHT}, {"PgDn", GLFW_KEY_PAGE_DOWN}},
       before_end,
       moved<step_forward>},
      {"back",
       none,
       {{"←", GLFW_KEY_LEFT}, {"PgUp", GLFW_KEY_PAGE_UP}},
       after_start,
       moved<step_back>},
      {"play", none, {{"Space", GLFW_KEY_SPACE}}, has_trace, moved<toggle_play>},
      {"first", none, {{"Home", GLFW_KEY_HOME}}, has_trace, moved<go_first>},
      {"last", none, {{"End", GLFW_KEY_END}}, has_trace, moved<go_last>},
      {"go", required, {}, has_trace, go},
      {"seek", required, {}, has_trace, seek},
      {"clock", optional, {{"C", GLFW_KEY_C}}, has_trace, choose_clock},
      {"faster",
       none,
       {{"+", 0, U'+'}},
       always,
       [](Session& session, std::string_view) { change_speed(session.playback, true); }},
      {"slower",
       none,
       {{"-", 0, U'-'}},
       always,
       [](Session& session, std::string_view) { change_speed(session.playback, false); }},
      {"speed", required, {}, always, set_speed},
      {"reduced-motion",
       optional,
       {{"M", GLFW_KEY_M}},
       always,
       [](Session& session, std::string_view argument) {
         bool& reduced = session.playback.reduced_motion;
         reduced = switched(reduced, argument);
       }},
  };
}

}  // namespace ringscope
