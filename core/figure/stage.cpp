#include "core/figure/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/figure/captions.h"
#include "core/replay/symbols.h"

namespace ringscope {
namespace {

// The stage of a window at 1080p, for which the views are laid out.
constexpr Size nominal{1360, 840};
constexpr double foot_line = 40, foot_margin = 32;
// More cells than this are shown as shades only.
constexpr std::int32_t most_cells = 4096;

struct FootLine {
  std::string id, text;
  bool wrong = false;
  std::vector<std::string> lines = {};
};

std::vector<FootLine> foot_lines(const ViewContext& context) {
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
  if (context.caption) lines.push_back({"caption", run_title(trace, language), false});
  return lines;
}

bool ends_with_any(const std::string& line, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [&](std::string_view end) { return line.ends_with(end); });
}

// How well lines are broken: 2 at the ends of sentences, 1 at commas and the like, 0 anywhere.
int quality_of(const std::vector<std::string>& lines) {
  int quality = 2;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    if (ends_with_any(lines[i], {".", "。"})) continue;
    quality = std::min(quality, ends_with_any(lines[i], {",", ";", ":", "，", "；", "："}) ? 1 : 0);
  }
  return quality;
}

// As few lines as the width allows, broken where one pauses, else about equally long.
std::vector<std::string> balanced(const Drawing& measure, const std::string& text,
                                  const TextStyle& style, double width) {
  constexpr double step = 12;
  std::vector<std::string> best = measure.wrap(text, style, width);
  while (best.size() > 1 && width > 2 * step) {
    std::vector<std::string> narrower = measure.wrap(text, style, width -= step);
    if (narrower.size() > best.size()) break;
    if (quality_of(narrower) >= quality_of(best)) best = std::move(narrower);
  }
  return best;
}

// The same of a text whose lines are broken already.
std::vector<std::string> balanced_lines(const Drawing& measure, std::string_view text,
                                        const TextStyle& style, double width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    for (std::string& line : balanced(measure, std::string(text.substr(0, end)), style, width))
      lines.push_back(std::move(line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The foot with its texts broken into lines that are as wide as the stage with one such line.
std::vector<FootLine> wrapped_foot(const ViewContext& context) {
  const Drawing measure(context.theme, context.fonts, nominal, 1);
  const double width = std::max(
      nominal.width, context.size.width / context.size.height * (nominal.height + foot_line - 12));
  std::vector<FootLine> foot = foot_lines(context);
  for (FootLine& line : foot)
    line.lines = balanced(measure, line.text, {.face = line.wrong ? Face::bold : Face::sans},
                          width - 2 * foot_margin - 24);
  return foot;
}

double height_of(const FootLine& line) {
  return foot_line + (static_cast<double>(line.lines.size()) - 1) * (foot_line - 8);
}

double foot_height(const ViewContext& context) {
  double height = 0;
  for (const FootLine& line : wrapped_foot(context)) height += height_of(line);
  // The stage's margin above it is room enough.
  return height == 0 ? 0 : height - 12;
}

}  // namespace

double stage_unit(const ViewContext& context) {
  const double foot = foot_height(context);
  // A tall foot takes a little of the stage, so that no text gets smaller than 24 pixels at 1080p.
  constexpr double tallest = 900, least_stage = 800;
  const double height = std::max(std::min(nominal.height + foot, tallest),
                                 std::min(nominal.height, least_stage) + foot);
  return std::min(context.size.width / nominal.width, context.size.height / height);
}

Scene::Scene(const ViewContext& view_context, const ReplayState& replay_state, double unit,
             bool with_cells)
    : context(view_context),
      state(replay_state),
      replay(view_context.replay),
      trace(replay.trace()),
      schedule(trace.schedule),
      theme(view_context.theme),
      language(view_context.language),
      beat(replay_state.measured ? Beat::moving : beat_of(replay_state.cursor)),
      drawing(view_context.theme, view_context.fonts, view_context.size, unit) {
  const Size room = drawing.room();
  stage = {0, 0, room.width, room.height - foot_height(context)};
  if (!with_cells || std::int64_t{schedule.ranks} * schedule.chunks > most_cells) return;
  cells.reserve(static_cast<std::size_t>(schedule.ranks * schedule.chunks));
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank)
    for (std::int32_t chunk = 0; chunk < schedule.chunks; ++chunk)
      cells.push_back(replay.cell(state, rank, chunk));
}

bool Scene::selects(std::uint32_t transfer) const {
  const std::int32_t selected = context.selection.transfer;
  if (selected < 0 || static_cast<std::size_t>(selected) >= schedule.transfers.size()) return false;
  const Transfer& one = schedule.transfers[static_cast<std::size_t>(selected)];
  const Transfer& other = schedule.transfers[transfer];
  return one.src == other.src && one.dst == other.dst && one.round == other.round &&
         chunk_of(static_cast<std::uint32_t>(selected)) == chunk_of(transfer);
}

std::vector<std::int32_t> Scene::arriving(const CellView& cell) const {
  std::vector<std::int32_t> contributors;
  std::set<std::pair<std::int32_t, std::int32_t>> seen;  // slices of one step bring the same
  for (const std::int32_t t : cell.arriving) {
    const Transfer& transfer = schedule.transfers[static_cast<std::size_t>(t)];
    if (!seen.emplace(transfer.round, transfer.src).second) continue;
    const std::vector<std::int32_t> carried = replay.carried(static_cast<std::uint32_t>(t));
    contributors.insert(contributors.end(), carried.begin(), carried.end());
  }
  return contributors;
}

std::string Scene::term_of(std::int32_t rank, std::int32_t chunk) const {
  return term(rank, chunk, schedule.ranks);
}

std::string Scene::symbol_of(const std::vector<std::int32_t>& contributors,
                             std::int32_t chunk) const {
  const bool complete = contributors.size() == static_cast<std::size_t>(schedule.ranks);
  return symbol(contributors, chunk, schedule.ranks, trace.run.op, complete);
}

// A line ends before the operator that begins the next one, or behind a comma: 'a0+b0', '+c0+d0'.
std::vector<std::string> Scene::symbol_lines(const std::vector<std::int32_t>& contributors,
                                             std::int32_t chunk, bool complete, int terms) const {
  const std::string whole = symbol(contributors, chunk, schedule.ranks, trace.run.op, complete);
  std::vector<std::string> lines{""};
  int in_line = 1;
  for (const char character : whole) {
    const bool before = (character == '+' || character == '*') && !lines.back().empty();
    if (before && ++in_line > terms) lines.emplace_back(), in_line = 1;
    lines.back() += character;
    if (character == ',' && ++in_line > terms) lines.emplace_back(), in_line = 1;
  }
  return lines;
}

std::string Scene::value_text(const std::optional<Number>& value, std::size_t characters) const {
  if (context.cell_text == CellText::symbols) return "";
  if (!value) return "-";
  const std::string whole = text_of(*value, trace.run.type);
  if (whole.size() <= characters) return whole;
  const double number = value->integer ? static_cast<double>(value->whole) : value->real;
  for (int digits = 9; digits > 1; --digits) {
    std::string shorter = fmt::format("{:.{}g}", number, digits);
    // '1.2e+09' says no more than '1.2e9'.
    if (const std::size_t plus = shorter.find("e+"); plus != shorter.npos)
      shorter.erase(plus + 1, shorter[plus + 2] == '0' ? 2 : 1);
    if (shorter.size() <= characters) return shorter;
  }
  return fmt::format("{:.0e}", number);
}

std::string Scene::value_title(const CellView& cell) const {
  if (!cell.value) return "";
  const std::string whole = text_of(*cell.value, trace.run.type);
  if (cell.elements <= 1) return whole;
  return whole + ", " +
         language.text("view.first_of_title", {{"elements", language.integer(cell.elements)}});
}

std::string elements_of_chunks(const Scene& scene) {
  const Schedule& schedule = scene.schedule;
  const auto chunks = static_cast<std::uint64_t>(schedule.chunks);
  const std::uint64_t least = schedule.count / chunks;
  const std::uint64_t most = (schedule.count + chunks - 1) / chunks;
  if (most <= 1) return "";
  if (least == most) return scene.language.integer(most);
  return scene.language.text("view.range", {{"least", scene.language.integer(least)},
                                            {"most", scene.language.integer(most)}});
}

std::int32_t full_terms(const Schedule& schedule, std::int32_t chunk) {
  std::int32_t terms = 0;
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank)
    if (schedule
            .initial[static_cast<std::size_t>(rank) * static_cast<std::size_t>(schedule.chunks) +
                     static_cast<std::size_t>(chunk)] != nothing)
      ++terms;
  return std::max(terms, 1);
}

double eased(double fraction) {
  const double t = std::clamp(fraction, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

namespace {

constexpr double beat_height = 40;
// Space before the beats, before the words, and from line to line.
struct Spacing {
  double beats = 18, words = 10, line = 34;
};
constexpr Spacing tight{10, 4, 31};

// The three beats side by side, the one that is shown filled.
double beats_width(const Scene& scene) {
  double width = 0;
  for (const std::string_view id : {"view.before", "view.moving", "view.after"})
    width += scene.drawing.width(scene.language.text(id), {.face = Face::bold}) + 40 + 12;
  return width - 12;
}

void draw_beats(Scene& scene, double x, double y) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  constexpr std::array<std::string_view, 3> ids{"before", "moving", "after"};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool shown = static_cast<std::size_t>(scene.beat) == i;
    const std::string words = scene.language.text("view." + std::string(ids[i]));
    const double width = drawing.width(words, {.face = Face::bold}) + 40;
    const Rect rect{x, y, width, beat_height};
    const std::string id = "beat." + std::string(ids[i]);
    drawing.box(id, rect, beat_height / 2, {shown ? theme.selected : theme.surface, transparent},
                {shown ? theme.selected : theme.rule, 1});
    drawing.label(
        id + ".label", rect, words,
        {.face = shown ? Face::bold : Face::sans, .color = shown ? theme.ink : theme.quiet});
    x += width + 12;
  }
}

// The start has no beats, and measured time none either.
bool has_beats(const Scene& scene) { return !scene.state.measured && scene.state.cursor.round > 0; }

// With more ranks a ring's cells have no room for values.
bool ring_has_values(const Scene& scene) { return scene.schedule.ranks <= 4; }

struct Words {
  std::vector<std::string> sentence, note;
};

// `values`: whether the stage writes values, which are then said to be those of first elements.
Words words_of(const Scene& scene, double width, bool values) {
  const TextStyle style{};
  Words words;
  words.sentence = balanced_lines(
      scene.drawing, round_sentence(scene.state, scene.replay, scene.language), style, width);
  const std::string elements = values ? elements_of_chunks(scene) : "";
  if (!elements.empty())
    words.note = scene.drawing.wrap(scene.language.text("view.first_of", {{"elements", elements}}),
                                    style, width);
  return words;
}

}  // namespace

namespace {

double height_of(const Scene& scene, const Words& words, const Spacing& spacing) {
  const auto lines = static_cast<double>(words.sentence.size() + words.note.size());
  const double beats = has_beats(scene) ? spacing.beats + beat_height : 0;
  return 44 + 40 + beats + spacing.words + lines * spacing.line;
}

}  // namespace

double heading_height(const Scene& scene, double width) {
  return height_of(scene, words_of(scene, width, ring_has_values(scene)), {});
}

void draw_heading(Scene& scene, const Rect& area) {
  Drawing& drawing = scene.drawing;
  const double middle = area.center().x;
  const Words words = words_of(scene, area.width, ring_has_values(scene));
  const Spacing spacing = height_of(scene, words, {}) <= area.height ? Spacing{} : tight;
  double y = area.y + std::max(0.0, (area.height - height_of(scene, words, spacing)) / 2) + 44;
  drawing.text("round.title", {middle, y}, round_title(scene.state, scene.trace, scene.language),
               {size::title, Face::bold, Align::center, scene.theme.ink});
  y += 40;
  drawing.text("round.subtitle", {middle, y},
               round_subtitle(scene.state, scene.trace, scene.language),
               {size::body, Face::sans, Align::center, scene.theme.quiet});
  if (has_beats(scene)) {
    y += spacing.beats;
    draw_beats(scene, middle - beats_width(scene) / 2, y);
    y += beat_height;
  }
  y += spacing.words - 6;
  for (std::size_t i = 0; i < words.sentence.size(); ++i)
    drawing.text("round.sentence." + std::to_string(i), {middle, y += spacing.line},
                 words.sentence[i], {size::body, Face::sans, Align::center, scene.theme.ink});
  for (std::size_t i = 0; i < words.note.size(); ++i)
    drawing.text("round.note." + std::to_string(i), {middle, y += spacing.line}, words.note[i],
                 {size::body, Face::sans, Align::center, scene.theme.quiet});
}

void draw_heading_row(Scene& scene, const Rect& area) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const std::string title = round_title(scene.state, scene.trace, scene.language);
  const std::string subtitle = round_subtitle(scene.state, scene.trace, scene.language);
  const TextStyle title_style{size::title, Face::bold, Align::left, theme.ink};
  const TextStyle style{size::body, Face::sans, Align::left, theme.quiet};
  drawing.text("round.title", {area.x, area.y + 48}, title, title_style);
  drawing.text("round.subtitle", {area.x, area.y + 96}, subtitle, style);
  const double left =
      area.x + 48 +
      std::max({272.0, drawing.width(title, title_style), drawing.width(subtitle, style)});
  double y = area.y + (has_beats(scene) ? 80 : 46);
  if (has_beats(scene)) draw_beats(scene, left, area.y + 4);
  constexpr std::int32_t most_with_values = 8;  // of the matrix
  const Words words =
      words_of(scene, area.right() - left, scene.schedule.ranks <= most_with_values);
  for (std::size_t i = 0; i < words.sentence.size(); ++i, y += 30)
    drawing.text("round.sentence." + std::to_string(i), {left, y}, words.sentence[i],
                 {size::body, Face::sans, Align::left, theme.ink});
  for (std::size_t i = 0; i < words.note.size(); ++i)
    drawing.text("round.note." + std::to_string(i),
                 {area.right(), area.y + 34 + 30 * static_cast<double>(i)}, words.note[i],
                 {size::body, Face::sans, Align::right, theme.quiet});
}

std::string in_one_line(const std::string& text) {
  std::string line;
  for (const char character : text) {
    if (character != '\n')
      line += character;
    else if (!line.empty() && static_cast<unsigned char>(line.back()) < 0x80)
      line += ' ';  // Chinese has none
  }
  return line;
}

void draw_heading_sides(Scene& scene, const Rect& left, const Rect& right, bool values) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  double y = left.y + 48;
  drawing.text("round.title", {left.x, y}, round_title(scene.state, scene.trace, scene.language),
               {size::title, Face::bold, Align::left, theme.ink});
  drawing.text("round.subtitle", {left.x, y += 40},
               round_subtitle(scene.state, scene.trace, scene.language),
               {size::body, Face::sans, Align::left, theme.quiet});
  if (has_beats(scene)) draw_beats(scene, left.x, y + 18);
  Words words = words_of(scene, right.width, values);
  words.sentence =
      balanced(drawing, in_one_line(round_sentence(scene.state, scene.replay, scene.language)), {},
               right.width);
  y = right.y + 30;
  for (std::size_t i = 0; i < words.sentence.size(); ++i, y += 34)
    drawing.text("round.sentence." + std::to_string(i), {right.right(), y}, words.sentence[i],
                 {size::body, Face::sans, Align::right, theme.ink});
  for (std::size_t i = 0; i < words.note.size(); ++i, y += 34)
    drawing.text("round.note." + std::to_string(i), {right.right(), y}, words.note[i],
                 {size::body, Face::sans, Align::right, theme.quiet});
}

void draw_foot(Scene& scene) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  double y = scene.stage.bottom() - 20;
  for (const FootLine& line : wrapped_foot(scene.context)) {
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
