// What all stages share: the moment that is drawn, the heading in the middle (round, phase, three
// beats, sentence) and the foot (what went wrong, trouble, caption).
#pragma once

#include <string>
#include <vector>

#include "core/figure/drawing.h"
#include "core/figure/views.h"

namespace ringscope {

// A sentence under the stage.
struct FootLine {
  std::string id, text;
  bool wrong = false;
  std::vector<std::string> lines = {};  // the text, broken to the stage's width
};

// How a stage fills its picture.
struct StageFit {
  double unit = 1;  // pixels
  std::vector<FootLine> foot = {};
};
// `least`: the room for the stage without its foot, in units, with which a view can do. Text gets
// as large as the context asks for, but for that much room.
inline constexpr Size least_stage{1100, 560};
// `with_links`: its links' lines say which way data go, which the caption explains.
StageFit fit_stage(const ViewContext& context, Size least, bool with_links = false);
// That room; of at most `few` ranks less.
Size least_stage_of(const ViewContext& context, std::int32_t few);
double foot_height(const std::vector<FootLine>& foot);

// The moment with what a drawing asks of it again and again.
struct Scene {
  // Views that show no cells need not look at them.
  Scene(const ViewContext& view_context, const ReplayState& replay_state, StageFit fit,
        bool with_cells = true);

  const ViewContext& context;
  const ReplayState& state;
  const Replay& replay;
  const Trace& trace;
  const Schedule& schedule;
  const Theme& theme;
  const Language& language;
  Beat beat;
  std::vector<CellView>
      cells;  // [rank * C + chunk]; empty where there are more than are drawn, or none
  Drawing drawing;

  const CellView& cell(std::int32_t rank, std::int32_t chunk) const {
    return cells[static_cast<std::size_t>(rank) * static_cast<std::size_t>(schedule.chunks) +
                 static_cast<std::size_t>(chunk)];
  }
  // Whether the transfer, or one that belongs to the same step of its link, is selected.
  bool selects(std::uint32_t transfer) const;
  // Round what travels: the accent, where selected heavy ink.
  Stroke chip_stroke(std::uint32_t transfer, double width) const {
    return selects(transfer) ? Stroke{theme.ink, width + 3} : Stroke{theme.accent, width};
  }
  std::int32_t chunk_of(std::uint32_t transfer) const {
    return schedule.transfers[transfer].first_cell / schedule.slices;
  }
  // Contributors of all that arrives in a cell, in the order in which it is added.
  std::vector<std::int32_t> arriving(const CellView& cell) const;
  std::string term_of(std::int32_t rank, std::int32_t chunk) const;
  // The symbol of contributors, in lines of at most `terms` terms.
  std::vector<std::string> symbol_lines(const std::vector<std::int32_t>& contributors,
                                        std::int32_t chunk, bool complete, int terms) const;
  std::string symbol_of(const std::vector<std::int32_t>& contributors, std::int32_t chunk) const;
  // A value in at most `characters`; floating numbers lose digits, long integers become powers of
  // ten.
  std::string value_text(const std::optional<Number>& value, std::size_t characters) const;
  // The whole value, and whether it is the first of several.
  std::string value_title(const CellView& cell) const;

  std::vector<FootLine> foot;
  Rect stage;  // without the foot, in units
  // The same within its margins.
  Rect inside() const { return {32, 20, stage.width - 2 * 32, stage.height - 2 * 20}; }
};

// Rounds, beats and words in the middle of a rectangle. `height` is what it takes.
double heading_height(const Scene& scene, double width);
void draw_heading(Scene& scene, const Rect& area);
// The same from the left, for views that need the room below: title and phase, beside them beats
// and words. Returns what is left of the area below.
Rect draw_heading_row(Scene& scene, const Rect& area);
// The same in two parts, for views that have something in the middle above: title, phase and beats
// on one side, words on the other.
void draw_heading_sides(Scene& scene, const Rect& left, const Rect& right, bool values);
double beats_bottom(const Scene& scene);  // of those at the side, from its top

// Under the stage: contradictions, a wrong result, an early stop, trouble, the caption.
void draw_foot(Scene& scene);

// How many terms a chunk has in the end: all ranks' where it is added up, one where it is copied.
std::int32_t full_terms(const Schedule& schedule, std::int32_t chunk);

// Chips move with this share of their way.
double eased(double fraction);
// For large states: nobody can look at more shades than this a side.
inline constexpr std::int32_t most_shades = 64;

// 'x of y' where chunks are of more than one element; empty else.
std::string elements_of_chunks(const Scene& scene);

}  // namespace ringscope
