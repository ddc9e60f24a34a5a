// A chunk's journey: from left to right each place where it landed, with what it had become there.
#include <algorithm>
#include <cmath>

#include "core/figure/cells.h"
#include "core/figure/chunk_path.h"
#include "core/replay/additions.h"
#include "core/replay/journey.h"

namespace ringscope {
namespace {

constexpr double margin = 32, gap = 36;  // between columns
constexpr double widest = 320, highest = 184;
constexpr double card_width = 124;                // at least, for a card with words
constexpr double wide_card = 250;                 // for two lines side by side
constexpr double small_box = 36, small_gap = 16;  // of boxes without words

// How the columns are cut into bands, one below the other.
struct Layout {
  std::int32_t per_band = 1;
  std::int32_t bands = 1;
  double pitch = 0;            // from column to column
  std::vector<double> band_y;  // where each begins
  std::vector<double> band_height;
  Size card;
  bool words = true;  // else a box with the rank's number, or a dot
};

std::vector<std::int32_t> rows_by_band(const Journey& journey, std::int32_t per_band) {
  std::vector<std::int32_t> in_column(static_cast<std::size_t>(journey.columns), 0);
  for (const Station& station : journey.stations)
    ++in_column[static_cast<std::size_t>(station.column)];
  std::vector<std::int32_t> rows;
  for (std::int32_t column = 0; column < journey.columns; ++column) {
    if (column % per_band == 0) rows.push_back(1);
    rows.back() = std::max(rows.back(), in_column[static_cast<std::size_t>(column)]);
  }
  return rows;
}

Layout layout_with(const Journey& journey, const Rect& area, std::int32_t most) {
  Layout layout;
  layout.bands = (journey.columns + most - 1) / most;
  layout.per_band = (journey.columns + layout.bands - 1) / layout.bands;
  layout.pitch = (area.width + gap) / std::max(layout.per_band, 3);
  const std::vector<std::int32_t> rows = rows_by_band(journey, layout.per_band);
  std::int32_t all = 0;
  for (const std::int32_t of_band : rows) all += of_band;
  const double row = std::min(area.height / all, highest + 40);
  double y = area.y + (area.height - row * all) / 2;
  for (const std::int32_t of_band : rows) {
    layout.band_y.push_back(y);
    layout.band_height.push_back(row * of_band);
    y += row * of_band;
  }
  layout.card = {std::min(widest, layout.pitch - gap), std::min(highest, row - 14)};
  return layout;
}

// As many bands as give the largest cards.
Layout layout_of(const Journey& journey, const Rect& area) {
  constexpr std::int32_t most_bands = 12;
  Layout layout;
  double best = 0;
  for (std::int32_t bands = 1; bands <= std::min(most_bands, journey.columns); ++bands) {
    const Layout tried = layout_with(journey, area, (journey.columns + bands - 1) / bands);
    const double size = std::min(tried.card.width / widest, tried.card.height / highest);
    if (size <= best) continue;
    best = size;
    layout = tried;
  }
  if (layout.card.height >= 40 && layout.card.width >= card_width) return layout;
  layout = layout_with(
      journey, area, static_cast<std::int32_t>((area.width + small_gap) / (small_box + small_gap)));
  layout.words = false;
  layout.pitch = (area.width + small_gap) / std::max(layout.per_band, 3);
  layout.card = {std::min(44.0, layout.pitch - small_gap), std::min(34.0, layout.card.height + 8)};
  return layout;
}

std::string gpu(const Scene& scene, std::int32_t rank) {
  return scene.language.text("view.gpu", {{"rank", std::to_string(rank)}});
}

// The places of all stations: evenly over the height of their band.
std::vector<Rect> places_of(const Journey& journey, const Layout& layout) {
  std::vector<std::vector<std::size_t>> columns(static_cast<std::size_t>(journey.columns));
  for (std::size_t i = 0; i < journey.stations.size(); ++i)
    columns[static_cast<std::size_t>(journey.stations[i].column)].push_back(i);
  std::vector<Rect> places(journey.stations.size());
  for (std::size_t column = 0; column < columns.size(); ++column) {
    std::vector<std::size_t>& in_column = columns[column];
    std::sort(in_column.begin(), in_column.end(), [&](std::size_t a, std::size_t b) {
      return journey.stations[a].rank < journey.stations[b].rank;
    });
    const auto per_band = static_cast<std::size_t>(layout.per_band);
    const std::size_t band = column / per_band;
    const double step = layout.band_height[band] / static_cast<double>(in_column.size());
    for (std::size_t i = 0; i < in_column.size(); ++i) {
      const double middle = layout.band_y[band] + (static_cast<double>(i) + 0.5) * step;
      places[in_column[i]] = {margin + static_cast<double>(column % per_band) * layout.pitch,
                              middle - layout.card.height / 2, layout.card.width,
                              layout.card.height};
    }
  }
  return places;
}

class JourneyDrawing {
 public:
  JourneyDrawing(Scene& scene, const Journey& journey, const Rect& area)
      : scene_(scene),
        journey_(journey),
        layout_(layout_of(journey, area)),
        places_(places_of(journey, layout_)),
        values_(scene.schedule, scene.trace.run.type, scene.trace.values.kept) {}

  void run() {
    for (std::size_t i = 0; i < journey_.stations.size(); ++i) draw_links(i);
    for (std::size_t i = 0; i < journey_.stations.size(); ++i) draw_station(i);
  }

 private:
  const Station& station(std::size_t i) const { return journey_.stations[i]; }
  Progress progress(std::size_t i) const { return progress_of(scene_, station(i).arrivals); }

  void draw_links(std::size_t i) {
    const Station& to = station(i);
    const Theme& theme = scene_.theme;
    const Rect& target = places_[i];
    for (std::size_t a = 0; a < to.arrivals.size(); ++a) {
      const auto from = static_cast<std::size_t>(to.from[a]);
      const auto transfer = static_cast<std::int32_t>(to.arrivals[a]);
      const Progress progress = progress_of(scene_, transfer);
      const bool selected = transfer == scene_.context.selection.transfer;
      const Stroke stroke{progress == Progress::moving    ? theme.accent
                          : selected                      ? theme.ink
                          : progress == Progress::to_come ? theme.rule
                                                          : theme.line,
                          selected        ? 5.0
                          : layout_.words ? 3.0
                                          : 2.0,
                          progress == Progress::to_come ? 6.0 : 0.0};
      const Rect& source = places_[from];
      const Note note{.title = gpu(scene_, station(from).rank) + " → " + gpu(scene_, to.rank),
                      .transfer = transfer};
      draw_link("link" + std::to_string(i) + "-" + std::to_string(a), source, target, stroke, note);
    }
    if (to.before >= 0 && layout_.words) {
      const Rect& own = places_[static_cast<std::size_t>(to.before)];
      if (own.center().y == target.center().y || target.x > own.x)
        scene_.drawing.line("own" + std::to_string(i), {own.right(), own.center().y},
                            {target.x, target.center().y}, {theme.rule, 2});
    }
  }

  // From band to band round the corner, with no head but at the end.
  void draw_link(const std::string& id, const Rect& source, const Rect& target,
                 const Stroke& stroke, const Note& note) {
    Drawing& drawing = scene_.drawing;
    const double head = layout_.words ? 14 : 8;
    if (target.x > source.x) {
      drawing.line(id, {source.right() + 2, source.center().y}, {target.x - 2, target.center().y},
                   stroke, head, note);
      return;
    }
    const double between = (source.bottom() + target.y) / 2;
    const double left = std::max(12.0, target.x - 18);
    const double right = std::min(scene_.stage.width - 12, source.right() + 16);
    const std::vector<Point> way{{source.right() + 2, source.center().y},
                                 {right, source.center().y},
                                 {right, between},
                                 {left, between},
                                 {left, target.center().y}};
    for (std::size_t i = 1; i < way.size(); ++i)
      drawing.line(id + "." + std::to_string(i), way[i - 1], way[i], stroke, 0, note);
    drawing.line(id, way.back(), {target.x - 2, target.center().y}, stroke, head, note);
  }

  void draw_station(std::size_t i) {
    const Station& one = station(i);
    const Theme& theme = scene_.theme;
    const Rect& place = places_[i];
    const Progress how = progress(i);
    const bool complete = journey_.all > 1 && one.terms == journey_.all;
    const bool now = !one.arrivals.empty() && !scene_.state.measured &&
                     scene_.state.cursor.round == one.round + 1 && how == Progress::landed;
    const std::string id = "station" + std::to_string(i);
    const Stroke stroke = how == Progress::to_come  ? Stroke{theme.line, 1.5, 6}
                          : how == Progress::moving ? Stroke{theme.accent, 4, 7}
                          : complete                ? Stroke{theme.ink, 3}
                                                    : Stroke{theme.rule, 1.5};
    Note note{.title = title_of(one)};
    if (!one.arrivals.empty()) note.transfer = static_cast<std::int32_t>(one.arrivals.back());
    const bool dot = !layout_.words && (place.width < 34 || place.height < 26);
    scene_.drawing.box(id, dot ? inset(place, std::min(place.width, place.height) / 4) : place,
                       layout_.words ? 10 : 4,
                       {now                        ? theme.warm
                        : how == Progress::to_come ? theme.surface  // over the links behind it
                                                   : theme.cell,
                        transparent},
                       stroke, note);
    if (dot) return;
    if (layout_.words) return write_card(one, id, place, how);
    const TextStyle style{size::body, complete ? Face::bold : Face::sans, Align::center,
                          how == Progress::to_come ? theme.faint : theme.ink};
    const std::string number = std::to_string(one.rank);
    if (scene_.drawing.width(number, style) <= place.width - 4)
      scene_.drawing.label(id + ".name", place, number, style);
  }

  std::vector<std::int32_t> contributors(const Station& one) const {
    if (one.arrivals.empty()) return {own_term(one.rank)};
    return scene_.replay.after(one.arrivals.back());
  }
  std::int32_t own_term(std::int32_t rank) const {
    return scene_.schedule
        .initial[static_cast<std::size_t>(rank) * static_cast<std::size_t>(scene_.schedule.chunks) +
                 static_cast<std::size_t>(journey_.chunk)];
  }
  std::optional<Number> value_of(const Station& one) const {
    const std::int32_t writer =
        one.arrivals.empty() ? -1 : static_cast<std::int32_t>(one.arrivals.back());
    return number_of(scene_.trace,
                     kept_bytes(scene_.trace, values_, one.rank, journey_.cell, writer), writer,
                     one.terms);
  }
  // '1.2, 176 us'; 'start'.
  std::string when(const Station& one) const {
    if (one.arrivals.empty()) return scene_.language.text("round.start");
    std::int64_t landed = 0;
    for (const std::uint32_t t : one.arrivals)
      landed = std::max(landed, scene_.trace.events[t].reduce_landed);
    return scene_.language.text("journey.when", {{"round", round_name(scene_.schedule, one.round)},
                                                 {"time", scene_.language.duration(landed)}});
  }
  std::string title_of(const Station& one) const {
    const std::vector<std::int32_t> held =
        scene_.schedule.ranks <= 64 ? contributors(one) : std::vector<std::int32_t>{};
    return gpu(scene_, one.rank) + ", " + when(one) +
           (held.empty() ? "" : ": " + scene_.symbol_of(held, journey_.chunk));
  }

  void draw_held(const Station& one, const std::string& id, const Rect& rect, Progress how) {
    const Theme& theme = scene_.theme;
    if (scene_.schedule.ranks > 12 || rect.width / scene_.schedule.ranks < 10) {
      const TextStyle style{size::body, Face::sans, Align::left,
                            how == Progress::to_come ? theme.faint : theme.quiet};
      scene_.drawing.text(id + ".terms",
                          {rect.x, rect.center().y + scene_.drawing.cap_height(style) / 2},
                          scene_.language.text("view.of", {{"count", std::to_string(one.terms)},
                                                           {"all", std::to_string(journey_.all)}}),
                          style);
      return;
    }
    const std::vector<std::int32_t> held = contributors(one);
    Slots slots;
    slots.area = rect;
    slots.ranks = scene_.schedule.ranks;
    slots.gap = 3;
    // What has not landed is not there yet.
    slots.complete = how == Progress::landed && one.terms == journey_.all && journey_.all > 1;
    if (how == Progress::landed) slots.held = held;
    if (how == Progress::moving) slots.arriving = held;
    draw_slots(scene_.drawing, id, slots);
  }

  void write_card(const Station& one, const std::string& id, const Rect& card, Progress how) {
    Drawing& drawing = scene_.drawing;
    const bool coming = how == Progress::to_come;
    const Color ink = coming ? scene_.theme.faint : scene_.theme.ink;
    const Color quiet = coming ? scene_.theme.faint : scene_.theme.quiet;
    constexpr double pad = 10, row = 32;
    const double left = card.x + pad, right = card.right() - pad, width = right - left;
    const bool wide = card.width >= wide_card;
    // What there is room for, the most important first: name, terms, value, time, symbol.
    const int rows = static_cast<int>((card.height - 8) / row);
    double y = card.center().y - std::min(rows, wide ? 3 : 5) * row / 2;
    const auto base = [&](const TextStyle& style) {
      return y + row / 2 + drawing.cap_height(style) / 2;
    };
    const TextStyle bold{size::body, Face::bold, Align::left, ink};
    const TextStyle aside{size::body, Face::sans, Align::right, quiet};
    const TextStyle mono{size::body, Face::mono_bold, wide ? Align::right : Align::left, ink};
    drawing.text(id + ".name", {left, base(bold)}, gpu(scene_, one.rank), bold);
    const double name = drawing.width(gpu(scene_, one.rank), bold);
    const std::string time = when(one);
    const std::string count = std::to_string(one.terms);
    if (wide && name + 16 + drawing.width(time, aside) <= width)
      drawing.text(id + ".when", {right, base(aside)}, time, aside);
    else if (rows < 2 && name + 16 + drawing.width(count, aside) <= width)
      drawing.text(id + ".count", {right, base(aside)}, count, aside);
    y += row;
    if (rows < 2) return;
    const double digit = drawing.width("0", mono);
    const auto room = static_cast<std::size_t>((wide ? width / 2 : width) / digit);
    const std::string value = how == Progress::landed
                                  ? scene_.value_text(value_of(one), std::max<std::size_t>(room, 1))
                                  : "…";
    const double held = wide ? width - drawing.width(value, mono) - 16 : width;
    draw_held(one, id, {left, y + 7, held, row - 14}, how);
    if (wide) drawing.text(id + ".value", {right, base(mono)}, value, mono);
    y += row;
    if (!wide && rows >= 3) {
      drawing.text(id + ".value", {left, base(mono)}, value, mono);
      y += row;
    }
    if (!wide && rows >= 4) {
      const TextStyle style{size::body, Face::sans, Align::left, quiet};
      const bool fits = drawing.width(time, style) <= width;
      drawing.text(id + ".when", {left, base(style)},
                   fits || one.arrivals.empty() ? time : round_name(scene_.schedule, one.round),
                   style);
      y += row;
    }
    if (rows < (wide ? 3 : 5) || scene_.schedule.ranks > 12) return;
    const TextStyle symbols{size::body, Face::mono, Align::left, quiet};
    const std::string symbol = scene_.symbol_of(contributors(one), journey_.chunk);
    drawing.text(id + ".symbol", {left, base(symbols)}, drawing.fit(symbol, symbols, width),
                 symbols, {.title = symbol});
  }

  Scene& scene_;
  const Journey& journey_;
  Layout layout_;
  std::vector<Rect> places_;
  ValueLayout values_;
};

// '1, 2 and 3', shortened where they are many.
std::string list_text(const Scene& scene, const std::vector<std::int32_t>& ranks) {
  constexpr std::size_t most = 8;
  std::string list;
  const auto add = [&](const std::string& next) {
    list = scene.language.text("compare.comma", {{"first", list}, {"second", next}});
  };
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks.size() > most && i == most - 2) {
      add("…");
      add(std::to_string(ranks.back()));
      break;
    }
    const std::string rank = std::to_string(ranks[i]);
    if (i == 0)
      list = rank;
    else if (i + 1 == ranks.size())
      list = scene.language.text("journey.and", {{"list", list}, {"rank", rank}});
    else
      add(rank);
  }
  return list;
}

// How it comes together.
std::string coming_text(const Scene& scene, const Journey& journey) {
  const Language& language = scene.language;
  const std::string chunk = std::to_string(journey.chunk);
  const std::int32_t end = completion_of(journey);
  if (journey.all < 2) {
    const auto first = std::find_if(journey.stations.begin(), journey.stations.end(),
                                    [](const Station& station) { return station.round < 0; });
    return language.text(
        journey.columns > 1 ? "journey.own" : "journey.alone",
        {{"chunk", chunk},
         {"rank", first == journey.stations.end() ? "0" : std::to_string(first->rank)}});
  }
  if (end < 0) {
    std::int32_t most = 0;
    for (const Station& station : journey.stations) most = std::max(most, station.terms);
    return language.text(
        "journey.incomplete",
        {{"chunk", chunk}, {"terms", std::to_string(most)}, {"all", std::to_string(journey.all)}});
  }
  const Station& complete = journey.stations[static_cast<std::size_t>(end)];
  std::vector<std::int32_t> passed;
  bool chain = true, together = false;
  for (std::int32_t i = 0; i < std::ssize(journey.stations); ++i) {
    const Station& station = journey.stations[static_cast<std::size_t>(i)];
    if (i < end) chain = chain && station.column == i;
    if (i < end && station.round >= 0) passed.push_back(station.rank);
    together = together || (i != end && station.round == complete.round &&
                            station.terms == journey.all && !station.copied);
  }
  const std::string round = round_name(scene.schedule, complete.round);
  const std::string last = std::to_string(complete.rank);
  if (together) return language.text("journey.together", {{"chunk", chunk}, {"round", round}});
  if (!chain)
    return language.text("journey.meets", {{"chunk", chunk}, {"rank", last}, {"round", round}});
  const std::string first = std::to_string(journey.stations.front().rank);
  if (passed.empty())
    return language.text("journey.one_step",
                         {{"chunk", chunk}, {"first", first}, {"rank", last}, {"round", round}});
  return language.text("journey.passes", {{"chunk", chunk},
                                          {"first", first},
                                          {"list", list_text(scene, passed)},
                                          {"rank", last},
                                          {"round", round}});
}

// How it goes out again.
std::string going_text(const Scene& scene, const Journey& journey) {
  std::vector<std::int32_t> ranks;
  bool chain = true;
  std::int32_t column = -1;
  for (const Station& station : journey.stations) {
    if (!station.copied || station.terms < journey.all) continue;
    chain = chain && station.column != column;
    column = station.column;
    ranks.push_back(station.rank);
  }
  if (ranks.empty()) return "";
  if (chain) return scene.language.text("journey.goes_on", {{"list", list_text(scene, ranks)}});
  return scene.language.text("journey.fans_out",
                             {{"count", scene.language.small_number(ranks.size())}});
}

}  // namespace

Figure draw_journey(const ViewContext& context, const ReplayState& state) {
  Scene scene(context, state, fit_stage(context, least_stage_of(context, 4)), false);
  const Journey journey = journey_of(scene.trace, chosen_chunk(scene));
  const Language& language = scene.language;
  std::vector<std::string> sentences{coming_text(scene, journey)};
  if (const std::string going = going_text(scene, journey); !going.empty())
    sentences.push_back(going);
  const std::uint64_t elements = chunk_extent(scene.schedule, journey.chunk).count;
  const double y = draw_chunk_heading(
      scene, language.text("journey.title", {{"chunk", std::to_string(journey.chunk)}}),
      elements > 1 ? language.text("view.first_of", {{"elements", language.integer(elements)}})
                   : "",
      sentences);
  const Rect area{margin, y + 4, scene.stage.width - 2 * margin, scene.stage.height - 28 - y};
  JourneyDrawing(scene, journey, area).run();
  draw_foot(scene);
  return std::move(scene.drawing).finish(scene.theme.surface);
}

}  // namespace ringscope
