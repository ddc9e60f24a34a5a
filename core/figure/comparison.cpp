#include "core/figure/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/figure/captions.h"
#include "core/figure/cells.h"
#include "core/figure/comparison_parts.h"
#include "core/figure/lines.h"
#include "core/figure/views.h"

namespace ringscope {
namespace {

// The window's stage at 1080p.
constexpr Size nominal{1872, 840};
constexpr double margin = 24, between = 24;
constexpr double takeaway_height = 56, legend_height = 44, caption_height = 44, caption_line = 32;
constexpr double header_height = 96, total_height = 44;

bool is_over(const Trace& trace, const ReplayState& state) {
  if (state.measured) return state.nanoseconds >= trace.nanoseconds;
  const std::int32_t rounds = rounds_of(trace.schedule);
  return state.cursor.round >= rounds && beat_of(state.cursor) == Beat::after;
}

std::vector<const Replay*> replays_of(std::span<const ComparedRun> runs) {
  std::vector<const Replay*> replays;
  for (const ComparedRun& run : runs) replays.push_back(run.replay);
  return replays;
}

}  // namespace

std::vector<ComparedRun> compared_at(std::span<const Replay* const> replays, Cursor cursor) {
  std::vector<ComparedRun> runs;
  for (const Replay* const replay : replays)
    runs.push_back({replay, replay->at(cursor.round > replay->rounds() ? Cursor{replay->rounds(), 1}
                                                                       : cursor)});
  return runs;
}

std::vector<ComparedRun> compared_at_time(std::span<const Replay* const> replays,
                                          std::int64_t nanoseconds) {
  std::vector<ComparedRun> runs;
  for (const Replay* const replay : replays) runs.push_back({replay, replay->at_time(nanoseconds)});
  return runs;
}

namespace {

// '✓ done at 30.1 ms'.
struct Status {
  std::string text;
  bool check = false;
};

Status status_of(const Comparison& comparison, const CompactStage& stage) {
  const Language& language = comparison.language;
  const std::string time = language.duration(stage.trace.nanoseconds);
  const std::string rounds = std::to_string(rounds_of(stage.schedule));
  // On the clock of rounds it has none to be in.
  if (stage.trace.opaque && !stage.state.measured)
    return {time, stage.trace.verdict.outcome == Verdict::Outcome::verified};
  if (stage.over && stage.trace.stopped)
    return {language.text("compare.stopped", {{"time", time}})};
  if (stage.over) {
    const bool verified = stage.trace.verdict.outcome == Verdict::Outcome::verified;
    return {stage.state.measured ? language.text("compare.done_at", {{"time", time}})
                                 : language.text("compare.done_after", {{"rounds", rounds}}),
            verified};
  }
  if (stage.state.measured)
    return {language.text("compare.time_of",
                          {{"now", language.duration(stage.state.nanoseconds)}, {"time", time}})};
  if (stage.state.cursor.round == 0) return {language.text("compare.start", {{"rounds", rounds}})};
  return {language.text("compare.round_of",
                        {{"round", std::to_string(stage.state.cursor.round)}, {"rounds", rounds}})};
}

std::string subtitle_of(const Comparison& comparison, const CompactStage& stage) {
  const Language& language = comparison.language;
  if (stage.trace.opaque) return stage.trace.opaque->library;
  if (stage.over)
    return language.text("compare.whole_run",
                         {{"time", language.duration(stage.trace.nanoseconds)},
                          {"rounds", std::to_string(rounds_of(stage.schedule))}});
  if (!stage.state.measured) return round_subtitle(stage.state, stage.trace, language);
  if (stage.state.moving.empty())
    return language.text("compare.all_wait",
                         {{"waiting", language.small_number(stage.state.waits.size())}});
  return language.text("compare.now",
                       {{"moving", language.small_number(stage.state.moving.size())},
                        {"waiting", language.small_number(stage.state.waits.size())}});
}

void draw_header(Comparison& comparison, const CompactStage& stage, const Rect& area) {
  Drawing& drawing = comparison.drawing;
  const Theme& theme = comparison.theme;
  Status status = status_of(comparison, stage);
  const bool wide = area.width > 700;
  TextStyle name{size::huge, Face::bold, Align::left, theme.ink};
  const TextStyle state{wide ? size::large : size::body, Face::bold, Align::right, theme.ink};
  const double check = status.check ? 30 : 0;
  const auto state_width_of = [&](const std::string& words) {
    return drawing.width(words, state) + (status.check ? check + (words.empty() ? 0 : 12) : 0);
  };
  // The name comes first; beside a check mark the line beneath says what was done.
  if (status.check && drawing.width(stage.name, {name.size, name.face}) >
                          area.width - state_width_of(status.text) - 24)
    status.text.clear();
  const double state_width = state_width_of(status.text);
  const double room = area.width - state_width - 24;
  for (const double smaller : {size::large, size::body})
    if (drawing.width(stage.name, name) > room) name.size = smaller;
  drawing.text(stage.id + ".name", {area.x, area.y + 44}, drawing.fit(stage.name, name, room), name,
               {.title = stage.name});
  drawing.text(stage.id + ".status", {area.right(), area.y + 42}, status.text, state);
  if (status.check)
    draw_check(
        drawing, stage.id + ".done",
        {area.right() - state_width + check / 2, area.y + 42 - drawing.cap_height(state) / 2},
        check * 0.8, theme.ink);
  const TextStyle quiet{size::body, Face::sans, Align::left, theme.quiet};
  const std::string subtitle = subtitle_of(comparison, stage);
  drawing.text(stage.id + ".subtitle", {area.x, area.y + 80},
               drawing.fit(subtitle, quiet, area.width), quiet, {.title = subtitle});
}

// Whether 'bytes' are written without rounding.
bool is_exact(const Language& language, std::uint64_t bytes) {
  std::uint64_t unit = 1;
  while (bytes / unit >= 1024) unit *= 1024;
  const double number = static_cast<double>(bytes) / static_cast<double>(unit);
  const std::string text = language.bytes(bytes);
  return std::abs(std::stod(text) - number) < 1e-12 || bytes < 1000;
}

// '56 MiB + 7 × 8 MiB = 112 MiB', as far as that is few terms without rounding.
std::string total_text(const Comparison& comparison, const CompactStage& stage) {
  const Language& language = comparison.language;
  std::map<std::uint64_t, std::uint64_t, std::greater<>> ranks_by_bytes;
  std::uint64_t total = 0;
  for (const Flow& flow : stage.flows.out) ++ranks_by_bytes[flow.total], total += flow.total;
  constexpr std::size_t most_terms = 3;
  bool spelled = ranks_by_bytes.size() <= most_terms && stage.schedule.ranks > 1 && total > 0 &&
                 is_exact(language, total);
  std::string sum;
  for (const auto& [bytes, ranks] : ranks_by_bytes) {
    spelled = spelled && is_exact(language, bytes);
    if (bytes == 0) continue;
    if (!sum.empty()) sum += " + ";
    if (ranks > 1) sum += fmt::format("{} × ", ranks);
    sum += language.bytes(bytes);
  }
  return spelled ? sum + " = " + language.bytes(total) : language.bytes(total);
}

std::uint64_t total_of(const CompactStage& stage) {
  std::uint64_t total = 0;
  for (const Flow& flow : stage.flows.out) total += flow.total;
  return total;
}

std::string ratio_text(double ratio) {
  return ratio < 10 ? fmt::format("{:.3g}", ratio) : fmt::format("{:.0f}", ratio);
}

// Behind the sum of a stage that is not the first, how it stands to the first one's.
std::string relation_of(const Comparison& comparison, const CompactStage& stage) {
  const CompactStage& first = comparison.stages.front();
  const std::uint64_t own = total_of(stage), other = total_of(first);
  if (&stage == &first || other == 0 || first.trace.opaque) return "";
  if (own == other) return comparison.language.text("compare.the_same");
  const double ratio = static_cast<double>(own) / static_cast<double>(other);
  return comparison.language.text("compare.times_as_much", {{"times", ratio_text(ratio)}});
}

void draw_total(Comparison& comparison, const CompactStage& stage, const Rect& area) {
  if (stage.trace.opaque) return;
  const Language& language = comparison.language;
  const TextStyle style{size::body, Face::bold, Align::center, comparison.theme.ink};
  const auto say = [&](const std::string& sum) {
    return language.text("compare.sent_in_all", {{"sum", sum}}) + relation_of(comparison, stage);
  };
  std::string text = say(total_text(comparison, stage));
  if (comparison.drawing.width(text, style) > area.width)
    text = say(language.bytes(total_of(stage)));
  comparison.drawing.label(stage.id + ".total", area,
                           comparison.drawing.fit(text, style, area.width), style, {.title = text});
}

// What the colours mean.
void draw_legend(Comparison& comparison, const Rect& line) {
  Drawing& drawing = comparison.drawing;
  const Theme& theme = comparison.theme;
  const std::array<std::pair<const char*, Color>, 4> entries{{{"landed", theme.landed},
                                                              {"moving", theme.accent},
                                                              {"to_add", theme.phase_even},
                                                              {"to_copy", theme.phase_odd}}};
  const TextStyle style{size::body, Face::sans, Align::left, theme.quiet};
  constexpr double swatch = 28, gap = 10, apart = 36;
  double x = line.x;
  const double base = line.y + line.height / 2 + drawing.cap_height(style) / 2;
  for (const auto& [name, color] : entries) {
    const std::string text = comparison.language.text(std::string("compare.legend.") + name);
    const std::string id = std::string("legend.") + name;
    drawing.box(id, {x, line.y + line.height / 2 - 9, swatch, 18}, 3, {color, transparent},
                {theme.line, 1});
    drawing.text(id + "_text", {x + swatch + gap, base}, text, style);
    x += swatch + gap + drawing.width(text, style) + apart;
  }
  // A summary's bars are shares.
  if (comparison.stages.front().schedule.ranks > most_bars) return;
  const std::string scale = comparison.language.text("compare.legend.scale");
  if (x + drawing.width(scale, style) <= line.right())
    drawing.text("legend.scale", {line.right(), base}, scale,
                 {size::body, Face::sans, Align::right, theme.quiet});
}

// Three stages need every unit.
double padding_of(const Comparison& comparison) { return comparison.stages.size() > 2 ? 18 : 24; }

void draw_stage_frame(Comparison& comparison, CompactStage& stage) {
  comparison.drawing.box(stage.id, stage.rect, 12, {comparison.theme.surface, transparent},
                         {comparison.theme.rule, 1});
  const Rect inner = inset(stage.rect, padding_of(comparison));
  draw_header(comparison, stage, {inner.x, stage.rect.y + 12, inner.width, header_height});
  draw_total(comparison, stage,
             {inner.x, stage.rect.bottom() - total_height - 8, inner.width, total_height});
}

// The stages side by side; in each, cards and links above, bars below.
void draw_stages(Comparison& comparison, const Rect& area) {
  const auto count = static_cast<double>(comparison.stages.size());
  const double width = (area.width - between * (count - 1)) / count;
  const double padding = padding_of(comparison);
  std::vector<Rect> cards, bars;
  std::int32_t most_ranks = 0;
  for (std::size_t i = 0; i < comparison.stages.size(); ++i) {
    CompactStage& stage = comparison.stages[i];
    stage.rect = {area.x + static_cast<double>(i) * (width + between), area.y, width, area.height};
    most_ranks = std::max(most_ranks, stage.schedule.ranks);
    draw_stage_frame(comparison, stage);
    const double top = stage.rect.y + 12 + header_height + 8;
    const Rect room{stage.rect.x + padding, top, width - 2 * padding,
                    stage.rect.bottom() - total_height - 16 - top};
    if (stage.trace.opaque)
      draw_closed_stage(comparison, stage,
                        {room.x, room.y, room.width, room.height + total_height});
    const double share = 0.54;
    const double split = stage.schedule.ranks > most_cards ? 0 : std::floor(room.height * share);
    cards.push_back({room.x, room.y, room.width, split});
    bars.push_back({room.x, room.y + split + 16, room.width, room.height - split - 16});
  }
  if (most_ranks <= most_cards) draw_compact_stages(comparison, cards);
  draw_port_bars(comparison, bars);
}

constexpr double takeaway_gap = 28, detail_line = 36;

TextStyle headline_style(const Theme& theme) {
  return {size::large, Face::bold, Align::left, theme.ink};
}
TextStyle detail_style(const Theme& theme) {
  return {size::body, Face::sans, Align::left, theme.quiet};
}

bool fits_one_line(const Comparison& comparison, const Takeaway& takeaway, double width) {
  const Drawing& drawing = comparison.drawing;
  return takeaway.detail.empty() ||
         drawing.width(takeaway.headline, headline_style(comparison.theme)) + takeaway_gap +
                 drawing.width(takeaway.detail, detail_style(comparison.theme)) <=
             width;
}

// The detail behind the headline where there is room, else under it.
void draw_takeaway(Comparison& comparison, const Takeaway& takeaway, const Rect& area) {
  Drawing& drawing = comparison.drawing;
  TextStyle bold = headline_style(comparison.theme);
  const TextStyle quiet = detail_style(comparison.theme);
  const bool one_line = fits_one_line(comparison, takeaway, area.width);
  if (drawing.width(takeaway.headline, bold) > area.width) bold.size = size::body;
  const double base = area.y + 40;
  drawing.text("takeaway", {area.x, base}, drawing.fit(takeaway.headline, bold, area.width), bold,
               {.title = takeaway.headline});
  const Point detail =
      one_line ? Point{area.x + drawing.width(takeaway.headline, bold) + takeaway_gap, base}
               : Point{area.x, base + detail_line};
  drawing.text("takeaway_detail", detail, drawing.fit(takeaway.detail, quiet, area.width), quiet,
               {.title = takeaway.detail});
}

// In two lines at most; what does not fit is in the title of the last.
void draw_caption(Comparison& comparison, const std::string& caption, const Rect& area) {
  if (caption.empty()) return;
  const TextStyle style{size::body, Face::sans, Align::left, comparison.theme.quiet};
  const std::vector<std::string> lines =
      lines_at_most(2, comparison.drawing, caption, style, area.width);
  double y = area.bottom() - 16 - caption_line * static_cast<double>(lines.size() - 1);
  for (std::size_t i = 0; i < lines.size(); ++i, y += caption_line)
    comparison.drawing.text(i == 0 ? "caption" : "caption.more", {area.x, y}, lines[i], style,
                            {.title = caption});
}

struct Fit {
  double unit = 1;  // pixels
  double foot = 0;  // units
};

Fit fit_at(const ComparisonContext& context, const std::string& caption, double scale) {
  const double caption_room = nominal.width / scale - 2 * margin;
  const bool two_lines = context.fonts.width(caption, Face::sans, size::body) > caption_room;
  const double foot = context.caption ? caption_height + (two_lines ? caption_line : 0) : 0;
  return {std::min(context.size.width * scale / nominal.width,
                   context.size.height / (nominal.height / scale + foot)),
          foot};
}

// Text as large as the context asks for, but for what the stages need.
Fit fit_comparison(const ComparisonContext& context, const std::string& caption, std::size_t stages,
                   std::int32_t ranks) {
  constexpr double step = 0.97;
  // Of three stages with many cards these take all that there is.
  const Size least = stages <= 2 ? Size{1450, 690} : ranks <= 8 ? Size{1700, 700} : nominal;
  for (double scale = context.text_scale;; scale = std::max(1.0, scale * step)) {
    const Fit fit = fit_at(context, caption, scale);
    if (scale <= 1 || (context.size.width / fit.unit >= least.width &&
                       context.size.height / fit.unit - fit.foot >= least.height))
      return fit;
  }
}

}  // namespace

Figure draw_comparison(const ComparisonContext& context, std::span<const ComparedRun> runs) {
  const std::vector<const Replay*> replays = replays_of(runs);
  const std::string caption =
      context.caption ? comparison_caption(replays, context.language) : std::string();
  const auto [unit, foot] =
      fit_comparison(context, caption, runs.size(), runs[0].replay->trace().schedule.ranks);
  Comparison comparison{context,
                        context.theme,
                        context.language,
                        Drawing(context.theme, context.fonts, context.size, unit),
                        {}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Trace& trace = runs[i].replay->trace();
    comparison.stages.push_back(
        {*runs[i].replay, runs[i].state, trace, trace.schedule, "stage" + std::to_string(i),
         stage_name(replays, i, context.language), flows_of(*runs[i].replay, runs[i].state),
         counts_of(trace.schedule), is_over(trace, runs[i].state), Rect{}});
  }
  const Size room = comparison.drawing.room();
  const double width = room.width - 2 * margin;
  const Takeaway takeaway = comparison_takeaway(replays, context.language);
  const double top =
      8 + takeaway_height + (fits_one_line(comparison, takeaway, width) ? 0 : detail_line);
  draw_takeaway(comparison, takeaway, {margin, 8, width, top - 8});
  const double legend_y = room.height - legend_height - foot;
  draw_stages(comparison, {margin, top, width, legend_y - top});
  draw_legend(comparison, {margin, legend_y, width, legend_height});
  draw_caption(comparison, caption, {margin, room.height - foot, width, foot});
  return std::move(comparison.drawing).finish(context.theme.ground);
}

}  // namespace ringscope
