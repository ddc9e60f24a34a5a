// Through each GPU, in and out: solid so far, hatched on its way, pale to come; all on one scale.
#include <algorithm>

#include "core/figure/panel_parts.h"
#include "core/schedule/formulas.h"

namespace ringscope {
namespace {

constexpr std::int32_t most_rows = 16;
constexpr double row = 28, bar_height = 20;

TextStyle small(Color color, Align align = Align::left) {
  return {size::small, Face::sans, align, color};
}

std::string bytes_text(const Scene& scene, std::uint64_t elements) {
  return scene.language.bytes(elements * bytes_of(scene.trace.run.type));
}

void draw_bar(Scene& scene, const std::string& id, const Rect& most, const Replay::Sent& amount,
              std::uint64_t all) {
  const Theme& theme = scene.theme;
  const auto length = [&](std::uint64_t elements) {
    return most.width * static_cast<double>(elements) /
           static_cast<double>(std::max<std::uint64_t>(1, all));
  };
  const double total = length(amount.total), landed = length(amount.landed);
  if (total <= 0) return;
  scene.drawing.box(id, {most.x, most.y, total, most.height}, 3, {theme.card, transparent},
                    {theme.rule, 1});
  if (amount.landed > 0)
    scene.drawing.box(id + ".landed", {most.x, most.y, landed, most.height}, 3,
                      {theme.ink, transparent});
  const double moving = std::min(length(amount.moving), total - landed);
  if (amount.moving > 0 && moving > 0)
    scene.drawing.box(id + ".moving", {most.x + landed, most.y, moving, most.height}, 0,
                      {theme.selected, theme.accent}, {theme.accent, 1});
}

// What is counted, and where the formula for it is known, as that.
std::vector<std::string> facts(const Scene& scene) {
  const Counts counts = counts_of(scene.schedule);
  const Language& language = scene.language;
  const std::string ranks = language.small_number(static_cast<std::uint64_t>(scene.schedule.ranks));
  std::vector<std::string> lines{
      language.text("panel.busiest", {{"rank", std::to_string(counts.busiest_rank)},
                                      {"in", bytes_text(scene, counts.busiest_port.received)},
                                      {"out", bytes_text(scene, counts.busiest_port.sent)}})};
  const std::vector<std::int32_t> groups = scene.schedule.algorithm == "hierarchical"
                                               ? groups_of(scene.schedule)
                                               : std::vector<std::int32_t>();
  const auto formula = formula_of(scene.schedule.algorithm, scene.schedule.ranks, groups);
  const std::string total = bytes_text(scene, counts.total);
  if (formula && formula->total.of(scene.schedule.count) == counts.total)
    lines.push_back(language.text("panel.total_formula",
                                  {{"ranks", ranks},
                                   {"total", total},
                                   {"formula", std::string(formula->total_written)},
                                   {"buffer", bytes_text(scene, scene.schedule.count)}}));
  else
    lines.push_back(language.text("panel.total", {{"ranks", ranks}, {"total", total}}));
  return lines;
}

}  // namespace

bool are_alike(const Scene& scene) {
  const std::vector<Traffic> traffic = traffic_by_rank(scene.schedule);
  // Chunks differ by an element where the count is no multiple of them.
  const auto least = [&](auto member) {
    std::uint64_t lowest = traffic[0].*member, highest = lowest;
    for (const Traffic& port : traffic) {
      lowest = std::min(lowest, port.*member);
      highest = std::max(highest, port.*member);
    }
    return highest - lowest <= 4;
  };
  return !scene.schedule.order.empty() && scene.schedule.chunks > 1
             ? true
             : scene.schedule.ranks == 1 ||
                   (least(&Traffic::sent) && least(&Traffic::received) && traffic[0].sent > 4);
}

void draw_ports(Scene& scene, double left, double right, double& y) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const Language& language = scene.language;
  const std::vector<Replay::Sent> sent = scene.replay.sent(scene.state);
  const std::vector<Replay::Sent> received = scene.replay.received(scene.state);
  std::uint64_t most = 0;
  for (std::size_t rank = 0; rank < sent.size(); ++rank)
    most = std::max({most, sent[rank].total, received[rank].total});
  y += 24;
  drawing.text("ports.title", {left, y}, language.text("panel.ports"),
               {size::body, Face::bold, Align::left, theme.ink});
  for (const std::string& line :
       drawing.wrap(language.text("panel.ports_key"), small(theme.quiet), right - left))
    drawing.text("ports.key" + std::to_string(static_cast<int>(y)), {left, y += 28}, line,
                 small(theme.quiet));
  if (scene.schedule.ranks <= most_rows) {
    const double names = 84, gap = 20, width = (right - left - names - gap) / 2;
    const double in = left + names, out = in + width + gap;
    y += 28;
    drawing.text("ports.in", {in, y}, language.text("panel.in"),
                 {size::small, Face::bold, Align::left, theme.quiet});
    drawing.text("ports.out", {out, y}, language.text("panel.out"),
                 {size::small, Face::bold, Align::left, theme.quiet});
    y += 8;
    for (std::int32_t rank = 0; rank < scene.schedule.ranks; ++rank, y += row) {
      const auto at = static_cast<std::size_t>(rank);
      const bool busy = sent[at].moving > 0 || received[at].moving > 0;
      const TextStyle style{size::small, busy ? Face::bold : Face::sans, Align::left, theme.ink};
      const std::string number = std::to_string(rank);
      drawing.text("ports.name" + number, {left, y + 17},
                   language.text("view.gpu", {{"rank", number}}), style);
      draw_bar(scene, "ports.in" + number, {in, y, width, bar_height}, received[at], most);
      draw_bar(scene, "ports.out" + number, {out, y, width, bar_height}, sent[at], most);
    }
  }
  y += 4;
  int line_number = 0;
  for (const std::string& fact : facts(scene))
    for (const std::string& line : drawing.wrap(fact, small(theme.ink), right - left))
      drawing.text("ports.fact" + std::to_string(line_number++), {left, y += 26}, line,
                   small(theme.ink));
  y += 18;
  drawing.line("ports.rule", {left, y}, {right, y}, {theme.rule, 1});
  y += 12;
}

}  // namespace ringscope
