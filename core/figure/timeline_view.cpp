// Measured time: a lane a rank, what it did from the start to the end, the rounds above, the
// critical path.
#include <algorithm>
#include <cmath>

#include "core/figure/lines.h"
#include "core/figure/time_axis.h"
#include "core/figure/timeline.h"
#include "core/replay/symbols.h"

namespace ringscope {
namespace {

constexpr double margin = 32, top = 24;
constexpr double legend_row = 36, swatch = 40;
constexpr double span_row = 30, span_gap = 4, thin_row = 8;
constexpr double head_row = 40;           // of the play head's time
constexpr double axis = 44, bottom = 24;  // labels of ticks, and what is left free below them
constexpr double highest_pitch = 150, highest_bar = 64;

TextStyle body(Color color, Align align = Align::left) {
  return {size::body, Face::sans, align, color};
}

// The signs that the run has, with the id of what they mean.
struct Sign {
  std::string_view id;
  Spent spent;
  Action action = Action::reduce;
  bool path = false;
};

std::vector<Sign> signs_of(const Scene& scene) {
  const TimeSpent& times = scene.replay.times();
  const auto some = [&](Spent spent) {
    return std::any_of(times.by_rank.begin(), times.by_rank.end(),
                       [&](const TimeBySpent& of_rank) { return time_of(of_rank, spent) > 0; });
  };
  bool fused = false, staged = false, copied = false;
  const Plan& plan = scene.replay.plan();
  for (std::size_t t = 0; t < scene.schedule.transfers.size(); ++t) {
    const bool reduces = scene.schedule.transfers[t].action == Action::reduce;
    copied = copied || !reduces;
    (plan.first_part[t] == plan.last_part[t] ? fused : staged) |= reduces;
  }
  const bool sums = adds(scene.trace.run.op);
  std::vector<Sign> signs;
  if (fused) signs.push_back({sums ? "time.legend.adds" : "time.legend.combines", Spent::moving});
  if (staged) {
    if (!fused) signs.push_back({"time.legend.moves", Spent::moving});
    signs.push_back({sums ? "time.legend.added" : "time.legend.combined", Spent::adding});
  }
  if (copied) signs.push_back({"time.legend.overwrites", Spent::moving, Action::copy});
  if (some(Spent::copying)) signs.push_back({"time.legend.copying", Spent::copying});
  if (some(Spent::waiting)) signs.push_back({"time.legend.waits", Spent::waiting});
  if (some(Spent::late) || some(Spent::delayed))
    signs.push_back({"time.legend.sleeps", Spent::late});
  if (some(Spent::stopped)) signs.push_back({"time.legend.stopped", Spent::stopped});
  if (!scene.schedule.transfers.empty())
    signs.push_back({"time.legend.path", Spent::ended, Action::reduce, true});
  return signs;
}

// In columns of three, at the right; returns where it begins.
double draw_legend_of(Scene& scene) {
  Drawing& drawing = scene.drawing;
  const std::vector<Sign> signs = signs_of(scene);
  constexpr std::size_t rows = 3;
  double x = scene.stage.width - margin;
  for (std::size_t column = (signs.size() + rows - 1) / rows; column-- > 0;) {
    double width = 0;
    const std::size_t first = column * rows, end = std::min(signs.size(), first + rows);
    for (std::size_t i = first; i < end; ++i)
      width = std::max(width, drawing.width(scene.language.text(signs[i].id), body({})));
    x -= swatch + 12 + width;
    for (std::size_t i = first; i < end; ++i) {
      const Sign& sign = signs[i];
      const double y = top + legend_row * static_cast<double>(i - first);
      const std::string id = "legend" + std::to_string(i);
      const Rect rect{x, y + 4, swatch, legend_row - 12};
      if (sign.path)
        drawing.line(id, {x, rect.center().y}, {x + swatch, rect.center().y},
                     {scene.theme.accent, 4});
      else
        drawing.box(id, rect, 4, fill_of(scene, sign.spent, sign.action),
                    stroke_of(scene, sign.spent));
      const TextStyle style = body(scene.theme.ink);
      drawing.text(id + "-words",
                   {x + swatch + 12, rect.center().y + drawing.cap_height(style) / 2},
                   scene.language.text(sign.id), style);
    }
    x -= 28;
  }
  return x;
}

// Title, what a lane is, where the critical path's time went. Returns its height.
double draw_header(Timeline& timeline) {
  Scene& scene = timeline.scene;
  Drawing& drawing = scene.drawing;
  const Language& language = scene.language;
  const double room = draw_legend_of(scene) - margin;
  drawing.text("title", {margin, top + 34}, language.text("time.title"),
               {size::huge, Face::bold, Align::left, scene.theme.ink});
  const bool all = std::ssize(timeline.ranks) == scene.schedule.ranks;
  const std::string subtitle =
      all ? language.text("time.subtitle")
          : language.text(
                "time.subtitle_chosen",
                {{"shown", std::to_string(timeline.ranks.size())},
                 {"ranks", language.integer(static_cast<std::uint64_t>(scene.schedule.ranks))}});
  const std::vector<std::string> lines = balanced_lines(drawing, subtitle, body({}), room);
  for (std::size_t i = 0; i < lines.size(); ++i)
    drawing.text("subtitle" + std::to_string(i), {margin, top + 70 + 30 * static_cast<double>(i)},
                 lines[i], body(scene.theme.quiet));
  double y = top + std::max(3 * legend_row, 70 + 30 * static_cast<double>(lines.size()) - 14) + 22;
  const std::vector<std::string> path =
      drawing.wrap(path_text(scene), body({}), scene.stage.width - 2 * margin);
  for (std::size_t i = 0; i < path.size(); ++i, y += 30)
    drawing.text("path.words" + std::to_string(i), {margin, y}, path[i], body(scene.theme.ink));
  return y - 14;
}

// A span of time in the band above the lanes.
struct Span {
  std::int64_t from, to;
  std::string name;
  bool copies = false;
  bool marked = false;
  std::size_t row = 0;
};

// Each in the first row where it has room; how many rows there are.
std::size_t place_in_rows(std::vector<Span>& spans) {
  std::vector<std::int64_t> taken;
  for (Span& span : spans) {
    span.row = 0;
    while (span.row < taken.size() && taken[span.row] > span.from) ++span.row;
    if (span.row == taken.size()) taken.push_back(0);
    taken[span.row] = span.to;
  }
  return taken.size();
}

bool copies_in(const Scene& scene, std::int32_t round) {
  const std::vector<std::uint32_t> transfers = scene.replay.transfers_of_round(round);
  return !transfers.empty() && scene.schedule.transfers[transfers[0]].action == Action::copy;
}

std::vector<Span> spans_of_rounds(const Scene& scene) {
  std::vector<Span> spans;
  const std::vector<RoundTime>& rounds = scene.replay.times().rounds;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    if (!rounds[i].done) continue;
    const auto round = static_cast<std::int32_t>(i);
    const bool marked = !scene.state.measured && scene.state.cursor.round == round + 1;
    spans.push_back({rounds[i].from, rounds[i].to, round_name(scene.schedule, round),
                     copies_in(scene, round), marked});
  }
  return spans;
}

std::vector<Span> spans_of_phases(const Scene& scene) {
  std::vector<Span> spans;
  for (const Phase& phase : scene.schedule.phases) {
    const std::string id = "phase." + phase.id;
    Span span{0, 0, scene.language.has(id) ? scene.language.text(id) : phase.id};
    bool done = false;
    for (std::int32_t round = phase.first_round; round < phase.first_round + phase.round_count;
         ++round) {
      const RoundTime& time = scene.replay.times().rounds[static_cast<std::size_t>(round)];
      if (!time.done) continue;
      span.from = done ? std::min(span.from, time.from) : time.from;
      span.to = std::max(span.to, time.to);
      span.copies = copies_in(scene, round);
      span.marked = span.marked || (!scene.state.measured && scene.state.cursor.round == round + 1);
      done = true;
    }
    if (done) spans.push_back(span);
  }
  return spans;
}

struct Band {
  std::vector<Span> spans;
  std::string_view title = "time.rounds";
  double pitch = span_row + span_gap;
  double height = 0;
};

// Rounds where they fit into a few rows, else thin ones, else phases.
Band band_of(const Scene& scene) {
  constexpr std::size_t most_rows = 3, most_thin = 12, most_spans = 200;
  Band band{spans_of_rounds(scene)};
  std::size_t rows = place_in_rows(band.spans);
  if (rows > most_thin || band.spans.size() > most_spans) {
    band.spans = spans_of_phases(scene);
    band.title = "time.phases";
    rows = place_in_rows(band.spans);
  } else if (rows > most_rows) {
    band.pitch = thin_row;
  }
  band.height = static_cast<double>(rows) * band.pitch;
  return band;
}

void draw_band(Timeline& timeline, const Band& band, double y) {
  Scene& scene = timeline.scene;
  Drawing& drawing = scene.drawing;
  if (band.spans.empty()) return;
  const TextStyle title{size::body, Face::bold, Align::left, scene.theme.ink};
  drawing.text("rounds",
               {margin, y + band.height / 2 - span_gap / 2 + drawing.cap_height(title) / 2},
               scene.language.text(band.title), title);
  const bool thin = band.pitch < span_row;
  for (std::size_t i = 0; i < band.spans.size(); ++i) {
    const Span& span = band.spans[i];
    if (!timeline.in_sight(span.from, span.to)) continue;
    Rect rect = timeline.bar_of(0, span.from, span.to);
    rect.y = y + static_cast<double>(span.row) * band.pitch;
    rect.height = band.pitch - (thin ? 2 : span_gap);
    const std::string id = "round" + std::to_string(i);
    drawing.box(id, rect, thin ? 2 : 4,
                {span.copies ? scene.theme.phase_odd : scene.theme.phase_even, transparent},
                {scene.theme.ink, span.marked      ? 4.0
                                  : rect.width > 4 ? 1.0
                                                   : 0.0},
                {.title = span.name + ", " + scene.language.duration(span.from) + " – " +
                          scene.language.duration(span.to)});
    const TextStyle style{size::body, span.marked ? Face::bold : Face::sans, Align::center,
                          scene.theme.ink};
    if (!thin && drawing.width(span.name, style) <= rect.width - 8)
      drawing.label(id + ".name", rect, span.name, style);
  }
}

void draw_axis(Timeline& timeline) {
  Scene& scene = timeline.scene;
  Drawing& drawing = scene.drawing;
  const Rect& plot = timeline.plot;
  const TextStyle style = body(scene.theme.ink, Align::center);
  const auto width = [&](const std::string& text) { return drawing.width(text, style) + 32; };
  const std::vector<TimeTick> ticks =
      time_ticks(static_cast<double>(timeline.shown.from), static_cast<double>(timeline.shown.to),
                 plot.width, width);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const double x = timeline.x_of(std::llround(ticks[i].nanoseconds));
    const std::string id = "tick" + std::to_string(i);
    drawing.line(id, {x, plot.y}, {x, plot.bottom() + 6}, {scene.theme.rule, 1});
    const double half = drawing.width(ticks[i].label, style) / 2;
    const double middle = std::min(x, scene.stage.width - 8 - half);
    drawing.text(id + "-label", {middle, plot.bottom() + 34}, ticks[i].label, style);
  }
}

// The moment: a line with its time. On the clock of rounds, the time that the round took.
void mark_round(Timeline& timeline) {
  const Scene& scene = timeline.scene;
  if (scene.state.measured || scene.state.cursor.round <= 0) return;
  const RoundTime& round =
      timeline.times.rounds[static_cast<std::size_t>(scene.state.cursor.round) - 1];
  if (!round.done || !timeline.in_sight(round.from, round.to)) return;
  Rect rect = timeline.bar_of(0, round.from, round.to);
  rect.y = timeline.plot.y, rect.height = timeline.plot.height;
  timeline.scene.drawing.box("round.marked", rect, 0,
                             {mix(scene.theme.surface, scene.theme.warm, 0.7), transparent});
}

void draw_play_head(Timeline& timeline) {
  Scene& scene = timeline.scene;
  Drawing& drawing = scene.drawing;
  const std::int64_t now = scene.state.nanoseconds;
  if (!scene.state.measured || !timeline.in_sight(now, now)) return;
  const double x = timeline.x_of(now);
  drawing.line("head", {x, timeline.plot.y - 8}, {x, timeline.plot.bottom()}, {scene.theme.ink, 3});
  const TextStyle style{size::body, Face::bold, Align::center, scene.theme.surface};
  const std::string time = scene.language.duration(now);
  const double width = drawing.width(time, style) + 24;
  const double left = std::clamp(x - width / 2, 8.0, scene.stage.width - 8 - width);
  const Rect pill{left, timeline.plot.y - head_row, width, 32};
  drawing.box("head-pill", pill, 8, {scene.theme.ink, transparent});
  drawing.label("head-pill.time", pill, time, style);
}

// Of the names of the GPUs, left of the plot.
double heads_width(const Timeline& timeline) {
  const Scene& scene = timeline.scene;
  const std::string name =
      scene.language.text("view.gpu", {{"rank", std::to_string(timeline.ranks.back())}});
  return std::max(120.0, 24 + scene.drawing.width(name, {.face = Face::bold}) + 16);
}

}  // namespace

Figure draw_timeline(const ViewContext& context, const ReplayState& state) {
  Scene scene(context, state, fit_stage(context, least_stage), false);
  Timeline timeline{scene, scene.replay.times(), {}, lanes_of(scene), {}};
  timeline.shown =
      context.zoom.value_or(TimeSpan{0, std::max<std::int64_t>(timeline.times.end, 1)});
  const double header = draw_header(timeline);
  const double heads = heads_width(timeline);
  const Band band = band_of(scene);
  const double y = header + band.height + head_row + 8;
  const double room = scene.stage.height - axis - bottom - y;
  timeline.pitch = std::min(highest_pitch, room / static_cast<double>(timeline.ranks.size()));
  timeline.bar = std::min(highest_bar, timeline.pitch * (timeline.pitch > 40 ? 0.62 : 0.7));
  timeline.plot = {margin + heads, y, scene.stage.width - 2 * margin - heads,
                   timeline.pitch * static_cast<double>(timeline.ranks.size())};
  mark_round(timeline);
  draw_axis(timeline);
  draw_band(timeline, band, header + 4);
  draw_lanes(timeline, [&] { draw_play_head(timeline); });
  scene.drawing.box("timeline.plot", timeline.plot, 0, {});
  draw_foot(scene);
  return std::move(scene.drawing).finish(scene.theme.surface);
}

}  // namespace ringscope
