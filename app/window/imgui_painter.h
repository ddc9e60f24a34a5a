// Paints figures into ImGui's draw lists, as the exports paint them: no rounding but of texts'
// base lines.
#pragma once

#include "app/window/flow_layer.h"
#include "app/window/glyph_atlas.h"
#include "core/figure/figure.h"

struct ImDrawList;

namespace ringscope {

class ImguiPainter final : public Painter {
 public:
  // The figure's (0, 0) comes to `origin`, its pixel is `scale` units of the draw list.
  ImguiPainter(ImDrawList& list, GlyphAtlas& glyphs, FlowLayer& flow, const Fonts& fonts,
               Point origin, double scale)
      : list_(list), glyphs_(glyphs), flow_(flow), fonts_(fonts), origin_(origin), scale_(scale) {}

  void paint(const Shape& shape, const Box& box) override;
  void paint(const Shape& shape, const Line& line) override;
  void paint(const Shape& shape, const Path& path) override;
  void paint(const Shape& shape, const Disc& disc) override;
  void paint(const Shape& shape, const Text& text) override;
  void paint(const Shape& shape, const Grid& grid) override;

  // The ground with rounded corners, all shapes, and halos beneath those that move; all in the
  // figure's pixels.
  void paint_figure(const Figure& figure, double radius, Color halo, double halo_spread);

 private:
  Point placed(Point point) const {
    return {origin_.x + point.x * scale_, origin_.y + point.y * scale_};
  }
  Rect placed(const Rect& rect) const {
    return {origin_.x + rect.x * scale_, origin_.y + rect.y * scale_, rect.width * scale_,
            rect.height * scale_};
  }
  // `outline` in units of the draw list; `figure_rect` in the figure's.
  void fill(std::vector<Point> outline, const Fill& fill, const Rect& figure_rect);
  void stroke(const std::vector<Point>& outline, bool closed, const Stroke& stroke);

  ImDrawList& list_;
  GlyphAtlas& glyphs_;
  FlowLayer& flow_;
  const Fonts& fonts_;
  Point origin_;
  double scale_;
};

}  // namespace ringscope
