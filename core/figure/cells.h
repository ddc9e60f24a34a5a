// The pieces of a ring view: a cell in full, a column of slots, chips that travel, pills, rings.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/figure/stage.h"

namespace ringscope {

// A row (or column) of slots, one a rank: whose terms are in the sum.
struct Slots {
  Rect area;
  bool vertical = false;
  double gap = 4;
  int ranks = 1;
  std::span<const std::int32_t> held;
  std::span<const std::int32_t> arriving;  // pale and dashed
  std::span<const std::int32_t> added;     // underlined
  bool overwriting = false;                // what is held is about to be overwritten
  bool complete = false;                   // one band
  bool stale = false;
  bool empty_shown = true;  // else one outline round them all
};
void draw_slots(Drawing& drawing, const std::string& id, const Slots& slots);
// What a cell's slots show at the moment; it looks at the two lists, which must outlive it.
Slots slots_of(const Scene& scene, const CellView& cell, const std::vector<std::int32_t>& arriving);

enum class Pill { send, add, multiply, smaller, larger, overwrite };
// `words` stand behind the sign where not empty.
double pill_width(const Drawing& drawing, Pill pill, const std::string& words = "");
void draw_pill(Drawing& drawing, const std::string& id, Point center, Pill pill,
               const std::string& words = "");
inline constexpr double pill_height = 28;
Pill pill_of(const Scene& scene, const CellView& cell);  // of one in which something arrives

// Round a cell: solid where it is sent, dashed where something arrives.
void draw_ring(Drawing& drawing, const std::string& id, const Rect& rect, bool dashed,
               double radius = 12, double width = 4);

// N up to 4: slots, at most two terms a line, the value.
void draw_cell(Scene& scene, std::int32_t rank, std::int32_t chunk, const Rect& rect);
// What travels, as the cell it is taken from.
Size chip_size(const Schedule& schedule);
void draw_chip(Scene& scene, std::uint32_t transfer, Point center, Size size);

// N from 5 to 12: a slot a contributor from top to bottom, the chunk above, the count below.
struct ColumnLook {
  double pitch = 28;        // from column to column
  double slot_height = 14;  // with the gap
  double chip_slot = 12;    // the same of a chip, which is shorter, so that it has a way to go
  bool labels = true;       // chunk and count of every column
};
void draw_column(Scene& scene, std::int32_t rank, std::int32_t chunk, Point top,
                 const ColumnLook& look);
double column_height(const Scene& scene, const ColumnLook& look);
Size column_chip_size(const Scene& scene, const ColumnLook& look, bool lying);
void draw_column_chip(Scene& scene, std::uint32_t transfer, Point center, const ColumnLook& look,
                      bool lying);

// A check mark in a square of this side.
void draw_check(Drawing& drawing, const std::string& id, Point center, double side, Color color);

}  // namespace ringscope
