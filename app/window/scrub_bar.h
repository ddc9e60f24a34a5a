// The bar on which the play head stands, one kind a clock.
#pragma once

#include <optional>

#include "app/window/ui.h"

namespace ringscope {

// Rounds at equal distances, with their phases; a row a record where several are shown.
void rounds_bar(Pen& pen, const Rect& rect, double scale);
// Measured time, with phases as recorded: they may overlap.
void time_bar(Pen& pen, const Rect& rect, double scale);

// What both are made of.
// A hand that holds the bar, or has just let it go; x in design units.
struct Hand {
  double x;
  bool lets_go;
};
std::optional<Hand> hand_on(Pen& pen, const Rect& bar, double scale);
void play_head(Pen& pen, const Rect& bar, double x);
Color phase_color(const Theme& theme, std::size_t phase);
// The row of one of several records.
Rect row_of(const Rect& bar, std::size_t row, std::size_t rows);
// Which record a row is of, behind its end, where there is room.
void row_name(Pen& pen, const Rect& row, double end, const Schedule& schedule);

}  // namespace ringscope
