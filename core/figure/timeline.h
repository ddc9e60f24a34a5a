// The timeline as it is laid out: which ranks have a lane, where a time lies, and what is said of
// where the time went.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/figure/stage.h"

namespace ringscope {

struct Timeline {
  Scene& scene;
  const TimeSpent& times;
  TimeSpan shown;                   // nanoseconds
  std::vector<std::int32_t> ranks;  // with a lane, from the top
  Rect plot;                        // x is time
  double pitch = 0;                 // from lane to lane
  double bar = 0;                   // height of a bar

  double x_of(std::int64_t nanoseconds) const;  // also outside the plot
  double units_of(std::int64_t nanoseconds) const { return x_of(nanoseconds) - x_of(0); }
  double middle_of(std::size_t lane) const {
    return plot.y + (static_cast<double>(lane) + 0.5) * pitch;
  }
  Rect bar_of(std::size_t lane, std::int64_t from, std::int64_t to) const;
  bool in_sight(std::int64_t from, std::int64_t to) const {
    return to >= shown.from && from <= shown.to;
  }
};

// All ranks up to most_lanes; beyond, some of them: the chosen transfer's, those that hold the
// critical path the longest, and those that waited the longest.
inline constexpr std::int32_t most_lanes = 64, chosen_lanes = 18;
std::vector<std::int32_t> lanes_of(const Scene& scene, std::int32_t most = most_lanes,
                                   std::int32_t chosen = chosen_lanes);

// What each lane's time went into, and the critical path under the bars. `below_words` draws what
// nothing but words lies on.
void draw_lanes(Timeline& timeline, const std::function<void()>& below_words);
// How a piece is filled; shared by lanes, legend and panel.
Fill fill_of(const Scene& scene, Spent spent, Action action);
Stroke stroke_of(const Scene& scene, Spent spent);
// The rank whose port out a wait was for, where ports were paced; else -1.
std::int32_t port_waited_for(const Scene& scene, const Piece& piece);
Action action_of(const Scene& scene, const Piece& piece);

// 'Critical path 409 us = 120 us late + 284 us moving + 5 us between.'
std::string path_text(const Scene& scene);
// 'Everybody waits for GPU 2.', where that is so; else who waits for whom, or which rank holds the
// path for what share of the time.
std::string waiting_title(const Scene& scene);
// How the lateness went from rank to rank, and its share of the path; may be empty.
std::string waiting_text(const Scene& scene);

}  // namespace ringscope
