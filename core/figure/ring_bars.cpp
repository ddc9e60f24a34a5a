// From 13 ranks on: a bar a chunk, and the matrix of shades.
#include <algorithm>
#include <cmath>

#include "core/figure/ring_cards.h"
#include "core/figure/steps.h"

namespace ringscope {
namespace {

constexpr double stripe = 8;

double share_held(const Scene& scene, const CellView& cell, std::int32_t chunk) {
  return static_cast<double>(cell.contributors.size()) / full_terms(scene.schedule, chunk);
}

void draw_bar(Scene& scene, std::int32_t rank, std::int32_t chunk, const Rect& track) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const CellView& cell = scene.cell(rank, chunk);
  const std::string id = "rank" + std::to_string(rank) + ".chunk" + std::to_string(chunk);
  const bool complete = cell.holding == Holding::complete;
  const Rect frame{track.x - 1, track.y - 3, track.width + 2, track.height + 6};
  if (cell.changed)
    drawing.box(id + ".changed", frame, 3, {theme.warm, transparent}, {theme.ink, 1});
  const double share = share_held(scene, cell, chunk);
  const Color color = cell.sending >= 0                ? theme.accent
                      : complete                       ? theme.ink
                      : cell.holding == Holding::stale ? theme.rule
                                                       : theme.line;
  const double height = std::max(2.0, track.height * share);
  const Rect bar{track.x + 1, track.bottom() - height, track.width - 2, height};
  drawing.box(id, bar, 0, {color, transparent}, {},
              {.title = scene.symbol_of(cell.contributors, chunk)});
  if (!cell.arriving.empty()) {
    const double carried =
        static_cast<double>(scene.arriving(cell).size()) / full_terms(scene.schedule, chunk);
    const double from = pill_of(scene, cell) == Pill::overwrite ? 0 : share;
    const double coming = track.height * std::min(carried, 1 - from);
    drawing.box(id + ".arriving",
                {bar.x, track.bottom() - track.height * from - coming, bar.width, coming}, 0,
                {mix(theme.card, theme.accent, 0.25), transparent});
  }
  if (cell.sending >= 0 || !cell.arriving.empty())
    drawing.box(id + ".ring", frame, 3, {}, {theme.accent, 2, cell.arriving.empty() ? 0 : 4.0});
}

}  // namespace

BarsLook bars_look(const Schedule& schedule, double width, double height, int columns, int rows) {
  BarsLook look;
  const double across = width / columns, down = height / rows;
  look.chip = {44, 34};
  const double card_width = std::floor((width - (columns - 1) * 80.0) / columns);
  const double card_height = std::floor((height - (rows - 1) * 44.0) / rows);
  look.bars = card_width >= 156 && card_height >= 110 && schedule.chunks * 6 <= card_width - 24;
  if (look.bars) {
    look.card = {card_width, std::min(card_height, 132.0)};
    return look;
  }
  look.card = {std::min(76.0, across * 0.62), std::min(48.0, down * 0.7)};
  if (across - look.card.width < 60 || down - look.card.height < 44) look.chip = {12, 12};
  return look;
}

namespace {

void draw_pills(Scene& scene, std::int32_t rank, const Rect& card) {
  Drawing& drawing = scene.drawing;
  const std::string id = "rank" + std::to_string(rank);
  const double y = card.bottom() - 20;
  const double quarter = (card.width - stripe) / 4;
  std::vector<std::int32_t> sent, received;
  Pill pill = Pill::add;
  for (std::int32_t chunk = 0; chunk < scene.schedule.chunks; ++chunk) {
    const CellView& cell = scene.cell(rank, chunk);
    if (cell.sending >= 0) sent.push_back(chunk);
    if (cell.arriving.empty()) continue;
    received.push_back(chunk);
    pill = pill_of(scene, cell);
  }
  // Numbers where there is room for the widest that as many may be, so that all cards are alike.
  const auto words = [&](Pill sign, const std::vector<std::int32_t>& chunks) {
    const std::vector<std::int32_t> widest(chunks.size(), scene.schedule.chunks - 1);
    return pill_width(drawing, sign, numbers_text(widest)) <= 2 * quarter - 6 ? numbers_text(chunks)
                                                                              : std::string();
  };
  if (!received.empty())
    draw_pill(drawing, id + ".arriving", {card.x + stripe + quarter, y}, pill,
              words(pill, received));
  if (!sent.empty())
    draw_pill(drawing, id + ".sending", {card.right() - quarter, y}, Pill::send,
              words(Pill::send, sent));
}

}  // namespace

void draw_bars_card(Scene& scene, std::int32_t rank, const Rect& card) {
  draw_card(scene, rank, card, stripe);
  scene.drawing.text("rank" + std::to_string(rank) + ".name", {card.x + stripe + 10, card.y + 30},
                     scene.language.text("view.gpu", {{"rank", std::to_string(rank)}}),
                     {size::body, Face::bold, Align::left, scene.theme.ink});
  const Rect chart{card.x + stripe + 10, card.y + 42, card.width - stripe - 20,
                   card.height - 42 - 44};
  const double pitch = chart.width / scene.schedule.chunks;
  for (std::int32_t chunk = 0; chunk < scene.schedule.chunks; ++chunk)
    draw_bar(scene, rank, chunk, {chart.x + chunk * pitch, chart.y, pitch, chart.height});
  scene.drawing.line("rank" + std::to_string(rank) + ".base", {chart.x, chart.bottom()},
                     {chart.right(), chart.bottom()}, {scene.theme.line, 1});
  draw_pills(scene, rank, card);
  draw_changed_line(scene, rank, {card.x + stripe, card.bottom() - 36, card.width - stripe, 30});
}

void draw_number_chip(Scene& scene, std::uint32_t transfer, Point center, const BarsLook& look) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const std::string id = "chip" + std::to_string(transfer);
  const Rect rect{center.x - look.chip.width / 2, center.y - look.chip.height / 2, look.chip.width,
                  look.chip.height};
  const bool numbered = look.chip.width > 24;
  drawing.set_smooth(true);
  drawing.box(id, rect, numbered ? 8 : 3, {numbered ? theme.cell : theme.accent, transparent},
              scene.chip_stroke(transfer, 3),
              {.moving = true, .transfer = static_cast<std::int32_t>(transfer)});
  if (numbered)
    drawing.label(id + ".number", rect, std::to_string(scene.chunk_of(transfer)),
                  {.face = Face::mono_bold, .color = theme.ink});
  drawing.set_smooth(false);
}

namespace {

// Which of n a row or column of the grid stands for.
std::int32_t sampled(std::int32_t i, std::int32_t shown, std::int32_t all) {
  return static_cast<std::int32_t>(std::int64_t{i} * all / shown);
}

Grid make_shades(const Scene& scene) {
  const Schedule& schedule = scene.schedule;
  Grid grid;
  grid.columns = std::min(schedule.chunks, most_shades);
  grid.rows = std::min(schedule.ranks, most_shades);
  grid.ground = mix(scene.theme.surface, scene.theme.ink, 0.04);
  grid.ink = scene.theme.ink;
  grid.shades.reserve(static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows));
  for (std::int32_t row = 0; row < grid.rows; ++row)
    for (std::int32_t column = 0; column < grid.columns; ++column) {
      const std::int32_t rank = sampled(row, grid.rows, schedule.ranks);
      const std::int32_t chunk = sampled(column, grid.columns, schedule.chunks);
      grid.shades.push_back(static_cast<std::uint8_t>(scene.replay.terms(scene.state, rank, chunk) *
                                                      255 / full_terms(schedule, chunk)));
    }
  return grid;
}

// What is sent, arrives or has changed, outlined.
void outline_cells(Scene& scene, const Grid& grid) {
  if (scene.cells.empty()) return;
  const double width = grid.rect.width / grid.columns, height = grid.rect.height / grid.rows;
  const double stroke = std::clamp(width / 8, 1.0, 2.5);
  for (std::int32_t rank = 0; rank < grid.rows; ++rank)
    for (std::int32_t chunk = 0; chunk < grid.columns; ++chunk) {
      const CellView& cell = scene.cell(rank, chunk);
      if (cell.sending < 0 && cell.arriving.empty() && !cell.changed) continue;
      const Rect rect{grid.rect.x + chunk * width, grid.rect.y + rank * height, width, height};
      const std::string id = "shade" + std::to_string(rank) + "." + std::to_string(chunk);
      const Color color = cell.changed ? scene.theme.ink : scene.theme.accent;
      const Fill fill{cell.changed ? scene.theme.warm : transparent, transparent};
      scene.drawing.box(id, rect, 0, fill, {color, stroke, cell.arriving.empty() ? 0 : 3.0});
    }
}

void draw_shade_labels(Scene& scene, const Grid& grid) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const std::int32_t ranks = scene.schedule.ranks;
  const TextStyle center{size::body, Face::sans, Align::center, theme.quiet};
  const TextStyle right{size::body, Face::sans, Align::right, theme.quiet};
  drawing.text(
      "shades.chunks", {grid.rect.center().x, grid.rect.y - 10},
      scene.language.text("view.chunks", {{"last", std::to_string(scene.schedule.chunks - 1)}}),
      center);
  drawing.text("shades.first", {grid.rect.x - 12, grid.rect.y + 20},
               scene.language.text("view.gpu", {{"rank", "0"}}), right);
  drawing.text("shades.last", {grid.rect.x - 12, grid.rect.bottom() - 3},
               scene.language.text("view.gpu", {{"rank", std::to_string(ranks - 1)}}), right);
  const std::int32_t full = full_terms(scene.schedule, 0);
  std::vector<std::int32_t> counts{1, (full + 1) / 2, full};
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  double y = grid.rect.y + 4;
  for (const std::int32_t count : counts) {
    const std::string id = "shades.key" + std::to_string(count);
    const Rect swatch{grid.rect.right() + 16, y, 24, 24};
    drawing.box(id, swatch, 2,
                {mix(grid.ground, grid.ink, static_cast<double>(count) / full), transparent},
                {theme.rule, 1});
    const std::string number = scene.language.integer(static_cast<std::uint64_t>(count));
    drawing.text("shades.count" + std::to_string(count), {swatch.right() + 10, y + 21},
                 count == full
                     ? scene.language.text("view.of", {{"count", number}, {"all", number}})
                     : number,
                 {size::body, Face::sans, Align::left, theme.quiet});
    y += 36;
  }
}

}  // namespace

void draw_shades(Scene& scene, const Rect& area) {
  Grid grid = make_shades(scene);
  constexpr double beside = 130, above = 34;
  const double side =
      std::min((area.width - 2 * beside) / grid.columns, (area.height - above) / grid.rows);
  const double width = side * grid.columns, height = side * grid.rows;
  grid.rect = {area.center().x - width / 2, area.y + above, width, height};
  scene.drawing.grid("shades", grid);
  const Stroke between{scene.theme.surface, 1};
  if (side >= 10) {
    for (std::int32_t i = 1; i < grid.columns; ++i)
      scene.drawing.line("shades.column" + std::to_string(i), {grid.rect.x + i * side, grid.rect.y},
                         {grid.rect.x + i * side, grid.rect.bottom()}, between);
    for (std::int32_t i = 1; i < grid.rows; ++i)
      scene.drawing.line("shades.row" + std::to_string(i), {grid.rect.x, grid.rect.y + i * side},
                         {grid.rect.right(), grid.rect.y + i * side}, between);
  }
  outline_cells(scene, grid);
  draw_shade_labels(scene, grid);
}

}  // namespace ringscope
