// What of the session leaves it as files.
#include <algorithm>
#include <filesystem>

#include "app/window/session.h"
#include "core/export/deck_source.h"

namespace ringscope {
namespace {

// What the form says of what is shown. Throws Error (usage).
DeckSettings chosen_settings(const Session& session) {
  DeckSettings settings = settings_of(session.export_form, session.open->trace.schedule);
  for (const OpenTrace* shown : shown_traces(session))
    settings.last_round = std::max(settings.last_round, shown->replay.rounds());
  if (value_of(session.export_form, "rounds") == "this")
    settings.first_round = settings.last_round = session.playback.round;
  settings.view = session.view;
  if (settings.folder.empty() || settings.folder == ".")
    settings.folder = session.last_folder.empty() ? "." : session.last_folder;
  namespace fs = std::filesystem;
  settings.name = session.open->path.empty() ? session.open->trace.schedule.algorithm
                                             : fs::path(session.open->path).stem().string();
  return settings;
}

}  // namespace

void start_export(Session& session) {
  session.export_error.reset();
  std::vector<std::shared_ptr<const OpenTrace>> shown{session.open};
  shown.insert(shown.end(), session.compared.begin(), session.compared.end());
  session.exporting = std::make_unique<BackgroundExport>(std::move(shown), *session.language,
                                                         chosen_settings(session), session.wake);
}

void finish_export(Session& session) {
  const std::string folder = session.exporting->folder();
  std::variant<DeckResult, Message> outcome = session.exporting->take();
  session.exporting.reset();
  if (const Message* why = std::get_if<Message>(&outcome)) {
    session.export_error = session.failure = *why;
    session.export_shown = true;
    return;
  }
  const DeckResult& result = std::get<DeckResult>(outcome);
  session.export_shown = false;
  if (!result.notes.empty())
    show_toast(session, result.notes.front(), false);
  else
    show_toast(
        session,
        {"window.exported", {{"files", std::to_string(result.files.size())}, {"folder", folder}}},
        false);
}

std::optional<Figure> preview_figure(const Session& session, Size room) {
  if (!session.open) return std::nullopt;
  DeckSettings settings;
  try {
    settings = chosen_settings(session);
  } catch (const Error&) {
    return std::nullopt;  // said where the export is asked for
  }
  std::vector<const Replay*> replays;
  for (const OpenTrace* shown : shown_traces(session)) replays.push_back(&shown->replay);
  const double scale =
      std::min(room.width / settings.size.width, room.height / settings.size.height);
  const Playback& playback = session.playback;
  const DeckMoment moment{.measured = playback.measured,
                          .cursor = cursor_of(playback),
                          .nanoseconds = playback.measured ? nanoseconds_of(playback) : 0};
  return DeckSource(replays, settings.view)
      .figure(moment, {*settings.theme,
                       *session.fonts,
                       *session.language,
                       {settings.size.width * scale, settings.size.height * scale},
                       settings.caption,
                       settings.cell_text,
                       settings.text_scale});
}

}  // namespace ringscope
