// The stage of a run that shows no transfers, among those that are compared.
#include <algorithm>

#include "core/figure/comparison_parts.h"
#include "core/figure/opaque.h"

namespace ringscope {

void draw_closed_stage(Comparison& comparison, const CompactStage& stage, const Rect& area) {
  Drawing& drawing = comparison.drawing;
  const Theme& theme = comparison.theme;
  const std::string id = stage.id + ".closed";
  const Rect box = inset(area, 8);
  drawing.box(id, box, 16, {theme.card, theme.rule}, {theme.ink, 4});
  Plate plate(drawing, std::min(560.0, box.width - 2 * 40));
  add_sentence(plate, comparison.language, true);
  add_busbw(plate, stage.trace, comparison.language, 32);
  const Size size{plate.width() + 2 * 32, plate.height() + 2 * 28};
  const Point middle = box.center();
  plate.draw(drawing, id + ".plate",
             {middle.x - size.width / 2, middle.y - size.height / 2, size.width, size.height});
}

}  // namespace ringscope
