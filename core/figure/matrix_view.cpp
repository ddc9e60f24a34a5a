// The documents' tables: a row a rank, a column a chunk, what changed lit, what moves drawn.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/figure/cells.h"
#include "core/figure/ring_cards.h"
#include "core/figure/ring_places.h"
#include "core/figure/steps.h"
#include "core/figure/table.h"

namespace ringscope {
namespace {

constexpr double numbers = 36, heads = 156;

enum class CellForm : std::uint8_t {
  full,   // slots, sum, value
  slots,  // slots over what it holds
  count,  // a number over a bar
};

struct Table {
  CellForm form = CellForm::full;
  Rect cells;                    // all of them
  double width = 0, height = 0;  // of one
  double gap_x = 0, gap_y = 0;
  double left = 0;  // where the heads of the rows begin

  Rect cell(std::int32_t rank, std::int32_t chunk) const {
    return {cells.x + chunk * (width + gap_x), cells.y + rank * (height + gap_y), width, height};
  }
};

// What a table of a form looks like, whether or not there is room for it.
Table table_of(const Scene& scene, const Rect& area, CellForm form) {
  const Schedule& schedule = scene.schedule;
  const bool full = form == CellForm::full, slots = form == CellForm::slots;
  Table table;
  table.form = form;
  const double x = area.x + heads, y = area.y + numbers;
  table.left = area.x;
  table.gap_x = full ? (area.width < 900 ? 36 : 48) : slots ? (area.width < 1150 ? 28 : 36) : 8;
  table.gap_y = full ? 28 : slots ? 14 : 6;
  const double most_width = schedule.chunks <= 2 ? 440 : full ? 320 : 220;
  const double most_height = full ? 152 : slots ? 100 : 52;
  const double width = area.right() - x;
  const double height = area.bottom() - y - (full ? 20 : 4);
  table.width = std::min(most_width, width / schedule.chunks - table.gap_x);
  table.height = std::min(most_height, (height + table.gap_y) / schedule.ranks - table.gap_y);
  const double used = schedule.ranks * (table.height + table.gap_y) - table.gap_y;
  table.cells = {x, y + std::max(0.0, (height - used) / 2), width, used};
  // Few columns stand in the middle.
  const double free = width - schedule.chunks * (table.width + table.gap_x);
  table.left += free / 2, table.cells.x += free / 2, table.cells.width -= free;
  return table;
}

// The fullest form for which there is room; nothing where not even numbers have any.
std::optional<Table> make_table(const Scene& scene, const Rect& area) {
  struct Row {
    CellForm form;
    std::int32_t most;  // ranks and chunks
    Size least;         // of a cell
  };
  constexpr std::array<Row, 3> rows{{{CellForm::full, 4, {84, 110}},
                                     {CellForm::slots, 8, {56, 54}},
                                     {CellForm::count, 16, {34, 33}}}};
  for (const auto& [form, most, least] : rows) {
    if (scene.schedule.ranks > most || scene.schedule.chunks > most) continue;
    const Table table = table_of(scene, area, form);
    if (table.width >= least.width && table.height >= least.height) return table;
  }
  return std::nullopt;
}

void draw_heads(Scene& scene, const Table& table) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  for (std::int32_t chunk = 0; chunk < scene.schedule.chunks; ++chunk) {
    const Rect cell = table.cell(0, chunk);
    const std::string number = std::to_string(chunk);
    const bool whole = table.form == CellForm::full || chunk == 0;
    const std::string words = scene.language.text("view.chunk", {{"chunk", number}});
    const bool fits = whole && drawing.width(words, {}) <= table.width + table.gap_x;
    drawing.label("chunk" + number, {cell.x, cell.y - numbers, cell.width, numbers - 6},
                  fits ? words : number, {.color = theme.quiet});
  }
  const double name_size = table.form == CellForm::count ? size::body : 28;
  for (std::int32_t rank = 0; rank < scene.schedule.ranks; ++rank) {
    const Rect row = table.cell(rank, 0);
    const std::string id = "rank" + std::to_string(rank);
    drawing.box(id + ".stripe", {table.left, row.y, 10, row.height}, 4, rank_fill(theme, rank),
                {theme.ink, 1});
    const TextStyle style{name_size, Face::bold, Align::left, theme.ink};
    const double base = row.center().y + drawing.cap_height(style) / 2;
    const std::string name = scene.language.text("view.gpu", {{"rank", std::to_string(rank)}});
    drawing.text(id + ".name", {table.left + 24, base}, name, style);
    if (scene.schedule.ranks > 8) continue;
    const double x = table.left + 24 + drawing.width(name, style) + 8;
    drawing.disc(id + ".dot", {x + 3, row.center().y}, 3, {theme.quiet, transparent});
    drawing.text(id + ".letter", {x + 14, base}, std::string(1, static_cast<char>('a' + rank)),
                 {size::body, Face::mono_bold, Align::left, theme.quiet});
  }
}

// The sum over its value, where there is room for both lines; else of few ranks both in one line,
// of more the value.
void write_held(Scene& scene, const std::string& id, const Rect& area, const CellView& cell,
                std::int32_t chunk, const TextStyle& style) {
  Drawing& drawing = scene.drawing;
  constexpr double two_lines = 58, below_slots = 4;
  const double room = area.width - 8;
  const std::string symbol = scene.symbol_of(cell.contributors, chunk);
  const std::string value =
      cell.elements == 0
          ? "-"
          : scene.value_text(cell.value,
                             static_cast<std::size_t>(room / drawing.width("0", style)));
  const bool says_symbols = scene.context.cell_text != CellText::numbers && cell.elements > 0;
  std::string both = symbol + "  " + value;
  if (drawing.width(both, style) > room) both = symbol + " " + value;
  Rect last = area;
  std::string words = value;
  if (value.empty()) {
    words = drawing.fit(symbol, style, room);
  } else if (says_symbols && area.height >= two_lines) {
    const double line = (area.height - below_slots) / 2;
    last = {area.x, area.bottom() - line, area.width, line};
    drawing.label(id + ".sum", {area.x, area.y + below_slots, area.width, line},
                  drawing.fit(symbol, style, room), style, {.title = symbol});
  } else if (says_symbols && scene.schedule.ranks <= 4 && drawing.width(both, style) <= room) {
    words = both;  // of more ranks only the first sums would fit
  }
  drawing.label(id + ".label", last, words, style, {.title = symbol});
}

// Where a full cell has no room: slots over what it holds, or a number over a bar.
void draw_small_cell(Scene& scene, std::int32_t rank, std::int32_t chunk, const Rect& rect,
                     bool slots_shown) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const CellView& cell = scene.cell(rank, chunk);
  const std::string id = "rank" + std::to_string(rank) + ".chunk" + std::to_string(chunk);
  const bool complete = cell.holding == Holding::complete, stale = cell.holding == Holding::stale;
  const Fill fill{cell.changed ? theme.warm : stale ? transparent : theme.cell, transparent};
  const Stroke stroke = complete ? Stroke{theme.ink, 2.5}
                                 : Stroke{stale ? theme.line : theme.rule, 1, stale ? 5.0 : 0};
  drawing.box(id, rect, 6, fill, stroke);
  Rect below = rect;
  if (slots_shown) {
    const std::vector<std::int32_t> arriving = scene.arriving(cell);
    Slots slots = slots_of(scene, cell, arriving);
    slots.gap = 3;
    const bool low = rect.height < 64;
    slots.area = {rect.x + 10, rect.y + (low ? 6 : 10), rect.width - 20, low ? 12.0 : 16.0};
    draw_slots(drawing, id, slots);
    const double above = low ? 25 : 28;
    below = {rect.x, rect.y + above, rect.width, rect.height - above - 2};
  } else {
    const double share =
        static_cast<double>(cell.contributors.size()) / full_terms(scene.schedule, chunk);
    drawing.box(id + ".bar", {rect.x + 6, rect.bottom() - 9, (rect.width - 12) * share, 5}, 0,
                {complete ? theme.ink : theme.line, transparent});
    below = {rect.x, rect.y, rect.width, rect.height - 9};
  }
  const TextStyle style{size::body, complete || cell.changed ? Face::mono_bold : Face::mono,
                        Align::center, stale ? theme.faint : theme.ink};
  if (slots_shown)
    write_held(scene, id, below, cell, chunk, style);
  else if (complete)
    draw_check(drawing, id + ".check", below.center(), 16, theme.ink);
  else
    drawing.label(id + ".label", below,
                  cell.elements == 0 ? "-" : std::to_string(cell.contributors.size()), style,
                  {.title = scene.symbol_of(cell.contributors, chunk)});
  if (cell.sending >= 0 || !cell.arriving.empty())
    drawing.box(id + ".ring", inset(rect, slots_shown ? -3.5 : -1.5), 8, {},
                {theme.accent, 3, cell.arriving.empty() ? 0 : 7.0});
}

// Of several that arrive in one cell each has a lane and an end of its own.
struct Lane {
  int number = 0, of = 1;
};

Lane lane_of(const std::vector<Step>& steps, const Step& step, std::int32_t chunk) {
  Lane lane{0, 0};
  for (const Step& other : steps) {
    if (other.dst != step.dst || chunk < other.first_chunk || chunk > other.last_chunk) continue;
    if (other.transfer == step.transfer) lane.number = lane.of;
    ++lane.of;
  }
  return lane;
}

void draw_move(Scene& scene, const Table& table, const Step& step, std::int32_t chunk,
               const Lane& lane) {
  Drawing& drawing = scene.drawing;
  const Rect from = table.cell(step.src, chunk), to = table.cell(step.dst, chunk);
  const bool wide = table.gap_x >= 24;
  const double edge = wide ? from.right() + 5 : from.right() - 10;
  // What goes up has a lane of its own, or partners would send into each other's face; it keeps
  // clear of the rings of the next column.
  const double ring = table.form == CellForm::full ? 6.5 : 5;
  const double up = std::min(0.78 * table.gap_x, table.gap_x - ring - 4);
  double out = wide ? from.right() + (step.dst < step.src ? up : 0.55 * table.gap_x) : edge;
  const double y = from.center().y;
  double end = to.center().y;
  if (wide && lane.of > 1) {
    // One column alone has all the ground beside it.
    const double room = scene.schedule.chunks == 1 ? 18.0 * (lane.of - 1) : 0.45 * table.gap_x;
    out = from.right() + 0.4 * table.gap_x + room * lane.number / (lane.of - 1);
    const double apart = std::min(16.0, (to.height - 24) / (lane.of - 1));
    end += (lane.number - (lane.of - 1) / 2.0) * apart;
  }
  const std::string id = "move" + std::to_string(step.transfer) +
                         (chunk == step.first_chunk ? "" : ".chunk" + std::to_string(chunk));
  const bool selected = is_selected(scene, step);
  const Stroke stroke = selected ? Stroke{scene.theme.ink, 6} : Stroke{scene.theme.accent, 3};
  const auto index = static_cast<std::int32_t>(step.transfer);
  std::vector<Point> way{{edge, y}, {out, y}, {out, end}, {edge, end}};
  if (!wide) way = {{edge, y}, {edge, end}};
  for (std::size_t i = 1; i < way.size(); ++i) {
    const bool last = i + 1 == way.size();
    drawing.line(id + "." + std::to_string(i), way[i - 1], way[i], stroke, last ? 12 : 0,
                 {.transfer = index});
  }
  drawing.set_smooth(true);
  const Point at = along(way, {4, 4}, eased(step.fraction));
  drawing.disc(id + ".chip", at, wide ? 9 : 6, {stroke.color, transparent},
               {.moving = true, .transfer = index});
  drawing.set_smooth(false);
}

// From the source's right side through the gap between the columns into the target's; where the
// gap is too narrow, straight along the cells' right ends.
void draw_moves(Scene& scene, const Table& table) {
  const std::vector<Step> steps = moving_steps(scene);
  for (const Step& step : steps)
    for (std::int32_t chunk = step.first_chunk; chunk <= step.last_chunk; ++chunk)
      draw_move(scene, table, step, chunk, lane_of(steps, step, chunk));
}

}  // namespace

void draw_table(Scene& scene, const Rect& area) {
  const Schedule& schedule = scene.schedule;
  const std::optional<Table> made = make_table(scene, area);
  if (!made) return draw_shades(scene, area);
  const Table& table = *made;
  draw_heads(scene, table);
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank)
    for (std::int32_t chunk = 0; chunk < schedule.chunks; ++chunk) {
      if (table.form == CellForm::full)
        draw_cell(scene, rank, chunk, table.cell(rank, chunk));
      else
        draw_small_cell(scene, rank, chunk, table.cell(rank, chunk), table.form == CellForm::slots);
    }
  draw_moves(scene, table);
}

Figure draw_matrix(const ViewContext& context, const ReplayState& state) {
  Scene scene(context, state, fit_stage(context, least_stage_of(context, 2)));
  const Rect inside = scene.inside();
  const Rect area = draw_heading_row(scene, inside);
  draw_table(scene, area);
  draw_foot(scene);
  return std::move(scene.drawing).finish(scene.theme.surface);
}

}  // namespace ringscope
