#include "core/figure/theme.h"

#include <string>

#include "core/error.h"

namespace ringscope {
namespace {

constexpr Color rgb(std::uint32_t value) {
  return {static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8),
          static_cast<std::uint8_t>(value), 255};
}

// Okabe and Ito's eight without black, in the order of ranks: blue, orange, green, purple, sky,
// vermilion, yellow (jfly.uni-koeln.de/color).
constexpr std::array<Color, 7> okabe_ito{rgb(0x0072B2), rgb(0xE69F00), rgb(0x009E73), rgb(0xCC79A7),
                                         rgb(0x56B4E9), rgb(0xD55E00), rgb(0xF0E442)};

// The hues, and behind them the same as hatches on a cell.
constexpr std::array<Fill, 14> hues_and_hatches(Color cell) {
  std::array<Fill, 14> fills;
  for (std::size_t i = 0; i < okabe_ito.size(); ++i) {
    fills[i] = {okabe_ito[i], transparent};
    fills[i + okabe_ito.size()] = {cell, okabe_ito[i]};
  }
  return fills;
}

// In black: what two neighbours have differs in direction, not only in density. Plain grey, which
// old partial sums have, comes late.
constexpr std::array<Fill, 14> hatches_only(Color ink, Color grey, Color pale, Color cell) {
  return {{{ink, transparent},
           {cell, ink, Pattern::diagonal},
           {cell, ink, Pattern::horizontal},
           {cell, ink, Pattern::counter},
           {cell, ink, Pattern::vertical},
           {cell, ink, Pattern::cross},
           {cell, ink, Pattern::grid},
           {grey, transparent},
           {pale, ink, Pattern::diagonal},
           {grey, cell, Pattern::diagonal},
           {pale, ink, Pattern::counter},
           {grey, cell, Pattern::horizontal},
           {pale, ink, Pattern::cross},
           {grey, cell, Pattern::vertical}}};
}

constexpr Theme light{
    .name = "light",
    .ground = rgb(0xF1EFE8),
    .surface = rgb(0xFEFDFA),
    .card = rgb(0xF6F4EE),
    .cell = rgb(0xFFFFFF),
    .warm = rgb(0xFFECBA),
    .ink = rgb(0x1B1F24),
    .quiet = rgb(0x3F4753),
    .faint = rgb(0x494F58),
    .line = rgb(0x868C96),
    .rule = rgb(0xBDB9AD),
    .accent = rgb(0x5B35B0),
    .on_accent = rgb(0xFFFFFF),
    .landed = rgb(0x1B1F24),
    .phase_even = rgb(0xCFE0F5),
    .phase_odd = rgb(0xCDEBDC),
    .selected = rgb(0xCFE0F5),
    .ranks = hues_and_hatches(rgb(0xFFFFFF)),
};

constexpr Theme dark{
    .name = "dark",
    .ground = rgb(0x0C1017),
    .surface = rgb(0x121720),
    .card = rgb(0x1A202B),
    .cell = rgb(0x232B38),
    .warm = rgb(0x45370F),
    .ink = rgb(0xF1F3F6),
    .quiet = rgb(0xC9D0DA),
    .faint = rgb(0xB4BCC8),
    .line = rgb(0x7D8797),
    .rule = rgb(0x4B5666),
    .accent = rgb(0xC4AEFF),
    .on_accent = rgb(0x14101F),
    .landed = rgb(0xF1F3F6),
    .phase_even = rgb(0x22406B),
    .phase_odd = rgb(0x1C4E3B),
    .selected = rgb(0x22406B),
    .ranks = hues_and_hatches(rgb(0x232B38)),
};

constexpr Theme print{
    .name = "print",
    .ground = rgb(0xFFFFFF),
    .surface = rgb(0xFFFFFF),
    .card = rgb(0xFFFFFF),
    .cell = rgb(0xFFFFFF),
    .warm = rgb(0xE4E4E4),
    .ink = rgb(0x000000),
    .quiet = rgb(0x2E2E2E),
    .faint = rgb(0x4A4A4A),
    .line = rgb(0x6E6E6E),
    .rule = rgb(0x9A9A9A),
    .accent = rgb(0x000000),
    .on_accent = rgb(0xFFFFFF),
    .landed = rgb(0x808080),
    .phase_even = rgb(0xF0F0F0),
    .phase_odd = rgb(0xCCCCCC),
    .selected = rgb(0xE4E4E4),
    .ranks = hatches_only(rgb(0x000000), rgb(0x8A8A8A), rgb(0xD0D0D0), rgb(0xFFFFFF)),
};

constexpr Theme high_contrast{
    .name = "high-contrast",
    .ground = rgb(0x000000),
    .surface = rgb(0x000000),
    .card = rgb(0x000000),
    .cell = rgb(0x000000),
    .warm = rgb(0x4A3D00),
    .ink = rgb(0xFFFFFF),
    .quiet = rgb(0xFFFFFF),
    .faint = rgb(0xD6D6D6),
    .line = rgb(0xFFFFFF),
    .rule = rgb(0xA8A8A8),
    .accent = rgb(0x8CFF40),
    .on_accent = rgb(0x000000),
    .landed = rgb(0xFFFFFF),
    .phase_even = rgb(0x00326A),
    .phase_odd = rgb(0x003A22),
    .selected = rgb(0x003A78),
    .ranks = hues_and_hatches(rgb(0x000000)),
    .pale = 0.55,
};

constexpr std::array<Theme, 4> table{light, dark, print, high_contrast};

constexpr int own_fills = static_cast<int>(light.ranks.size());

}  // namespace

std::span<const Theme> themes() { return table; }
const Theme& light_theme() { return table[0]; }
const Theme& dark_theme() { return table[1]; }
const Theme& print_theme() { return table[2]; }

const Theme& theme_named(std::string_view name) {
  std::string known;
  for (const Theme& theme : table) {
    if (theme.name == name) return theme;
    known += (known.empty() ? "" : ", ") + std::string(theme.name);
  }
  throw Error({"error.theme.unknown", {{"name", std::string(name)}, {"known", known}}},
              Blame::usage);
}

Fill rank_fill(const Theme& theme, int rank) {
  // More than fourteen fills nobody can tell apart: from there on the label alone says who it is.
  return rank < own_fills ? theme.ranks[static_cast<std::size_t>(rank)]
                          : Fill{theme.line, transparent};
}

Fill rank_fill_pale(const Theme& theme, int rank) {
  if (rank >= own_fills) return {theme.line, transparent};
  Fill fill = theme.ranks[static_cast<std::size_t>(rank)];
  fill.color = mix(theme.cell, fill.color, theme.pale);
  if (fill.hatch != transparent) fill.hatch = mix(theme.cell, fill.hatch, theme.pale);
  return fill;
}

}  // namespace ringscope
