// N from 5 to 12: a column a chunk, a row a contributor, the count below.
#include <algorithm>

#include "core/figure/cells.h"

namespace ringscope {
namespace {

constexpr TextStyle number_style{size::body, Face::mono, Align::center, {}};
constexpr double number_height = 32;

double slot_width(const ColumnLook& look) { return std::clamp(look.pitch * 0.62, 8.0, 32.0); }

TextStyle numbers(bool strong, Color color) {
  TextStyle style = number_style;
  if (strong) style.face = Face::mono_bold;
  style.color = color;
  return style;
}

}  // namespace

double column_height(const Scene& scene, const ColumnLook& look) {
  return scene.schedule.ranks * look.slot_height + (look.labels ? 2 * number_height : 8);
}

void draw_column(Scene& scene, std::int32_t rank, std::int32_t chunk, Point top,
                 const ColumnLook& look) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const CellView& cell = scene.cell(rank, chunk);
  const std::string id = "rank" + std::to_string(rank) + ".chunk" + std::to_string(chunk);
  const bool lit = cell.sending >= 0 || !cell.arriving.empty() || cell.changed;
  const bool complete = cell.holding == Holding::complete;
  const Rect column{top.x - look.pitch / 2, top.y, look.pitch, column_height(scene, look)};
  if (cell.changed)
    drawing.box(id, inset(column, 1), 6, {theme.warm, transparent}, {theme.rule, 1});

  const std::vector<std::int32_t> arriving = scene.arriving(cell);
  Slots slots = slots_of(scene, cell, arriving);
  const double width = slot_width(look);
  const double above = look.labels ? number_height : 4;
  slots.vertical = true;
  slots.gap = 2;
  slots.empty_shown = look.labels;
  slots.area = {top.x - width / 2, top.y + above, width,
                scene.schedule.ranks * look.slot_height - slots.gap};
  if (complete && !slots.overwriting)
    drawing.box(id + ".complete", inset(slots.area, -1.5), 3, {}, {theme.ink, 2.5},
                {.title = scene.value_title(cell)});
  draw_slots(drawing, id, slots);

  if (look.labels) {
    const Color color = cell.holding == Holding::stale ? theme.faint : theme.ink;
    drawing.label(id + ".number", {column.x, column.y, column.width, number_height},
                  std::to_string(chunk), numbers(lit, lit ? theme.ink : theme.quiet));
    const Rect below{column.x, column.bottom() - number_height, column.width, number_height};
    if (complete)
      draw_check(drawing, id + ".check", below.center(), std::min(16.0, look.pitch - 6), theme.ink);
    else if (cell.elements == 0)
      drawing.label(id + ".count", below, "-", numbers(false, color));
    else
      drawing.label(id + ".count", below, std::to_string(cell.contributors.size()),
                    numbers(lit, color), {.title = scene.symbol_of(cell.contributors, chunk)});
  }
  if (cell.sending >= 0 || !cell.arriving.empty())
    draw_ring(drawing, id + ".ring", {column.x + 1, column.y, column.width - 2, column.height},
              !cell.arriving.empty(), 8, 3);
}

Size column_chip_size(const Scene& scene, const ColumnLook& look, bool lying) {
  const double length = scene.schedule.ranks * look.chip_slot + 2 * 36 + 4;
  return lying ? Size{length, 40} : Size{40, length};
}

void draw_column_chip(Scene& scene, std::uint32_t transfer, Point center, const ColumnLook& look,
                      bool lying) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const std::int32_t chunk = scene.chunk_of(transfer);
  const std::string id = "chip" + std::to_string(transfer);
  const std::vector<std::int32_t> carried = scene.replay.carried(transfer);
  const Size size = column_chip_size(scene, look, lying);
  const Rect rect{center.x - size.width / 2, center.y - size.height / 2, size.width, size.height};
  drawing.set_smooth(true);
  drawing.box(id, rect, 10, {theme.cell, transparent}, scene.chip_stroke(transfer, 4),
              {.moving = true, .transfer = static_cast<std::int32_t>(transfer)});
  Slots slots;
  slots.ranks = scene.schedule.ranks;
  slots.held = carried;
  slots.complete = carried.size() == static_cast<std::size_t>(scene.schedule.ranks);
  slots.vertical = !lying;
  slots.gap = 2;
  constexpr double end = 36, across = 20;
  slots.area = lying ? Rect{rect.x + end, center.y - across / 2, size.width - 2 * end, across}
                     : Rect{center.x - across / 2, rect.y + end, across, size.height - 2 * end};
  draw_slots(drawing, id, slots);
  const Rect first = lying ? Rect{rect.x + 4, rect.y, end - 4, rect.height}
                           : Rect{rect.x, rect.y + 4, rect.width, end - 4};
  const Rect last = lying ? Rect{rect.right() - end, rect.y, end - 4, rect.height}
                          : Rect{rect.x, rect.bottom() - end, rect.width, end - 4};
  drawing.label(id + ".number", first, std::to_string(chunk), numbers(true, theme.ink));
  if (slots.complete)
    draw_check(drawing, id + ".check", last.center(), 16, theme.ink);
  else
    drawing.label(id + ".count", last, std::to_string(carried.size()), numbers(false, theme.quiet),
                  {.title = scene.symbol_of(carried, chunk)});
  drawing.set_smooth(false);
}

}  // namespace ringscope
