// The panel beside the stage: what this round does, each transfer's arithmetic, what each GPU has
// sent, the legend.
#include <algorithm>

#include "core/figure/cells.h"
#include "core/figure/lines.h"
#include "core/figure/link_paths.h"
#include "core/figure/panel_parts.h"
#include "core/figure/steps.h"

namespace ringscope {
namespace {

constexpr double pad = 20, inner = 16;
constexpr std::size_t most_rows = 64;
// With more ranks a symbol is longer than anybody reads.
constexpr std::int32_t most_symbols = 64;

// The panel as it grows: where the next thing goes.
struct Panel {
  Scene& scene;
  double width;
  double y = 0;

  double left() const { return pad; }
  double right() const { return width - pad; }
};

TextStyle small(Color color, Align align = Align::left) {
  return {size::small, Face::sans, align, color};
}

void draw_title(Panel& panel, const std::vector<Step>& shown) {
  Scene& scene = panel.scene;
  const Theme& theme = scene.theme;
  panel.y = 40;
  const std::string_view id = scene.state.measured           ? "panel.now"
                              : scene.state.cursor.round > 0 ? "panel.this_round"
                                                             : "panel.at_start";
  scene.drawing.text("panel.title", {panel.left(), panel.y}, scene.language.text(id),
                     {28, Face::bold, Align::left, theme.ink});
  if (!shown.empty() && !scene.state.measured)
    scene.drawing.text(
        "panel.count", {panel.right(), panel.y},
        scene.language.text(shown.size() == 1 ? "panel.one_transfer" : "panel.all_at_once",
                            {{"transfers", scene.language.small_number(shown.size())}}),
        small(theme.quiet, Align::right));
  panel.y += 8;
  const std::vector<std::string> lines = balanced_lines(
      scene.drawing, in_one_line(round_sentence(scene.state, scene.replay, scene.language)),
      small(theme.ink), panel.right() - panel.left());
  for (std::size_t i = 0; i < lines.size(); ++i)
    scene.drawing.text("panel.sentence" + std::to_string(i), {panel.left(), panel.y += 26},
                       lines[i], small(theme.ink));
  panel.y += 14;
}

struct Arithmetic {
  std::string symbols, numbers;
};

std::string full_text(const Scene& scene, const std::optional<Number>& value) {
  return value ? text_of(*value, scene.trace.run.type) : "-";
}

// 'b3 += a3+d3' and '40 + 4004 = 4044'; 'chunk 0 = a0+b0+c0+d0' and '1111 replaces b0+a0'.
// Of several chunks that of the first, and a sign that there are more.
Arithmetic arithmetic_of(const Scene& scene, const Step& step) {
  const std::uint32_t index = step.transfer;
  const Transfer& transfer = scene.schedule.transfers[index];
  const std::int32_t chunk = scene.chunk_of(index);
  const std::string more = step.first_chunk < step.last_chunk ? ", …" : "";
  const Replay& replay = scene.replay;
  const std::string old = scene.symbol_of(replay.before(index), chunk);
  const std::string carried = scene.symbol_of(replay.carried(index), chunk);
  const std::string result = full_text(scene, replay.after_value(index));
  if (transfer.action == Action::copy)
    return {scene.language.text(
                scene.schedule.chunks == 1 ? "panel.buffer_becomes" : "panel.chunk_becomes",
                {{"chunk", std::to_string(chunk)}, {"sum", carried}}) +
                more,
            old.empty() ? result
                        : scene.language.text("panel.replaces", {{"value", result}, {"old", old}})};
  const std::string own = full_text(scene, replay.before_value(index));
  const std::string coming = full_text(scene, replay.carried_value(index));
  switch (scene.trace.run.op) {
    case Operator::prod:
      return {old + " *= " + carried + more, own + " * " + coming + " = " + result};
    case Operator::min:
    case Operator::max: {
      const std::string name(name_of(scene.trace.run.op));
      return {old + " = " + name + "(" + old + ", " + carried + ")" + more,
              name + "(" + own + ", " + coming + ") = " + result};
    }
    default: return {old + " += " + carried + more, own + " + " + coming + " = " + result};
  }
}

std::string link_text(const Scene& scene, const Step& step) {
  const auto name = [&](std::int32_t rank) {
    return scene.language.text("view.gpu", {{"rank", std::to_string(rank)}});
  };
  return name(step.src) + " → " + name(step.dst);
}

std::string time_text(const Scene& scene, std::uint32_t index) {
  if (index >= scene.trace.events.size()) return "";
  const Event& event = scene.trace.events[index];
  if (event.done == 0) return scene.language.text("panel.not_done");
  return scene.language.duration(std::max(event.move_landed, event.reduce_landed) -
                                 event.move_begun);
}

// How a transfer's box is laid out.
enum class BoxForm {
  symbols,  // link and symbols; from 5 ranks on
  beside,   // and the numbers beside the symbols
  beneath,  // the numbers beneath them, where they are long
};

// Whether symbols and numbers stand beside each other in the width of a box.
bool fits_beside(const Panel& panel, const Step& step) {
  const Arithmetic arithmetic = arithmetic_of(panel.scene, step);
  const Drawing& drawing = panel.scene.drawing;
  constexpr double gap = 24;
  return drawing.width(arithmetic.symbols, {size::small, Face::mono_bold}) +
             drawing.width(arithmetic.numbers, {size::small, Face::mono}) + gap <=
         panel.right() - panel.left() - 2 * inner;
}

void draw_transfer_box(Panel& panel, const Step& step, BoxForm form) {
  Scene& scene = panel.scene;
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const std::string id = "transfer" + std::to_string(step.transfer);
  const double height = form == BoxForm::beneath ? 88 : form == BoxForm::beside ? 72 : 68;
  const Rect box{panel.left(), panel.y, panel.right() - panel.left(), height};
  const Note note{.transfer = static_cast<std::int32_t>(step.transfer)};
  const bool selected = is_selected(scene, step);
  drawing.box(id, box, 8, {theme.card, transparent},
              selected ? Stroke{theme.ink, 4} : Stroke{theme.rule, 1}, note);
  const double left = box.x + inner, right = box.right() - inner, room = right - left;
  const Arithmetic arithmetic = arithmetic_of(scene, step);
  const std::string what = chunks_text(scene, step), time = time_text(scene, step.transfer);
  const std::string bytes =
      scene.language.bytes(elements_of(scene, step) * bytes_of(scene.trace.run.type));
  std::string aside = scene.language.text("panel.what_bytes_time",
                                          {{"what", what}, {"bytes", bytes}, {"time", time}});
  const TextStyle link{size::small, Face::bold, Align::left, theme.ink};
  if (form == BoxForm::symbols ||
      drawing.width(link_text(scene, step), link) + drawing.width(aside, small(theme.quiet)) + 16 >
          room)
    aside = scene.language.text("panel.what_time", {{"what", what}, {"time", time}});
  double y = box.y + (form == BoxForm::beneath ? 25 : 28);
  drawing.text(id + ".link", {left, y}, link_text(scene, step), link,
               {.title = link_title(scene.trace, step.src, step.dst, scene.language)});
  drawing.text(id + ".chunk", {right, y}, aside, small(theme.quiet, Align::right));
  y += form == BoxForm::beside ? 30 : form == BoxForm::beneath ? 26 : 28;
  const TextStyle symbols{size::small, form == BoxForm::symbols ? Face::mono : Face::mono_bold,
                          Align::left, theme.ink};
  drawing.text(id + ".symbols", {left, y}, drawing.fit(arithmetic.symbols, symbols, room), symbols,
               {.title = arithmetic.symbols});
  const bool beneath = form == BoxForm::beneath;
  if (form != BoxForm::symbols) {
    const TextStyle numbers{size::small, Face::mono, beneath ? Align::left : Align::right,
                            theme.quiet};
    drawing.text(id + ".numbers", {beneath ? left : right, beneath ? y + 25 : y},
                 drawing.fit(arithmetic.numbers, numbers, room), numbers,
                 {.title = arithmetic.numbers});
  }
  panel.y += box.height + 8;
}

void draw_transfer_row(Panel& panel, const Step& step, bool shaded) {
  Scene& scene = panel.scene;
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const std::uint32_t index = step.transfer;
  const std::string id = "transfer" + std::to_string(index);
  const Rect row{panel.left() - 8, panel.y, panel.right() - panel.left() + 16, 34};
  const bool selected = is_selected(scene, step);
  if (shaded || selected)
    drawing.box(id, row, 4, {theme.card, transparent}, selected ? Stroke{theme.ink, 3} : Stroke{},
                {.transfer = static_cast<std::int32_t>(index)});
  const double base = row.y + 24;
  drawing.text(id + ".link", {panel.left(), base}, link_text(scene, step), small(theme.ink),
               {.title = link_title(scene.trace, step.src, step.dst, scene.language)});
  const auto count = [](std::size_t size) { return std::to_string(size); };
  const std::string own = count(scene.replay.before(index).size());
  const std::string ranks = std::to_string(scene.schedule.ranks);
  // Where nothing was, nothing is replaced.
  const std::string terms =
      step.action == Action::copy && scene.replay.before(index).empty() ? ""
      : step.action == Action::copy
          ? scene.language.text("panel.replaced_by", {{"old", own}, {"ranks", ranks}})
          : scene.language.text("panel.terms",
                                {{"own", own},
                                 {"arriving", count(scene.replay.carried(index).size())},
                                 {"ranks", ranks}});
  if (!terms.empty())
    drawing.text(id + ".terms", {panel.right(), base}, terms, small(theme.quiet, Align::right),
                 {.title = scene.schedule.ranks <= most_symbols ? arithmetic_of(scene, step).symbols
                                                                : std::string()});
  const std::string chunk = chunks_text(scene, step);
  const double right = panel.right() - drawing.width(terms, small(theme.quiet)) - 16;
  const double room =
      right - panel.left() - drawing.width(link_text(scene, step), small(theme.ink));
  if (drawing.width(chunk, small(theme.ink)) + 12 <= room)
    drawing.text(id + ".chunk", {right, base}, chunk, small(theme.ink, Align::right));
  panel.y += row.height;
}

void draw_transfers(Panel& panel, const std::vector<Step>& shown) {
  const std::int32_t ranks = panel.scene.schedule.ranks;
  const bool boxes = ranks <= 8;
  BoxForm form = BoxForm::symbols;
  if (ranks <= 4) {
    const auto fits = [&](const Step& step) { return fits_beside(panel, step); };
    form = std::all_of(shown.begin(), shown.end(), fits) ? BoxForm::beside : BoxForm::beneath;
  }
  const std::size_t rows = std::min(shown.size(), most_rows);
  for (std::size_t i = 0; i < rows; ++i) {
    if (boxes)
      draw_transfer_box(panel, shown[i], form);
    else
      draw_transfer_row(panel, shown[i], i % 2 == 0);
  }
  if (rows < shown.size())
    panel.scene.drawing.text(
        "panel.more", {panel.left(), panel.y += 28},
        panel.scene.language.text("panel.more",
                                  {{"count", panel.scene.language.integer(shown.size() - rows)}}),
        small(panel.scene.theme.quiet));
  panel.y += shown.empty() ? 0 : 6;
}

}  // namespace

namespace {

Figure draw_panel(const ViewContext& context, const ReplayState& state, bool columns) {
  Scene scene(context, state, {context.scale});
  Panel panel{scene, scene.drawing.room().width};
  const std::vector<Step> shown = shown_steps(scene);
  draw_title(panel, shown);
  draw_transfers(panel, shown);
  if (are_alike(scene))
    draw_sent(scene, panel.left(), panel.right(), panel.y);
  else
    draw_ports(scene, panel.left(), panel.right(), panel.y);
  draw_legend(scene, columns, panel.left(), panel.right(), panel.y);
  scene.drawing.set_height(panel.y + 4);
  return std::move(scene.drawing).finish(scene.theme.surface);
}

}  // namespace

Figure draw_ring_panel(const ViewContext& context, const ReplayState& state) {
  const Schedule& schedule = context.replay.trace().schedule;
  return draw_panel(context, state, schedule.ranks > 4 && schedule.chunks > 1);
}

Figure draw_round_panel(const ViewContext& context, const ReplayState& state) {
  return draw_panel(context, state, false);
}

}  // namespace ringscope
