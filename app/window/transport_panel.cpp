#include <fmt/format.h>

#include <algorithm>

#include "app/window/panels.h"
#include "app/window/scrub_bar.h"
#include "core/figure/time_axis.h"

namespace ringscope {
namespace {

constexpr double padding = 24, gap = 12, bar_height = 36;
constexpr double button = 52, play_radius = 34, chip_height = 48;

void buttons(Pen& pen, const Rect& rect) {
  const double middle = rect.center().y;
  double x = rect.x + padding - 8;
  const auto place = [&] {
    const Rect at{x, middle - button / 2, button, button};
    x += button + 4;
    return at;
  };
  pen.icon_button(Icon::first, place(), "first");
  pen.icon_button(Icon::back, place(), "back");
  const Rect play{x + 6, middle - play_radius, 2 * play_radius, 2 * play_radius};
  x += 2 * play_radius + 16;
  const bool enabled = pen.session().open != nullptr;
  pen.command_area(play, play_radius, "play");
  pen.disc(play.center(), play_radius, enabled ? pen.theme().accent : pen.theme().rule);
  pen.icon(runs(pen.session().playback) ? Icon::pause : Icon::play, play.center(), 15,
           enabled ? pen.theme().on_accent : pen.theme().surface);
  pen.icon_button(Icon::forward, place(), "forward");
  pen.icon_button(Icon::last, place(), "last");
}

// Puts chips beside one another, from the right end to the left.
struct Chips {
  double right, middle;

  Rect take(double width) {
    right -= width;
    const Rect chip{right, middle - chip_height / 2, width, chip_height};
    right -= gap;
    return chip;
  }
};

// '2×', or '1 s = 50 µs', between what makes it slower and faster.
void speed_chip(Pen& pen, Chips& chips, bool narrow) {
  const Playback& playback = pen.session().playback;
  const std::string now =
      playback.measured
          ? pen.session().language->text("window.pace", {{"time", short_time(playback.pace)}})
          : fmt::format("{:g}×", playback.speed);
  // Room for the longest one, so that nothing moves when it changes.
  const std::string longest =
      playback.measured ? pen.session().language->text("window.pace", {{"time", "500 µs"}})
                        : "0.25×";
  const double end = narrow ? 32 : 40;
  const double middle = pen.width(longest, size::small, Face::bold) + 4;
  const Rect chip = chips.take(middle + 2 * end);
  pen.box(chip, 8, pen.theme().card);
  const Rect slower{chip.x, chip.y, end, chip.height};
  const Rect faster{chip.right() - end, chip.y, end, chip.height};
  pen.command_area(slower, 8, "slower");
  pen.command_area(faster, 8, "faster");
  pen.label_in(slower, "−", size::body, Face::bold, pen.theme().quiet);
  pen.label_in(faster, "+", size::body, Face::bold, pen.theme().quiet);
  pen.label_in({slower.right(), chip.y, middle, chip.height}, now, size::small, Face::bold,
               pen.theme().ink);
}

void clock_switch(Pen& pen, Chips& chips) {
  const bool measured = pen.session().playback.measured;
  const std::string rounds = pen.text("window.clock.rounds"), time = pen.text("window.clock.time");
  const double left = pen.width(rounds, size::small, Face::bold) + 24;
  const double right = pen.width(time, size::small, Face::bold) + 24;
  const Rect chip = chips.take(left + right + 8);
  pen.box(chip, 8, pen.theme().card);
  const Rect first{chip.x + 4, chip.y + 4, left, chip.height - 8};
  pen.text_button(rounds, first, !measured, "clock", "rounds");
  pen.text_button(time, {first.right(), first.y, right, first.height}, measured, "clock", "time");
}

}  // namespace

void transport_panel(Pen& pen, const Layout& layout) {
  const Rect rect = layout.transport;
  const bool narrow = rect.width < 1400;
  pen.box(rect, 12, pen.theme().surface, {pen.theme().rule, 1, 0});
  buttons(pen, rect);
  Chips chips{rect.right() - padding + 4, rect.center().y};
  if (narrow) {
    pen.icon_button(Icon::camera, chips.take(56), "export-dialog");
  } else {
    const std::string words = pen.text("window.export_button");
    const Rect chip = chips.take(pen.width(words, size::small, Face::bold) + 40);
    pen.box(chip, 8, pen.theme().card);
    pen.text_button(words, chip, false, "export-dialog");
  }
  speed_chip(pen, chips, narrow);
  clock_switch(pen, chips);
  const double left = rect.x + padding + 4 * (button + 4) + 2 * play_radius + (narrow ? 36 : 48);
  const double right = chips.right - (narrow ? 20 : 32);
  const Rect bar{left, rect.center().y - bar_height / 2, right - left, bar_height};
  if (!pen.session().open)
    pen.box(bar, 4, pen.theme().card);
  else
    (pen.session().playback.measured ? time_bar : rounds_bar)(pen, bar, layout.scale);
}

}  // namespace ringscope
