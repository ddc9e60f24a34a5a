// Slots, pills, rings and check marks: what cells of all looks are made of.
#include <algorithm>

#include "core/figure/cells.h"

namespace ringscope {
namespace {

bool has(std::span<const std::int32_t> ranks, int rank) {
  return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

Rect slot_rect(const Slots& slots, int rank) {
  const double length = slots.vertical ? slots.area.height : slots.area.width;
  const double step = (length + slots.gap) / slots.ranks;
  const double at = rank * step;
  if (slots.vertical) return {slots.area.x, slots.area.y + at, slots.area.width, step - slots.gap};
  return {slots.area.x + at, slots.area.y, step - slots.gap, slots.area.height};
}

void draw_band(Drawing& drawing, const std::string& id, const Slots& slots) {
  Slots fused = slots;
  fused.gap = 0;
  for (int rank = 0; rank < slots.ranks; ++rank)
    drawing.box(id + ".slot" + std::to_string(rank), slot_rect(fused, rank), 0,
                rank_fill(drawing.theme(), rank), {drawing.theme().ink, 1});
  drawing.box(id + ".band", slots.area, 0, {}, {drawing.theme().ink, 1.5});
}

}  // namespace

void draw_slots(Drawing& drawing, const std::string& id, const Slots& slots) {
  const Theme& theme = drawing.theme();
  // What is only copied is complete with the one term that it has, which is then what is filled.
  const bool has_all = slots.held.size() == static_cast<std::size_t>(slots.ranks);
  if (slots.complete && has_all && !slots.overwriting) return draw_band(drawing, id, slots);
  const Stroke empty{mix(theme.card, theme.rule, 0.75), 1};
  if (!slots.empty_shown) drawing.box(id + ".track", inset(slots.area, -1.5), 3, {}, empty);
  for (int rank = 0; rank < slots.ranks; ++rank) {
    const Rect rect = slot_rect(slots, rank);
    const double radius = std::min({4.0, rect.width / 4, rect.height / 4});
    const std::string slot = id + ".slot" + std::to_string(rank);
    if (has(slots.arriving, rank)) {
      drawing.box(slot, rect, radius, rank_fill_pale(theme, rank), {theme.accent, 1.5, 3});
    } else if (!slots.overwriting && has(slots.held, rank)) {
      if (slots.stale)
        drawing.box(slot, rect, radius, {mix(theme.card, theme.rule, 0.7), transparent},
                    {theme.line, 1});
      else
        drawing.box(slot, rect, radius, rank_fill(theme, rank), {theme.ink, 1.5});
    } else if (slots.empty_shown) {
      drawing.box(slot, rect, radius, {}, empty);
    }
    if (!has(slots.added, rank)) continue;
    const Rect mark = slots.vertical ? Rect{rect.right() + 2, rect.y, 3, rect.height}
                                     : Rect{rect.x, rect.bottom() + 3, rect.width, 3};
    drawing.box(slot + ".new", mark, 0, {theme.ink, transparent});
  }
}

Slots slots_of(const Scene& scene, const CellView& cell,
               const std::vector<std::int32_t>& arriving) {
  Slots slots;
  slots.ranks = scene.schedule.ranks;
  slots.held = cell.contributors;
  slots.added = cell.added;
  slots.complete = cell.holding == Holding::complete;
  slots.stale = cell.holding == Holding::stale;
  slots.arriving = arriving;
  slots.overwriting = !cell.arriving.empty() && pill_of(scene, cell) == Pill::overwrite;
  return slots;
}

namespace {

constexpr TextStyle pill_style{size::body, Face::mono_bold, Align::center, {}};

std::string pill_text(Pill pill, const std::string& words) {
  switch (pill) {
    case Pill::send: return words;
    case Pill::add: return "+=" + words;
    case Pill::multiply: return "*=" + words;
    case Pill::smaller: return "min" + words;
    case Pill::larger: return "max" + words;
    case Pill::overwrite: return "=" + words;
  }
  return words;
}

constexpr double arrow_width = 18;

}  // namespace

Pill pill_of(const Scene& scene, const CellView& cell) {
  const auto transfer = static_cast<std::size_t>(cell.arriving.front());
  if (scene.schedule.transfers[transfer].action == Action::copy) return Pill::overwrite;
  switch (scene.trace.run.op) {
    case Operator::prod: return Pill::multiply;
    case Operator::min: return Pill::smaller;
    case Operator::max: return Pill::larger;
    default: return Pill::add;
  }
}

double pill_width(const Drawing& drawing, Pill pill, const std::string& words) {
  const double text = drawing.width(pill_text(pill, words), pill_style);
  if (pill != Pill::send) return std::max(36.0, text + 14);
  return words.empty() ? 36 : text + arrow_width + 4 + 16;
}

void draw_pill(Drawing& drawing, const std::string& id, Point center, Pill pill,
               const std::string& words) {
  const Theme& theme = drawing.theme();
  const double width = pill_width(drawing, pill, words);
  const Rect rect{center.x - width / 2, center.y - pill_height / 2, width, pill_height};
  drawing.box(id, rect, pill_height / 2, {theme.accent, transparent});
  TextStyle style = pill_style;
  style.color = theme.on_accent;
  if (pill != Pill::send) return drawing.label(id + ".label", rect, pill_text(pill, words), style);
  const double left = words.empty() ? center.x - arrow_width / 2 : rect.x + 8;
  drawing.line(id + ".arrow", {left, center.y}, {left + arrow_width, center.y},
               {theme.on_accent, 3}, 11);
  const double text_left = left + arrow_width + 4;
  drawing.label(id + ".label", {text_left, rect.y, rect.right() - 8 - text_left, rect.height},
                words, style);
}

void draw_ring(Drawing& drawing, const std::string& id, const Rect& rect, bool dashed,
               double radius, double width) {
  drawing.box(id, rect, radius, {}, {drawing.theme().accent, width, dashed ? 9.0 : 0.0});
}

void draw_check(Drawing& drawing, const std::string& id, Point center, double side, Color color) {
  const double half = side / 2;
  drawing.path(id,
               {{center.x - half, center.y + half * 0.1},
                {center.x - half * 0.25, center.y + half * 0.8},
                {center.x + half, center.y - half * 0.75}},
               false, {}, {color, side / 5.5, 0});
}

}  // namespace ringscope
