// Views are pure functions from a moment of a replay to a Figure. One row a view.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/figure/figure.h"
#include "core/figure/fonts.h"
#include "core/figure/theme.h"
#include "core/language/language.h"
#include "core/replay/replay.h"

namespace ringscope {

// What a person has chosen: marked in every view.
struct Selection {
  std::int32_t transfer = -1;  // of the schedule; -1: none
  std::int32_t chunk = 0;      // whose journey and additions are shown

  bool operator==(const Selection&) const = default;
};

// Nanoseconds from the common start.
struct TimeSpan {
  std::int64_t from = 0;
  std::int64_t to = 0;

  bool operator==(const TimeSpan&) const = default;
};

// What cells say of what they hold, besides their slots.
enum class CellText : std::uint8_t { both, symbols, numbers };

// What every view needs besides the moment.
struct ViewContext {
  const Replay& replay;
  const Theme& theme;
  const Fonts& fonts;
  const Language& language;
  Size size{1920, 1080};
  double scale = 1;  // of text and spacings: 1 at 1080p
  bool caption =
      false;  // a line under the drawing: what was run, on what, and whether it is verified
  Selection selection = {};
  CellText cell_text = CellText::both;
  std::optional<TimeSpan> zoom = {};  // what a timeline shows; nothing: the whole run
  double text_scale = 1;  // how much larger than usual a stage's text is, as far as there is room
};

using ViewFunction = Figure (*)(const ViewContext& context, const ReplayState& state);
struct View {
  std::string_view name;  // 'ring', 'matrix'; its title is the text 'view.<name>'
  ViewFunction draw;
  ViewFunction panel;                      // what stands beside it in the window
  bool (*fits)(const Schedule& schedule);  // whether the view can show such a schedule
};
std::span<const View> views();
// Throws Error (usage) that lists the names.
const View& view_named(std::string_view name);
// The one that shows best what the algorithm is, where it can show the schedule; else the matrix,
// which shows any.
const View& first_view_of(const Schedule& schedule);

Figure draw_ring(const ViewContext& context, const ReplayState& state);
Figure draw_tree(const ViewContext& context, const ReplayState& state);
Figure draw_star(const ViewContext& context, const ReplayState& state);
Figure draw_ring_and_matrix(const ViewContext& context, const ReplayState& state);
Figure draw_groups(const ViewContext& context, const ReplayState& state);
Figure draw_hypercube(const ViewContext& context, const ReplayState& state);
// What the ranks began and ended with, where nothing between is seen; beside it what was measured.
Figure draw_opaque(const ViewContext& context, const ReplayState& state);
Figure draw_opaque_panel(const ViewContext& context, const ReplayState& state);
Figure draw_matrix(const ViewContext& context, const ReplayState& state);
// Measured time, a lane a rank; on its panel the selected transfer and where the time went.
Figure draw_timeline(const ViewContext& context, const ReplayState& state);
Figure draw_timeline_panel(const ViewContext& context, const ReplayState& state);
// The way of the chosen chunk from rank to rank, and the order in which it was added up.
Figure draw_journey(const ViewContext& context, const ReplayState& state);
Figure draw_additions(const ViewContext& context, const ReplayState& state);
// What this round does: a sentence, each transfer's arithmetic, what each GPU has sent, the legend.
// As tall as its content, so that the window can scroll it.
Figure draw_round_panel(const ViewContext& context, const ReplayState& state);
// The same beside a ring, whose slots stand in columns where there are many.
Figure draw_ring_panel(const ViewContext& context, const ReplayState& state);

// 'Ring all-reduce of 4 x 64 B (16 x f32), sum. 4 ranks on 4 CPU threads. Whole run 31.2 us,
// verified ...'
std::string run_title(const Trace& trace, const Language& language);
// 'Round 1.2', 'Start'; 'scatter-reduce, 2 of 3'; the sentence of the round at its beat.
std::string round_title(const ReplayState& state, const Trace& trace, const Language& language);
std::string round_subtitle(const ReplayState& state, const Trace& trace, const Language& language);
std::string round_sentence(const ReplayState& state, const Replay& replay,
                           const Language& language);

}  // namespace ringscope
