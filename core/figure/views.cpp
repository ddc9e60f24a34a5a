#include "core/figure/views.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/error.h"

namespace ringscope {
namespace {

constexpr std::array<View, 2> table{{
    // One direction, and a chunk a place: else links or chunks would have to share.
    {"ring", draw_ring, draw_round_panel,
     [](const Schedule& schedule) {
       return schedule.order.size() == static_cast<std::size_t>(schedule.ranks) &&
              schedule.chunks == schedule.ranks;
     }},
    {"matrix", draw_matrix, draw_round_panel, [](const Schedule&) { return true; }},
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
  return *std::find_if(table.begin(), table.end(),
                       [&](const View& view) { return view.fits(schedule); });
}

}  // namespace ringscope
