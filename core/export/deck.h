// All that leaves a replay in one go: still pictures of its rounds, films, a page for the browser,
// and its data. One table of formats.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/figure/views.h"

namespace ringscope {

enum class Format : std::uint8_t { svg, pdf, png, gif, mp4, html, csv, perfetto };
struct FormatRow {
  Format format;
  std::string_view name;
  std::string_view ending;  // of the file
  bool data;                // of the trace, not of its pictures
};
std::span<const FormatRow> formats();

inline constexpr double least_text_scale = 0.5, most_text_scale = 3;

struct DeckSettings {
  std::vector<Format> formats;
  const View* view = nullptr;    // of one replay; nothing: the first that fits
  std::int32_t first_round = 0;  // as in Cursor; both belong to it
  std::int32_t last_round = 0;
  std::vector<Beat> beats{Beat::moving, Beat::after};
  const Theme* theme = &light_theme();
  Size size{1920, 1080};
  double width_cm = 33.867;  // how wide it is printed: a slide of 16:9
  double dpi = 0;            // of PNG: pixels follow from it and the width; 0: `size` in pixels
  CellText cell_text = CellText::both;
  bool caption = true;
  bool transparent = false;
  bool svg_text = false;     // text elements instead of outlines
  bool storyboard = false;   // all beats on one page, captions only once
  bool measured = false;     // films: on the measured clock
  double slowed_down = 0;    // that many times; 0: such that the run takes 10 s
  int frames_a_second = 30;  // of films
  std::string folder = ".";
  double text_scale = 1;           // of 1, as far as there is room
  std::string name = "ringscope";  // files are called 'NAME-round-1.2-after.svg'
};

struct DeckHooks {
  std::stop_token stop;                        // throws Error 'error.export.cancelled'
  std::function<void(double share)> progress;  // 0..1
};

struct DeckResult {
  std::vector<std::string> files;  // in the order in which they were written
  std::vector<Message> notes;      // 'ffmpeg is not installed; to make the film, type: ...'
};

// How many times slower than it was a film on the measured clock shows a run of that length.
double slowdown_of(const DeckSettings& settings, std::int64_t nanoseconds);

// Of one replay, or of two or three side by side, whose data are those of the first. Writes the
// files; each is whole or not there. Makes the folder where its parent exists. Throws Error; what
// was written before stays.
DeckResult export_deck(std::span<const Replay* const> replays, const Fonts& fonts,
                       const Language& language, const DeckSettings& settings,
                       const DeckHooks& hooks = {});

}  // namespace ringscope
