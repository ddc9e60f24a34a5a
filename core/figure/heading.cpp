// What a stage says of its moment: round, phase, beats, sentence.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/figure/lines.h"
#include "core/figure/stage.h"

namespace ringscope {
namespace {

constexpr double beat_height = 40;
constexpr std::array<std::string_view, 3> beat_ids{"before", "moving", "after"};

std::string beat_words(const Scene& scene, std::size_t beat) {
  return scene.language.text("view." + std::string(beat_ids[beat]));
}

// The three beats side by side: what stands round their words.
struct BeatsLook {
  double pad = 20, gap = 12;
  double width = 0;  // of all
};

// As wide as the room allows.
BeatsLook beats_look(const Scene& scene, double room) {
  double words = 0;
  for (std::size_t i = 0; i < beat_ids.size(); ++i)
    words += scene.drawing.width(beat_words(scene, i), {.face = Face::bold});
  BeatsLook look;
  look.width = words + 6 * look.pad + 2 * look.gap;
  if (look.width <= room) return look;
  look.gap = 6;
  look.pad = std::clamp((room - words - 2 * look.gap) / 6, 8.0, 20.0);
  look.width = words + 6 * look.pad + 2 * look.gap;
  return look;
}

// The one that is shown is filled.
void draw_beats(Scene& scene, const BeatsLook& look, double x, double y) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  for (std::size_t i = 0; i < beat_ids.size(); ++i) {
    const bool shown = static_cast<std::size_t>(scene.beat) == i;
    const std::string words = beat_words(scene, i);
    const double width = drawing.width(words, {.face = Face::bold}) + 2 * look.pad;
    const Rect rect{x, y, width, beat_height};
    const std::string id = "beat." + std::string(beat_ids[i]);
    drawing.box(id, rect, beat_height / 2, {shown ? theme.selected : theme.surface, transparent},
                {shown ? theme.selected : theme.rule, 1});
    drawing.label(
        id + ".label", rect, words,
        {.face = shown ? Face::bold : Face::sans, .color = shown ? theme.ink : theme.quiet});
    x += width + look.gap;
  }
}

// The start has no beats, and measured time none either.
bool has_beats(const Scene& scene) { return !scene.state.measured && scene.state.cursor.round > 0; }

// With more ranks a ring's cells have no room for values.
bool ring_has_values(const Scene& scene) { return scene.schedule.ranks <= 4; }

struct Words {
  std::vector<std::string> sentence, note;
};

std::string title_of(const Scene& scene) {
  return round_title(scene.state, scene.trace, scene.language);
}
std::string subtitle_of(const Scene& scene) {
  return round_subtitle(scene.state, scene.trace, scene.language);
}
std::string sentence_of(const Scene& scene) {
  return round_sentence(scene.state, scene.replay, scene.language);
}

// `values`: whether the stage writes values, which are then said to be those of first elements.
Words words_of(const Scene& scene, const std::string& sentence, double width, bool values) {
  Words words{balanced_lines(scene.drawing, sentence, {}, width), {}};
  const std::string elements = values ? elements_of_chunks(scene) : "";
  if (!elements.empty())
    words.note = scene.drawing.wrap(scene.language.text("view.first_of", {{"elements", elements}}),
                                    {}, width);
  return words;
}

// No more lines than there is room for: the sentence comes first.
void keep_lines(Words& words, const Scene& scene, double room, double line, double width) {
  const auto most = static_cast<std::size_t>(std::max(1.0, std::floor(room / line + 0.01)));
  if (words.sentence.size() > most)
    words.sentence = lines_at_most(most, scene.drawing, sentence_of(scene), {}, width);
  if (words.sentence.size() + words.note.size() > most) words.note.clear();
}

// Lines from the top down, each `step` below the one before; `at` is the base line before the
// first.
void draw_words(Scene& scene, const Words& words, Point at, double step, Align align) {
  const bool cut = !words.sentence.empty() && words.sentence.back().ends_with("…");
  const Note note{.title = cut ? in_one_line(sentence_of(scene)) : ""};
  for (std::size_t i = 0; i < words.sentence.size(); ++i)
    scene.drawing.text("round.sentence." + std::to_string(i), {at.x, at.y += step},
                       words.sentence[i], {.align = align, .color = scene.theme.ink}, note);
  for (std::size_t i = 0; i < words.note.size(); ++i)
    scene.drawing.text("round.note." + std::to_string(i), {at.x, at.y += step}, words.note[i],
                       {.align = align, .color = scene.theme.quiet});
}

// 'Round 1.2', smaller where it is wider than the room.
TextStyle title_style(const Scene& scene, double room, double largest = size::title) {
  TextStyle style{largest, Face::bold, Align::left, scene.theme.ink};
  const std::string title = title_of(scene);
  for (const double smaller : {size::huge, size::large, size::body})
    if (smaller < style.size && scene.drawing.width(title, style) > room) style.size = smaller;
  return style;
}

// In one line; where it is cut, the whole is its title.
void draw_line(Scene& scene, const std::string& id, Point at, const std::string& text,
               const TextStyle& style, double room) {
  const std::string shown = scene.drawing.fit(text, style, room);
  scene.drawing.text(id, at, shown, style, {.title = shown == text ? "" : text});
}

void draw_title(Scene& scene, Point at, const TextStyle& style, double room) {
  draw_line(scene, "round.title", at, title_of(scene), style, room);
}

void draw_subtitle(Scene& scene, Point at, Align align, double room) {
  draw_line(scene, "round.subtitle", at, subtitle_of(scene),
            {.align = align, .color = scene.theme.quiet}, room);
}

// In the middle of a stage: sizes and distances from above, and from line to line.
struct Spacing {
  double title = size::title, title_line = 44, subtitle_line = 40, beats = 18, words = 10,
         line = 34;  // subtitle_line 0: beside the title
};
constexpr double beside_title = 20;
constexpr std::array<Spacing, 3> spacings{
    {{}, {size::title, 44, 40, 10, 4, 31}, {size::huge, 34, 34, 8, 2, 30}}};

// Of all but the words.
double height_above_words(const Scene& scene, const Spacing& spacing) {
  const double beats = has_beats(scene) ? spacing.beats + beat_height : 0;
  return spacing.title_line + spacing.subtitle_line + beats + spacing.words;
}

// Sentences of one line and of two are spaced alike, or titles would jump from beat to beat.
double height_of(const Scene& scene, const Words& words, const Spacing& spacing) {
  const auto lines =
      static_cast<double>(std::max<std::size_t>(2, words.sentence.size() + words.note.size()));
  return height_above_words(scene, spacing) + lines * spacing.line;
}

}  // namespace

double heading_height(const Scene& scene, double width) {
  return height_of(scene, words_of(scene, sentence_of(scene), width, ring_has_values(scene)), {});
}

void draw_heading(Scene& scene, const Rect& area) {
  const double middle = area.center().x;
  Words words = words_of(scene, sentence_of(scene), area.width, ring_has_values(scene));
  Spacing spacing;
  constexpr double clear = 12;  // of what stands above and below
  for (const Spacing& tighter : spacings)
    if (height_of(scene, words, spacing) + clear > area.height) spacing = tighter;
  TextStyle title = title_style(scene, area.width, spacing.title);
  const double title_width = scene.drawing.width(title_of(scene), title);
  const double subtitle_width = scene.drawing.width(subtitle_of(scene), {});
  const double both = title_width + beside_title + subtitle_width;
  if (spacing.title < size::title && both <= area.width) spacing.subtitle_line = 0;
  keep_lines(words, scene, area.height - height_above_words(scene, spacing), spacing.line,
             area.width);
  double y = area.y + std::max(0.0, (area.height - height_of(scene, words, spacing)) / 2);
  if (spacing.subtitle_line == 0) {
    draw_title(scene, {middle - both / 2, y += spacing.title_line}, title, title_width);
    draw_subtitle(scene, {middle + both / 2, y}, Align::right, subtitle_width);
  } else {
    title.align = Align::center;
    draw_title(scene, {middle, y += spacing.title_line}, title, area.width);
    draw_subtitle(scene, {middle, y += spacing.subtitle_line}, Align::center, area.width);
  }
  if (has_beats(scene)) {
    const BeatsLook look = beats_look(scene, area.width);
    draw_beats(scene, look, middle - look.width / 2, y += spacing.beats);
    y += beat_height;
  }
  draw_words(scene, words, {middle, y + spacing.words - 6}, spacing.line, Align::center);
}

namespace {

constexpr double row_height = 120, row_line = 30;
// On a narrow stage the words stand under title and beats.
constexpr double narrow = 1080, narrow_height = 158;

void draw_narrow_row(Scene& scene, const Rect& area) {
  const BeatsLook look = beats_look(scene, area.width / 2);
  const double beats = has_beats(scene) ? look.width + 24 : 0;
  draw_title(scene, {area.x, area.y + 46}, title_style(scene, area.width - beats),
             area.width - beats);
  if (has_beats(scene)) draw_beats(scene, look, area.right() - look.width, area.y + 8);
  draw_subtitle(scene, {area.x, area.y + 84}, Align::left, area.width);
  Words words = words_of(scene, in_one_line(sentence_of(scene)), area.width, false);
  keep_lines(words, scene, 2 * row_line, row_line, area.width);
  draw_words(scene, words, {area.x, area.y + 86}, row_line, Align::left);
}

void draw_wide_row(Scene& scene, const Rect& area) {
  Drawing& drawing = scene.drawing;
  const double room = area.width / 2;
  const TextStyle title = title_style(scene, room);
  draw_title(scene, {area.x, area.y + 48}, title, room);
  draw_subtitle(scene, {area.x, area.y + 96}, Align::left, room);
  const auto width_of = [&](const std::string& text, const TextStyle& style) {
    return std::min(room, drawing.width(text, style));
  };
  const double left =
      area.x + 48 +
      std::max({272.0, width_of(title_of(scene), title), width_of(subtitle_of(scene), {})});
  const BeatsLook look = beats_look(scene, area.right() - left);
  if (has_beats(scene)) draw_beats(scene, look, left, area.y + 4);
  constexpr std::int32_t most_with_values = 8;  // of the matrix
  const double width = area.right() - left;
  Words words =
      words_of(scene, sentence_of(scene), width, scene.schedule.ranks <= most_with_values);
  Words note;  // stands beside the beats
  if (has_beats(scene)) std::swap(note.note, words.note);
  keep_lines(words, scene, (has_beats(scene) ? 2 : 3) * row_line, row_line, width);
  draw_words(scene, words, {left, area.y + (has_beats(scene) ? 80 : 46) - row_line}, row_line,
             Align::left);
  double widest = 0;
  for (const std::string& line : note.note) widest = std::max(widest, drawing.width(line, {}));
  if (note.note.size() == 1 && left + look.width + 24 + widest <= area.right())
    draw_words(scene, note, {area.right(), area.y + 34 - row_line}, row_line, Align::right);
}

}  // namespace

Rect draw_heading_row(Scene& scene, const Rect& area) {
  const bool is_narrow = area.width < narrow;
  is_narrow ? draw_narrow_row(scene, area) : draw_wide_row(scene, area);
  const double height = is_narrow ? narrow_height : row_height;
  return {area.x, area.y + height, area.width, area.height - height};
}

namespace {

constexpr Spacing roomy_sides{size::title, 48, 40, 18}, low_sides{size::huge, 36, 34, 10};
const Spacing& sides_spacing(const Scene& scene) {
  constexpr double low_stage = 640;
  return scene.stage.height < low_stage ? low_sides : roomy_sides;
}

}  // namespace

double beats_bottom(const Scene& scene) {
  const Spacing& spacing = sides_spacing(scene);
  return spacing.title_line + spacing.subtitle_line + spacing.beats + beat_height;
}

void draw_heading_sides(Scene& scene, const Rect& left, const Rect& right, bool values) {
  const Spacing& spacing = sides_spacing(scene);
  double y = left.y;
  draw_title(scene, {left.x, y += spacing.title_line},
             title_style(scene, left.width, spacing.title), left.width);
  draw_subtitle(scene, {left.x, y += spacing.subtitle_line}, Align::left, left.width);
  if (has_beats(scene)) draw_beats(scene, beats_look(scene, left.width), left.x, y + spacing.beats);
  constexpr double line = 34;
  Words words = words_of(scene, in_one_line(sentence_of(scene)), right.width, values);
  keep_lines(words, scene, right.height, line, right.width);
  draw_words(scene, words, {right.right(), right.y + 30 - line}, line, Align::right);
}

}  // namespace ringscope
