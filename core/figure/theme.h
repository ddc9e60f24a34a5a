// Every colour and every number that shapes a drawing. One type family, sizes 20, 24, 32, 40 and a
// title of 56 at 1080p; spacings on a 4 px grid; the hues are Okabe and Ito's, in the order of
// ranks.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/figure/figure.h"

namespace ringscope {

struct Theme {
  std::string_view name;        // 'light', 'dark'
  Color ground, surface, card;  // behind all; the stage and panels; a GPU's card
  Color cell, warm;             // a cell; a cell that changed in this round
  Color ink, quiet, faint;      // text; secondary text; old partial sums (still readable)
  Color line, rule;             // links; hair lines and empty slots
  Color accent, on_accent;      // ring, pill, arrow, chip, play head; what is written on them
  Color landed;                 // what has gone over a link so far
  Color phase_even, phase_odd;  // the scrub bar's phases
  Color selected;               // the beat that is shown
  std::array<Fill, 14> ranks;   // what a rank's terms are filled with
  double pale = 0.32;           // of that fill, the rest of the cell: what is on its way
};
// Light and dark are for the screen; print is black on white, with hatches in place of hues; high
// contrast is for those who see little.
std::span<const Theme> themes();
const Theme& light_theme();
const Theme& dark_theme();
const Theme& print_theme();
// Throws Error (usage) that lists the names.
const Theme& theme_named(std::string_view name);

// A rank's fill: one of the theme's, neutral from the fifteenth on.
Fill rank_fill(const Theme& theme, int rank);
// The same, pale: what is on its way.
Fill rank_fill_pale(const Theme& theme, int rank);

// Sizes at 1080p, in pixels; a view multiplies them by its scale.
namespace size {
inline constexpr double small = 20, body = 24, large = 32, huge = 40, title = 56;
inline constexpr double grid = 4;
}  // namespace size

}  // namespace ringscope
