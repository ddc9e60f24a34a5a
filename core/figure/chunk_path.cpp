#include "core/figure/chunk_path.h"

#include <algorithm>

#include "core/figure/lines.h"

namespace ringscope {

Progress progress_of(const Scene& scene, std::int32_t transfer) {
  if (transfer < 0) return Progress::landed;
  const auto t = static_cast<std::size_t>(transfer);
  if (t >= scene.trace.events.size() || scene.trace.events[t].done == 0) return Progress::to_come;
  if (scene.state.measured) {
    const Event& event = scene.trace.events[t];
    if (event.reduce_landed <= scene.state.nanoseconds) return Progress::landed;
    return event.move_begun <= scene.state.nanoseconds ? Progress::moving : Progress::to_come;
  }
  const std::int32_t round = scene.schedule.transfers[t].round + 1;
  if (round != scene.state.cursor.round)
    return round < scene.state.cursor.round ? Progress::landed : Progress::to_come;
  return scene.beat == Beat::after    ? Progress::landed
         : scene.beat == Beat::moving ? Progress::moving
                                      : Progress::to_come;
}

Progress progress_of(const Scene& scene, const std::vector<std::uint32_t>& transfers) {
  bool landed = true, begun = false;
  for (const std::uint32_t t : transfers) {
    const Progress progress = progress_of(scene, static_cast<std::int32_t>(t));
    landed = landed && progress == Progress::landed;
    begun = begun || progress != Progress::to_come;
  }
  return landed ? Progress::landed : begun ? Progress::moving : Progress::to_come;
}

std::int32_t chosen_chunk(const Scene& scene) {
  return std::clamp(scene.context.selection.chunk, 0, scene.schedule.chunks - 1);
}

double draw_chunk_heading(Scene& scene, const std::string& title, const std::string& subtitle,
                          const std::vector<std::string>& sentences) {
  Drawing& drawing = scene.drawing;
  constexpr double margin = 32;
  const double room = scene.stage.width - 2 * margin;
  const TextStyle bold{size::huge, Face::bold, Align::left, scene.theme.ink};
  const TextStyle quiet{size::body, Face::sans, Align::left, scene.theme.quiet};
  const TextStyle plain{size::body, Face::sans, Align::left, scene.theme.ink};
  drawing.text("title", {margin, 58}, title, bold);
  const double beside = margin + drawing.width(title, bold) + 28;
  drawing.text("subtitle", {beside, 58},
               drawing.fit(subtitle, quiet, scene.stage.width - margin - beside), quiet,
               {.title = subtitle});
  double y = 64;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const std::vector<std::string> lines = balanced_lines(drawing, sentences[i], plain, room);
    for (std::size_t j = 0; j < lines.size(); ++j)
      drawing.text("sentence" + std::to_string(i) + "-" + std::to_string(j), {margin, y += 32},
                   lines[j], plain);
  }
  return y + 12;
}

}  // namespace ringscope
