#include <cmath>

#include "app/window/frame.h"
#include "app/window/panels.h"

namespace ringscope {
namespace {

constexpr double stage_radius = 12;

void invitation(Pen& pen, const Rect& rect) {
  pen.box(rect, stage_radius, pen.theme().surface, {pen.theme().rule, 1, 0});
  const Point center = rect.center();
  pen.label({center.x, center.y - 40}, pen.text("window.welcome"), size::huge, Face::bold,
            Align::center, pen.theme().ink);
  pen.label({center.x, center.y + 16}, pen.text("window.how_to_begin"), size::body, Face::sans,
            Align::center, pen.theme().quiet);
}

}  // namespace

void stage_panel(Pen& pen, const Layout& layout) {
  Session& session = pen.session();
  const double scale = layout.scale;
  session.stage_size = {std::floor(layout.stage.width * scale),
                        std::floor(layout.stage.height * scale)};
  session.stage_scale = layout.stage_scale;
  std::optional<Figure> figure = stage_figure(session, session.stage_size, session.stage_scale);
  if (!figure) return invitation(pen, layout.stage);
  // Of the window's ground it has no edge.
  const bool framed = !session.presenting && figure->background != ground_of(session);
  if (figure->background == ground_of(session)) figure->background = transparent;
  pen.figure(*figure, {layout.stage.x, layout.stage.y}, framed ? stage_radius * scale : 0);
  if (framed) pen.box(layout.stage, stage_radius, transparent, {pen.theme().rule, 1, 0});
  stage_hand(pen, *figure, pen.area("stage", layout.stage),
             {std::round(layout.stage.x * scale), std::round(layout.stage.y * scale)});
}

}  // namespace ringscope
