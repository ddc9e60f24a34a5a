#include "app/window/ui.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/window/imgui_versions.h"
#include "core/figure/unicode.h"

namespace ringscope {
namespace {

constexpr double button_radius = 8;
constexpr double halo_spread = 22;  // of what moves

// A triangle and a bar, the marks of every player.
std::vector<Point> triangle(Point center, double size, double direction) {
  return {{center.x - direction * size * 0.8, center.y - size},
          {center.x + direction * size * 0.9, center.y},
          {center.x - direction * size * 0.8, center.y + size}};
}

// A disc less another one, above it to the right: from one point where they meet to the other.
std::vector<Point> crescent(Point center, double size) {
  constexpr int pieces = 32;
  const double outer = 0.95 * size, inner = 0.8 * size, apart = 0.62 * size;
  // Where the circles meet, as angles from the line between their centres (law of cosines).
  const double at_outer =
      std::acos((outer * outer + apart * apart - inner * inner) / (2 * outer * apart));
  const double at_inner =
      std::acos((inner * inner + apart * apart - outer * outer) / (2 * inner * apart));
  const double toward = -std::numbers::pi / 4;
  const Point cut{center.x + apart * std::cos(toward), center.y + apart * std::sin(toward)};
  std::vector<Point> points;
  for (int i = 0; i <= pieces; ++i) {
    const double angle = toward + at_outer + (2 * std::numbers::pi - 2 * at_outer) * i / pieces;
    points.push_back({center.x + outer * std::cos(angle), center.y + outer * std::sin(angle)});
  }
  for (int i = 1; i < pieces; ++i) {
    const double angle = toward + std::numbers::pi + at_inner - 2 * at_inner * i / pieces;
    points.push_back({cut.x + inner * std::cos(angle), cut.y + inner * std::sin(angle)});
  }
  return points;
}

}  // namespace

Pen::Pen(Session& session, UiTools& tools, double scale, Point origin)
    : session_(session), tools_(tools), scale_(scale), origin_(origin) {}

ImguiPainter Pen::painter() const {
  return {*ImGui::GetWindowDrawList(), tools_.glyphs, tools_.flow, tools_.fonts, origin_, scale_};
}

Rect Pen::pixels(const Rect& rect) const {
  return {origin_.x + rect.x * scale_, origin_.y + rect.y * scale_, rect.width * scale_,
          rect.height * scale_};
}

void Pen::box(const Rect& rect, double radius, Color fill, Stroke stroke) {
  painter().paint(Shape{}, Box{rect, radius, {fill, transparent}, stroke});
}
void Pen::line(Point from, Point to, Stroke stroke) {
  painter().paint(Shape{}, Line{from, to, stroke, 0});
}
void Pen::disc(Point center, double radius, Color fill, Stroke stroke) {
  painter().paint(Shape{}, Disc{center, radius, {fill, transparent}, stroke});
}
void Pen::path(std::vector<Point> points, bool closed, Color fill, Stroke stroke) {
  Shape shape;
  shape.form = Path{std::move(points), closed, {fill, transparent}, stroke};
  painter().paint(shape, std::get<Path>(shape.form));
}
void Pen::label(Point at, std::string_view text, double size, Face face, Align align, Color color) {
  painter().paint(Shape{}, Text{at, std::string(text), size, face, align, color});
}

void Pen::label_in(const Rect& rect, std::string_view text, double size, Face face, Color color) {
  const Point center = rect.center();
  label({center.x, center.y + tools_.fonts.cap_height(face, size) / 2}, text, size, face,
        Align::center, color);
}

void Pen::icon(Icon icon, Point center, double size, Color color) {
  const auto bar = [&](double x, double thickness) {
    box({center.x + x * size - thickness * size / 2, center.y - size, thickness * size, 2 * size},
        0, color);
  };
  const auto shifted = [&](double x) { return Point{center.x + x * size, center.y}; };
  const Stroke thin{color, size * 0.22, 0};
  switch (icon) {
    case Icon::first:
      bar(-0.95, 0.3);
      path(triangle(shifted(0.2), size, -1), true, color);
      break;
    case Icon::last:
      bar(0.95, 0.3);
      path(triangle(shifted(-0.2), size, 1), true, color);
      break;
    case Icon::back: path(triangle(center, size, -1), true, color); break;
    case Icon::forward: path(triangle(center, size, 1), true, color); break;
    case Icon::play: path(triangle(shifted(0.15), size, 1), true, color); break;
    case Icon::pause:
      bar(-0.45, 0.5);
      bar(0.45, 0.5);
      break;
    case Icon::camera:
      box({center.x - size, center.y - 0.6 * size, 2 * size, 1.4 * size}, 0.25 * size, transparent,
          thin);
      box({center.x - 0.4 * size, center.y - 0.9 * size, 0.8 * size, 0.3 * size}, 0, color);
      disc({center.x, center.y + 0.1 * size}, 0.38 * size, transparent, thin);
      break;
    case Icon::sun:
      disc(center, 0.45 * size, color);
      for (int i = 0; i < 8; ++i) {
        const double x = std::cos(i * std::numbers::pi / 4), y = std::sin(i * std::numbers::pi / 4);
        line({center.x + 0.68 * size * x, center.y + 0.68 * size * y},
             {center.x + size * x, center.y + size * y}, thin);
      }
      break;
    case Icon::moon: path(crescent(center, size), true, color); break;
    case Icon::close:
      line({center.x - 0.7 * size, center.y - 0.7 * size},
           {center.x + 0.7 * size, center.y + 0.7 * size}, thin);
      line({center.x - 0.7 * size, center.y + 0.7 * size},
           {center.x + 0.7 * size, center.y - 0.7 * size}, thin);
      break;
  }
}

void Pen::figure(const Figure& figure, Point at, double radius) {
  const Rect place = pixels({at.x, at.y, 0, 0});
  // On whole pixels, so that it is the picture that an export writes.
  ImguiPainter figure_painter(*ImGui::GetWindowDrawList(), tools_.glyphs, tools_.flow, tools_.fonts,
                              {std::round(place.x), std::round(place.y)}, 1);
  figure_painter.paint_figure(figure, radius, theme().accent, halo_spread * session_.stage_scale);
}

std::vector<std::string> Pen::lines(std::string_view text, double size, Face face,
                                    double width) const {
  std::vector<std::string> lines{""};
  std::string word;
  const auto end_word = [&] {
    if (!lines.back().empty() && this->width(lines.back() + word, size, face) > width) {
      word.erase(0, word.find_first_not_of(' '));
      lines.emplace_back();
    }
    lines.back() += word;
    word.clear();
  };
  while (!text.empty()) {
    std::string_view rest = text;
    const char32_t character = next_character(rest);
    const std::string_view bytes = text.substr(0, text.size() - rest.size());
    text = rest;
    if (character == U' ') end_word();
    word += bytes;
    // A line may end behind any Chinese character but an opening bracket, and none begins with a
    // mark.
    const bool opens = character == U'（' || character == U'“';
    if (character >= 0x2e80 && !opens && !text.empty()) {
      std::string_view ahead = text;
      const char32_t next = next_character(ahead);
      if (next < 0x3000 || (next > 0x3002 && next < 0xff00)) end_word();
    }
  }
  end_word();
  return lines;
}

std::vector<std::string> Pen::balanced_lines(std::string_view text, double size, Face face,
                                             double width) const {
  std::vector<std::string> best = lines(text, size, face, width);
  double narrow = 0, wide = width;
  for (int step = 0; step < 10; ++step) {
    const double middle = (narrow + wide) / 2;
    std::vector<std::string> tried = lines(text, size, face, middle);
    const bool as_few = tried.size() <= best.size();
    (as_few ? wide : narrow) = middle;
    if (as_few) best = std::move(tried);
  }
  return best;
}

Hit Pen::area(const char* id, const Rect& rect) {
  const Rect place = pixels(rect);
  ImGui::SetCursorScreenPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  Hit hit;
  hit.clicked = ImGui::InvisibleButton(id, {std::max(static_cast<float>(place.width), 1.0f),
                                            std::max(static_cast<float>(place.height), 1.0f)});
  hit.hovered = ImGui::IsItemHovered();
  hit.held = ImGui::IsItemActive();
  return hit;
}

void Pen::tooltip(std::string_view text) {
  if (!tools_.pointing) return;
  ImDrawList& front = *ImGui::GetForegroundDrawList();
  ImguiPainter painter(front, tools_.glyphs, tools_.flow, tools_.fonts, {}, scale_);
  const ImGuiIO& io = ImGui::GetIO();
  const std::vector<std::string> rows = lines(text, size::small, Face::sans, 520);
  double widest = 0;
  for (const std::string& row : rows)
    widest = std::max(widest, width(row, size::small, Face::sans));
  constexpr double row_height = 28, padding = 12;
  Rect rect{static_cast<double>(io.MousePos.x) / scale_ + 12,
            static_cast<double>(io.MousePos.y) / scale_ + 24, widest + 2 * padding,
            row_height * static_cast<double>(rows.size()) + padding};
  rect.x = std::min(rect.x, static_cast<double>(io.DisplaySize.x) / scale_ - rect.width - 8);
  if (rect.bottom() > static_cast<double>(io.DisplaySize.y) / scale_ - 8)
    rect.y -= rect.height + 40;
  painter.paint(Shape{}, Box{rect, button_radius, {theme().ink, transparent}, {}});
  for (std::size_t i = 0; i < rows.size(); ++i)
    painter.paint(Shape{},
                  Text{{rect.x + padding, rect.y + 27 + row_height * static_cast<double>(i)},
                       rows[i],
                       size::small,
                       Face::sans,
                       Align::left,
                       theme().surface});
}

Hit Pen::command_area(const Rect& rect, double radius, const char* command,
                      std::string_view argument) {
  const std::string id = fmt::format("{} {}", command, argument);
  const Hit hit = area(id.c_str(), rect);
  const Command& row = *find_command(command);
  const bool enabled = row.enabled(session_);
  if (hit.hovered && enabled) {
    box(rect, radius, mix(theme().surface, theme().ink, hit.held ? 0.16 : 0.08));
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  if (hit.hovered) tooltip(tooltip_of(row, *session_.language));
  if (hit.clicked) try_command(session_, command, argument);
  return hit;
}

void Pen::icon_button(Icon which, const Rect& rect, const char* command,
                      std::string_view argument) {
  command_area(rect, button_radius, command, argument);
  const bool enabled = find_command(command)->enabled(session_);
  const Color color = enabled ? theme().ink : theme().rule;
  icon(which, rect.center(), std::min(rect.width, rect.height) * 0.25, color);
}

void Pen::text_button(std::string_view text, const Rect& rect, bool selected, const char* command,
                      std::string_view argument) {
  command_area(rect, button_radius, command, argument);
  if (selected) box(rect, button_radius, theme().selected);
  label_in(rect, text, size::small, selected ? Face::bold : Face::sans,
           selected ? theme().ink : theme().quiet);
}

}  // namespace ringscope
