#include "core/export/cairo_painter.h"

#include "core/error.h"

#ifdef RINGSCOPE_CAIRO
#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <ctime>
#include <memory>
#include <new>
#include <vector>

#include "core/export/cairo_fonts.h"
#include "core/figure/unicode.h"
#endif

namespace ringscope {

constexpr double largest_side = 16384;

void require_picture_size(Size size) {
  if (size.width >= 1 && size.height >= 1 && size.width <= largest_side &&
      size.height <= largest_side)
    return;
  throw Error({"error.picture.size",
               {{"width", std::to_string(static_cast<long long>(size.width))},
                {"height", std::to_string(static_cast<long long>(size.height))},
                {"largest", std::to_string(static_cast<int>(largest_side))}}},
              Blame::usage);
}

#ifndef RINGSCOPE_CAIRO

Pixels draw_pixels(const Figure&, const Fonts&, bool) {
  throw Error({"error.picture.no_cairo", {}});
}
std::string pdf_of(std::span<const PdfPage>, const Fonts&, const PdfFacts&) {
  throw Error({"error.picture.no_cairo", {}});
}
bool has_cairo() { return false; }

#else

namespace {

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

// The pixels of a figure in units of Cairo.
struct Paper {
  double scale = 1;  // units a pixel
  double grain = 0;  // places are multiples of it, in pixels, as short numbers; 0: exact

  double place(double pixels) const {
    return scale * (grain > 0 ? std::round(pixels / grain) * grain : pixels);
  }
};

class CairoPainter final : public Painter {
 public:
  // Letters are outlines, or of the embedded fonts.
  CairoPainter(cairo_t* cairo, const Fonts& fonts, const EmbeddedFonts* embedded = nullptr,
               Paper paper = {})
      : cairo_(cairo), fonts_(fonts), embedded_(embedded), paper_(paper) {}

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
      move_to(line.to);
      line_to({base.x - uy * half, base.y + ux * half});
      line_to({base.x + uy * half, base.y - ux * half});
      cairo_close_path(cairo_);
      set_color(cairo_, line.stroke.color);
      cairo_fill(cairo_);
      end = base;
    }
    stroke(line.stroke, [&] {
      move_to(line.from);
      line_to(end);
    });
  }
  void paint(const Shape& shape, const Path& path) override {
    if (path.points.empty()) return;
    const auto outline = [&] {
      move_to(path.points[0]);
      for (const Point& point : path.points) line_to(point);
      if (path.closed) cairo_close_path(cairo_);
    };
    fill(path.fill, bounds_of(shape), outline);
    stroke(path.stroke, outline);
  }
  void paint(const Shape& shape, const Disc& disc) override {
    // Small, and lopsided were its points put on a grain.
    const auto outline = [&] {
      const double scale = paper_.scale;
      cairo_new_sub_path(cairo_);
      cairo_arc(cairo_, disc.center.x * scale, disc.center.y * scale, disc.radius * scale, 0,
                2 * M_PI);
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
    if (embedded_ != nullptr) return show(text, x);
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
        rectangle({grid.rect.x + column * width, grid.rect.y + row * height, width, height});
        cairo_fill(cairo_);
      }
    cairo_set_antialias(cairo_, CAIRO_ANTIALIAS_DEFAULT);
  }

 private:
  double place(double pixels) const { return paper_.place(pixels); }
  void move_to(Point to) { cairo_move_to(cairo_, place(to.x), place(to.y)); }
  void line_to(Point to) { cairo_line_to(cairo_, place(to.x), place(to.y)); }
  void curve_to(Point control, Point other, Point to) {
    cairo_curve_to(cairo_, place(control.x), place(control.y), place(other.x), place(other.y),
                   place(to.x), place(to.y));
  }
  void rectangle(const Rect& rect) {
    const double x = place(rect.x), y = place(rect.y);
    cairo_rectangle(cairo_, x, y, place(rect.right()) - x, place(rect.bottom()) - y);
  }
  void rounded(const Rect& rect, double radius) {
    const double r = std::min({radius, rect.width / 2, rect.height / 2});
    if (r <= 0) return rectangle(rect);
    // How far the controls of a curve like a quarter of a circle are from the corner.
    const double c = r * (1 - 4 * (std::sqrt(2) - 1) / 3);
    const double left = rect.x, top = rect.y, right = rect.right(), bottom = rect.bottom();
    move_to({right - r, top});
    curve_to({right - c, top}, {right, top + c}, {right, top + r});
    line_to({right, bottom - r});
    curve_to({right, bottom - c}, {right - c, bottom}, {right - r, bottom});
    line_to({left + r, bottom});
    curve_to({left + c, bottom}, {left, bottom - c}, {left, bottom - r});
    line_to({left, top + r});
    curve_to({left, top + c}, {left + c, top}, {left + r, top});
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
    const Hatch hatch = hatch_of(rect, fill.pattern);
    for (const auto& [from, to] : hatch.lines) {
      move_to(from);
      line_to(to);
    }
    set_color(cairo_, fill.hatch);
    cairo_set_line_width(cairo_, paper_.scale * hatch.width);
    cairo_set_line_cap(cairo_, CAIRO_LINE_CAP_SQUARE);
    cairo_stroke(cairo_);
    cairo_restore(cairo_);
  }

  template <class Outline>
  void stroke(const Stroke& stroke, const Outline& outline) {
    if (stroke.width <= 0 || stroke.color.a == 0) return;
    outline();
    set_color(cairo_, stroke.color);
    cairo_set_line_width(cairo_, paper_.scale * stroke.width);
    cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cairo_, CAIRO_LINE_CAP_BUTT);
    const double dash = place(stroke.dash);
    cairo_set_dash(cairo_, &dash, dash > 0 ? 1 : 0, 0);
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

  // Glyphs of an embedded font, each with the characters that it stands for.
  void show(const Text& text, double x) {
    const FT_Face face = static_cast<FT_Face>(fonts_.face(text.face));
    std::vector<cairo_glyph_t> glyphs;
    std::vector<cairo_text_cluster_t> clusters;
    const double scale = paper_.scale * text.size / face->units_per_EM, y = place(text.at.y);
    x = place(x);
    for (std::string_view rest = text.text; !rest.empty();) {
      const std::size_t before = rest.size();
      const char32_t character = next_character(rest);
      if (FT_Load_Glyph(face, FT_Get_Char_Index(face, character), FT_LOAD_NO_SCALE) != 0) continue;
      glyphs.push_back({embedded_->glyph(text.face, character), x, y});
      clusters.push_back({static_cast<int>(before - rest.size()), 1});
      x += static_cast<double>(face->glyph->metrics.horiAdvance) * scale;
    }
    cairo_set_font_face(cairo_, embedded_->face(text.face));
    cairo_set_font_size(cairo_, paper_.scale * text.size);
    cairo_show_text_glyphs(cairo_, text.text.data(), static_cast<int>(text.text.size()),
                           glyphs.data(), static_cast<int>(glyphs.size()), clusters.data(),
                           static_cast<int>(clusters.size()),
                           static_cast<cairo_text_cluster_flags_t>(0));
  }

  cairo_t* cairo_;
  const Fonts& fonts_;
  const EmbeddedFonts* embedded_;
  Paper paper_;
};

cairo_status_t append_bytes(void* bytes, const unsigned char* data, unsigned int count) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), count);
  return CAIRO_STATUS_SUCCESS;
}

void require_sound(cairo_status_t status) {
  if (status == CAIRO_STATUS_NO_MEMORY) throw std::bad_alloc();
  if (status != CAIRO_STATUS_SUCCESS)
    throw Error({"error.picture.cairo", {{"why", cairo_status_to_string(status)}}});
}

// '2026-11-30T12:00:00Z', as Cairo wants a date.
std::string date_text(std::int64_t seconds) {
  const std::time_t time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return std::string(text.data(), length);
}

}  // namespace

Pixels draw_pixels(const Figure& figure, const Fonts& fonts, bool ground) {
  require_picture_size(figure.size);
  Pixels pixels{static_cast<int>(figure.size.width), static_cast<int>(figure.size.height), {}};
  const Surface surface(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, pixels.width, pixels.height));
  require_sound(cairo_surface_status(surface.get()));
  const Context cairo(cairo_create(surface.get()));
  if (ground) {
    set_color(cairo.get(), figure.background);
    cairo_paint(cairo.get());
  }
  CairoPainter painter(cairo.get(), fonts);
  paint(figure, painter);
  require_sound(cairo_status(cairo.get()));
  cairo_surface_flush(surface.get());
  const unsigned char* const data = cairo_image_surface_get_data(surface.get());
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  const auto width = static_cast<std::size_t>(pixels.width);
  pixels.rgba.resize(width * static_cast<std::size_t>(pixels.height) * 4);
  std::uint8_t* to = pixels.rgba.data();
  for (std::size_t y = 0; y < static_cast<std::size_t>(pixels.height); ++y)
    for (std::size_t x = 0; x < width; ++x, to += 4) {
      std::uint32_t argb = 0;
      std::memcpy(&argb, data + y * stride + x * 4, 4);
      const std::uint32_t alpha = argb >> 24;
      // Cairo's colours are multiplied by their alpha.
      const auto channel = [&](std::uint32_t value) {
        return static_cast<std::uint8_t>(
            alpha == 255 || alpha == 0 ? value : std::min(255u, (value * 255 + alpha / 2) / alpha));
      };
      to[0] = channel(argb >> 16 & 255);
      to[1] = channel(argb >> 8 & 255);
      to[2] = channel(argb & 255);
      to[3] = static_cast<std::uint8_t>(alpha);
    }
  return pixels;
}

std::string pdf_of(std::span<const PdfPage> pages, const Fonts& fonts, const PdfFacts& facts) {
  std::string bytes;
  {
    const Surface surface(cairo_pdf_surface_create_for_stream(append_bytes, &bytes, 1, 1));
    require_sound(cairo_surface_status(surface.get()));
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, facts.title.c_str());
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "Ringscope");
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE,
                                   date_text(facts.created).c_str());
    const Context cairo(cairo_create(surface.get()));
    const EmbeddedFonts embedded(pages);
    int number = 0;
    for (const PdfPage& page : pages) {
      require_picture_size(page.figure.size);
      const Size size = page.figure.size;
      // A width of quarters of a point (0.09 mm): 1920 pixels on a slide are 2 a point, and most
      // places have few digits.
      const double width = std::max(0.25, std::round(size.width * facts.points_per_pixel * 4) / 4);
      const Paper paper{width / size.width, 0.5};
      cairo_pdf_surface_set_size(surface.get(), width, size.height * paper.scale);
      const std::string place = "page=" + std::to_string(++number);
      cairo_pdf_surface_add_outline(surface.get(), CAIRO_PDF_OUTLINE_ROOT, page.title.c_str(),
                                    place.c_str(), static_cast<cairo_pdf_outline_flags_t>(0));
      cairo_pdf_surface_set_page_label(surface.get(), page.label.c_str());
      if (facts.ground) {
        set_color(cairo.get(), page.figure.background);
        cairo_paint(cairo.get());
      }
      CairoPainter painter(cairo.get(), fonts, &embedded, paper);
      paint(page.figure, painter);
      cairo_show_page(cairo.get());
    }
    require_sound(cairo_status(cairo.get()));
    cairo_surface_finish(surface.get());
    require_sound(cairo_surface_status(surface.get()));
  }
  return bytes;
}

bool has_cairo() { return true; }

#endif

}  // namespace ringscope
