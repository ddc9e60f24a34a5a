#include "core/export/png.h"

#include <png.h>

#include <cmath>
#include <new>
#include <vector>

#include "core/error.h"
#include "core/trace/atomic_file.h"

namespace ringscope {
namespace {

void append(png_structp png, png_bytep data, png_size_t count) {
  static_cast<std::string*>(png_get_io_ptr(png))
      ->append(reinterpret_cast<const char*>(data), count);
}
void flush(png_structp) {}
// libpng may not return from an error; ours are no memory and nothing else.
[[noreturn]] void fail(png_structp, png_const_charp) { throw std::bad_alloc(); }

struct Writer {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, fail, nullptr);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);

  Writer() {
    if (info == nullptr) throw std::bad_alloc();
  }
  ~Writer() { png_destroy_write_struct(&png, &info); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
};

bool is_opaque(const Pixels& pixels) {
  for (std::size_t i = 3; i < pixels.rgba.size(); i += 4)
    if (pixels.rgba[i] != 255) return false;
  return true;
}

constexpr double inches_per_metre = 1 / 0.0254;

}  // namespace

std::string png_of(const Pixels& pixels, double dpi) {
  std::string bytes;
  const Writer writer;
  const bool opaque = is_opaque(pixels);
  png_set_write_fn(writer.png, &bytes, append, flush);
  png_set_IHDR(writer.png, writer.info, static_cast<png_uint_32>(pixels.width),
               static_cast<png_uint_32>(pixels.height), 8,
               opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  // Flat colours: filters only cost time.
  png_set_filter(writer.png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
  if (dpi > 0) {
    const auto density = static_cast<png_uint_32>(std::lround(dpi * inches_per_metre));
    png_set_pHYs(writer.png, writer.info, density, density, PNG_RESOLUTION_METER);
  }
  png_write_info(writer.png, writer.info);
  const std::size_t width = static_cast<std::size_t>(pixels.width);
  std::vector<std::uint8_t> row(width * 4);
  for (int y = 0; y < pixels.height; ++y) {
    const std::uint8_t* from = pixels.rgba.data() + static_cast<std::size_t>(y) * width * 4;
    std::uint8_t* to = row.data();
    for (std::size_t x = 0; x < width; ++x, from += 4) {
      *to++ = from[0];
      *to++ = from[1];
      *to++ = from[2];
      if (!opaque) *to++ = from[3];
    }
    png_write_row(writer.png, row.data());
  }
  png_write_end(writer.png, nullptr);
  return bytes;
}

void require_png_name(const std::string& path) {
  if (!path.ends_with(".png"))
    throw Error({"error.picture.format", {{"file", path}}}, Blame::usage);
}

void write_png(const Figure& figure, const Fonts& fonts, const std::string& path) {
  const std::string bytes = png_of(draw_pixels(figure, fonts));
  write_file(path, {std::as_bytes(std::span(bytes))}, Until::written);
}

}  // namespace ringscope
