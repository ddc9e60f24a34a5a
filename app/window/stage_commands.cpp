#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>

#include "app/window/command_rows.h"
#include "app/window/zoom.h"
#include "core/export/png.h"
#include "core/trace/trace_file.h"

namespace ringscope {
namespace {

bool not_comparing(const Session& session) { return session.compared.empty(); }
bool alone(const Session& session) { return has_trace(session) && not_comparing(session); }
bool comparing(const Session& session) { return !not_comparing(session); }

// The next one in the table that can show the record, or the same where there is no other.
const View& next_view(const Session& session) {
  const std::vector<const View*> fitting = fitting_views(session);
  const auto now = std::find(fitting.begin(), fitting.end(), session.view);
  return now == fitting.end() || now + 1 == fitting.end() ? *fitting.front() : **(now + 1);
}

void choose_view(Session& session, std::string_view argument) {
  const View& view = argument.empty() ? next_view(session) : view_named(argument);
  if (session.open && !view.fits(session.open->trace.schedule))
    throw Error({"error.window.view", {{"view", std::string(argument)}}}, Blame::usage);
  session.view = &view;
  session.views_shown = false;
}

std::int32_t whole_number_in(std::string_view argument, std::size_t count) {
  return static_cast<std::int32_t>(
      std::floor(number_in(argument, 0, static_cast<double>(count) - 1)));
}

// No argument: nothing is selected any more.
void select(Session& session, std::string_view argument) {
  const Schedule& schedule = session.open->trace.schedule;
  if (argument.empty()) {
    session.selection.transfer = -1;
    return;
  }
  if (schedule.transfers.empty())  // one rank alone
    throw Error({"error.window.not_now", {{"name", "select"}}});
  const std::int32_t transfer = whole_number_in(argument, schedule.transfers.size());
  session.selection.transfer = transfer;
  session.selection.chunk =
      schedule.transfers[static_cast<std::size_t>(transfer)].first_cell / schedule.slices;
}

void choose_chunk(Session& session, std::string_view argument) {
  const std::int32_t chunks = session.open->trace.schedule.chunks;
  session.selection.chunk = whole_number_in(argument, static_cast<std::size_t>(chunks));
}

template <int by>
void other_chunk(Session& session, std::string_view) {
  const std::int32_t chunks = session.open->trace.schedule.chunks;
  session.selection.chunk = (session.selection.chunk + by + chunks) % chunks;
}

// What stays in place when nobody says it: the play head where it is shown, else the middle.
std::int64_t middle_of(const Session& session) {
  const TimeSpan shown = shown_time(session);
  const std::int64_t head = nanoseconds_of(session.playback);
  const bool in_sight = session.playback.measured && head >= shown.from && head <= shown.to;
  return in_sight ? head : shown.from + (shown.to - shown.from) / 2;
}

void show_time(Session& session, TimeSpan span) {
  session.zoom = span;
  if (span == TimeSpan{0, session.playback.moments.end}) session.zoom.reset();
}

constexpr double zoom_step = 1.25;

// The argument: what stays in place, and a factor other than the usual one.
void zoom(Session& session, std::string_view argument, bool in) {
  const auto [place, factor] = two_words(argument);
  const std::int64_t about = place.empty() ? middle_of(session) : time_in(place).count();
  const double step = factor.empty() ? zoom_step : number_in(factor, 1, 100);
  show_time(session,
            zoomed(shown_time(session), in ? 1 / step : step, about, session.playback.moments.end));
}

void pan(Session& session, std::string_view argument) {
  show_time(session,
            panned(shown_time(session), time_in(argument).count(), session.playback.moments.end));
}

void save_picture(Session& session, std::string_view argument) {
  const std::string path = argument.empty() ? picture_path(session) : std::string(argument);
  require_png_name(path);
  write_png(*stage_figure(session, session.stage_size, session.stage_scale), *session.fonts, path);
  show_toast(session, {"window.picture_saved", {{"file", path}}}, false);
}

constexpr auto none = ArgumentKind::none;
constexpr auto optional = ArgumentKind::optional;
constexpr auto required = ArgumentKind::required;

}  // namespace

std::vector<Command> stage_commands() {
  return {
      {"view", optional, {{"V", GLFW_KEY_V}}, not_comparing, choose_view},
      {"views",
       optional,
       {},
       alone,
       [](Session& session, std::string_view argument) {
         session.views_shown = switched(session.views_shown, argument);
       }},
      {"select", optional, {}, alone, select},
      {"chunk", required, {}, alone, choose_chunk},
      {"next-chunk", none, {{"↓", GLFW_KEY_DOWN}, {"]", 0, U']'}}, alone, other_chunk<1>},
      {"previous-chunk", none, {{"↑", GLFW_KEY_UP}, {"[", 0, U'['}}, alone, other_chunk<-1>},
      {"zoom-in",
       optional,
       {{"Ctrl+↑", GLFW_KEY_UP, 0, true}},
       alone,
       [](Session& session, std::string_view argument) { zoom(session, argument, true); }},
      {"zoom-out",
       optional,
       {{"Ctrl+↓", GLFW_KEY_DOWN, 0, true}},
       alone,
       [](Session& session, std::string_view argument) { zoom(session, argument, false); }},
      {"zoom-reset",
       none,
       {{"0", 0, U'0'}},
       alone,
       [](Session& session, std::string_view) { session.zoom.reset(); }},
      {"pan", required, {}, alone, pan},
      {"compare-with",
       required,
       {},
       has_trace,
       [](Session& session, std::string_view argument) {
         const std::string path(argument);
         compare_with(session, load_trace(path), path);
         session.set_up_shown = false;
       }},
      {"end-comparison",
       none,
       {{"1", 0, U'1'}},
       comparing,
       [](Session& session, std::string_view) { end_comparison(session); }},
      {"save-picture", optional, {{"F12", GLFW_KEY_F12}}, has_trace, save_picture},
  };
}

}  // namespace ringscope
