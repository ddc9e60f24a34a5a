// A picture as data: shapes with ids in the order in which they are painted. Views make it,
// painters show it; what the window shows and what an export writes come from the same Figure, so
// they cannot differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ringscope {

struct Color {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;

  bool operator==(const Color&) const = default;
};
inline constexpr Color transparent{0, 0, 0, 0};

// Units of all geometry: pixels of a picture of Figure::size, y downward.
struct Point {
  double x = 0, y = 0;

  bool operator==(const Point&) const = default;
};
struct Size {
  double width = 0, height = 0;

  bool operator==(const Size&) const = default;
};
struct Rect {
  double x = 0, y = 0, width = 0, height = 0;

  double right() const { return x + width; }
  double bottom() const { return y + height; }
  Point center() const { return {x + width / 2, y + height / 2}; }
  bool operator==(const Rect&) const = default;
};

struct Stroke {
  Color color = transparent;
  double width = 0;  // 0: none
  double dash = 0;   // length of dash and of gap; 0: solid

  bool operator==(const Stroke&) const = default;
};
// The lines of a hatch; the two last are two sets that cross.
enum class Pattern : std::uint8_t { diagonal, counter, horizontal, vertical, cross, grid };

struct Fill {
  Color color = transparent;
  Color hatch = transparent;  // lines over the colour, where not transparent
  Pattern pattern = Pattern::diagonal;

  bool operator==(const Fill&) const = default;
};

struct Box {
  Rect rect;
  double radius = 0;
  Fill fill;
  Stroke stroke;
};
struct Line {
  Point from, to;
  Stroke stroke;
  double arrow = 0;  // length of the head at `to`; 0: none
};
struct Path {
  std::vector<Point> points;  // straight pieces
  bool closed = false;
  Fill fill;
  Stroke stroke;
};
struct Disc {
  Point center;
  double radius = 0;
  Fill fill;
  Stroke stroke;
};

enum class Face : std::uint8_t { sans, bold, mono, mono_bold };
enum class Align : std::uint8_t { left, center, right };

struct Text {
  Point at;  // on the base line; x is the left end, the middle or the right end
  std::string text;
  double size = 24;  // em, in pixels
  Face face = Face::sans;
  Align align = Align::left;
  Color color;
  double width =
      0;  // as measured, so that a painter can place it and a test can hold it against its box
};

// Shades for large states: columns x rows, row after row, 0 (ground) to 255 (ink).
struct Grid {
  Rect rect;
  std::int32_t columns = 0, rows = 0;
  std::vector<std::uint8_t> shades;
  Color ground, ink;
};

struct Shape {
  std::string id;  // unique in the figure: 'rank2.cell3.label'
  std::variant<Box, Line, Path, Disc, Text, Grid> form;
  std::string title;  // the full text behind a shortened one, or what the shape means; may be empty
  bool moving = false;         // the flow layer adds a halo to it
  std::int32_t transfer = -1;  // what a click on it selects; -1: nothing
};

// `share` 0 gives `from`, 1 gives `to`.
Color mix(Color from, Color to, double share);

struct Figure {
  Size size;
  Color background;
  std::vector<Shape> shapes;
};

// The smallest rectangle that holds the shape without its stroke.
Rect bounds_of(const Shape& shape);

// The colour of cell number `cell` (row after row).
Color shade_of(const Grid& grid, std::size_t cell);

// The lines of a hatched fill, clipped to the rectangle, so that all painters draw the same. All
// have the same width, in pixels, and none has no length.
struct Hatch {
  std::vector<std::pair<Point, Point>> lines;
  double width = 0;
};
Hatch hatch_of(const Rect& rect, Pattern pattern = Pattern::diagonal);

// Paints one kind of shape at a time. The real ones are ImGui (screen) and Cairo; tests count.
class Painter {
 public:
  virtual ~Painter() = default;
  virtual void paint(const Shape& shape, const Box& box) = 0;
  virtual void paint(const Shape& shape, const Line& line) = 0;
  virtual void paint(const Shape& shape, const Path& path) = 0;
  virtual void paint(const Shape& shape, const Disc& disc) = 0;
  virtual void paint(const Shape& shape, const Text& text) = 0;
  virtual void paint(const Shape& shape, const Grid& grid) = 0;
};
void paint(const Figure& figure, Painter& painter);

}  // namespace ringscope
