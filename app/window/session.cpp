#include "app/window/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/window/zoom.h"
#include "core/figure/comparison.h"
#include "core/replay/differences.h"
#include "core/trace/trace_file.h"

namespace ringscope {
namespace {

constexpr double toast_seconds = 4, error_toast_seconds = 10;

// The first view of the table that can show the schedule, if the current one can't.
const View* view_for(const Session& session, const Schedule& schedule) {
  return session.view && session.view->fits(schedule) ? session.view : &first_view_of(schedule);
}

// Absolute, so that it means the same the next time.
std::string folder_of(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::absolute(path, ignored).parent_path().lexically_normal().string();
}

// What was run in one go: the first is opened, the others stand beside it.
void show_runs(Session& session, std::vector<Trace> traces, const std::string& path) {
  const auto stopped = std::find_if(traces.begin(), traces.end(),
                                    [](const Trace& trace) { return trace.stopped.has_value(); });
  if (stopped != traces.end()) session.set_up_error = stopped->stopped;
  try {
    if (!path.empty()) save_trace(traces[0], path);
  } catch (const Error& error) {
    session.set_up_error = error.message();
  }
  show_trace(session, std::move(traces[0]), path);
  try {
    for (std::size_t i = 1; i < traces.size(); ++i) compare_with(session, std::move(traces[i]), "");
  } catch (const Error& error) {
    session.set_up_error = error.message();
  }
}

void finish_run(Session& session) {
  BackgroundRun::Outcome outcome = session.run->take();
  session.run.reset();
  if (Message* why = std::get_if<Message>(&outcome))
    session.set_up_error = *why;
  else
    show_runs(session, std::get<std::vector<Trace>>(std::move(outcome)),
              std::string(value_of(session.set_up, "output")));
  session.failure = session.set_up_error;
  session.set_up_shown = session.set_up_error.has_value();
}

// At their start, on the clock that is chosen.
void replay_from_start(Session& session) {
  std::vector<Moments> moments;
  std::int32_t rounds = 0;
  for (const OpenTrace* shown : shown_traces(session)) {
    moments.push_back(shown->moments);
    rounds = std::max(rounds, shown->replay.rounds());
  }
  restart(session.playback, rounds, joined(moments));
}

}  // namespace

Session::Session(const Language& chosen_language, const Fonts& loaded_fonts)
    : fonts(&loaded_fonts),
      language(&chosen_language),
      theme(&light_theme()),
      view(&views().front()) {}

void open_file(Session& session, const std::string& path) {
  show_trace(session, load_trace(path), path);
}

void show_trace(Session& session, Trace trace, std::string path) {
  auto open = std::make_shared<const OpenTrace>(std::move(trace), std::move(path));
  session.view = view_for(session, open->trace.schedule);
  session.selection = {};
  session.zoom.reset();
  session.compared.clear();
  session.open = std::move(open);
  replay_from_start(session);
  if (!session.open->path.empty()) session.last_folder = folder_of(session.open->path);
}

void compare_with(Session& session, Trace trace, std::string path) {
  auto beside = std::make_shared<const OpenTrace>(std::move(trace), std::move(path));
  if (session.compared.size() + 1 >= most_stages)
    throw Error({"error.window.stages", {{"stages", std::to_string(most_stages)}}});
  require_same_data(session.open->trace, beside->trace);
  session.compared.push_back(std::move(beside));
  session.selection.transfer = -1;
  session.zoom.reset();
  replay_from_start(session);
}

void open_files(Session& session, std::span<const std::string> paths) {
  if (paths.empty()) return;
  open_file(session, paths[0]);
  for (const std::string& path : paths.subspan(1)) compare_with(session, load_trace(path), path);
}

void end_comparison(Session& session) {
  session.compared.clear();
  replay_from_start(session);
}

TimeSpan shown_time(const Session& session) {
  return session.zoom.value_or(TimeSpan{0, session.playback.moments.end});
}

void follow_head(Session& session) {
  if (!session.zoom || !session.playback.measured) return;
  const std::int64_t head = nanoseconds_of(session.playback);
  const TimeSpan shown = *session.zoom;
  if (head >= shown.from && head <= shown.to) return;
  constexpr std::int64_t margin = 10;  // a tenth of what is shown stands before the play head
  const std::int64_t from = head - (shown.to - shown.from) / margin;
  session.zoom = panned(shown, from - shown.from, session.playback.moments.end);
}

void start_run(Session& session) {
  session.set_up_error.reset();
  session.run = std::make_unique<BackgroundRun>(runs_of(session.set_up), session.wake);
}

void show_toast(Session& session, Message message, bool error) {
  session.toast = Toast{std::move(message), error, error ? error_toast_seconds : toast_seconds};
}

void advance(Session& session, double seconds) {
  if (runs(session.playback)) {
    advance(session.playback, seconds);
    follow_head(session);
  }
  if (session.toast && (session.toast->seconds_left -= seconds) <= 0) session.toast.reset();
  if (session.set_up_shown && !session.engine_list)
    session.engine_list = std::make_unique<EngineList>(session.wake);
  if (session.run && session.run->done()) finish_run(session);
  if (session.exporting && session.exporting->done()) finish_export(session);
}

bool busy(const Session& session) {
  return runs(session.playback) || session.run || session.exporting ||
         (session.engine_list && !session.engine_list->is_known()) || session.requests.screenshot ||
         session.requests.size;
}

std::vector<const View*> fitting_views(const Session& session) {
  std::vector<const View*> fitting;
  for (const View& view : views())
    if (!session.open || view.fits(session.open->trace.schedule)) fitting.push_back(&view);
  return fitting;
}

std::vector<const OpenTrace*> shown_traces(const Session& session) {
  std::vector<const OpenTrace*> shown;
  if (session.open) shown.push_back(session.open.get());
  for (const auto& beside : session.compared) shown.push_back(beside.get());
  return shown;
}

ReplayState state_of(const Session& session) {
  const Replay& replay = session.open->replay;
  return session.playback.measured ? replay.at_time(nanoseconds_of(session.playback))
                                   : replay.at(cursor_of(session.playback));
}

ViewContext context_of(const Session& session, Size size, double scale) {
  return {.replay = session.open->replay,
          .theme = *session.theme,
          .fonts = *session.fonts,
          .language = *session.language,
          .size = size,
          .scale = scale,
          .selection = session.selection,
          .zoom = session.zoom};
}

namespace {

Figure comparison_figure(const Session& session, Size size) {
  std::vector<const Replay*> replays;
  for (const OpenTrace* shown : shown_traces(session)) replays.push_back(&shown->replay);
  const Playback& playback = session.playback;
  const std::vector<ComparedRun> runs = playback.measured
                                            ? compared_at_time(replays, nanoseconds_of(playback))
                                            : compared_at(replays, cursor_of(playback));
  return draw_comparison({*session.theme, *session.fonts, *session.language, size}, runs);
}

}  // namespace

std::optional<Figure> stage_figure(const Session& session, Size size, double scale) {
  if (!session.open) return std::nullopt;
  if (!session.compared.empty()) return comparison_figure(session, size);
  return session.view->draw(context_of(session, size, scale), state_of(session));
}

std::string picture_path(const Session& session) {
  namespace fs = std::filesystem;
  const Trace& trace = session.open->trace;
  const bool alone = session.compared.empty();
  const std::string round = alone ? round_name(trace.schedule, session.playback.round - 1)
                                  : std::to_string(session.playback.round);
  const std::string moment =
      session.playback.measured
          ? fmt::format("at-{}us", static_cast<double>(nanoseconds_of(session.playback)) / 1000)
          : "round-" + round;
  std::string what = trace.schedule.algorithm;
  for (const auto& beside : session.compared) what += '-' + beside->trace.schedule.algorithm;
  const std::string stem =
      fmt::format("{}-{}-{}", what, alone ? session.view->name : "compared", moment);
  const fs::path folder = session.last_folder.empty() ? folder_of("picture") : session.last_folder;
  fs::path path = folder / (stem + ".png");
  std::error_code ignored;  // a folder that can't be read fails when the picture is written
  for (int number = 2; fs::exists(path, ignored); ++number)
    path = folder / fmt::format("{}-{}.png", stem, number);
  return path.string();
}

}  // namespace ringscope
