// Collects the shapes of one figure. Views think in units that are pixels of a stage at 1080p; a
// drawing scales them to the size that was asked for and puts edges on whole pixels.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/figure/figure.h"
#include "core/figure/fonts.h"
#include "core/figure/theme.h"

namespace ringscope {

struct TextStyle {
  double size = size::body;
  Face face = Face::sans;
  Align align = Align::left;
  Color color = {};
};

// What a shape says besides its form.
struct Note {
  std::string title = {};
  bool moving = false;
  std::int32_t transfer = -1;  // what a click on it selects
};

class Drawing {
 public:
  // `size` in pixels; one unit is `unit` pixels.
  Drawing(const Theme& theme, const Fonts& fonts, Size size, double unit);

  const Theme& theme() const { return theme_; }
  // The whole figure in units.
  Size room() const { return {size_.width / unit_, size_.height / unit_}; }

  void box(std::string id, const Rect& rect, double radius, const Fill& fill,
           const Stroke& stroke = {}, Note note = {});
  void line(std::string id, Point from, Point to, const Stroke& stroke, double arrow = 0,
            Note note = {});
  void path(std::string id, std::vector<Point> points, bool closed, const Fill& fill,
            const Stroke& stroke, Note note = {});
  void disc(std::string id, Point center, double radius, const Fill& fill, Note note = {});
  void grid(std::string id, Grid grid, Note note = {});
  void text(std::string id, Point at, std::string text, const TextStyle& style, Note note = {});
  // A text of one line in the middle of a rectangle.
  void label(std::string id, const Rect& rect, std::string text, TextStyle style, Note note = {});

  double width(std::string_view text, const TextStyle& style) const;
  double cap_height(const TextStyle& style) const;
  // The text, or as much of it as fits with '…' behind it.
  std::string fit(std::string_view text, const TextStyle& style, double width) const;
  // Lines that fit, broken at line breaks, spaces and between Chinese characters.
  std::vector<std::string> wrap(std::string_view text, const TextStyle& style, double width) const;

  // Things that move are not put on whole pixels, or they would tremble.
  void set_smooth(bool smooth) { smooth_ = smooth; }

  // Where the height follows from what was drawn.
  void set_height(double units);

  Figure finish(Color background) &&;

 private:
  double snap(double units, double offset) const;
  Rect to_pixels(const Rect& rect, double stroke_pixels) const;
  Point to_pixels(Point point, double stroke_pixels) const;
  Stroke to_pixels(Stroke stroke) const;

  const Theme& theme_;
  const Fonts& fonts_;
  Size size_;
  double unit_;
  bool smooth_ = false;
  std::vector<Shape> shapes_;
};

// Parts of rectangles.
Rect inset(const Rect& rect, double by);

}  // namespace ringscope
