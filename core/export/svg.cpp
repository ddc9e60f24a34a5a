#include "core/export/svg.h"

#include <fmt/format.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <vector>

#include "core/figure/unicode.h"

namespace ringscope {
namespace {

// Two decimals of a pixel, without zeros at the end.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  if (text == "-0") text.erase(0, 1);
  return text;
}

std::string attribute(std::string_view name, double value) {
  return fmt::format(" {}=\"{}\"", name, number(value));
}

std::string paint_of(std::string_view name, Color color) {
  if (color.a == 0) return fmt::format(" {}=\"none\"", name);
  std::string text = fmt::format(" {}=\"#{:02x}{:02x}{:02x}\"", name, color.r, color.g, color.b);
  if (color.a != 255) text += attribute(std::string(name) + "-opacity", color.a / 255.0);
  return text;
}

std::string stroke_of(const Stroke& stroke) {
  if (stroke.width <= 0 || stroke.color.a == 0) return "";
  std::string text = paint_of("stroke", stroke.color) + attribute("stroke-width", stroke.width);
  if (stroke.dash > 0) text += attribute("stroke-dasharray", stroke.dash);
  return text;
}

std::string box_attributes(const Box& box) {
  const double radius = std::min({box.radius, box.rect.width / 2, box.rect.height / 2});
  return attribute("x", box.rect.x) + attribute("y", box.rect.y) +
         attribute("width", box.rect.width) + attribute("height", box.rect.height) +
         (radius > 0 ? attribute("rx", radius) : "");
}

std::string points_of(const std::vector<Point>& points) {
  std::string text;
  for (const Point& point : points)
    text += fmt::format("{}{},{}", text.empty() ? "" : " ", number(point.x), number(point.y));
  return text;
}

// The data of a path in whole units of a face, y upward, moved `shift` units to the right. Steps
// are relative, and a minus sign separates: a third of the length.
struct OutlineText {
  std::string data;
  long shift = 0;
  long x = 0, y = 0;
  bool open = false;

  static OutlineText& of(void* user) { return *static_cast<OutlineText*>(user); }

  void add(long value) {
    if (value >= 0 && !data.empty() && data.back() >= '0' && data.back() <= '9') data += ' ';
    data += std::to_string(value);
  }
  void step(const FT_Vector* to) {
    add(to->x - x);
    add(to->y - y);
  }
  void reach(const FT_Vector* to) {
    x = to->x;
    y = to->y;
  }
  static int move_to(const FT_Vector* to, void* user) {
    OutlineText& text = of(user);
    if (text.open) text.data += 'z';
    text.open = true;
    text.data += 'M';
    text.add(to->x + text.shift);
    text.add(to->y);
    text.reach(to);
    return 0;
  }
  static int line_to(const FT_Vector* to, void* user) {
    OutlineText& text = of(user);
    text.data += 'l';
    text.step(to);
    text.reach(to);
    return 0;
  }
  static int conic_to(const FT_Vector* control, const FT_Vector* to, void* user) {
    OutlineText& text = of(user);
    text.data += 'q';
    text.step(control);
    text.step(to);
    text.reach(to);
    return 0;
  }
  static int cubic_to(const FT_Vector* a, const FT_Vector* b, const FT_Vector* to, void* user) {
    OutlineText& text = of(user);
    text.data += 'c';
    text.step(a);
    text.step(b);
    text.step(to);
    text.reach(to);
    return 0;
  }
};

std::string outline_of(FT_Face face, FT_UInt glyph, long shift) {
  if (FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE) != 0) return "";
  OutlineText text;
  text.shift = shift;
  FT_Outline_Funcs funcs{};
  funcs.move_to = OutlineText::move_to;
  funcs.line_to = OutlineText::line_to;
  funcs.conic_to = OutlineText::conic_to;
  funcs.cubic_to = OutlineText::cubic_to;
  FT_Outline outline = face->glyph->outline;
  FT_Outline_Decompose(&outline, &funcs, &text);
  if (text.open) text.data += 'z';
  return text.data;
}

// Each glyph's number and where it begins, in units of the face.
struct PlacedGlyph {
  FT_UInt glyph;
  long x;
};
std::vector<PlacedGlyph> place_glyphs(FT_Face face, std::string_view text) {
  std::vector<PlacedGlyph> placed;
  long x = 0;
  while (!text.empty()) {
    const FT_UInt glyph = FT_Get_Char_Index(face, next_character(text));
    if (FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE) != 0) continue;
    placed.push_back({glyph, x});
    x += face->glyph->metrics.horiAdvance;
  }
  return placed;
}

double left_of(const Text& text) {
  switch (text.align) {
    case Align::left: return text.at.x;
    case Align::center: return text.at.x - text.width / 2;
    case Align::right: return text.at.x - text.width;
  }
  return text.at.x;
}

bool is_bold(Face face) { return face == Face::bold || face == Face::mono_bold; }
bool is_mono(Face face) { return face == Face::mono || face == Face::mono_bold; }

std::string glyph_name(Face face, unsigned glyph) {
  return fmt::format("g{}-{}", static_cast<int>(face), glyph);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

class SvgPainter final : public Painter {
 public:
  explicit SvgPainter(SvgElements& elements) : elements_(elements) {}

  std::string element;

  void paint(const Shape& shape, const Box& box) override {
    const std::string outline = "rect" + box_attributes(box);
    closed_form(shape, outline, box.rect, box.fill, box.stroke);
  }
  void paint(const Shape& shape, const Disc& disc) override {
    const std::string outline = "circle" + attribute("cx", disc.center.x) +
                                attribute("cy", disc.center.y) + attribute("r", disc.radius);
    closed_form(shape, outline, bounds_of(shape), disc.fill, disc.stroke);
  }
  void paint(const Shape& shape, const Path& path) override {
    if (path.points.empty()) return;
    const std::string outline =
        fmt::format("{} points=\"{}\" stroke-linejoin=\"round\"",
                    path.closed ? "polygon" : "polyline", points_of(path.points));
    closed_form(shape, outline, bounds_of(shape), path.fill, path.stroke);
  }
  void paint(const Shape& shape, const Line& line) override {
    const double dx = line.to.x - line.from.x, dy = line.to.y - line.from.y;
    const double length = std::hypot(dx, dy);
    if (line.arrow <= 0 || length <= 0) {
      write(shape, "line" + ends(line.from, line.to) + stroke_of(line.stroke));
      return;
    }
    const double ux = dx / length, uy = dy / length, half = line.arrow * 0.55;
    const Point base{line.to.x - ux * line.arrow, line.to.y - uy * line.arrow};
    const std::vector<Point> head{line.to,
                                  {base.x - uy * half, base.y + ux * half},
                                  {base.x + uy * half, base.y - ux * half}};
    group(shape, fmt::format("<line{}{}/><polygon points=\"{}\"{}/>", ends(line.from, base),
                             stroke_of(line.stroke), points_of(head),
                             paint_of("fill", line.stroke.color)));
  }
  void paint(const Shape& shape, const Text& text) override {
    if (elements_.letters_ == Letters::text) return write_text(shape, text);
    const FT_Face face = static_cast<FT_Face>(elements_.fonts_.face(text.face));
    const double scale = text.size / face->units_per_EM;
    const std::string place = fmt::format(
        " transform=\"translate({} {}) scale({:.5f} -{:.5f})\"{} role=\"img\""
        " aria-label=\"{}\"",
        number(left_of(text)), number(text.at.y), scale, scale, paint_of("fill", text.color),
        escaped(text.text));
    if (elements_.letters_ == Letters::outlines) {
      std::string data;
      for (const PlacedGlyph& placed : place_glyphs(face, text.text))
        data += outline_of(face, placed.glyph, placed.x);
      write(shape, "path" + place + " d=\"" + data + '"');
      return;
    }
    std::string uses;
    for (const PlacedGlyph& placed : place_glyphs(face, text.text)) {
      std::string& outline = elements_.glyphs_[{text.face, placed.glyph}];
      if (outline.empty()) outline = outline_of(face, placed.glyph, 0);
      if (outline.empty()) continue;  // a space
      uses += fmt::format("<use href=\"#{}\"", glyph_name(text.face, placed.glyph));
      if (placed.x != 0) uses += fmt::format(" x=\"{}\"", placed.x);
      uses += "/>";
    }
    group(shape, uses, place);
  }
  // Neighbours of one shade in a row are one rectangle.
  void paint(const Shape& shape, const Grid& grid) override {
    if (grid.columns <= 0 || grid.rows <= 0) return;
    const double width = grid.rect.width / grid.columns, height = grid.rect.height / grid.rows;
    const auto columns = static_cast<std::size_t>(grid.columns);
    std::string cells;
    for (std::size_t row = 0; row < static_cast<std::size_t>(grid.rows); ++row)
      for (std::size_t first = 0, next = 0; first < columns; first = next) {
        const std::uint8_t shade = grid.shades[row * columns + first];
        while (next < columns && grid.shades[row * columns + next] == shade) ++next;
        cells += "<rect" + attribute("x", grid.rect.x + static_cast<double>(first) * width) +
                 attribute("y", grid.rect.y + static_cast<double>(row) * height) +
                 attribute("width", static_cast<double>(next - first) * width) +
                 attribute("height", height) +
                 paint_of("fill", shade_of(grid, row * columns + first)) + "/>";
      }
    group(shape, cells, " shape-rendering=\"crispEdges\"");
  }

 private:
  static std::string ends(Point from, Point to) {
    return attribute("x1", from.x) + attribute("y1", from.y) + attribute("x2", to.x) +
           attribute("y2", to.y);
  }
  static std::string title_of(const Shape& shape) {
    return shape.title.empty() ? "" : fmt::format("<title>{}</title>", escaped(shape.title));
  }
  static std::string id_of(const Shape& shape) {
    return shape.id.empty() ? "" : fmt::format(" id=\"{}\"", escaped(shape.id));
  }

  // `form` is the element's name and attributes.
  void write(const Shape& shape, const std::string& form) {
    const std::size_t name_end = form.find(' ');
    const std::string name = form.substr(0, name_end), title = title_of(shape);
    element = fmt::format("<{}{}{}", name, id_of(shape), form.substr(name_end));
    element += title.empty() ? "/>" : fmt::format(">{}</{}>", title, name);
  }
  void group(const Shape& shape, const std::string& content, const std::string& attributes = "") {
    element = fmt::format("<g{}{}>{}{}</g>", id_of(shape), attributes, title_of(shape), content);
  }

  // A hatch is clipped to the form, which carries the outline on top.
  void closed_form(const Shape& shape, const std::string& form, const Rect& rect, const Fill& fill,
                   const Stroke& stroke) {
    if (fill.hatch.a == 0) {
      write(shape, form + paint_of("fill", fill.color) + stroke_of(stroke));
      return;
    }
    const Hatch hatch = hatch_of(rect, fill.pattern);
    std::string lines;
    for (const auto& [from, to] : hatch.lines)
      lines +=
          fmt::format("M{},{}L{},{}", number(from.x), number(from.y), number(to.x), number(to.y));
    const std::string clip = escaped(shape.id) + ".clip";
    std::string content = fmt::format("<clipPath id=\"{}\"><{}/></clipPath>", clip, form);
    if (fill.color.a != 0) content += fmt::format("<{}{}/>", form, paint_of("fill", fill.color));
    content +=
        fmt::format("<path clip-path=\"url(#{})\" d=\"{}\"{}{} stroke-linecap=\"square\"/>", clip,
                    lines, paint_of("stroke", fill.hatch), attribute("stroke-width", hatch.width));
    if (stroke.width > 0) content += fmt::format("<{} fill=\"none\"{}/>", form, stroke_of(stroke));
    group(shape, content);
  }

  // The width as measured, so that another font keeps within it.
  void write_text(const Shape& shape, const Text& text) {
    const std::string_view anchor = text.align == Align::left     ? "start"
                                    : text.align == Align::center ? "middle"
                                                                  : "end";
    element = fmt::format(
        "<text{}{}{} font-family=\"{}\"{}{} text-anchor=\"{}\"{}{} xml:space=\"preserve\">{}{}"
        "</text>",
        id_of(shape), attribute("x", text.at.x), attribute("y", text.at.y),
        is_mono(text.face) ? "Noto Sans Mono CJK SC, monospace" : "Noto Sans CJK SC, sans-serif",
        is_bold(text.face) ? " font-weight=\"700\"" : "", attribute("font-size", text.size), anchor,
        attribute("textLength", text.width) + " lengthAdjust=\"spacingAndGlyphs\"",
        paint_of("fill", text.color), title_of(shape), escaped(text.text));
  }

  SvgElements& elements_;
};

std::string SvgElements::element(const Shape& shape) {
  SvgPainter painter(*this);
  std::visit([&](const auto& form) { painter.paint(shape, form); }, shape.form);
  return std::move(painter.element);
}

std::string SvgElements::definitions() const {
  std::string text;
  for (const auto& [key, outline] : glyphs_)
    if (!outline.empty())
      text += fmt::format("<path id=\"{}\" d=\"{}\"/>", glyph_name(key.first, key.second), outline);
  return text;
}

namespace {

// The groups that a shape stands in, from its id: 'rank2' and 'rank2.chunk3' for
// 'rank2.chunk3.label'.
std::vector<std::string> groups_of(std::string_view id) {
  std::vector<std::string> groups;
  for (std::size_t dot = id.find('.'); dot != id.npos && groups.size() < 2;
       dot = id.find('.', dot + 1))
    groups.emplace_back(id.substr(0, dot));
  return groups;
}

// Opens and closes groups as the ids of the shapes go from thing to thing.
class Groups {
 public:
  explicit Groups(const Figure& figure) {
    for (const Shape& shape : figure.shapes) {
      taken_.insert(shape.id);
      for (std::string& group : groups_of(shape.id)) names_.insert(std::move(group));
    }
  }

  // A shape that has the name of a group stands in it under another.
  bool is_group(const std::string& id) const { return names_.contains(id); }

  std::string go_to(std::string_view id) {
    const std::vector<std::string> wanted = groups_of(id);
    const auto [here, there] =
        std::mismatch(open_.begin(), open_.end(), wanted.begin(), wanted.end());
    std::string text;
    for (auto i = here; i != open_.end(); ++i) text += "</g>\n";
    open_.erase(here, open_.end());
    for (auto name = there; name != wanted.end(); ++name) {
      open_.push_back(*name);
      text += fmt::format("<g id=\"{}\">\n", escaped(unused(*name)));
    }
    return text;
  }

 private:
  // A group that is opened again gets a number, as ids are unique.
  std::string unused(const std::string& name) {
    std::string id = name;
    for (int i = 2; !(opened_.insert(id).second && (id == name || !taken_.contains(id))); ++i)
      id = name + "-" + std::to_string(i);
    return id;
  }

  std::set<std::string, std::less<>> taken_, names_, opened_;
  std::vector<std::string> open_;
};

}  // namespace

std::string svg_of(const Figure& figure, const Fonts& fonts, Letters letters, bool ground) {
  SvgElements elements(fonts, letters);
  const std::string width = number(figure.size.width), height = number(figure.size.height);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\">\n",
      width, height);
  if (ground)
    text += fmt::format("<rect width=\"{}\" height=\"{}\"{}/>\n", width, height,
                        paint_of("fill", figure.background));
  Groups groups(figure);
  for (const Shape& shape : figure.shapes) {
    Shape named = shape;
    if (groups.is_group(shape.id)) named.id += ".form";
    const std::string element = elements.element(named);
    if (!element.empty()) text += groups.go_to(named.id) + element + '\n';
  }
  return text + groups.go_to("") + "</svg>\n";
}

}  // namespace ringscope
