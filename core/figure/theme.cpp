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
    .phase_even = rgb(0xCFE0F5),
    .phase_odd = rgb(0xCDEBDC),
    .selected = rgb(0xCFE0F5),
    .hues = okabe_ito,
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
    .phase_even = rgb(0x22406B),
    .phase_odd = rgb(0x1C4E3B),
    .selected = rgb(0x22406B),
    .hues = okabe_ito,
};

constexpr int hues = static_cast<int>(okabe_ito.size());

Fill fill_with(const Theme& theme, int rank, Color color) {
  if (rank < hues) return {color, transparent};
  if (rank < 2 * hues) return {theme.cell, color};
  // More than fourteen hues nobody can tell apart: from there on the label alone says who it is.
  return {theme.line, transparent};
}

}  // namespace

const Theme& light_theme() { return light; }
const Theme& dark_theme() { return dark; }

const Theme& theme_named(std::string_view name) {
  if (name == light.name) return light;
  if (name == dark.name) return dark;
  throw Error({"error.theme.unknown", {{"name", std::string(name)}, {"known", "light, dark"}}},
              Blame::usage);
}

Fill rank_fill(const Theme& theme, int rank) {
  return fill_with(theme, rank, theme.hues[static_cast<std::size_t>(rank % hues)]);
}

Fill rank_fill_pale(const Theme& theme, int rank) {
  const Color hue = theme.hues[static_cast<std::size_t>(rank % hues)];
  return fill_with(theme, rank, mix(theme.cell, hue, 0.32));
}

}  // namespace ringscope
