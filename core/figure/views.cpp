#include "core/figure/views.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/error.h"
#include "core/figure/tree_places.h"
#include "core/figure/view_fits.h"
#include "core/schedule/opaque.h"

namespace ringscope {
namespace {

// Whose transfers are seen.
bool fits_any(const Schedule& schedule) { return !is_opaque(schedule); }

constexpr std::array<View, 11> table{{
    {"ring", draw_ring, draw_ring_panel, fits_ring},
    {"tree", draw_tree, draw_round_panel, fits_tree},
    {"star", draw_star, draw_round_panel, fits_star},
    {"groups", draw_groups, draw_round_panel, fits_groups},
    {"hypercube", draw_hypercube, draw_round_panel, fits_hypercube},
    {"ring+matrix", draw_ring_and_matrix, draw_round_panel, fits_ring_and_matrix},
    {"matrix", draw_matrix, draw_round_panel, fits_any},
    {"timeline", draw_timeline, draw_timeline_panel, fits_any},
    {"journey", draw_journey, draw_round_panel, fits_any},
    {"opaque", draw_opaque, draw_opaque_panel, fits_opaque},
    {"additions", draw_additions, draw_round_panel, fits_any},
}};

}  // namespace

std::span<const View> views() { return table; }

const View& view_named(std::string_view name) {
  std::string known;
  for (const View& view : table) {
    if (view.name == name) return view;
    known += (known.empty() ? "" : ", ") + std::string(view.name);
  }
  throw Error({"error.view.unknown", {{"name", std::string(name)}, {"known", known}}},
              Blame::usage);
}

const View& first_view_of(const Schedule& schedule) {
  struct Row {
    std::string_view algorithm, view;
  };
  constexpr std::array<Row, 12> natural{{{"ring", "ring"},
                                         {"bidirectional", "ring"},
                                         {"reduce", "ring"},
                                         {"broadcast", "ring"},
                                         {"reduce-scatter", "ring"},
                                         {"all-gather", "ring"},
                                         {"parameter-server", "star"},
                                         {"tree", "tree"},
                                         {"double-tree", "tree"},
                                         {"hierarchical", "groups"},
                                         {"recursive-doubling", "hypercube"},
                                         {"halving-doubling", "hypercube"}}};
  for (const Row& row : natural)
    if (row.algorithm == schedule.algorithm && view_named(row.view).fits(schedule))
      return view_named(row.view);
  return view_named(is_opaque(schedule) ? "opaque" : "matrix");
}

}  // namespace ringscope
