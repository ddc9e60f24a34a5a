#include "core/figure/panel_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/figure/cells.h"
#include "core/figure/link_paths.h"
#include "core/replay/symbols.h"

namespace ringscope {
namespace {

TextStyle small(Color color, Align align = Align::left) {
  return {size::small, Face::sans, align, color};
}

constexpr std::size_t most_pieces = 64;

// [chunk that the rank sends]: in which round, up to more than can be drawn as pieces.
std::vector<std::int32_t> sending_rounds(const Schedule& schedule, std::int32_t rank) {
  std::vector<std::int32_t> rounds;
  for (const Transfer& transfer : schedule.transfers) {
    if (rounds.size() > most_pieces) break;
    if (transfer.src != rank) continue;
    for (std::int32_t cell = transfer.first_cell;
         cell < transfer.first_cell + transfer.cell_count && rounds.size() <= most_pieces; ++cell)
      if (cell % schedule.slices == 0) rounds.push_back(transfer.round);
  }
  return rounds;
}

Fill on_its_way(const Theme& theme) { return {theme.selected, theme.accent}; }

// One piece a chunk that GPU 0 sends. False where it can't be told in pieces.
bool draw_pieces(Scene& scene, const Rect& bar, std::size_t& landed, std::size_t& moving,
                 std::size_t& all) {
  if (scene.state.measured) return false;
  const std::vector<std::int32_t> rounds = sending_rounds(scene.schedule, 0);
  if (rounds.empty() || rounds.size() > most_pieces) return false;
  const Theme& theme = scene.theme;
  all = rounds.size();
  const double gap = all > most_pieces / 4 ? 2 : 4;
  const double width = (bar.width + gap) / static_cast<double>(all) - gap;
  for (std::size_t i = 0; i < all; ++i) {
    const std::int32_t now = scene.state.cursor.round - 1;
    const bool done = rounds[i] < now || (rounds[i] == now && scene.beat == Beat::after);
    const bool going = rounds[i] == now && scene.beat == Beat::moving;
    landed += done, moving += going;
    const Fill fill = done    ? Fill{theme.ink, transparent}
                      : going ? on_its_way(theme)
                              : Fill{theme.card, transparent};
    scene.drawing.box("sent.piece" + std::to_string(i),
                      {bar.x + static_cast<double>(i) * (width + gap), bar.y, width, bar.height}, 3,
                      fill, {done ? theme.ink : theme.rule, 1});
  }
  return true;
}

void draw_shares(Scene& scene, const Rect& bar, const Replay::Sent& sent) {
  const Theme& theme = scene.theme;
  const auto all = static_cast<double>(std::max<std::uint64_t>(1, sent.total));
  const double landed = bar.width * static_cast<double>(sent.landed) / all;
  const double moving = bar.width * static_cast<double>(sent.moving) / all;
  scene.drawing.box("sent.all", bar, 3, {theme.card, transparent}, {theme.rule, 1});
  scene.drawing.box("sent.moving", {bar.x + landed, bar.y, moving, bar.height}, 0,
                    on_its_way(theme));
  scene.drawing.box("sent.landed", {bar.x, bar.y, landed, bar.height}, 0, {theme.ink, transparent});
}

bool same(const std::vector<Replay::Sent>& sent) {
  return std::all_of(sent.begin(), sent.end(), [&](const Replay::Sent& one) {
    return one.landed == sent[0].landed && one.moving == sent[0].moving &&
           one.total == sent[0].total;
  });
}

}  // namespace

void draw_sent(Scene& scene, double left, double right, double& y) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const Language& language = scene.language;
  const std::vector<Replay::Sent> sent = scene.replay.sent(scene.state);
  const bool alike = same(sent);
  Replay::Sent sum = sent[0];
  for (std::size_t i = 1; !alike && i < sent.size(); ++i)
    sum.landed += sent[i].landed, sum.moving += sent[i].moving, sum.total += sent[i].total;

  y += 24;
  drawing.text("sent.title", {left, y}, language.text(alike ? "panel.sent" : "panel.sent_together"),
               {size::body, Face::bold, Align::left, theme.ink});
  const auto bytes = [&](std::uint64_t elements) {
    return language.bytes(elements * bytes_of(scene.trace.run.type));
  };
  drawing.text(
      "sent.bytes", {right, y},
      language.text("panel.sent_of", {{"sent", bytes(sum.landed)}, {"total", bytes(sum.total)}}),
      small(theme.quiet, Align::right));
  y += 16;
  const Rect bar{left, y, right - left, 24};
  std::size_t landed = 0, moving = 0, all = 0;
  y += bar.height;
  if (draw_pieces(scene, bar, landed, moving, all)) {
    drawing.text("sent.words", {left, y += 30},
                 language.text(moving > 0 ? "panel.sent_chunks_moving" : "panel.sent_chunks",
                               {{"sent", std::to_string(landed)},
                                {"moving", std::to_string(moving)},
                                {"total", std::to_string(all)}}),
                 small(theme.quiet));
  } else {
    draw_shares(scene, bar, sum);
    if (sum.total == 0)
      drawing.text("sent.words", {left, y += 30}, language.text("panel.sent_none"),
                   small(theme.quiet));
  }
  y += 12;
  drawing.line("sent.rule", {left, y}, {right, y}, {theme.rule, 1});
  y += 10;
}

namespace {

constexpr double swatch_width = 48, row_height = 30;

struct Legend {
  Scene& scene;
  double left, right;
  double& y;

  Rect swatch() const { return {left, y + 3, swatch_width, row_height - 6}; }
  void words(const std::string& name, Language::Arguments arguments = {}) {
    const TextStyle style = small(scene.theme.ink);
    const std::string text = scene.language.text("panel.legend." + name, arguments);
    const std::vector<std::string> lines =
        scene.drawing.wrap(text, style, right - left - swatch_width - 20);
    double base = y + row_height / 2 + scene.drawing.cap_height(style) / 2;
    for (std::size_t i = 0; i < lines.size(); ++i, base += 28)
      scene.drawing.text("legend." + name + std::to_string(i), {left + swatch_width + 20, base},
                         lines[i], style);
    y += row_height + 28 * static_cast<double>(lines.size() - 1);
  }
};

void draw_slot_swatch(Legend& legend, bool vertical) {
  const std::vector<std::int32_t> held =
      vertical ? std::vector<std::int32_t>{0, 1, 2} : std::vector<std::int32_t>{0, 3};
  Slots slots;
  slots.ranks = 4;
  slots.held = held;
  slots.vertical = vertical;
  slots.gap = 2;
  const Rect swatch = legend.swatch();
  slots.area = vertical ? Rect{swatch.center().x - 7, swatch.y - 2, 14, swatch.height + 4}
                        : Rect{swatch.x, swatch.y + 7, swatch.width, swatch.height - 14};
  draw_slots(legend.scene.drawing, "legend.slots", slots);
  legend.words(!has_operator(legend.scene.schedule) ? "slots_copied"
               : vertical                           ? "column"
                                                    : "slots");
}

void draw_bar_swatch(Legend& legend) {
  const Rect swatch = legend.swatch();
  for (int i = 0; i < 4; ++i) {
    const double height = swatch.height * (i + 1) / 4;
    legend.scene.drawing.box(
        "legend.bar.swatch" + std::to_string(i),
        {swatch.x + i * 12.0, swatch.bottom() - height, 10, height}, 0,
        {i == 3 ? legend.scene.theme.ink : legend.scene.theme.line, transparent});
  }
  legend.words("bar");
}

void draw_arriving_swatch(Legend& legend, Action action) {
  Drawing& drawing = legend.scene.drawing;
  const Theme& theme = legend.scene.theme;
  const std::string name = action == Action::copy            ? "overwrites"
                           : adds(legend.scene.trace.run.op) ? "adds"
                                                             : "combines";
  const Rect swatch = legend.swatch();
  const std::string id = "legend.arriving-" + name;
  drawing.box(id, swatch, 8, {}, {theme.accent, 3, 7});
  drawing.box(id + ".slot", {swatch.center().x - 8, swatch.center().y - 7, 16, 14}, 3,
              rank_fill_pale(theme, 0), {theme.accent, 1.5, 3});
  legend.words(name);
}

void draw_complete_swatch(Legend& legend) {
  const Theme& theme = legend.scene.theme;
  const Rect swatch = legend.swatch();
  legend.scene.drawing.box("legend.complete", swatch, 8, {theme.cell, transparent}, {theme.ink, 3});
  draw_check(legend.scene.drawing, "legend.complete.check", swatch.center(), 18, theme.ink);
  const std::int32_t ranks = legend.scene.schedule.ranks;
  const bool alone = full_terms(legend.scene.schedule, 0) == 1;
  legend.words(alone ? "complete_alone" : "complete",
               {{"ranks", legend.scene.language.small_number(static_cast<std::uint64_t>(ranks))}});
}

// Which way data go between GPUs; where not all links go the same way by their lines.
void draw_link_swatches(Legend& legend) {
  const Trace& trace = legend.scene.trace;
  for (const LinkPath path : paths_of(trace)) {
    const Rect swatch = legend.swatch();
    const std::string name = fmt::format("path_{}", name_of(path));
    legend.scene.drawing.line("legend." + name, {swatch.x, swatch.center().y},
                              {swatch.right(), swatch.center().y},
                              {legend.scene.theme.line, 5, link_dash(trace, path)});
    legend.words(name);
  }
}

// Whether the round, or the one that the start leads to, copies.
bool copies(const Scene& scene) {
  const auto round = scene.replay.transfers_of_round(std::max(0, scene.state.cursor.round - 1));
  return !round.empty() && scene.schedule.transfers[round[0]].action == Action::copy;
}

// What arriving does: in the round; in measured time, where rounds overlap, in the whole run.
std::vector<Action> arriving_actions(const Scene& scene) {
  if (!scene.state.measured) return {copies(scene) ? Action::copy : Action::reduce};
  std::vector<Action> actions;
  for (const Action action : {Action::reduce, Action::copy})
    if (std::any_of(scene.schedule.transfers.begin(), scene.schedule.transfers.end(),
                    [&](const Transfer& transfer) { return transfer.action == action; }))
      actions.push_back(action);
  return actions;
}

// Whether some cell on the stage is shown as no longer needed.
bool shows_stale(const Scene& scene) {
  if (!has_operator(scene.schedule)) return false;
  if (copies(scene)) return true;
  if (scene.schedule.ranks > 12) return false;
  for (std::int32_t rank = 0; rank < scene.schedule.ranks; ++rank)
    for (std::int32_t chunk = 0; chunk < scene.schedule.chunks; ++chunk)
      if (scene.replay.cell(scene.state, rank, chunk).holding == Holding::stale) return true;
  return false;
}

}  // namespace

void draw_legend(Scene& scene, bool columns, double left, double right, double& y) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  Legend legend{scene, left, right, y};
  const std::int32_t ranks = scene.schedule.ranks;
  if (ranks > 12)
    draw_bar_swatch(legend);
  else
    draw_slot_swatch(legend, columns);
  if (ranks > 1) {
    drawing.box("legend.sent", legend.swatch(), 8, {}, {theme.accent, 3});
    legend.words("sent");
    for (const Action action : arriving_actions(scene)) draw_arriving_swatch(legend, action);
    drawing.box("legend.changed", legend.swatch(), 8, {theme.warm, transparent}, {theme.rule, 1});
    legend.words("changed");
  }
  if (shows_stale(scene)) {
    drawing.box("legend.stale", legend.swatch(), 8, {}, {theme.line, 1.5, 6});
    legend.words("stale",
                 {{"sum", scene.language.text(adds(scene.trace.run.op) ? "word.sum.sum"
                                                                       : "word.sum.other")}});
  }
  draw_complete_swatch(legend);
  draw_link_swatches(legend);
  const std::string elements = elements_of_chunks(scene);
  if (elements.empty()) return;
  drawing.label("legend.first_of", legend.swatch(), "1",
                {size::body, Face::mono, Align::center, theme.quiet});
  legend.words("first_of", {{"elements", elements}});
}

}  // namespace ringscope
