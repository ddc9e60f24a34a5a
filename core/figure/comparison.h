// Two or three runs on the same data as stages side by side: what went over each link and through
// each GPU's port, all on one scale. A pure function, as the views are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/figure/figure.h"
#include "core/figure/fonts.h"
#include "core/figure/theme.h"
#include "core/language/language.h"
#include "core/replay/replay.h"

namespace ringscope {

// One stage: a run at its moment.
struct ComparedRun {
  const Replay* replay = nullptr;
  ReplayState state;
};
inline constexpr std::size_t most_stages = 3;

// The moment of each run on a shared clock. Rounds: where a run has fewer, it stays at its end.
std::vector<ComparedRun> compared_at(std::span<const Replay* const> replays, Cursor cursor);
// The same measured time, in nanoseconds from the common start of each.
std::vector<ComparedRun> compared_at_time(std::span<const Replay* const> replays,
                                          std::int64_t nanoseconds);

struct ComparisonContext {
  const Theme& theme;
  const Fonts& fonts;
  const Language& language;
  Size size{1920, 1080};
  bool caption = false;   // a line under the stages: what was run, and on what
  double text_scale = 1;  // as in ViewContext
};

// Two or three runs, from left to right; their data should be the same (require_same_data). All are
// drawn at the clock of the first one's state.
Figure draw_comparison(const ComparisonContext& context, std::span<const ComparedRun> runs);

// The records in one line: which was faster and by how much, and what they have that may explain it
// (the bytes through the busiest port of each, or the rounds). It says nothing that they do not.
struct Takeaway {
  std::string headline;
  std::string detail;  // may be empty
};
Takeaway comparison_takeaway(std::span<const Replay* const> replays, const Language& language);

// 'The ring and the parameter server: 8 x 8 MiB ..., sum. 8 ranks on 8 CPU threads.' What differs
// in how they were run is said.
std::string comparison_caption(std::span<const Replay* const> replays, const Language& language);

// 'The ring and the parameter server', for a title.
std::string comparison_title(std::span<const Replay* const> replays, const Language& language);

}  // namespace ringscope
