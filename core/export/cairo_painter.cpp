#include "core/export/cairo_painter.h"

#include "core/error.h"

#ifdef RINGSCOPE_CAIRO
#include <cairo.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "core/figure/unicode.h"
#endif

namespace ringscope {

#ifndef RINGSCOPE_CAIRO

void write_png(const Figure&, const Fonts&, const std::string&) {
  throw Error({"error.picture.no_cairo", {}});
}
bool has_cairo() { return false; }

#else

namespace {

constexpr double largest_side = 16384;

struct Destroy {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
};
using Surface = std::unique_ptr<cairo_surface_t, Destroy>;
using Context = std::unique_ptr<cairo_t, Destroy>;

void set_color(cairo_t* cairo, Color color) {
  cairo_set_source_rgba(cairo, color.r / 255.0, color.g / 255.0, color.b / 255.0, color.a / 255.0);
}

// An outline of FreeType, in units of the face with y upward, onto a path of Cairo.
struct OutlineSink {
  cairo_t* cairo;
  bool open = false;

  static OutlineSink& of(void* user) { return *static_cast<OutlineSink*>(user); }
  static double x(const FT_Vector* p) { return static_cast<double>(p->x); }
  static double y(const FT_Vector* p) { return static_cast<double>(p->y); }

  static int move_to(const FT_Vector* to, void* user) {
    OutlineSink& sink = of(user);
    if (sink.open) cairo_close_path(sink.cairo);
    sink.open = true;
    cairo_move_to(sink.cairo, x(to), y(to));
    return 0;
  }
  static int line_to(const FT_Vector* to, void* user) {
    cairo_line_to(of(user).cairo, x(to), y(to));
    return 0;
  }
  static int conic_to(const FT_Vector* control, const FT_Vector* to, void* user) {
    double from_x = 0, from_y = 0;
    cairo_get_current_point(of(user).cairo, &from_x, &from_y);
    cairo_curve_to(of(user).cairo, from_x + (x(control) - from_x) * 2 / 3,
                   from_y + (y(control) - from_y) * 2 / 3, x(to) + (x(control) - x(to)) * 2 / 3,
                   y(to) + (y(control) - y(to)) * 2 / 3, x(to), y(to));
    return 0;
  }
  static int cubic_to(const FT_Vector* a, const FT_Vector* b, const FT_Vector* to, void* user) {
    cairo_curve_to(of(user).cairo, x(a), y(a), x(b), y(b), x(to), y(to));
    return 0;
  }
};

class CairoPainter final : public Painter {
 public:
  CairoPainter(cairo_t* cairo, const Fonts& fonts) : cairo_(cairo), fonts_(fonts) {}

  void paint(const Shape&, const Box& box) override {
    const auto outline = [&] { rounded(box.rect, box.radius); };
    fill(box.fill, box.rect, outline);
    stroke(box.stroke, outline);
  }
  void paint(const Shape&, const Line& line) override {
    const double dx = line.to.x - line.from.x, dy = line.to.y - line.from.y;
    const double length = std::hypot(dx, dy);
    Point end = line.to;
    if (line.arrow > 0 && length > 0) {
      const double ux = dx / length, uy = dy / length;
      const Point base{line.to.x - ux * line.arrow, line.to.y - uy * line.arrow};
      const double half = line.arrow * 0.55;
      cairo_move_to(cairo_, line.to.x, line.to.y);
      cairo_line_to(cairo_, base.x - uy * half, base.y + ux * half);
      cairo_line_to(cairo_, base.x + uy * half, base.y - ux * half);
      cairo_close_path(cairo_);
      set_color(cairo_, line.stroke.color);
      cairo_fill(cairo_);
      end = base;
    }
    stroke(line.stroke, [&] {
      cairo_move_to(cairo_, line.from.x, line.from.y);
      cairo_line_to(cairo_, end.x, end.y);
    });
  }
  void paint(const Shape& shape, const Path& path) override {
    if (path.points.empty()) return;
    const auto outline = [&] {
      cairo_move_to(cairo_, path.points[0].x, path.points[0].y);
      for (const Point& point : path.points) cairo_line_to(cairo_, point.x, point.y);
      if (path.closed) cairo_close_path(cairo_);
    };
    fill(path.fill, bounds_of(shape), outline);
    stroke(path.stroke, outline);
  }
  void paint(const Shape& shape, const Disc& disc) override {
    const auto outline = [&] {
      cairo_new_sub_path(cairo_);
      cairo_arc(cairo_, disc.center.x, disc.center.y, disc.radius, 0, 2 * M_PI);
      cairo_close_path(cairo_);
    };
    fill(disc.fill, bounds_of(shape), outline);
    stroke(disc.stroke, outline);
  }
  void paint(const Shape&, const Text& text) override {
    const FT_Face face = static_cast<FT_Face>(fonts_.face(text.face));
    const double scale = text.size / face->units_per_EM;
    double x = text.align == Align::left     ? text.at.x
               : text.align == Align::center ? text.at.x - text.width / 2
                                             : text.at.x - text.width;
    set_color(cairo_, text.color);
    for (std::string_view rest = text.text; !rest.empty();) {
      const FT_UInt glyph = FT_Get_Char_Index(face, next_character(rest));
      if (FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE) != 0) continue;
      cairo_save(cairo_);
      cairo_translate(cairo_, x, text.at.y);
      cairo_scale(cairo_, scale, -scale);
      add_outline(face->glyph->outline);
      cairo_restore(cairo_);
      x += static_cast<double>(face->glyph->metrics.horiAdvance) * scale;
    }
    cairo_fill(cairo_);
  }
  void paint(const Shape&, const Grid& grid) override {
    if (grid.columns <= 0 || grid.rows <= 0) return;
    const double width = grid.rect.width / grid.columns, height = grid.rect.height / grid.rows;
    cairo_set_antialias(cairo_, CAIRO_ANTIALIAS_NONE);
    for (std::int32_t row = 0; row < grid.rows; ++row)
      for (std::int32_t column = 0; column < grid.columns; ++column) {
        const auto cell = static_cast<std::size_t>(row) * static_cast<std::size_t>(grid.columns) +
                          static_cast<std::size_t>(column);
        set_color(cairo_, shade_of(grid, cell));
        cairo_rectangle(cairo_, grid.rect.x + column * width, grid.rect.y + row * height, width,
                        height);
        cairo_fill(cairo_);
      }
    cairo_set_antialias(cairo_, CAIRO_ANTIALIAS_DEFAULT);
  }

 private:
  void rounded(const Rect& rect, double radius) {
    const double r = std::min({radius, rect.width / 2, rect.height / 2});
    cairo_new_sub_path(cairo_);
    if (r <= 0) {
      cairo_rectangle(cairo_, rect.x, rect.y, rect.width, rect.height);
      return;
    }
    cairo_arc(cairo_, rect.right() - r, rect.y + r, r, -M_PI / 2, 0);
    cairo_arc(cairo_, rect.right() - r, rect.bottom() - r, r, 0, M_PI / 2);
    cairo_arc(cairo_, rect.x + r, rect.bottom() - r, r, M_PI / 2, M_PI);
    cairo_arc(cairo_, rect.x + r, rect.y + r, r, M_PI, 3 * M_PI / 2);
    cairo_close_path(cairo_);
  }

  template <class Outline>
  void fill(const Fill& fill, const Rect& rect, const Outline& outline) {
    if (fill.color.a != 0) {
      outline();
      set_color(cairo_, fill.color);
      cairo_fill(cairo_);
    }
    if (fill.hatch.a == 0) return;
    cairo_save(cairo_);
    outline();
    cairo_clip(cairo_);
    const Hatch hatch = hatch_of(rect);
    for (const auto& [from, to] : hatch.lines) {
      cairo_move_to(cairo_, from.x, from.y);
      cairo_line_to(cairo_, to.x, to.y);
    }
    set_color(cairo_, fill.hatch);
    cairo_set_line_width(cairo_, hatch.width);
    cairo_set_line_cap(cairo_, CAIRO_LINE_CAP_SQUARE);
    cairo_stroke(cairo_);
    cairo_restore(cairo_);
  }

  template <class Outline>
  void stroke(const Stroke& stroke, const Outline& outline) {
    if (stroke.width <= 0 || stroke.color.a == 0) return;
    outline();
    set_color(cairo_, stroke.color);
    cairo_set_line_width(cairo_, stroke.width);
    cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cairo_, CAIRO_LINE_CAP_BUTT);
    if (stroke.dash > 0)
      cairo_set_dash(cairo_, &stroke.dash, 1, 0);
    else
      cairo_set_dash(cairo_, nullptr, 0, 0);
    cairo_stroke(cairo_);
  }

  // Glyphs as outlines: exact places between pixels, which Cairo's own glyphs do not have.
  void add_outline(const FT_Outline& outline) {
    OutlineSink sink{cairo_};
    FT_Outline_Funcs funcs{};
    funcs.move_to = OutlineSink::move_to;
    funcs.line_to = OutlineSink::line_to;
    funcs.conic_to = OutlineSink::conic_to;
    funcs.cubic_to = OutlineSink::cubic_to;
    FT_Outline copy = outline;
    FT_Outline_Decompose(&copy, &funcs, &sink);
    if (sink.open) cairo_close_path(cairo_);
  }

  cairo_t* cairo_;
  const Fonts& fonts_;
};

cairo_status_t write_bytes(void* file, const unsigned char* bytes, unsigned int count) {
  const bool done = std::fwrite(bytes, 1, count, static_cast<std::FILE*>(file)) == count;
  return done ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

[[noreturn]] void fail_to_write(const std::string& path, int why) {
  throw Error(
      {"error.picture.write", {{"file", path}, {"why", std::generic_category().message(why)}}});
}

void save(cairo_surface_t* surface, const std::string& path) {
  const std::string temporary = path + ".part";
  std::FILE* const file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) fail_to_write(path, errno);
  errno = 0;
  const bool written =
      cairo_surface_write_to_png_stream(surface, write_bytes, file) == CAIRO_STATUS_SUCCESS;
  const int why = errno;
  const bool closed = std::fclose(file) == 0;
  std::error_code renamed;
  if (written && closed) {
    std::filesystem::rename(temporary, path, renamed);
    if (!renamed) return;
  }
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  fail_to_write(path, renamed ? renamed.value() : why != 0 ? why : EIO);
}

}  // namespace

void write_png(const Figure& figure, const Fonts& fonts, const std::string& path) {
  const double width = figure.size.width, height = figure.size.height;
  if (!(width >= 1 && height >= 1 && width <= largest_side && height <= largest_side))
    throw Error({"error.picture.size",
                 {{"width", std::to_string(static_cast<long long>(width))},
                  {"height", std::to_string(static_cast<long long>(height))},
                  {"largest", std::to_string(static_cast<int>(largest_side))}}},
                Blame::usage);
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width),
                                                   static_cast<int>(height)));
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) fail_to_write(path, ENOMEM);
  const Context cairo(cairo_create(surface.get()));
  set_color(cairo.get(), figure.background);
  cairo_paint(cairo.get());
  CairoPainter painter(cairo.get(), fonts);
  paint(figure, painter);
  save(surface.get(), path);
}

bool has_cairo() { return true; }

#endif

}  // namespace ringscope
