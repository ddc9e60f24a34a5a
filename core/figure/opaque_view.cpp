// An all-reduce that shows no transfers: what every GPU began with on the left, what it ended with
// on the right, and between them a closed box.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/figure/cells.h"
#include "core/figure/opaque.h"
#include "core/replay/numbers.h"
#include "core/schedule/opaque.h"

namespace ringscope {
namespace {

constexpr double heading = 108, column_head = 44;
// Less leaves no room for the box and cards beside it.
constexpr Size least_room{1240, 700};
constexpr double arrow_room = 76, box_width = 400;
constexpr double smallest_row = 39, tallest_card = 112, two_lines = 68;

enum class End : std::uint8_t { before, after };
std::string_view name_of(End end) { return end == End::before ? "in" : "out"; }

// Where the cards of one end stand: a row a rank, the last for those that have none.
struct Rows {
  Rect area;
  std::int32_t cards = 0;
  std::int32_t more = 0;  // ranks without a card
  double height = 0, gap = 0;

  Rows(const Rect& room, std::int32_t ranks) : area(room), cards(ranks) {
    const auto most = static_cast<std::int32_t>(room.height / smallest_row);
    if (ranks > most) cards = most - 1, more = ranks - cards;
    const double rows = cards + (more > 0);
    gap = rows <= 4 ? 20 : rows <= 8 ? 12 : 6;
    height = std::min(tallest_card, std::floor((room.height + gap) / rows) - gap);
  }
  Rect row(std::int32_t index) const {
    const double rows = cards + (more > 0), all = rows * (height + gap) - gap;
    const double top = area.y + (area.height - all) / 2;
    return {area.x, top + index * (height + gap), area.width, height};
  }
};

// The first elements of every rank at one end, as many as find room: each a column, so that those
// which are added stand under one another.
class Elements {
 public:
  Elements(const Scene& scene, End end, const TextStyle& style, double room)
      : scene_(scene),
        end_(end),
        layout_(scene.schedule, scene.trace.run.type, scene.trace.values.kept) {
    const bool symbols = scene.context.cell_text == CellText::symbols;
    const std::uint32_t kept = symbols ? 1 : layout_.kept_elements[0];
    all_shown_ = symbols || kept == scene.schedule.count;
    const double more = scene.drawing.width(ellipsis, style) + gap;
    for (std::uint32_t element = 0; element < kept; ++element) {
      double width = 0;
      for (std::int32_t rank = 0; rank < scene.schedule.ranks; ++rank)
        width = std::max(width, scene.drawing.width(text(rank, element), style));
      const double end_of_it = (ends_.empty() ? 0 : ends_.back() + gap) + width;
      const bool last = element + 1 == kept && all_shown_;
      if (!ends_.empty() && end_of_it + (last ? 0 : more) > room) {
        all_shown_ = false;
        break;
      }
      ends_.push_back(end_of_it);
    }
  }

  std::size_t shown() const { return ends_.size(); }
  bool all_shown() const { return all_shown_; }
  // Of the columns, with the sign that there are more.
  double width(const TextStyle& style) const {
    if (ends_.empty()) return scene_.drawing.width("-", style);
    return ends_.back() + (all_shown_ ? 0 : gap + scene_.drawing.width(ellipsis, style));
  }
  void draw(Drawing& drawing, const std::string& id, std::int32_t rank, Point at, TextStyle style,
            double room) const {
    if (ends_.empty()) return drawing.text(id, at, "-", style);
    style.align = Align::right;
    for (std::size_t element = 0; element < ends_.size(); ++element) {
      const std::string whole = text(rank, static_cast<std::uint32_t>(element));
      drawing.text(id + std::to_string(element), {at.x + std::min(ends_[element], room), at.y},
                   drawing.fit(whole, style, room), style, {.title = whole});
    }
    style.align = Align::left;
    if (!all_shown_) drawing.text(id + ".more", {at.x + ends_.back() + gap, at.y}, ellipsis, style);
  }

 private:
  static constexpr double gap = 20;
  static constexpr const char* ellipsis = "…";

  std::string text(std::int32_t rank, std::uint32_t element) const {
    if (scene_.context.cell_text == CellText::symbols) return symbol(rank);
    const std::uint64_t at =
        static_cast<std::uint64_t>(rank) * layout_.rank_bytes() + element * layout_.element_bytes;
    const std::vector<std::byte>& values =
        end_ == End::before ? scene_.trace.values.inputs : scene_.trace.values.results;
    constexpr std::size_t characters = 10;
    return scene_.value_text(number_at(std::span(values).subspan(at), scene_.trace.run.type),
                             characters);
  }
  std::string symbol(std::int32_t rank) const {
    if (end_ == End::before) return scene_.term_of(rank, 0);
    std::vector<std::int32_t> all(static_cast<std::size_t>(scene_.schedule.ranks));
    std::iota(all.begin(), all.end(), 0);
    return scene_.symbol_of(all, 0);
  }

  const Scene& scene_;
  End end_;
  ValueLayout layout_;
  std::vector<double> ends_;  // [element]: where its column ends
  bool all_shown_ = false;
};

TextStyle values_style(const Theme& theme) {
  return {size::body, Face::mono_bold, Align::left, theme.ink};
}

// What is behind a name: 'GPU 1 · b'.
double draw_name(Scene& scene, const std::string& id, std::int32_t rank, Point at) {
  Drawing& drawing = scene.drawing;
  const TextStyle style{size::body, Face::bold, Align::left, scene.theme.ink};
  const std::string name = scene.language.text("view.gpu", {{"rank", std::to_string(rank)}});
  drawing.text(id + ".name", at, name, style);
  return at.x + drawing.width(name, style);
}

void draw_card(Scene& scene, End end, std::int32_t rank, const Rect& card,
               const Elements& elements) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const bool complete =
      end == End::after && scene.trace.verdict.outcome == Verdict::Outcome::verified;
  const std::string id = "rank" + std::to_string(rank) + "." + std::string(name_of(end));
  drawing.box(id, card, 10, {theme.card, transparent},
              {complete ? theme.ink : theme.rule, complete ? 2.5 : 1.0});
  drawing.box(id + ".stripe", {card.x, card.y, 10, card.height}, 4, rank_fill(theme, rank),
              {theme.ink, 1});
  const bool tall = card.height >= two_lines;
  const double left = card.x + 24, right = card.right() - 16;
  const double base = card.center().y + (tall ? -8 : 9);
  const double name_end = draw_name(scene, id, rank, {left, base});
  double slots_right = right;
  if (complete && tall) {
    draw_check(drawing, id + ".check", {right - 11, base - 9}, 22, theme.ink);
    slots_right -= 34;
  }
  std::vector<std::int32_t> held{rank};
  if (end == End::after) held.clear();
  for (std::int32_t term = 0; end == End::after && term < scene.schedule.ranks; ++term)
    held.push_back(term);
  const double slots_room = tall ? slots_right - name_end - 24 : 96;
  const double width = std::min(slots_room, 30.0 * scene.schedule.ranks);
  constexpr double thinnest = 5;
  if (width / scene.schedule.ranks >= thinnest) {
    Slots slots;
    slots.area = {tall ? slots_right - width : left + 100, base - 20, width, 22};
    if (width / scene.schedule.ranks < 12) slots.gap = 2;
    slots.ranks = scene.schedule.ranks;
    slots.held = held;
    slots.complete = complete;
    draw_slots(drawing, id, slots);
  }
  const TextStyle style = values_style(theme);
  const double room = tall ? right - left : right - left - 216;
  const double values_left = tall ? left : right - std::min(room, elements.width(style));
  elements.draw(drawing, id + ".value", rank, {values_left, tall ? base + 34 : base}, style, room);
}

// 'before: its own input', and how much of it is shown.
void draw_column_head(Scene& scene, End end, const Rect& area, const Elements& elements) {
  const std::string id(end == End::before ? "closed.before" : "closed.after");
  const TextStyle bold{size::body, Face::bold, Align::left, scene.theme.ink};
  const std::string text = scene.language.text(id);
  scene.drawing.text(id, {area.x, area.y + 26}, text, bold);
  if (elements.all_shown()) return;
  const TextStyle quiet{size::body, Face::sans, Align::right, scene.theme.quiet};
  const double room = area.width - scene.drawing.width(text, bold) - 12;
  for (const char* const form : {"closed.first_of", "closed.first"}) {
    const std::string words =
        scene.language.text(form, {{"shown", std::to_string(elements.shown())},
                                   {"count", scene.language.integer(scene.schedule.count)}});
    if (scene.drawing.width(words, quiet) > room) continue;
    return scene.drawing.text(id + ".first", {area.right(), area.y + 26}, words, quiet);
  }
}

void draw_end(Scene& scene, End end, const Rect& area) {
  const Rows rows({area.x, area.y + column_head, area.width, area.height - column_head},
                  scene.schedule.ranks);
  const double room = rows.height >= two_lines ? area.width - 40 : area.width - 256;
  const Elements elements(scene, end, values_style(scene.theme), room);
  draw_column_head(scene, end, {area.x, rows.row(0).y - column_head, area.width, column_head},
                   elements);
  const Stroke stroke{scene.theme.line, rows.cards <= 8 ? 3.0 : 2.0};
  for (std::int32_t rank = 0; rank < rows.cards; ++rank) {
    const Rect card = rows.row(rank);
    draw_card(scene, end, rank, card, elements);
    const double y = card.center().y;
    const Point from{end == End::before ? card.right() + 6 : card.x - arrow_room + 6, y};
    scene.drawing.line("rank" + std::to_string(rank) + "." + std::string(name_of(end)) + ".arrow",
                       from, {from.x + arrow_room - 12, y}, stroke, rows.cards <= 8 ? 14 : 10);
  }
  if (rows.more > 0)
    scene.drawing.label("more." + std::string(name_of(end)), rows.row(rows.cards),
                        scene.language.text("closed.more", {{"count", std::to_string(rows.more)}}),
                        {size::body, Face::sans, Align::center, scene.theme.quiet});
}

Plate plate_of(const Scene& scene, double width, bool reason) {
  const Language& language = scene.language;
  const Trace& trace = scene.trace;
  Plate plate(scene.drawing, width);
  add_sentence(plate, language, reason);
  plate.add("time", language.duration(trace.nanoseconds), size::title, 28);
  const std::string_view measured =
      trace.run.repeats > 1 ? "closed.measured_median" : "closed.measured";
  plate.add("measured", language.text(measured, {{"repeats", std::to_string(trace.run.repeats)}}),
            size::body);
  add_busbw(plate, trace, language, 24);
  return plate;
}

void draw_box(Scene& scene, const Rect& box) {
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  drawing.box("box", box, 16, {theme.card, theme.rule}, {theme.ink, 4},
              {.title = opaque_sentence(scene.language)});
  constexpr double around = 20, within = 28;  // of the plate
  const double width = box.width - 2 * 36;
  const Plate whole = plate_of(scene, width, true);
  const bool fits = whole.height() + 2 * within <= box.height - 2 * around;
  // What is said for those who wonder is left away first.
  const Plate plate = fits ? whole : plate_of(scene, width, false);
  const double height = plate.height() + 2 * within;
  plate.draw(drawing, "box.plate",
             {box.x + around, box.center().y - height / 2, box.width - 2 * around, height});
}

}  // namespace

OpaqueTimes opaque_times(const Trace& trace) {
  OpaqueTimes times{repeat_times(*trace.opaque, trace.schedule.ranks), 0, {}};
  const auto kept = std::ranges::find(times.repeats, trace.nanoseconds);
  if (kept == times.repeats.end()) return times;
  times.kept = static_cast<std::size_t>(kept - times.repeats.begin());
  const auto ranks = static_cast<std::ptrdiff_t>(trace.schedule.ranks);
  const auto first =
      trace.opaque->rank_times.begin() + static_cast<std::ptrdiff_t>(times.kept) * ranks;
  times.ranks.assign(first, first + ranks);
  return times;
}

std::string opaque_sentence(const Language& language) { return language.text("sentence.closed"); }

bool fits_opaque(const Schedule& schedule) { return is_opaque(schedule); }

Figure draw_opaque(const ViewContext& context, const ReplayState& state) {
  Scene scene(context, state, fit_stage(context, least_room), false);
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  Rect area = scene.inside();
  area.height -= 16;
  const Trace& trace = scene.trace;
  drawing.text("round.title", {area.center().x, area.y + 48},
               round_title(state, trace, scene.language),
               {size::title, Face::bold, Align::center, theme.ink});
  drawing.text("round.subtitle", {area.center().x, area.y + 90},
               round_subtitle(state, trace, scene.language),
               {size::body, Face::sans, Align::center, theme.quiet});
  const double top = area.y + heading;
  const double side = (area.width - box_width - 2 * arrow_room) / 2;
  const Rect left{area.x, top, side, area.bottom() - top};
  draw_end(scene, End::before, left);
  draw_end(scene, End::after, {area.right() - side, top, side, left.height});
  draw_box(scene, {left.right() + arrow_room, top + 8, box_width, left.height - 8});
  draw_foot(scene);
  return std::move(scene.drawing).finish(theme.surface);
}

}  // namespace ringscope
