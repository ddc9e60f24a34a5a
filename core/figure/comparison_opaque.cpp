// The stage of a run that shows no transfers, among those that are compared.
#include <algorithm>

#include "core/figure/comparison_parts.h"
#include "core/figure/lines.h"
#include "core/figure/opaque.h"

namespace ringscope {
namespace {

struct StageLine {
  std::string id, text;
  double size = size::body;
  Face face = Face::sans;
  bool quiet = false;
  double above = 0;

  double height() const { return size * 1.4 + above; }
};

std::vector<StageLine> lines_of(const Comparison& comparison, const CompactStage& stage,
                                double width) {
  const Language& language = comparison.language;
  std::vector<StageLine> lines;
  const auto add = [&](const std::string& id, const std::string& text, double size, Face face,
                       bool quiet, double above) {
    for (const std::string& line :
         balanced_lines(comparison.drawing, text, {size, face, Align::center, {}}, width)) {
      lines.push_back({id + std::to_string(lines.size()), line, size, face, quiet, above});
      above = 0;
    }
  };
  add("sentence", opaque_sentence(language), size::large, Face::bold, false, 0);
  add("unknown", language.text("sentence.closed_unknown"), size::body, Face::sans, true, 12);
  if (busbw(stage.trace) > 0) {
    add("busbw", language.rate(busbw(stage.trace)), size::huge, Face::bold, false, 32);
    add("busbw_is", language.text("closed.busbw"), size::body, Face::sans, true, 0);
  }
  return lines;
}

}  // namespace

void draw_closed_stage(Comparison& comparison, const CompactStage& stage, const Rect& area) {
  Drawing& drawing = comparison.drawing;
  const Theme& theme = comparison.theme;
  const std::string id = stage.id + ".closed";
  const Rect box = inset(area, 8);
  drawing.box(id, box, 16, {theme.card, theme.rule}, {theme.ink, 4});
  const std::vector<StageLine> lines =
      lines_of(comparison, stage, std::min(560.0, box.width - 2 * 40));
  double height = 0, width = 0;
  for (const StageLine& line : lines) {
    height += line.height();
    width = std::max(width, drawing.width(line.text, {line.size, line.face, Align::center, {}}));
  }
  const Rect plate{box.center().x - width / 2 - 32, box.center().y - height / 2 - 28, width + 64,
                   height + 56};
  drawing.box(id + ".plate", plate, 10, {theme.surface, transparent}, {theme.ink, 1.5});
  double y = plate.y + 28;
  for (const StageLine& line : lines) {
    y += line.height();
    drawing.text(id + ".plate." + line.id, {box.center().x, y - line.size * 0.36}, line.text,
                 {line.size, line.face, Align::center, line.quiet ? theme.quiet : theme.ink});
  }
}

}  // namespace ringscope
