// What goes through each GPU's port: a bar into it upward and one out of it downward, on one scale
// for all stages.
#include <algorithm>
#include <cmath>

#include "core/figure/comparison_parts.h"

namespace ringscope {
namespace {

constexpr double heading = 36, label_line = 32, ranks_line = 34;

// How the ranks share what goes one way.
struct Shares {
  std::uint64_t least = 0, most = 0;
  std::uint64_t second_most = 0;  // of those that are not the busiest
  std::size_t busiest = 0;        // the first of them
  std::size_t busy = 0;           // how many have the most
  std::size_t ranks = 0;
};

Shares shares_of(const std::vector<Flow>& flows) {
  Shares shares;
  shares.ranks = flows.size();
  shares.least = shares.most = flows[0].total;
  for (std::size_t rank = 0; rank < flows.size(); ++rank) {
    if (flows[rank].total > shares.most) shares.most = flows[rank].total, shares.busiest = rank;
    shares.least = std::min(shares.least, flows[rank].total);
  }
  for (const Flow& flow : flows)
    if (flow.total == shares.most)
      ++shares.busy;
    else
      shares.second_most = std::max(shares.second_most, flow.total);
  return shares;
}

// '14 MiB in, on every GPU'; '56 MiB in'; '24 MiB in, on 3 GPUs'.
std::string busiest_text(const Comparison& comparison, const Shares& shares, const char* way) {
  const Language& language = comparison.language;
  const std::string bytes = language.bytes(shares.most);
  const std::string id = std::string("compare.port.") + way;
  if (shares.busy == shares.ranks && shares.ranks > 1)
    return language.text(id + "_every", {{"bytes", bytes}});
  if (shares.busy == 1) return language.text(id, {{"bytes", bytes}});
  return language.text(id + "_several",
                       {{"bytes", bytes}, {"count", language.small_number(shares.busy)}});
}

std::string others_text(const Comparison& comparison, const Shares& shares) {
  const Language& language = comparison.language;
  if (shares.busy == shares.ranks) return "";
  const std::string most = language.bytes(shares.second_most);
  if (shares.least == shares.second_most)
    return language.text("compare.others_each",
                         {{"bytes", most}, {"count", std::to_string(shares.ranks - shares.busy)}});
  return language.text("compare.others_range",
                       {{"least", language.bytes(shares.least)}, {"most", most}});
}

// The busiest bar's bytes over (or under) it, and what the others have where there is room.
void draw_words(Comparison& comparison, const std::string& id, const Rect& line,
                const Shares& shares, double busiest_middle, const char* way) {
  Drawing& drawing = comparison.drawing;
  const TextStyle bold{size::body, Face::bold, Align::left, comparison.theme.ink};
  const TextStyle quiet{size::body, Face::sans, Align::left, comparison.theme.quiet};
  const std::string busiest = busiest_text(comparison, shares, way);
  const std::string others = others_text(comparison, shares);
  const double width = drawing.width(busiest, bold), others_width = drawing.width(others, quiet);
  constexpr double gap = 24;
  const double base = line.y + line.height / 2 + drawing.cap_height(bold) / 2;
  const bool fits = !others.empty() && width + gap + others_width <= line.width;
  const double all = width + (fits ? gap + others_width : 0);
  // Together in the middle, unless one bar alone is meant: then its bytes stand at it.
  const double wanted = shares.busy == 1 ? busiest_middle - width / 2 : line.center().x - all / 2;
  double left = std::clamp(wanted, line.x, std::max(line.x, line.right() - width));
  bool behind = left + all <= line.right() + 0.5;
  if (fits && !behind && left - gap - others_width < line.x)
    left = line.right() - all, behind = true;
  drawing.text(id + ".busiest", {left, base}, busiest, bold);
  if (fits)
    drawing.text(id + ".others", {behind ? left + width + gap : left - gap - others_width, base},
                 others, quiet);
}

// One bar from its base line, upward where `up`.
void draw_bar(Comparison& comparison, const std::string& id, const Rect& track, bool up,
              const Flow& flow, double byte, bool busiest) {
  Drawing& drawing = comparison.drawing;
  const Theme& theme = comparison.theme;
  const double height = static_cast<double>(flow.total) * byte;
  if (height <= 0) return;
  const auto part = [&](double from, double to) {
    return up ? Rect{track.x, track.bottom() - to * byte, track.width, (to - from) * byte}
              : Rect{track.x, track.y + from * byte, track.width, (to - from) * byte};
  };
  for (const Band& band : bands_of(theme, flow)) {
    if (band.to <= band.from) continue;
    drawing.box(id + std::string(band.id), part(band.from, band.to), 0, {band.color, transparent});
  }
  const bool thin = track.width < 10;
  if (!thin || busiest)
    drawing.box(id, part(0, static_cast<double>(flow.total)), 0, {},
                {busiest ? theme.ink : theme.line, busiest && !thin ? 2.5 : 1.0},
                {.title = comparison.language.text(
                     "compare.so_far_of", {{"landed", comparison.language.bytes(flow.landed)},
                                           {"total", comparison.language.bytes(flow.total)}})});
}

// Every rank, or as many as find room.
std::int32_t label_step(std::int32_t ranks, double pitch) {
  std::int32_t step = 1;
  while (step < ranks && pitch * step < 34) step *= 2;
  return step;
}

void draw_rank_labels(Comparison& comparison, const CompactStage& stage, const Rect& line,
                      double pitch) {
  const std::int32_t ranks = stage.schedule.ranks;
  const std::int32_t step = label_step(ranks, pitch);
  for (std::int32_t rank = 0; rank < ranks; rank += step)
    comparison.drawing.label(stage.id + ".bars.label" + std::to_string(rank),
                             {line.x + pitch * rank, line.y, pitch, line.height},
                             std::to_string(rank),
                             {.face = Face::bold, .color = comparison.theme.ink});
}

void draw_bars(Comparison& comparison, const CompactStage& stage, const Rect& area, double byte) {
  Drawing& drawing = comparison.drawing;
  const Theme& theme = comparison.theme;
  const double bars = (area.height - heading - 2 * label_line - ranks_line) / 2;
  const double pitch = area.width / stage.schedule.ranks;
  const double width = std::min(56.0, pitch > 12 ? pitch * 0.6 : std::max(1.0, pitch - 1));
  const double top = area.y + heading + label_line;
  const Rect labels{area.x, top + bars, area.width, ranks_line};
  const std::string id = stage.id + ".bars";
  const std::array<const std::vector<Flow>*, 2> ways{&stage.flows.in, &stage.flows.out};
  for (std::size_t way = 0; way < ways.size(); ++way) {
    const Shares shares = shares_of(*ways[way]);
    const bool up = way == 0;
    for (std::int32_t rank = 0; rank < stage.schedule.ranks; ++rank) {
      const Flow& flow = (*ways[way])[static_cast<std::size_t>(rank)];
      const double x = area.x + pitch * (rank + 0.5) - width / 2;
      draw_bar(comparison, id + (up ? ".in" : ".out") + std::to_string(rank),
               {x, up ? top : labels.bottom(), width, bars}, up, flow, byte,
               flow.total == shares.most && shares.busy < shares.ranks);
    }
    const double tallest = static_cast<double>(shares.most) * byte;
    const double y = up ? labels.y - tallest - label_line : labels.bottom() + tallest;
    draw_words(comparison, id + (up ? ".in" : ".out"), {area.x, y, area.width, label_line}, shares,
               area.x + pitch * (static_cast<double>(shares.busiest) + 0.5), up ? "in" : "out");
  }
  for (const double y : {labels.y, labels.bottom()})
    drawing.line(id + (y == labels.y ? ".base_in" : ".base_out"), {area.x, y}, {area.right(), y},
                 {theme.line, 1.5});
  draw_rank_labels(comparison, stage, labels, pitch);
}

// More ranks than bars: the least and the most of them all.
void draw_summary(Comparison& comparison, const CompactStage& stage, const Rect& area) {
  double y = area.y + heading + 48;
  const std::array<const std::vector<Flow>*, 2> ways{&stage.flows.in, &stage.flows.out};
  for (std::size_t way = 0; way < ways.size(); ++way) {
    const Shares shares = shares_of(*ways[way]);
    const char* const name = way == 0 ? "in" : "out";
    comparison.drawing.text(stage.id + ".summary." + name, {area.x, y},
                            busiest_text(comparison, shares, name),
                            {size::large, Face::bold, Align::left, comparison.theme.ink});
    y += 40;
    std::uint64_t landed = 0, total = 0;
    for (const Flow& flow : *ways[way]) landed += flow.landed, total += flow.total;
    comparison.drawing.text(stage.id + ".summary." + name + ".others", {area.x, y},
                            others_text(comparison, shares),
                            {size::body, Face::sans, Align::left, comparison.theme.quiet});
    y += 56;
    const Rect track{area.x, y - 24, area.width, 28};
    comparison.drawing.box(stage.id + ".summary." + name + ".track", track, 4,
                           {comparison.theme.card, transparent}, {comparison.theme.line, 1});
    if (total > 0 && landed > 0)
      comparison.drawing.box(
          stage.id + ".summary." + name + ".landed",
          {track.x, track.y, track.width * static_cast<double>(landed) / static_cast<double>(total),
           track.height},
          4, {comparison.theme.ink, transparent});
    y += 72;
  }
}

}  // namespace

void draw_port_bars(Comparison& comparison, const std::vector<Rect>& areas) {
  std::uint64_t most = 1;
  for (const CompactStage& stage : comparison.stages)
    for (const auto* flows : {&stage.flows.in, &stage.flows.out})
      for (const Flow& flow : *flows) most = std::max(most, flow.total);
  double byte = 1;
  for (const Rect& area : areas)
    byte = std::min(byte, (area.height - heading - 2 * label_line - ranks_line) / 2 /
                              static_cast<double>(most));
  for (std::size_t i = 0; i < comparison.stages.size(); ++i) {
    const CompactStage& stage = comparison.stages[i];
    if (stage.trace.opaque) continue;
    comparison.drawing.text(stage.id + ".bars.heading", {areas[i].x, areas[i].y + 26},
                            comparison.language.text("compare.through"),
                            {size::body, Face::bold, Align::left, comparison.theme.ink});
    if (stage.schedule.ranks > most_bars)
      draw_summary(comparison, stage, areas[i]);
    else
      draw_bars(comparison, stage, areas[i], byte);
  }
}

}  // namespace ringscope
