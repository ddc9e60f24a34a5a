// Pictures one after the other as a film, through ffmpeg where it is installed.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/export/cairo_painter.h"

namespace ringscope {

enum class FilmKind { gif, mp4 };

// Of a GIF or MP4: whether it has its end, and an MP4 its index.
bool is_whole(const std::string& path);

// ffmpeg's arguments for frames that it reads as raw pixels from its input, or, where `frames` is
// not empty, as PNG files of that pattern ('ring-%04d.png').
std::vector<std::string> film_arguments(FilmKind kind, Size size, int frames_a_second,
                                        const std::string& path, const std::string& frames = "");
// The same as a line to type.
std::string film_command(FilmKind kind, Size size, int frames_a_second, const std::string& path,
                         const std::string& frames);
bool has_ffmpeg();

// Writes to a temporary name, which is gone again where anything fails.
class Film {
 public:
  // All frames are of that size: whole pixels, even ones for mp4. Throws Error.
  Film(FilmKind kind, Size size, int frames_a_second, std::string path);
  ~Film();
  Film(const Film&) = delete;
  Film& operator=(const Film&) = delete;

  void add(const Pixels& frame);
  // Has the film take its name. Throws Error where ffmpeg failed.
  void finish();

 private:
  struct Running;
  std::string path_, temporary_;
  std::unique_ptr<Running> running_;
};

}  // namespace ringscope
