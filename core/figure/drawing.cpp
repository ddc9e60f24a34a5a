#include "core/figure/drawing.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/figure/unicode.h"

namespace ringscope {

Drawing::Drawing(const Theme& theme, const Fonts& fonts, Size size, double unit)
    : theme_(theme), fonts_(fonts), size_(size), unit_(unit) {
  shapes_.reserve(512);
}

double Drawing::snap(double units, double offset) const {
  const double pixels = units * unit_;
  return smooth_ ? pixels : std::round(pixels - offset) + offset;
}

// A line of an odd number of pixels is sharp where its middle lies in the middle of a pixel.
Point Drawing::to_pixels(Point point, double stroke_pixels) const {
  const double offset = std::lround(stroke_pixels) % 2 == 1 ? 0.5 : 0;
  return {snap(point.x, offset), snap(point.y, offset)};
}

Rect Drawing::to_pixels(const Rect& rect, double stroke_pixels) const {
  const Point start = to_pixels(Point{rect.x, rect.y}, stroke_pixels);
  const Point end = to_pixels(Point{rect.right(), rect.bottom()}, stroke_pixels);
  return {start.x, start.y, end.x - start.x, end.y - start.y};
}

Stroke Drawing::to_pixels(Stroke stroke) const {
  if (stroke.width > 0) stroke.width = std::max(1.0, std::round(stroke.width * unit_));
  stroke.dash *= unit_;
  return stroke;
}

void Drawing::box(std::string id, const Rect& rect, double radius, const Fill& fill,
                  const Stroke& stroke, Note note) {
  const Stroke scaled = to_pixels(stroke);
  shapes_.push_back({std::move(id),
                     Box{to_pixels(rect, scaled.width), radius * unit_, fill, scaled},
                     std::move(note.title), note.moving, note.transfer});
}

void Drawing::line(std::string id, Point from, Point to, const Stroke& stroke, double arrow,
                   Note note) {
  const Stroke scaled = to_pixels(stroke);
  shapes_.push_back(
      {std::move(id),
       Line{to_pixels(from, scaled.width), to_pixels(to, scaled.width), scaled, arrow * unit_},
       std::move(note.title), note.moving, note.transfer});
}

void Drawing::path(std::string id, std::vector<Point> points, bool closed, const Fill& fill,
                   const Stroke& stroke, Note note) {
  for (Point& point : points) point = {point.x * unit_, point.y * unit_};
  Stroke scaled = stroke;
  scaled.width *= unit_;
  scaled.dash *= unit_;
  shapes_.push_back({std::move(id), Path{std::move(points), closed, fill, scaled},
                     std::move(note.title), note.moving, note.transfer});
}

void Drawing::disc(std::string id, Point center, double radius, const Fill& fill, Note note) {
  shapes_.push_back({std::move(id),
                     Disc{{center.x * unit_, center.y * unit_}, radius * unit_, fill, {}},
                     std::move(note.title), note.moving, note.transfer});
}

void Drawing::grid(std::string id, Grid grid, Note note) {
  grid.rect = to_pixels(grid.rect, 0);
  shapes_.push_back(
      {std::move(id), std::move(grid), std::move(note.title), note.moving, note.transfer});
}

void Drawing::text(std::string id, Point at, std::string text, const TextStyle& style, Note note) {
  if (text.empty()) return;
  const double pixels = style.size * unit_;
  Text form{
      {at.x * unit_, snap(at.y, 0)}, std::move(text), pixels, style.face, style.align, style.color};
  form.width = fonts_.width(form.text, form.face, pixels);
  shapes_.push_back(
      {std::move(id), std::move(form), std::move(note.title), note.moving, note.transfer});
}

void Drawing::label(std::string id, const Rect& rect, std::string words, TextStyle style,
                    Note note) {
  style.align = Align::center;
  const Point middle = rect.center();
  text(std::move(id), {middle.x, middle.y + cap_height(style) / 2}, std::move(words), style,
       std::move(note));
}

double Drawing::width(std::string_view text, const TextStyle& style) const {
  return fonts_.width(text, style.face, style.size);
}

double Drawing::cap_height(const TextStyle& style) const {
  return fonts_.cap_height(style.face, style.size);
}

std::string Drawing::fit(std::string_view text, const TextStyle& style, double room) const {
  // Widths come from the font in floating point: a hundredth of a unit is no overflow.
  if (width(text, style) <= room + 0.01) return std::string(text);
  std::string kept;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t before = rest.size();
    std::string_view next = rest;
    next_character(next);
    const std::string longer = kept + std::string(rest.substr(0, before - next.size()));
    if (width(longer + "…", style) > room) break;
    kept = longer;
    rest = next;
  }
  return kept + "…";
}

namespace {

bool is_chinese(char32_t character) { return character >= 0x2E80 && character < 0xFF60; }

// Never at the start of a line.
bool closes(char32_t character) {
  for (const char32_t mark : U"，。；：、）？！”")
    if (character == mark && mark != 0) return true;
  return false;
}

// Chinese words that are torn nowhere: the long ones that sentences have.
constexpr std::array<std::string_view, 6> whole_words{"参数服务器", "缓冲区", "根节点",
                                                      "起始块",     "完整块", "顺序"};

bool is_digit(char32_t character) { return character >= U'0' && character <= U'9'; }
bool is_letter(char32_t character) {
  return (character >= U'A' && character <= U'Z') || (character >= U'a' && character <= U'z');
}

// The pieces between which a line may be broken; a space stays at the end of its piece. A number
// stays with the word before it: 'GPU 2'.
std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> pieces;
  char32_t before = U' ', before_space = U' ';
  std::size_t of_word = 0;  // bytes that are still to come of a word that is not torn
  while (!text.empty()) {
    std::string_view rest = text;
    const char32_t character = next_character(rest);
    const bool names = before == U' ' && is_letter(before_space) && is_digit(character);
    const bool may_break = (before == U' ' || is_chinese(before) || is_chinese(character)) &&
                           character != U' ' && !closes(character) && !names && of_word == 0;
    if (pieces.empty() || may_break) pieces.emplace_back();
    for (const std::string_view word : whole_words)
      if (text.starts_with(word)) of_word = word.size();
    const std::size_t bytes = text.size() - rest.size();
    of_word -= std::min(of_word, bytes);
    pieces.back() += text.substr(0, bytes);
    if (character != U' ') before_space = character;
    before = character;
    text = rest;
  }
  return pieces;
}

// A piece that is wider than the room, such as a long path, is broken anywhere.
template <class Width>
std::vector<std::string> narrow_pieces_of(std::string_view text, double room, const Width& width) {
  std::vector<std::string> pieces;
  for (std::string& piece : pieces_of(text)) {
    if (width(piece) <= room) {
      pieces.push_back(std::move(piece));
      continue;
    }
    std::string part;
    double taken = 0;
    for (std::string_view rest = piece; !rest.empty();) {
      std::string_view behind = rest;
      next_character(behind);
      const std::string character(rest.substr(0, rest.size() - behind.size()));
      const double more = width(character);
      if (!part.empty() && taken + more > room)
        pieces.push_back(std::move(part)), part = "", taken = 0;
      part += character;
      taken += more;
      rest = behind;
    }
    if (!part.empty()) pieces.push_back(std::move(part));
  }
  return pieces;
}

std::string without_end_space(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

std::vector<std::string> Drawing::wrap(std::string_view text, const TextStyle& style,
                                       double room) const {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line;
    double taken = 0;  // width of the line with the space at its end
    const auto width_of = [&](const std::string& piece) {
      return width(without_end_space(piece), style);
    };
    for (const std::string& piece : narrow_pieces_of(text.substr(0, end), room, width_of)) {
      if (!line.empty() && taken + width_of(piece) > room + 0.01) {
        lines.push_back(without_end_space(line));
        line.clear();
        taken = 0;
      }
      line += piece;
      taken += width(piece, style);
    }
    lines.push_back(without_end_space(line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void Drawing::set_height(double units) { size_.height = std::ceil(units * unit_); }

Figure Drawing::finish(Color background) && { return {size_, background, std::move(shapes_)}; }

Rect inset(const Rect& rect, double by) {
  return {rect.x + by, rect.y + by, rect.width - 2 * by, rect.height - 2 * by};
}

}  // namespace ringscope
