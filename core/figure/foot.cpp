// What stands under a stage, and how large the stage is above it.
#include <algorithm>

#include "core/figure/captions.h"
#include "core/figure/lines.h"
#include "core/figure/link_paths.h"
#include "core/figure/stage.h"

namespace ringscope {
namespace {

// The stage of a window at 1080p, for which the views are laid out.
constexpr Size nominal{1360, 840};
// A tall foot takes a little of the stage.
constexpr double tallest = 900, lowest = 800;
// With a taller foot than that text would get smaller than 24 pixels at 1080p.
constexpr double tallest_foot = 280;
constexpr double foot_line = 40, foot_step = 32, foot_margin = 32;
// The stage's margin above it is room enough.
constexpr double above_foot = 12;

std::vector<FootLine> foot_lines(const ViewContext& context, bool with_links) {
  const Trace& trace = context.replay.trace();
  const Language& language = context.language;
  std::vector<FootLine> lines;
  if (!context.replay.contradictions().empty())
    lines.push_back(
        {"wrong",
         language.text("view.wrong", {{"what", language.text(context.replay.contradictions()[0])}}),
         true});
  if (trace.verdict.outcome == Verdict::Outcome::failed)
    lines.push_back(
        {"failed",
         trace.verdict.failure
             ? language.text("view.failed", {{"what", language.text(*trace.verdict.failure)}})
             : language.text("view.failed_unknown"),
         true});
  if (trace.stopped)
    lines.push_back({"stopped",
                     language.text("view.stopped", {{"what", language.text(*trace.stopped)}}),
                     true});
  const std::string trouble = trouble_text(trace, language);
  // The caption says it too.
  if (!trouble.empty() && !context.caption) lines.push_back({"trouble", trouble, false});
  if (!context.caption) return lines;
  lines.push_back({"caption", run_title(trace, language), false});
  if (const std::string marks = link_marks_text(trace, language); with_links && !marks.empty())
    lines.push_back({"links", marks, false});
  return lines;
}

double height_of(const FootLine& line) {
  return foot_line + (static_cast<double>(line.lines.size()) - 1) * foot_step;
}

TextStyle style_of(const FootLine& line) { return {.face = line.wrong ? Face::bold : Face::sans}; }

// The longest sentences lose their ends until the foot is low enough.
void shorten(std::vector<FootLine>& foot, const Drawing& measure, double width, double height) {
  while (foot_height(foot) > height) {
    FootLine& longest = *std::max_element(
        foot.begin(), foot.end(),
        [](const FootLine& a, const FootLine& b) { return a.lines.size() < b.lines.size(); });
    if (longest.lines.size() == 1) return;
    longest.lines =
        lines_at_most(longest.lines.size() - 1, measure, longest.text, style_of(longest), width);
  }
}

// With text that is `scale` times as large the stage is that much smaller, in units.
StageFit fit_at(const ViewContext& context, double scale, bool with_links) {
  const Drawing measure(context.theme, context.fonts, nominal, 1);
  // As wide as the stage with a foot of one line.
  const double width =
      std::max(nominal.width / scale, context.size.width / context.size.height *
                                          (nominal.height / scale + foot_line - above_foot)) -
      2 * foot_margin - 24;
  StageFit fit{1, foot_lines(context, with_links)};
  for (FootLine& line : fit.foot)
    line.lines = balanced_lines(measure, line.text, style_of(line), width);
  shorten(fit.foot, measure, width, tallest_foot / scale);
  const double foot = foot_height(fit.foot);
  const double height =
      std::max(std::min(nominal.height / scale + foot, tallest / scale), lowest / scale + foot);
  fit.unit = std::min(context.size.width * scale / nominal.width, context.size.height / height);
  return fit;
}

}  // namespace

double foot_height(const std::vector<FootLine>& foot) {
  double height = 0;
  for (const FootLine& line : foot) height += height_of(line);
  return height == 0 ? 0 : height - above_foot;
}

Size least_stage_of(const ViewContext& context, std::int32_t few) {
  return context.replay.trace().schedule.ranks <= few ? Size{900, 430} : least_stage;
}

StageFit fit_stage(const ViewContext& context, Size least, bool with_links) {
  constexpr double step = 0.97;
  // Without any foot there would be room for that much.
  const double most =
      std::max(nominal.height, nominal.width * context.size.height / context.size.width) /
      least.height;
  for (double scale = std::min(context.text_scale, std::max(1.0, most));;
       scale = std::max(1.0, scale * step)) {
    StageFit fit = fit_at(context, scale, with_links);
    const double width = context.size.width / fit.unit;
    const double height = context.size.height / fit.unit - foot_height(fit.foot);
    if (scale <= 1 || (width >= least.width && height >= least.height)) return fit;
  }
}

void draw_foot(Scene& scene) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  double y = scene.stage.bottom() - 20;
  for (const FootLine& line : scene.foot) {
    const Rect rect{foot_margin, y, scene.stage.width - 2 * foot_margin, height_of(line)};
    std::string id = "foot.";
    id += line.id;
    // What is wrong is said in the ground's colour on ink: no hue is free to mean it.
    if (line.wrong)
      drawing.box(id, {rect.x, rect.y + 4, rect.width, rect.height - 5}, 8,
                  {theme.ink, transparent});
    const TextStyle style{size::body, line.wrong ? Face::bold : Face::sans, Align::center,
                          line.wrong             ? theme.surface
                          : line.id == "trouble" ? theme.ink
                                                 : theme.quiet};
    double base = y + (line.wrong ? 2 : 0) + foot_line / 2 + drawing.cap_height(style) / 2;
    for (std::size_t i = 0; i < line.lines.size(); ++i, base += foot_line - 8)
      drawing.text(id + ".label" + std::to_string(i), {rect.center().x, base}, line.lines[i], style,
                   {.title = line.text});
    y += rect.height;
  }
}

}  // namespace ringscope
