// What every figure owes its reader, whatever it shows: nothing outside, nothing cut, nothing over
// another, nothing too small or too pale.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/figure/views.h"

namespace ringscope {

// Counts what it is given to paint.
struct CountingPainter final : Painter {
  int boxes = 0, lines = 0, paths = 0, discs = 0, texts = 0, grids = 0;

  void paint(const Shape&, const Box&) override { ++boxes; }
  void paint(const Shape&, const Line&) override { ++lines; }
  void paint(const Shape&, const Path&) override { ++paths; }
  void paint(const Shape&, const Disc&) override { ++discs; }
  void paint(const Shape&, const Text&) override { ++texts; }
  void paint(const Shape&, const Grid&) override { ++grids; }
};

inline CountingPainter count(const Figure& figure) {
  CountingPainter painter;
  paint(figure, painter);
  return painter;
}

// Relative luminance and contrast as WCAG 2 defines them.
inline double luminance(Color color) {
  const auto linear = [](std::uint8_t channel) {
    const double share = channel / 255.0;
    return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}
inline double contrast(Color a, Color b) {
  const double one = luminance(a), other = luminance(b);
  return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

// Where the ink of a line of text is, from its capitals' top to its base line.
inline Rect ink_of(const Shape& shape) {
  const Text& text = std::get<Text>(shape.form);
  Rect rect = bounds_of(shape);
  rect.y = text.at.y - 0.76 * text.size;
  rect.height = 0.78 * text.size;
  return rect;
}

inline double overlap_of(const Rect& a, const Rect& b) {
  const double width = std::min(a.right(), b.right()) - std::max(a.x, b.x);
  const double height = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
  return std::min(width, height);
}
inline bool is_inside(const Rect& inner, const Rect& outer, double slack) {
  return inner.x >= outer.x - slack && inner.right() <= outer.right() + slack &&
         inner.y >= outer.y - slack && inner.bottom() <= outer.bottom() + slack;
}

// What is wrong with a figure, in words; empty where it is sound.
inline std::vector<std::string> faults_of(const Figure& figure, double smallest_text) {
  std::vector<std::string> faults;
  std::map<std::string, const Shape*> by_id;
  std::vector<std::size_t> texts, boxes;
  const double tolerance = 1.25;
  for (std::size_t i = 0; i < figure.shapes.size(); ++i) {
    const Shape& shape = figure.shapes[i];
    if (!by_id.emplace(shape.id, &shape).second) faults.push_back("twice: " + shape.id);
    if (!is_inside(bounds_of(shape), {0, 0, figure.size.width, figure.size.height}, 0.5))
      faults.push_back("outside: " + shape.id);
    if (std::holds_alternative<Text>(shape.form)) texts.push_back(i);
    if (std::holds_alternative<Box>(shape.form)) boxes.push_back(i);
  }
  for (const std::size_t i : texts) {
    const Shape& shape = figure.shapes[i];
    const Text& text = std::get<Text>(shape.form);
    const Rect ink = ink_of(shape);
    if (text.size < smallest_text - 0.01) faults.push_back("too small: " + shape.id);
    if (text.text.find('[') != std::string::npos) faults.push_back("no such text: " + text.text);
    // The box that a text belongs to is the one whose id its own begins with; what lies under it
    // is hidden.
    std::size_t owner_index = 0;
    Color ground = figure.background;
    for (std::size_t dot = shape.id.rfind('.'); dot != std::string::npos && dot > 0;
         dot = shape.id.rfind('.', dot - 1)) {
      const auto owner = by_id.find(shape.id.substr(0, dot));
      if (owner == by_id.end() || !std::holds_alternative<Box>(owner->second->form)) continue;
      if (!is_inside(ink, bounds_of(*owner->second), tolerance))
        faults.push_back("not in its box: " + shape.id + " '" + text.text + "'");
      if (std::get<Box>(owner->second->form).fill.color.a != 0)
        owner_index = static_cast<std::size_t>(owner->second - figure.shapes.data());
      break;
    }
    for (const std::size_t j : boxes) {
      if (j < owner_index) continue;
      const Shape& other = figure.shapes[j];
      const Box& box = std::get<Box>(other.form);
      const bool touches = overlap_of(ink, box.rect) > tolerance;
      const bool within = is_inside(ink, box.rect, tolerance);
      if (j < i && within && box.fill.color.a != 0) ground = box.fill.color;
      if (touches && !within && (j > i || box.stroke.width > 0))
        faults.push_back("cut: " + shape.id + " '" + text.text + "' by " + other.id);
      if (touches && within && j > i && box.fill.color.a != 0)
        faults.push_back("covered: " + shape.id + " by " + other.id);
    }
    if (contrast(text.color, ground) < 7)
      faults.push_back("too pale: " + shape.id + " " +
                       std::to_string(contrast(text.color, ground)));
    for (const std::size_t j : texts)
      if (j > i && overlap_of(ink, ink_of(figure.shapes[j])) > tolerance)
        faults.push_back("over one another: " + shape.id + " and " + figure.shapes[j].id);
  }
  return faults;
}

inline std::string join(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

// Fails with all that is wrong; `what` says which figure it is.
inline void require_sound(const Figure& figure, double smallest_text = 24,
                          const std::string& what = "") {
  const std::vector<std::string> faults = faults_of(figure, smallest_text);
  INFO(what << "\n" << join(faults));
  REQUIRE(faults.empty());
}

// A figure as text, a shape a line: what a golden holds.
inline std::string dump(const Figure& figure) {
  const auto number = [](double value) { return std::to_string(std::lround(value)); };
  std::string text = number(figure.size.width) + " x " + number(figure.size.height) + "\n";
  for (const Shape& shape : figure.shapes) {
    static constexpr const char* kinds[] = {"box", "line", "path", "disc", "text", "grid"};
    const Rect rect = bounds_of(shape);
    text += std::string(kinds[shape.form.index()]) + " " + shape.id + " " + number(rect.x) + "," +
            number(rect.y) + " " + number(rect.width) + "x" + number(rect.height);
    if (const Text* const words = std::get_if<Text>(&shape.form)) text += " '" + words->text + "'";
    if (const Box* const box = std::get_if<Box>(&shape.form); box && box->stroke.dash > 0)
      text += " dashed";
    if (shape.moving) text += " moving";
    text += "\n";
  }
  return text;
}

}  // namespace ringscope
