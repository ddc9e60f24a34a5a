// All that the window knows: what is open, where the replay stands, what is shown and how. No
// ImGui and no OpenGL, so that commands and scripts can be tested without a display.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/background_export.h"
#include "app/window/background_run.h"
#include "app/window/engine_list.h"
#include "app/window/export_form.h"
#include "app/window/set_up.h"
#include "core/figure/views.h"
#include "core/replay/playback.h"

namespace ringscope {

// A trace and its replay, which refers to it: never moved.
struct OpenTrace {
  OpenTrace(Trace recorded, std::string file)
      : trace(std::move(recorded)),
        replay(trace),
        moments(moments_of(trace)),
        path(std::move(file)) {}
  OpenTrace(const OpenTrace&) = delete;
  OpenTrace& operator=(const OpenTrace&) = delete;

  const Trace trace;
  const Replay replay;
  const Moments moments;
  const std::string path;  // empty: recorded just now
};

// A line that is shown for a while.
struct Toast {
  Message message;
  bool error = false;
  double seconds_left = 0;
};

// What only the window itself can do, asked for by commands; it clears each when done.
struct WindowRequests {
  std::optional<std::string> screenshot;  // path of a PNG of all that the window shows
  std::optional<Size> size;
  bool quit = false;
};

struct Session {
  Session(const Language& language, const Fonts& fonts);

  const Fonts* fonts;
  const Language* language;
  const Theme* theme;
  const View* view;
  std::shared_ptr<const OpenTrace> open;  // null: nothing yet; an export keeps it, too
  // What stands beside it on the stage, on the same data; empty: it is alone.
  std::vector<std::shared_ptr<const OpenTrace>> compared;
  Playback playback;
  Selection selection;           // of what is open
  std::optional<TimeSpan> zoom;  // what a timeline shows; nothing: the whole run

  bool set_up_shown = false;
  bool help_shown = false;
  bool views_shown = false;  // the menu of views
  bool presenting = false;
  SetUp set_up;
  std::optional<Message> set_up_error;
  std::unique_ptr<EngineList> engine_list;  // from when the set-up is first shown
  std::unique_ptr<BackgroundRun> run;       // while one is running
  bool export_shown = false;
  ExportForm export_form;
  std::optional<Message> export_error;
  std::unique_ptr<BackgroundExport> exporting;  // while files are being written

  std::optional<Toast> toast;
  std::optional<Message> failure;  // of what ends later than its command; a script stops at it
  std::string last_folder;         // where a picture goes that nobody named
  // The stage as it was last drawn: what is saved is what was seen.
  Size stage_size{1920, 1080};
  double stage_scale = 1;
  WindowRequests requests;
  std::function<void()> wake;  // called from other threads: there is something new to show
};

// Replaces what is open. Throws Error, and then nothing has changed.
void open_file(Session& session, const std::string& path);
void show_trace(Session& session, Trace trace, std::string path);

// Puts a record beside what is open, on the same clock, from its start. Throws Error where its data
// are others or the stage is full, and then nothing has changed.
void compare_with(Session& session, Trace trace, std::string path);
// Opens the first file, and the others beside it.
void open_files(Session& session, std::span<const std::string> paths);
// Leaves what was open first alone on the stage.
void end_comparison(Session& session);

// What of the run a timeline shows.
TimeSpan shown_time(const Session& session);
// Moves it, where the play head is out of sight.
void follow_head(Session& session);

// Starts what the set-up says. Throws Error (usage) where a value can't be read.
void start_run(Session& session);

// Writes what the export's form says of what is shown. Throws Error (usage) where a value can't be
// read.
void start_export(Session& session);
// Takes what has ended.
void finish_export(Session& session);
// The present moment as it would be exported, at most as large as the room. Nothing where nothing
// is open or the form can't be read.
std::optional<Figure> preview_figure(const Session& session, Size room);

void show_toast(Session& session, Message message, bool error);

// Lets time pass: the replay, the toast, a run that has ended.
void advance(Session& session, double seconds);
// Whether something is under way that ends by itself.
bool busy(const Session& session);

// The views that can show what is open.
std::vector<const View*> fitting_views(const Session& session);
// All that stand beside one another on the stage.
std::vector<const OpenTrace*> shown_traces(const Session& session);
// The moment that is shown, on the clock that is chosen.
ReplayState state_of(const Session& session);
// What views need besides it, to draw what is open.
ViewContext context_of(const Session& session, Size size, double scale);
// The stage as a figure. Nothing where nothing is open.
std::optional<Figure> stage_figure(const Session& session, Size size, double scale);
// 'ring-round-1.2.png' beside what is open, another name where that one is taken.
std::string picture_path(const Session& session);

}  // namespace ringscope
