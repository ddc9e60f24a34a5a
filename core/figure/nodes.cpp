#include "core/figure/nodes.h"

#include <algorithm>
#include <cmath>

#include "core/figure/ring_cards.h"
#include "core/figure/steps.h"

namespace ringscope {
namespace {

constexpr double stripe = 10, cell_gap = 14;
// Of cells: header and numbers above, pills below.
constexpr double above_one = 52, above_many = 86, below_cells = 24;
constexpr double header = 42, row = 34, row_label = 30;

// Of rows that are slots only.
double low_row(const Scene& scene) { return scene.schedule.ranks <= 8 ? 20 : 14; }

std::string number_of(std::int32_t rank) { return std::to_string(rank); }

// The widest words with which a rank's name fits.
std::string name_in(const Scene& scene, std::int32_t rank, const TextStyle& style, double room) {
  std::string name = scene.language.text("view.gpu", {{"rank", number_of(rank)}});
  return scene.drawing.width(name, style) <= room ? name : number_of(rank);
}

}  // namespace

NodeLook node_look(const Scene& scene, Size most, std::int32_t chunks) {
  const std::int32_t ranks = scene.schedule.ranks;
  NodeLook look;
  const double above = chunks > 1 ? above_many : above_one;
  const double cells = std::floor((most.width - 28 - 24 + cell_gap) / chunks - cell_gap);
  const double least = std::max(114.0, ranks * 16.0);
  if (ranks <= 8 && chunks <= 4 && cells >= least && most.height >= above + 128 + below_cells) {
    look.form = NodeForm::cells;
    look.cell_width = std::min(cells, chunks == 1 ? 400.0 : 192.0);
    const double cell_height =
        std::min(ranks <= 2 ? 216.0 : 152.0, most.height - above - below_cells);
    look.card = {28 + chunks * (look.cell_width + cell_gap) - cell_gap + 24,
                 above + cell_height + below_cells};
    return look;
  }
  const double wide = header + (chunks == 1 ? 26 + row_label : chunks * row) + 8;
  const double low = header + chunks * low_row(scene) + 6;
  if (ranks <= 16 && chunks <= 8 && most.width >= std::max(112.0, ranks * 7.0 + 34) &&
      most.height >= low) {
    look.form = NodeForm::rows;
    look.words = most.height >= wide && (chunks == 1 || most.width >= ranks * 7.0 + 110);
    look.card = {std::min(most.width, 340.0), look.words ? wide : low};
    return look;
  }
  if (most.width >= std::max(156.0, chunks * 6.0 + 24) && most.height >= 110 && chunks > 1) {
    look.form = NodeForm::bars;
    look.card = {std::min(most.width, 300.0), std::min(most.height, 132.0)};
    return look;
  }
  look.card = {std::floor(std::clamp(most.width, 34.0, 76.0)),
               std::floor(std::clamp(most.height, 40.0, 56.0))};
  return look;
}

namespace {

// What one of a node's cells is at the moment.
struct Signs {
  bool sending = false, arriving = false, overwriting = false, changed = false;
  bool complete = true, stale = true;
};

Signs signs_of(const Scene& scene, const Node& node) {
  Signs signs;
  for (std::int32_t i = 0; i < node.chunks; ++i) {
    const CellView& cell = scene.cell(node.rank, node.first_chunk + i);
    signs.sending = signs.sending || cell.sending >= 0;
    if (!cell.arriving.empty()) {
      signs.arriving = true;
      signs.overwriting = pill_of(scene, cell) == Pill::overwrite;
    }
    signs.changed = signs.changed || cell.changed;
    signs.complete = signs.complete && cell.holding == Holding::complete;
    signs.stale = signs.stale && cell.holding == Holding::stale;
  }
  return signs;
}

Pill arriving_pill(const Scene& scene, const Node& node) {
  for (std::int32_t i = 0; i < node.chunks; ++i) {
    const CellView& cell = scene.cell(node.rank, node.first_chunk + i);
    if (!cell.arriving.empty()) return pill_of(scene, cell);
  }
  return Pill::add;
}

void draw_frame(Scene& scene, const Node& node, const Signs& signs) {
  const Theme& theme = scene.theme;
  const Color ground = node.faded ? mix(theme.surface, theme.card, 0.5) : theme.card;
  const Stroke stroke = signs.complete ? Stroke{theme.ink, 2.5} : Stroke{theme.rule, 1};
  scene.drawing.box(node.id, node.card, 10, {ground, transparent}, stroke);
  scene.drawing.box(node.id + ".stripe", {node.card.x, node.card.y, stripe, node.card.height}, 4,
                    rank_fill(theme, node.rank), {theme.ink, 1});
}

// Name and letter on the left; on the right the role, or what it does in the longest words that
// fit. `pills` stand for words where cells have no room for them.
void draw_node_header(Scene& scene, const Node& node, double name_size, double base, bool pills) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const Rect& card = node.card;
  const Color ink = node.faded ? theme.faint : theme.ink;
  const TextStyle name_style{name_size, Face::bold, Align::left, ink};
  double x = card.x + stripe + 12, right = card.right() - 12;
  if (pills) {
    const Signs signs = signs_of(scene, node);
    const double y = base - drawing.cap_height(name_style) / 2;
    const auto place = [&](const std::string& id, Pill pill) {
      const double width = pill_width(drawing, pill);
      if (right - width < x + drawing.width(number_of(node.rank), name_style) + 8) return;
      draw_pill(drawing, node.id + id, {right - width / 2, y}, pill);
      right -= width + 6;
    };
    if (signs.sending) place(".sending", Pill::send);
    if (signs.arriving) place(".arriving", arriving_pill(scene, node));
    if (signs.complete && !signs.arriving && !signs.sending && right - x > 100) {
      draw_check(drawing, node.id + ".check", {right - 9, y}, 18, theme.ink);
      right -= 26;
    }
  }
  const std::string name = name_in(scene, node.rank, name_style, right - x);
  drawing.text(node.id + ".name", {x, base}, name, name_style);
  x += drawing.width(name, name_style) + 8;
  const TextStyle letter{name_size - 4, Face::mono_bold, Align::left, theme.quiet};
  const double letter_width = 14 + drawing.width("a", letter);
  if (scene.schedule.ranks <= 26 && name_size > size::body && x + letter_width <= right) {
    drawing.disc(node.id + ".dot", {x + 3, base - drawing.cap_height(name_style) / 2}, 3,
                 {theme.quiet, transparent});
    drawing.text(node.id + ".letter", {x + 14, base},
                 std::string(1, static_cast<char>('a' + node.rank)), letter);
    x += letter_width;
  }
  const TextStyle style{size::body, Face::sans, Align::right,
                        node.faded ? theme.faint : theme.quiet};
  std::vector<std::string> words = doings(scene, node.rank, node.first_chunk, node.chunks);
  if (words.empty() && node.faded) words = {scene.language.text("view.waits_now")};
  if (!node.role.empty() && !scene.state.measured) words = {node.role};
  if (!node.role.empty() && scene.state.measured && words.empty()) words = {node.role};
  for (const std::string& word : words) {
    if (drawing.width(word, style) > right - x - 16) continue;
    return drawing.text(node.id + ".doing", {right, base}, word, style);
  }
}

void draw_cells_node(Scene& scene, const Node& node, const NodeLook& look) {
  const Rect& card = node.card;
  draw_node_header(scene, node, size::large, card.y + (node.chunks > 1 ? 42 : 39), false);
  const bool many = node.chunks > 1;
  const double above = many ? above_many : above_one;
  const double cells = node.chunks * (look.cell_width + cell_gap) - cell_gap;
  double x = card.x + (card.width + 4 - cells) / 2;
  for (std::int32_t i = 0; i < node.chunks; ++i, x += look.cell_width + cell_gap) {
    const std::int32_t chunk = node.first_chunk + i;
    const std::string number = std::to_string(chunk);
    if (many)
      scene.drawing.label(node.id + ".number" + number, {x, card.y + 54, look.cell_width, 26},
                          i == 0 ? scene.language.text("view.chunk", {{"chunk", number}}) : number,
                          {.color = scene.theme.quiet});
    draw_cell(scene, node.rank, chunk,
              {x, card.y + above, look.cell_width, card.height - above - below_cells});
  }
}

// What stands under or beside a row of slots: the sum where it fits, else how many terms.
std::string words_of_row(const Scene& scene, const CellView& cell, std::int32_t chunk,
                         const TextStyle& style, double room) {
  if (cell.elements == 0) return "-";
  const std::string symbol = scene.symbol_of(cell.contributors, chunk);
  if (scene.drawing.width(symbol, style) <= room) return symbol;
  const std::string count = std::to_string(cell.contributors.size());
  const std::string share = count + "/" + std::to_string(scene.schedule.ranks);
  return scene.drawing.width(share, style) <= room ? share : count;
}

void draw_row(Scene& scene, const Node& node, std::int32_t chunk, const Rect& area,
              const NodeLook& look) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const CellView& cell = scene.cell(node.rank, chunk);
  const std::string id = "rank" + number_of(node.rank) + ".chunk" + std::to_string(chunk);
  const bool complete = cell.holding == Holding::complete, stale = cell.holding == Holding::stale;
  const bool beneath = look.words && node.chunks == 1, beside = look.words && node.chunks > 1;
  const Rect frame = inset(area, -1);
  const Stroke stroke = stale ? Stroke{theme.line, 1, 5} : Stroke{theme.rule, 1};
  drawing.box(id, frame, 6,
              {cell.changed ? theme.warm
               : stale      ? transparent
                            : theme.cell,
               transparent},
              complete ? Stroke{theme.ink, 2} : stroke);
  const TextStyle style{size::body, cell.changed || complete ? Face::mono_bold : Face::mono,
                        Align::center, stale ? theme.faint : theme.ink};
  double left = area.x + 6, right = area.right() - 6;
  if (beside) {
    drawing.label(id + ".number", {left, area.y, 18, area.height}, std::to_string(chunk),
                  {.face = Face::mono, .color = theme.quiet});
    left += 24;
    const std::string count = std::to_string(cell.contributors.size());
    const double width = drawing.width("00", style);
    const Rect place{right - width, area.y, width, area.height};
    if (complete)
      draw_check(drawing, id + ".check", place.center(), 16, theme.ink);
    else
      drawing.label(id + ".label", place, cell.elements == 0 ? "-" : count, style,
                    {.title = scene.symbol_of(cell.contributors, chunk)});
    right -= width + 8;
  }
  const std::vector<std::int32_t> arriving = scene.arriving(cell);
  Slots slots = slots_of(scene, cell, arriving);
  slots.gap = slots.ranks > 8 ? 2 : 3;
  const double width = std::min(right - left, slots.ranks * 34.0);
  const double height = look.words ? 16 : std::min(10.0, area.height - 3);
  const double y = beneath ? area.y + 7 : area.center().y - height / 2;
  slots.area = {beneath ? area.center().x - width / 2 : left, y, width, height};
  draw_slots(drawing, id, slots);
  if (beneath) {
    const Rect below{area.x + 4, area.y + 26, area.width - 8, area.height - 28};
    drawing.label(id + ".label", below, words_of_row(scene, cell, chunk, style, below.width), style,
                  {.title = scene.symbol_of(cell.contributors, chunk) +
                            (cell.value ? " = " + scene.value_title(cell) : std::string())});
  }
  if (cell.sending >= 0 || !cell.arriving.empty())
    draw_ring(drawing, id + ".ring", inset(frame, -2.5), !cell.arriving.empty(), 8, 3);
}

void draw_rows_node(Scene& scene, const Node& node, const NodeLook& look) {
  const Rect& card = node.card;
  draw_node_header(scene, node, size::body, card.y + 29, true);
  const double height = !look.words ? low_row(scene) : node.chunks == 1 ? 26 + row_label : row;
  double y = card.y + header;
  for (std::int32_t i = 0; i < node.chunks; ++i, y += height)
    draw_row(scene, node, node.first_chunk + i,
             {card.x + stripe + 8, y + 1, card.width - stripe - 16, height - 4}, look);
}

// How much of all that its goal needs, over the chunks that are shown.
double share_held(const Scene& scene, const Node& node) {
  double held = 0;
  for (std::int32_t i = 0; i < node.chunks; ++i)
    held += static_cast<double>(scene.cell(node.rank, node.first_chunk + i).contributors.size()) /
            full_terms(scene.schedule, node.first_chunk + i);
  return held / node.chunks;
}

void draw_number_node(Scene& scene, const Node& node) {
  const Theme& theme = scene.theme;
  const Rect& card = node.card;
  const Signs signs = signs_of(scene, node);
  Stroke stroke = signs.complete ? Stroke{theme.ink, 2.5} : Stroke{theme.rule, 1.5};
  if (signs.sending) stroke = {theme.accent, 4};
  if (signs.arriving) stroke = {theme.accent, 4, 7};
  scene.drawing.box(node.id, card, 6, {signs.changed ? theme.warm : theme.card, transparent},
                    stroke);
  scene.drawing.box(node.id + ".stripe",
                    {card.x, card.y, std::min(6.0, card.width / 6), card.height}, 3,
                    rank_fill(theme, node.rank), {theme.ink, 1});
  const double left = card.x + std::min(6.0, card.width / 6);
  scene.drawing.label(node.id + ".name", {left, card.y, card.right() - left, card.height - 9},
                      number_of(node.rank),
                      {.face = Face::mono_bold, .color = node.faded ? theme.faint : theme.ink});
  const Rect track{left + 4, card.bottom() - 7, card.right() - left - 8, 4};
  scene.drawing.box(node.id + ".track", track, 0, {mix(theme.card, theme.rule, 0.6), transparent});
  scene.drawing.box(node.id + ".held",
                    {track.x, track.y, track.width * share_held(scene, node), track.height}, 0,
                    {theme.ink, transparent});
}

}  // namespace

Node node_of(const Scene& scene, std::int32_t rank, const Rect& card, std::string role) {
  return {.id = "rank" + number_of(rank),
          .rank = rank,
          .chunks = scene.schedule.chunks,
          .card = card,
          .role = std::move(role)};
}

void draw_node(Scene& scene, const Node& node, const NodeLook& look) {
  if (look.form == NodeForm::number) return draw_number_node(scene, node);
  if (look.form == NodeForm::bars) return draw_bars_card(scene, node.rank, node.card);
  draw_frame(scene, node, signs_of(scene, node));
  if (look.form == NodeForm::cells) return draw_cells_node(scene, node, look);
  draw_rows_node(scene, node, look);
}

}  // namespace ringscope
