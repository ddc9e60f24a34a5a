// The cards of the ring, one kind for each range of N, and the matrix of shades in their middle.
#pragma once

#include <optional>

#include "core/figure/cells.h"

namespace ringscope {

// What all cards have: the frame, and a stripe in the rank's hue.
void draw_card(Scene& scene, std::int32_t rank, const Rect& card, double stripe);
// '7: 10/16' on warm, where columns or bars are too narrow for numbers of their own.
void draw_changed_line(Scene& scene, std::int32_t rank, const Rect& line);

// Up to 4 ranks: cells in full.
struct CellsLook {
  Size card, chip;
  double cell_width = 114, cell_height = 152, cell_gap = 14;
  double above = 90, below = 26;  // the header with the chunks' numbers, and the pills
  bool numbers = true;
};
// Nothing where the room is too small even for tight cells.
std::optional<CellsLook> cells_look(const Schedule& schedule, Size room);
void draw_cells_card(Scene& scene, std::int32_t rank, const Rect& card, const CellsLook& look);

// 5 to 12: columns.
struct ColumnsLook {
  Size card;
  ColumnLook column;
};
std::optional<ColumnsLook> columns_look(const Scene& scene, Size room, int columns, int rows);
void draw_columns_card(Scene& scene, std::int32_t rank, const Rect& card, const ColumnsLook& look);

// From 13: bars k/N where there is room for them, else a number and one bar.
struct BarsLook {
  Size card, chip;
  bool bars = true;
};
BarsLook bars_look(const Schedule& schedule, double width, double height, int columns, int rows);
void draw_bars_card(Scene& scene, std::int32_t rank, const Rect& card);
void draw_number_chip(Scene& scene, std::uint32_t transfer, Point center, const BarsLook& look);

// Ranks x chunks, how many terms each holds as a shade, with what moves outlined.
void draw_shades(Scene& scene, const Rect& area);

}  // namespace ringscope
