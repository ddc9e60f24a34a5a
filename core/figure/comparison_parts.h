// The pieces of a comparison: what all stages share, and what is drawn in each.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/figure/compact_places.h"
#include "core/figure/comparison.h"
#include "core/figure/drawing.h"
#include "core/replay/flows.h"
#include "core/schedule/formulas.h"

namespace ringscope {

struct CompactStage {
  const Replay& replay;
  const ReplayState& state;
  const Trace& trace;
  const Schedule& schedule;
  std::string id;    // 'stage0'
  std::string name;  // 'Ring'
  Flows flows;
  Counts counts;
  bool over = false;  // at its end
  Rect rect;          // in units
};

struct Comparison {
  const ComparisonContext& context;
  const Theme& theme;
  const Language& language;
  Drawing drawing;
  std::vector<CompactStage> stages;
};

// Ranks of a stage that is drawn as cards and links, and as a bar each.
inline constexpr std::int32_t most_cards = 16, most_bars = 64;

// The name of a run: the algorithm's short one, with its engine or a number where several run it.
std::string stage_name(std::span<const Replay* const> replays, std::size_t run,
                       const Language& language);

// Cards and links of every stage, in its rectangle (one for each), links on one scale.
void draw_compact_stages(Comparison& comparison, const std::vector<Rect>& areas);

// In the place of all that, for a run that shows no transfers: that it shows none, and what was
// measured.
void draw_closed_stage(Comparison& comparison, const CompactStage& stage, const Rect& area);

// The cards of one of them.
void draw_compact_cards(Comparison& comparison, const CompactStage& stage,
                        const CompactPlaces& places);

// 'Through each GPU in the whole run': a bar in and a bar out for every rank, on one scale.
void draw_port_bars(Comparison& comparison, const std::vector<Rect>& areas);

// The parts of a flow as bands side by side, from 0 to its total, to be painted in this order: to
// be added, to be copied, and over them what has landed and what is on its way. Some are empty.
struct Band {
  std::string_view id;      // '.landed', behind that of the flow
  double from = 0, to = 0;  // bytes
  Color color;
};
std::array<Band, 4> bands_of(const Theme& theme, const Flow& flow);

}  // namespace ringscope
