#include <algorithm>
#include <cmath>

#include "core/figure/lines.h"
#include "core/figure/opaque.h"

namespace ringscope {

double Plate::Line::height() const { return std::round(size * 1.36) + above; }

TextStyle Plate::Line::style() const {
  return {size, size > size::body ? Face::bold : Face::sans, Align::center, {}};
}

void Plate::add(const std::string& id, const std::string& text, double size, double above) {
  Line line{id, text, size, above};
  for (std::string& part : balanced_lines(measure_, text, line.style(), most_width_)) {
    line.id = id + std::to_string(lines_.size());
    line.text = std::move(part);
    lines_.push_back(line);
    line.above = 0;
  }
}

double Plate::width() const {
  double width = 0;
  for (const Line& line : lines_) width = std::max(width, measure_.width(line.text, line.style()));
  return width;
}

double Plate::height() const {
  double height = 0;
  for (const Line& line : lines_) height += line.height();
  return height;
}

void Plate::draw(Drawing& drawing, const std::string& id, const Rect& rect) const {
  const Theme& theme = drawing.theme();
  drawing.box(id, rect, 10, {theme.surface, transparent}, {theme.ink, 1.5});
  double y = rect.center().y - height() / 2;
  for (const Line& line : lines_) {
    y += line.height();
    TextStyle style = line.style();
    style.color = style.face == Face::bold ? theme.ink : theme.quiet;
    drawing.text(id + "." + line.id, {rect.center().x, y - line.size * 0.36}, line.text, style);
  }
}

void add_sentence(Plate& plate, const Language& language, bool reason) {
  plate.add("sentence", opaque_sentence(language), size::large);
  if (reason) plate.add("unknown", language.text("sentence.closed_unknown"), size::body, 12);
}

void add_busbw(Plate& plate, const Trace& trace, const Language& language, double above) {
  if (busbw(trace) <= 0) return;
  plate.add("busbw", language.rate(busbw(trace)), size::huge, above);
  plate.add("busbw_is", language.text("closed.busbw"), size::body);
}

}  // namespace ringscope
