// Ring and matrix side by side: who passes on to whom, and what everybody holds.
#include "core/figure/graph.h"
#include "core/figure/nodes.h"
#include "core/figure/ring_places.h"
#include "core/figure/table.h"
#include "core/figure/view_fits.h"

namespace ringscope {
namespace {

constexpr double table_width = 770, gap = 40;

void draw_small_ring(Scene& scene, const Rect& area) {
  const Schedule& schedule = scene.schedule;
  const NodeLook look{.form = NodeForm::number, .card = {76, 56}};
  const RingPlaces places = place_ring(schedule.ranks, area, look.card);
  Graph graph;
  graph.chip = {46, 34};
  for (std::size_t place = 0; place < places.links.size(); ++place)
    graph.links.push_back({schedule.order[place], schedule.order[(place + 1) % places.links.size()],
                           places.links[place]});
  if (schedule.ranks == 2) graph.links.pop_back();  // it goes there and back
  draw_links(scene, graph);
  for (std::size_t place = 0; place < places.cards.size(); ++place)
    draw_node(scene,
              {.id = "node" + std::to_string(schedule.order[place]),
               .rank = schedule.order[place],
               .chunks = schedule.chunks,
               .card = places.cards[place]},
              look);
  draw_chips(scene, graph);
}

}  // namespace

bool fits_ring_and_matrix(const Schedule& schedule) {
  return fits_ring(schedule) && schedule.ranks > 1 && schedule.ranks <= 4 &&
         schedule.chunks == schedule.ranks;
}

Figure draw_ring_and_matrix(const ViewContext& context, const ReplayState& state) {
  Scene scene(context, state, fit_stage(context, {1200, 640}, true));
  const Rect inside = scene.inside();
  const Rect below = draw_heading_row(scene, inside);
  draw_table(scene, {below.right() - table_width, below.y, table_width, below.height});
  const double side = below.width - table_width - gap;
  draw_small_ring(scene, {below.x, below.y + 130, side, below.height - 260});
  draw_foot(scene);
  return std::move(scene.drawing).finish(scene.theme.surface);
}

}  // namespace ringscope
