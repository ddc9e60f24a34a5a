// What the panels share: a pen that paints in design units with the theme, and areas that answer to
// the mouse. All chrome is painted with the figures' own painter, so that its texts are theirs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/window/commands.h"
#include "app/window/imgui_painter.h"
#include "app/window/layout.h"

namespace ringscope {

// Lives from the window's opening to its closing; owned by the window.
struct UiTools {
  explicit UiTools(const Fonts& measured) : fonts(measured) {}

  const Fonts& fonts;
  GlyphAtlas glyphs;
  FlowLayer flow;
  // Whether the mouse has moved since the last key: else it lies somewhere and asks for nothing.
  bool pointing = false;

  // What a hand on the stage holds, from its press to its release.
  struct Grip {
    double x = 0, y = 0;     // of the mouse, when it was pressed
    double nanoseconds = 0;  // of a timeline, there
    bool on_timeline = false;
    bool on_play_head = false;
    bool moves = false;  // it is no click any more
  };
  std::optional<Grip> grip;
  Rect views_below;  // where the menu of views hangs, in design units
};

// Drawn in a square of 2 x 2 units around (0, 0), scaled by the caller.
enum class Icon { first, back, play, pause, forward, last, camera, sun, moon, close };

struct Hit {
  bool clicked = false, hovered = false, held = false;
};

// One window's or child's part of a frame. Design units, (0, 0) at `origin` pixels.
class Pen {
 public:
  Pen(Session& session, UiTools& tools, double scale, Point origin = {});

  Session& session() const { return session_; }
  UiTools& tools() const { return tools_; }
  const Theme& theme() const { return *session_.theme; }
  std::string text(std::string_view id) const { return session_.language->text(id); }

  void box(const Rect& rect, double radius, Color fill, Stroke stroke = {});
  void line(Point from, Point to, Stroke stroke);
  void disc(Point center, double radius, Color fill, Stroke stroke = {});
  void path(std::vector<Point> points, bool closed, Color fill, Stroke stroke = {});
  void label(Point at, std::string_view text, double size, Face face, Align align, Color color);
  // Centred in the rectangle.
  void label_in(const Rect& rect, std::string_view text, double size, Face face, Color color);
  void icon(Icon icon, Point center, double size, Color color);
  // One pixel of the figure is one of the window. `radius`: of its corners, in pixels.
  void figure(const Figure& figure, Point at, double radius);
  double width(std::string_view text, double size, Face face) const {
    return tools_.fonts.width(text, face, size);
  }
  // Broken at blanks (or between Chinese characters) to lines of at most that width.
  std::vector<std::string> lines(std::string_view text, double size, Face face, double width) const;

  // The same number of lines, of lengths as equal as can be.
  std::vector<std::string> balanced_lines(std::string_view text, double size, Face face,
                                          double width) const;

  Hit area(const char* id, const Rect& rect);
  // Beside the mouse, over everything; nothing while nobody points.
  void tooltip(std::string_view text);

  // A button that runs a command: hover, tooltip and being greyed come from the table.
  Hit command_area(const Rect& rect, double radius, const char* command,
                   std::string_view argument = {});
  void icon_button(Icon icon, const Rect& rect, const char* command,
                   std::string_view argument = {});
  void text_button(std::string_view text, const Rect& rect, bool selected, const char* command,
                   std::string_view argument = {});

 private:
  ImguiPainter painter() const;
  Rect pixels(const Rect& rect) const;

  Session& session_;
  UiTools& tools_;
  double scale_;
  Point origin_;
};

}  // namespace ringscope
