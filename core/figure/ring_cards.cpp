#include "core/figure/ring_cards.h"

#include <algorithm>
#include <cmath>

#include "core/figure/ring_places.h"
#include "core/figure/steps.h"

namespace ringscope {

void draw_card(Scene& scene, std::int32_t rank, const Rect& card, double stripe) {
  const Theme& theme = scene.theme;
  const std::string id = "rank" + std::to_string(rank);
  scene.drawing.box(id, card, 10, {theme.card, transparent}, {theme.rule, 1});
  scene.drawing.box(id + ".stripe", {card.x, card.y, stripe, card.height}, 4,
                    rank_fill(theme, rank), {theme.ink, 1});
}

namespace {

constexpr double stripe = 10;

// 'GPU 1 · b' on the left, what it does on the right, in the longest words that fit.
void draw_header(Scene& scene, std::int32_t rank, const Rect& card, double name_size, double base) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const std::string id = "rank" + std::to_string(rank);
  const std::string name = scene.language.text("view.gpu", {{"rank", std::to_string(rank)}});
  const TextStyle name_style{name_size, Face::bold, Align::left, theme.ink};
  double x = card.x + stripe + 14;
  drawing.text(id + ".name", {x, base}, name, name_style);
  x += drawing.width(name, name_style) + 8;
  if (scene.schedule.ranks <= 26) {
    drawing.disc(id + ".dot", {x + 3, base - drawing.cap_height(name_style) / 2}, 3,
                 {theme.quiet, transparent});
    const TextStyle letter{name_size - 4, Face::mono_bold, Align::left, theme.quiet};
    drawing.text(id + ".letter", {x + 14, base}, std::string(1, static_cast<char>('a' + rank)),
                 letter);
    x += 14 + drawing.width("a", letter);
  }
  const TextStyle style{size::body, Face::sans, Align::right, theme.quiet};
  for (const std::string& words : doings(scene, rank)) {
    if (drawing.width(words, style) > card.right() - 20 - x - 16) continue;
    return drawing.text(id + ".doing", {card.right() - 20, base}, words, style);
  }
}

}  // namespace

std::optional<CellsLook> cells_look(const Schedule& schedule, Size room) {
  const bool few = schedule.ranks <= 2;  // have the ground to themselves
  const double rows = few ? 1 : 2, columns = std::min(schedule.ranks, 2);
  const double most_height = (room.height - least_heading) / rows;
  CellsLook look;
  look.chip = chip_size(schedule);
  look.cell_width = schedule.chunks >= 4 ? 114 : schedule.chunks == 3 ? 144 : 192;
  if (few) {
    look.cell_width = schedule.chunks == 1 ? 280 : 210;
    // The heading is to have more than the least.
    look.cell_height = std::clamp(most_height - look.above - look.below - 56, 152.0, 216.0);
    const double most = (room.width - look.chip.width - 100) / 2 - 52;
    if (schedule.chunks > 1)
      look.cell_width =
          std::min(look.cell_width, (most + look.cell_gap) / schedule.chunks - look.cell_gap);
  }
  const auto set_card = [&] {
    const double cells = schedule.chunks * (look.cell_width + look.cell_gap) - look.cell_gap;
    look.card = {28 + std::max(cells, 240.0) + 24, look.above + look.cell_height + look.below};
  };
  const auto fits = [&] {
    const double between = look.chip.width + 24;
    return columns * look.card.width + (columns - 1) * between <= room.width &&
           look.card.height <= most_height &&
           (!few || look.card.height * 0.52 >= look.chip.height);  // two lanes
  };
  set_card();
  if (fits()) return look;
  look.chip = {110, 58};
  look.cell_height = 108, look.cell_gap = 10;
  look.above = 42, look.below = 22;
  look.numbers = false;
  const double most = (room.width - (columns - 1) * 160) / columns - 52;
  look.cell_width = std::min((most + look.cell_gap) / schedule.chunks - look.cell_gap,
                             schedule.chunks >= 3 ? 114.0 : 192.0);
  set_card();
  if (look.cell_width < 84 || !fits()) return std::nullopt;
  return look;
}

void draw_cells_card(Scene& scene, std::int32_t rank, const Rect& card, const CellsLook& look) {
  draw_card(scene, rank, card, stripe);
  draw_header(scene, rank, card, look.numbers ? size::large : 28,
              card.y + (look.numbers ? 42 : 28));
  const std::string id = "rank" + std::to_string(rank);
  const std::int32_t chunks = scene.schedule.chunks;
  double x = card.x + 28;
  if (chunks == 1) x = card.x + (card.width + 4 - look.cell_width) / 2;
  for (std::int32_t chunk = 0; chunk < chunks; ++chunk, x += look.cell_width + look.cell_gap) {
    const std::string number = std::to_string(chunk);
    if (look.numbers)
      scene.drawing.label(
          id + ".number" + number, {x, card.y + 56, look.cell_width, 26},
          chunk == 0 ? scene.language.text("view.chunk", {{"chunk", number}}) : number,
          {.color = scene.theme.quiet});
    draw_cell(scene, rank, chunk, {x, card.y + look.above, look.cell_width, look.cell_height});
  }
}

std::optional<ColumnsLook> columns_look(const Scene& scene, Size room, int columns, int rows) {
  const double n = scene.schedule.ranks, chunks = scene.schedule.chunks;
  constexpr double beside = 36, gap = 72;
  ColumnsLook look;
  const double most = (room.width - (columns - 1) * gap) / columns - beside;
  look.column.pitch = std::min(48.0, std::floor(most / chunks));
  const double card_height = rows <= 2 ? std::min(280.0, (room.height - least_heading) / rows)
                                       : std::floor((room.height - (rows - 1) * 56.0) / rows);
  constexpr double with_labels = 44 + 2 * 32 + 34, without = 44 + 8 + 38, least_slot = 7;
  look.column.labels =
      look.column.pitch >= 18 && rows <= 2 && card_height >= with_labels + n * least_slot;
  const double rest = look.column.labels ? with_labels : without;
  if (card_height < rest + n * least_slot || look.column.pitch < 10) return std::nullopt;
  look.column.slot_height = std::min(20.0, std::floor((card_height - rest) / n * 2) / 2);
  constexpr double chip_ends = 2 * 36 + 4;
  const double chip_length = rows <= 2 ? std::min(190.0, room.height - 2 * card_height - 24)
                                       : beside + chunks * look.column.pitch;
  look.column.chip_slot = std::min(look.column.slot_height, (chip_length - chip_ends) / n);
  look.card = {beside + chunks * look.column.pitch, rest + n * look.column.slot_height};
  return look;
}

namespace {

// The pills of a card stand under their columns, moved apart where these are too near.
void draw_column_pills(Scene& scene, std::int32_t rank, const Rect& card, const ColumnsLook& look,
                       double first_x, double y) {
  Drawing& drawing = scene.drawing;
  const std::string id = "rank" + std::to_string(rank);
  struct Sign {
    Pill pill;
    std::string words;
    std::int32_t chunk;
    double x, width;
  };
  std::vector<Sign> signs;
  for (std::int32_t chunk = 0; chunk < scene.schedule.chunks; ++chunk) {
    const CellView& cell = scene.cell(rank, chunk);
    if (cell.sending < 0 && cell.arriving.empty()) continue;
    const Pill pill = !cell.arriving.empty() ? pill_of(scene, cell) : Pill::send;
    const std::string words = look.column.labels ? "" : std::to_string(chunk);
    signs.push_back({pill, words, chunk, first_x + chunk * look.column.pitch,
                     pill_width(drawing, pill, words)});
  }
  const double left = card.x + stripe + 6, right = card.right() - 6;
  for (Sign& sign : signs)
    sign.x = std::clamp(sign.x, left + sign.width / 2, right - sign.width / 2);
  if (signs.size() == 2) {
    const double needed = (signs[0].width + signs[1].width) / 2 + 4;
    const double missing = needed - (signs[1].x - signs[0].x);
    if (missing > 0) signs[0].x -= missing / 2, signs[1].x += missing / 2;
    const double shift = std::max(0.0, left + signs[0].width / 2 - signs[0].x) -
                         std::max(0.0, signs[1].x + signs[1].width / 2 - right);
    signs[0].x += shift, signs[1].x += shift;
  }
  if (signs.size() > 2) {
    const auto apart = [](const Sign& one, const Sign& two) {
      return (one.width + two.width) / 2 + 3;
    };
    for (std::size_t i = 1; i < signs.size(); ++i)
      signs[i].x = std::max(signs[i].x, signs[i - 1].x + apart(signs[i - 1], signs[i]));
    double end = right + 3;
    for (std::size_t i = signs.size(); i-- > 0;) {
      signs[i].x = std::min(signs[i].x, end - 3 - signs[i].width / 2);
      end = signs[i].x - signs[i].width / 2;
    }
  }
  for (const Sign& sign : signs)
    draw_pill(drawing, id + ".chunk" + std::to_string(sign.chunk) + ".pill", {sign.x, y}, sign.pill,
              sign.words);
}

}  // namespace

// '7: 10/16' on warm, where the columns or bars are too narrow for numbers of their own.
void draw_changed_line(Scene& scene, std::int32_t rank, const Rect& line) {
  const Theme& theme = scene.theme;
  std::vector<std::int32_t> changed;
  bool complete = true;
  for (std::int32_t chunk = 0; chunk < scene.schedule.chunks; ++chunk) {
    if (!scene.cell(rank, chunk).changed) continue;
    changed.push_back(chunk);
    complete = complete && scene.cell(rank, chunk).holding == Holding::complete;
  }
  if (changed.empty()) return;
  const std::vector<std::int32_t>& contributors = scene.cell(rank, changed[0]).contributors;
  // Of what is only copied, that it is there says all.
  const std::int32_t full = full_terms(scene.schedule, changed[0]);
  const std::string share =
      full == 1 ? "" : std::to_string(contributors.size()) + "/" + std::to_string(full);
  const TextStyle style{size::body, Face::mono_bold, Align::left, theme.ink};
  const double mark = complete ? 24 : 0;
  std::string words = numbers_text(changed) + (full == 1 ? "" : ": " + share);
  if (scene.drawing.width(words, style) + 24 + mark > line.width - 8) words = share;
  const double width = scene.drawing.width(words, style) + 24 + mark;
  const Rect pill{line.center().x - width / 2, line.y, width, line.height};
  const std::string id = "rank" + std::to_string(rank) + ".changed";
  scene.drawing.box(id, pill, 8, {theme.warm, transparent}, {theme.rule, 1});
  scene.drawing.text(id + ".label",
                     {pill.x + 12, pill.center().y + scene.drawing.cap_height(style) / 2}, words,
                     style, {.title = scene.symbol_of(contributors, changed[0])});
  if (complete)
    draw_check(scene.drawing, id + ".check", {pill.right() - 20, pill.center().y}, 16, theme.ink);
}

void draw_columns_card(Scene& scene, std::int32_t rank, const Rect& card, const ColumnsLook& look) {
  draw_card(scene, rank, card, stripe);
  draw_header(scene, rank, card, 28, card.y + 35);
  const double first_x = card.x + stripe + 13 + look.column.pitch / 2;
  const double top = card.y + 46;
  for (std::int32_t chunk = 0; chunk < scene.schedule.chunks; ++chunk)
    draw_column(scene, rank, chunk, {first_x + chunk * look.column.pitch, top}, look.column);
  const double bottom = top + column_height(scene, look.column);
  draw_column_pills(scene, rank, card, look, first_x,
                    look.column.labels ? bottom + 13 : bottom + 19);
  if (!look.column.labels)
    draw_changed_line(scene, rank, {card.x + stripe, bottom + 4, card.width - stripe, 30});
}

}  // namespace ringscope
