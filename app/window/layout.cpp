#include "app/window/layout.h"

#include <algorithm>

namespace ringscope {
namespace {

constexpr double title_height = 64, narrow_title_height = 88, narrow = 1400, transport_height = 120,
                 panel_width = 512, panel_share = 0.42;
constexpr double margin = 20, presenter_margin = 32, progress_height = 12;
// The stage that views are drawn for at scale 1: on a smaller one everything shrinks with it.
constexpr Size stage_at_least{1100, 800};
constexpr double smallest_scale = 2.0 / 3, largest_scale = 4;

double fitting_scale(const Rect& stage) {
  return std::min(stage.width / stage_at_least.width, stage.height / stage_at_least.height);
}

}  // namespace

Layout layout_of(Size window, double content_scale, Arrangement arrangement) {
  Layout layout;
  layout.scale = std::clamp(std::min(window.width / 1920, window.height / 1080),
                            smallest_scale * content_scale, largest_scale);
  const double width = window.width / layout.scale, height = window.height / layout.scale;
  if (arrangement == Arrangement::presenting) {
    layout.progress = {presenter_margin, height - margin - progress_height,
                       width - 2 * presenter_margin, progress_height};
    layout.stage = {0, 0, width, layout.progress.y - margin / 2};
    layout.stage_scale = layout.scale * std::min(fitting_scale(layout.stage), 1.25);
    return layout;
  }
  // On a narrow window the title has room for a third line.
  layout.title = {0, 0, width, width < narrow ? narrow_title_height : title_height};
  layout.transport = {margin, height - margin - transport_height, width - 2 * margin,
                      transport_height};
  const double top = layout.title.height + margin;
  const double stage_height = std::max(layout.transport.y - margin - top, 100.0);
  // A comparison has margins, and a panel a record, of its own.
  if (arrangement == Arrangement::wide_stage) {
    layout.stage = {0, layout.title.height, width, layout.transport.y - layout.title.height};
    layout.stage_scale = layout.scale;
    return layout;
  }
  const double panel = std::min(panel_width, width * panel_share);
  layout.panel = {width - margin - panel, top, panel, stage_height};
  layout.stage = {margin, top, layout.panel.x - 2 * margin, stage_height};
  layout.stage_scale = layout.scale * std::min(fitting_scale(layout.stage), 1.0);
  return layout;
}

}  // namespace ringscope
