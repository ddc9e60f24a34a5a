#include "core/figure/cells.h"

#include <algorithm>

#include "core/replay/symbols.h"

namespace ringscope {
namespace {

// Of what a cell holds; where few have the ground to themselves, larger.
double label_size(double height) { return height >= 100 ? size::large + 4 : 28; }

// Lines of one size, centred in a rectangle; they shrink to 24 where they are too wide or too many,
// then lose their ends.
void draw_lines(Scene& scene, const std::string& id, const Rect& area,
                const std::vector<std::string>& lines, TextStyle style, const std::string& title) {
  Drawing& drawing = scene.drawing;
  style.align = Align::center;
  style.size = label_size(area.height);
  if (static_cast<double>(lines.size()) * (style.size + 4) - 4 > area.height)
    style.size = size::body;
  for (const std::string& line : lines)
    if (drawing.width(line, style) > area.width) style.size = size::body;
  const auto count = static_cast<double>(lines.size());
  const double step = std::clamp((area.height + 4) / count, style.size + 1, style.size + 4);
  double y = area.center().y - step * (count - 1) / 2 + drawing.cap_height(style) / 2;
  for (std::size_t i = 0; i < lines.size(); ++i, y += step)
    drawing.text(id + std::to_string(i), {area.center().x, y},
                 drawing.fit(lines[i], style, area.width), style, {.title = title});
}

// Two terms a line are read at a glance; a wide cell has room for more.
int terms_in(double width) { return width < 200 ? 2 : 4; }

// At most two lines; where more are needed the second ends in '…'.
std::vector<std::string> two_lines(std::vector<std::string> lines) {
  if (lines.size() <= 2) return lines;
  lines.resize(2);
  lines[1] += "…";
  return lines;
}

// A symbol in two lines; as many as fit where a name such as 'min(' makes them
// too wide.
std::vector<std::string> label_lines(const Scene& scene,
                                     const std::vector<std::int32_t>& contributors,
                                     std::int32_t chunk, bool complete, double width) {
  const TextStyle style{size::body, Face::mono_bold};
  std::vector<std::string> lines =
      scene.symbol_lines(contributors, chunk, complete, terms_in(width));
  const auto fits = [&](const std::string& line) {
    return scene.drawing.width(line, style) <= width + 0.01;
  };
  if (std::all_of(lines.begin(), lines.end(), fits)) return two_lines(std::move(lines));
  std::vector<std::string> filled{""};
  for (const std::string& term : scene.symbol_lines(contributors, chunk, complete, 1)) {
    if (!filled.back().empty() && !fits(filled.back() + term)) filled.emplace_back();
    filled.back() += term;
  }
  return two_lines(std::move(filled));
}

std::size_t characters_in(const Scene& scene, double width, double size = size::body) {
  const double character = scene.drawing.width("0", {.size = size, .face = Face::mono});
  return static_cast<std::size_t>(std::max(1.0, (width + 0.01) / character));
}

// Before what arrives.
std::string sign_of(Operator op) { return adds(op) ? "+" : op == Operator::prod ? "*" : ""; }

// What arrives, as it will stand behind what is there: '+a3+d3', of many terms the first.
std::vector<std::string> arriving_lines(const Scene& scene, std::int32_t chunk,
                                        const std::vector<std::int32_t>& arriving, double width) {
  std::vector<std::string> lines = scene.symbol_lines(arriving, chunk, false, terms_in(width));
  lines[0].insert(0, sign_of(scene.trace.run.op));
  return two_lines(std::move(lines));
}

bool says_numbers(const Scene& scene) { return scene.context.cell_text == CellText::numbers; }

// What arrives as numbers, a line a transfer, of many the first.
std::vector<std::string> arriving_numbers(const Scene& scene, const CellView& cell, double width) {
  const std::string sign = sign_of(scene.trace.run.op);
  std::vector<std::string> lines;
  for (const std::int32_t t : cell.arriving) {
    const auto value = scene.replay.carried_value(static_cast<std::uint32_t>(t));
    const std::string text = scene.value_text(value, characters_in(scene, width) - sign.size());
    if (!text.empty()) lines.push_back(sign + text);
  }
  return two_lines(std::move(lines));
}

// Where things are in a cell of a height. A low one, of a tree or of a table with four rows, leaves
// its two lines of terms what it can; a tight one, of a stage with large text, has room for three
// lines of the smallest size.
struct CellRows {
  double top = 12, slots = 20;   // where these begin, and their height
  double words = 6, below = 44;  // above the label, and under it
  double value = 20;             // from the base line of the value to the bottom
  double margin = 7;             // at the sides of the value
  double own = 28, step = 31;    // of what stays where something is added
  double under_sum = 10;         // under what is added
};
constexpr double tight_below = 120;  // lower cells are tight
CellRows rows_of(const Rect& rect) {
  if (rect.height >= 140) return {};
  if (rect.height >= tight_below)
    return {.top = 8, .slots = 16, .words = 8, .below = 40, .value = 16};
  return {.top = 5,
          .slots = 12,
          .words = 8,
          .below = 36,
          .value = 15,
          .margin = 3,
          .own = size::body,
          .step = 27,
          .under_sum = 16};
}

// What stays and what arrives: 'b3  40' over '+a3+d3'. There is room for three lines: a long value
// has one of its own where one of them is free, else it loses digits.
void draw_adding(Scene& scene, const std::string& id, const Rect& area, const CellRows& rows,
                 const CellView& cell, std::int32_t chunk,
                 const std::vector<std::int32_t>& coming) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const TextStyle own_style{rows.own, Face::mono_bold, Align::left, theme.ink};
  const TextStyle value_style{size::body, Face::mono, Align::left, theme.quiet};
  const std::vector<std::string> own_lines =
      scene.symbol_lines(cell.contributors, chunk, false, terms_in(area.width));
  const bool numbers = says_numbers(scene);
  const std::string own =
      numbers ? scene.value_text(cell.value, characters_in(scene, area.width, rows.own))
              : drawing.fit(own_lines.size() > 1 ? own_lines[0] + "…" : own_lines[0], own_style,
                            area.width);
  std::vector<std::string> arriving = numbers ? arriving_numbers(scene, cell, area.width)
                                              : arriving_lines(scene, chunk, coming, area.width);
  const double own_width = drawing.width(own, own_style);
  constexpr double gap = 8;
  const double beside = area.width - own_width - gap;
  std::string value = numbers ? "" : scene.value_text(cell.value, characters_in(scene, area.width));
  const std::size_t short_enough = characters_in(scene, std::max(0.0, beside - gap));
  // Three lines is all that a tight cell has room for.
  if (rows.step < 31 && arriving.size() > 1 && value.size() > short_enough) value.clear();
  const bool stacked = value.size() > short_enough && (arriving.size() == 1 || short_enough < 5);
  if (value.size() > short_enough && !stacked) value = scene.value_text(cell.value, short_enough);
  if (stacked && arriving.size() > 1) arriving = {arriving[0] + "…"};

  const double step = arriving.size() == 1 && !stacked ? rows.step + 3 : rows.step;
  const auto lines = static_cast<double>(arriving.size()) + (stacked ? 2 : 1);
  const double middle = area.center().x;
  double y = area.center().y - step * (lines - 1) / 2 + drawing.cap_height(value_style) / 2;
  const double value_width = drawing.width(value, value_style);
  const double first_width = stacked || value.empty() ? own_width : own_width + gap + value_width;
  const double left = middle - first_width / 2;
  drawing.text(id + ".label0", {left, y}, own, own_style,
               {.title = scene.symbol_of(cell.contributors, chunk)});
  const Point value_at =
      stacked ? Point{middle - value_width / 2, y += step} : Point{left + own_width + gap, y};
  drawing.text(id + ".value", value_at, value, value_style, {.title = scene.value_title(cell)});
  const TextStyle style{size::body, Face::mono_bold, Align::center, theme.accent};
  std::string title = scene.symbol_of(coming, chunk);
  if (numbers)
    for (const std::int32_t t : cell.arriving)
      if (const auto number = scene.replay.carried_value(static_cast<std::uint32_t>(t)))
        title += ", " + text_of(*number, scene.trace.run.type);
  for (std::size_t i = 0; i < arriving.size(); ++i)
    drawing.text(id + ".arriving" + std::to_string(i), {middle, y += step},
                 drawing.fit(arriving[i], style, area.width), style, {.title = title});
}

// Nobody will read it again, or it is about to be overwritten.
bool is_old(const Scene& scene, const CellView& cell) {
  return cell.holding == Holding::stale ||
         (!cell.arriving.empty() && pill_of(scene, cell) == Pill::overwrite);
}

// The value under the label, with a check mark where the cell is complete.
void draw_value(Scene& scene, const std::string& id, const Rect& rect, const CellView& cell) {
  Drawing& drawing = scene.drawing;
  const bool complete = cell.holding == Holding::complete;
  TextStyle style{size::body, complete ? Face::mono_bold : Face::mono, Align::center,
                  complete              ? scene.theme.ink
                  : is_old(scene, cell) ? scene.theme.faint
                                        : scene.theme.quiet};
  const CellRows rows = rows_of(rect);
  const double whole = rect.width - 2 * rows.margin;
  double check = complete && cell.value ? 18 : 0, gap = check > 0 ? 6 : 0;
  // In a tight cell digits come before the mark: a heavy outline says it too.
  const std::string all =
      says_numbers(scene) ? "" : scene.value_text(cell.value, characters_in(scene, whole));
  if (rect.height < tight_below && all.size() > characters_in(scene, whole - check - gap))
    check = gap = 0;
  const std::string value =
      says_numbers(scene) ? ""
                          : scene.value_text(cell.value, characters_in(scene, whole - check - gap));
  const double width = drawing.width(value, style);
  const double left = rect.center().x - (check + gap + width) / 2;
  const double base = rect.bottom() - rows.value;
  if (check > 0)
    draw_check(drawing, id + ".check", {left + check / 2, base - drawing.cap_height(style) / 2},
               check, scene.theme.ink);
  style.align = Align::left;
  drawing.text(id + ".value", {left + check + gap, base}, value, style,
               {.title = scene.value_title(cell)});
}

// A click on it selects the transfer that wrote it last.
void draw_cell_box(Scene& scene, const std::string& id, const Rect& rect, const CellView& cell) {
  const Theme& theme = scene.theme;
  const double radius = 8;
  const Note note{.transfer = cell.writer};
  if (is_old(scene, cell))
    return scene.drawing.box(id, rect, radius, {}, {theme.line, 1.5, 6}, note);
  const Fill fill{cell.changed ? theme.warm : theme.cell, transparent};
  if (cell.holding == Holding::complete)
    return scene.drawing.box(id, rect, radius, fill, {theme.ink, 3}, note);
  scene.drawing.box(id, rect, radius, fill, {theme.rule, 1.5}, note);
}

}  // namespace

void draw_cell(Scene& scene, std::int32_t rank, std::int32_t chunk, const Rect& rect) {
  Drawing& drawing = scene.drawing;
  const CellView& cell = scene.cell(rank, chunk);
  const std::string id = "rank" + std::to_string(rank) + ".chunk" + std::to_string(chunk);
  draw_cell_box(scene, id, rect, cell);
  const std::vector<std::int32_t> arriving = scene.arriving(cell);
  Slots slots = slots_of(scene, cell, arriving);
  const double slots_width = std::min(rect.width - 20, scene.schedule.ranks * 44.0);
  const CellRows rows = rows_of(rect);
  slots.area = {rect.center().x - slots_width / 2, rect.y + rows.top, slots_width, rows.slots};
  draw_slots(drawing, id, slots);

  const double above = rows.top + rows.slots + rows.words;
  const Rect words{rect.x + 3, rect.y + above, rect.width - 6, rect.height - above - rows.below};
  const bool adding = !cell.arriving.empty() && !slots.overwriting;
  if (adding) {
    draw_adding(scene, id, {words.x, words.y, words.width, rect.height - above - rows.under_sum},
                rows, cell, chunk, arriving);
  } else {
    const bool complete = cell.holding == Holding::complete;
    const bool stale = cell.holding == Holding::stale || slots.overwriting;
    draw_lines(scene, id + ".label", words,
               says_numbers(scene)
                   ? std::vector{scene.value_text(cell.value, characters_in(scene, words.width))}
                   : label_lines(scene, cell.contributors, chunk, complete, words.width),
               {.face = stale ? Face::mono : Face::mono_bold,
                .color = stale ? scene.theme.faint : scene.theme.ink},
               scene.symbol_of(cell.contributors, chunk));
    draw_value(scene, id, rect, cell);
  }
  if (cell.arriving.empty() && cell.sending < 0) return;
  const Rect ring = inset(rect, -4.5);
  draw_ring(drawing, id + ".ring", ring, !cell.arriving.empty());
  const Point foot{ring.center().x, ring.bottom() + 1};
  const bool both = cell.sending >= 0 && !cell.arriving.empty();
  if (both) draw_pill(drawing, id + ".sending", {foot.x + 22, foot.y}, Pill::send);
  draw_pill(drawing, id + ".pill", {foot.x - (both ? 22 : 0), foot.y},
            !cell.arriving.empty() ? pill_of(scene, cell) : Pill::send);
}

Size chip_size(const Schedule& schedule) {
  if (schedule.ranks <= 2) return {176, 136};
  return {schedule.ranks == 3 ? 144.0 : 122.0, 136};
}

void draw_chip(Scene& scene, std::uint32_t transfer, Point center, Size size) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const std::int32_t chunk = scene.chunk_of(transfer);
  const std::string id = "chip" + std::to_string(transfer);
  const std::vector<std::int32_t> carried = scene.replay.carried(transfer);
  const bool complete = carried.size() == static_cast<std::size_t>(scene.schedule.ranks);
  const Rect rect{center.x - size.width / 2, center.y - size.height / 2, size.width, size.height};
  drawing.set_smooth(true);
  drawing.box(id, rect, 10, {theme.cell, transparent}, scene.chip_stroke(transfer, 4),
              {.moving = true, .transfer = static_cast<std::int32_t>(transfer)});
  Slots slots;
  slots.ranks = scene.schedule.ranks;
  slots.held = carried;
  slots.complete = complete;
  const double slots_width = std::min(rect.width - 24, scene.schedule.ranks * 44.0);
  slots.area = {rect.center().x - slots_width / 2, rect.y + 12, slots_width, 20};
  draw_slots(drawing, id, slots);
  const Rect words{rect.x + 6, rect.y + 36, rect.width - 12, rect.height - 36 - 38};
  const std::string value =
      scene.value_text(scene.replay.carried_value(transfer), characters_in(scene, rect.width - 12));
  const bool numbers = says_numbers(scene);
  const std::vector<std::string> lines =
      numbers ? std::vector{value} : label_lines(scene, carried, chunk, complete, words.width);
  draw_lines(scene, id + ".label", words, lines, {.face = Face::mono_bold, .color = theme.ink},
             scene.symbol_of(carried, chunk));
  if (!numbers)
    drawing.text(id + ".value", {rect.center().x, rect.bottom() - 14}, value,
                 {size::body, Face::mono, Align::center, theme.quiet});
  drawing.set_smooth(false);
}

}  // namespace ringscope
