// The lanes of the timeline: waits, bars, what is written on them, and the critical path.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "core/figure/timeline.h"

namespace ringscope {
namespace {

constexpr double narrow = 2, widest_merged = 8;  // units: what is narrower is drawn together
constexpr double outlined = 5;                   // narrower bars have no outline
constexpr double two_lines = 58, one_line = 27;  // heights of bars that hold text

bool is_work(Spent spent) { return spent == Spent::moving || spent == Spent::adding; }

// What is drawn at once: one piece, or several that are too narrow to be told apart.
struct Bar {
  Piece piece;            // the longest of them
  std::int64_t from, to;  // nanoseconds, in sight
  std::uint32_t pieces = 1;
  Color mixed = transparent;  // of several
};

class Lane {
 public:
  Lane(Timeline& timeline, std::size_t lane) : timeline_(timeline), lane_(lane) {
    for (const Piece& piece : timeline.scene.replay.pieces(timeline.ranks[lane])) {
      if (piece.spent == Spent::ended || !timeline.in_sight(piece.from, piece.to)) continue;
      add(piece);
    }
    close();
  }

  const std::vector<Bar>& bars() const { return bars_; }

 private:
  Color color_of(const Piece& piece) const {
    const Scene& scene = timeline_.scene;
    if (piece.spent == Spent::between) return scene.theme.surface;
    const Fill fill = fill_of(scene, piece.spent, action_of(scene, piece));
    const Color ground = fill.color.a == 0 ? scene.theme.surface : fill.color;
    return fill.hatch.a == 0 ? ground : mix(ground, fill.hatch, 0.42);
  }

  void add(const Piece& piece) {
    const std::int64_t from = std::max(piece.from, timeline_.shown.from);
    const std::int64_t to = std::min(piece.to, timeline_.shown.to);
    const bool chosen = piece.part != no_part && is_work(piece.spent) && is_chosen(piece);
    if (timeline_.units_of(to - from) >= narrow || chosen) {
      close();
      bars_.push_back({piece, from, to});
      return;
    }
    if (open_ && timeline_.units_of(to - open_->from) > widest_merged) close();
    if (!open_) {
      open_ = Bar{piece, from, to, 0};
      sums_ = {};
    }
    ++open_->pieces;
    open_->to = to;
    if (piece.to - piece.from > open_->piece.to - open_->piece.from) open_->piece = piece;
    const Color color = color_of(piece);
    const auto length = static_cast<double>(to - from);
    sums_[0] += length;
    sums_[1] += length * color.r, sums_[2] += length * color.g, sums_[3] += length * color.b;
  }

  void close() {
    if (!open_) return;
    const double all = std::max(sums_[0], 1.0);
    const auto channel = [&](double sum) {
      return static_cast<std::uint8_t>(std::clamp(std::lround(sum / all), 0l, 255l));
    };
    open_->mixed = sums_[0] > 0
                       ? Color{channel(sums_[1]), channel(sums_[2]), channel(sums_[3]), 255}
                       : color_of(open_->piece);
    bars_.push_back(*open_);
    open_.reset();
  }

  bool is_chosen(const Piece& piece) const {
    const std::int32_t chosen = timeline_.scene.context.selection.transfer;
    return chosen >= 0 && timeline_.scene.replay.plan().parts[piece.part].transfer ==
                              static_cast<std::uint32_t>(chosen);
  }

  Timeline& timeline_;
  std::size_t lane_;
  std::vector<Bar> bars_;
  std::optional<Bar> open_;
  std::array<double, 4> sums_ = {};  // length, and by it red, green, blue
};

const Transfer& transfer_of(const Scene& scene, const Piece& piece) {
  return scene.schedule.transfers[scene.replay.plan().parts[piece.part].transfer];
}

std::string gpu(const Scene& scene, std::int32_t rank) {
  return scene.language.text("view.gpu", {{"rank", std::to_string(rank)}});
}

// 'chunk 2', 'chunks 0-3', 'slice 5', 'from GPU 3' where there is one chunk only.
std::string what_moves(const Scene& scene, const Transfer& transfer) {
  const Schedule& schedule = scene.schedule;
  const std::int32_t first = transfer.first_cell / schedule.slices;
  const std::int32_t last = (transfer.first_cell + transfer.cell_count - 1) / schedule.slices;
  if (schedule.slices > 1)
    return scene.language.text("time.slice", {{"slice", std::to_string(transfer.slice)}});
  if (schedule.chunks == 1)
    return scene.language.text("time.from", {{"rank", std::to_string(transfer.src)}});
  if (first == last) return scene.language.text("view.chunk", {{"chunk", std::to_string(first)}});
  return scene.language.text("time.chunks",
                             {{"first", std::to_string(first)}, {"last", std::to_string(last)}});
}

bool is_dead(const Scene& scene, std::int32_t rank) {
  return std::any_of(scene.trace.run.trouble.deaths.begin(), scene.trace.run.trouble.deaths.end(),
                     [&](const Die& death) { return death.rank == rank; });
}

std::string words_of(const Scene& scene, const Piece& piece, bool long_form) {
  const Language& language = scene.language;
  const std::string time = language.duration(piece.to - piece.from);
  const auto rank_of = [&](std::uint32_t part) {
    return std::to_string(scene.replay.plan().parts[part].lane);
  };
  switch (piece.spent) {
    case Spent::late: return language.text("time.late", {{"time", time}});
    case Spent::delayed: return language.text("time.sleeps", {{"time", time}});
    case Spent::copying: return language.text("time.copies", {{"time", time}});
    case Spent::waiting:
      if (!long_form) return language.text("time.waits", {{"time", time}});
      if (const std::int32_t rank = port_waited_for(scene, piece); rank >= 0)
        return language.text("time.waits_for_port",
                             {{"time", time}, {"rank", std::to_string(rank)}});
      return language.text("time.waits_for", {{"time", time}, {"rank", rank_of(piece.awaited)}});
    case Spent::stopped:
      if (piece.awaited != no_part)
        return language.text("time.in_vain", {{"rank", rank_of(piece.awaited)}});
      if (is_dead(scene, transfer_of(scene, piece).src))
        return language.text("time.in_vain",
                             {{"rank", std::to_string(transfer_of(scene, piece).src)}});
      return language.text("time.stopped");
    case Spent::between: return language.text("time.between", {{"time", time}});
    case Spent::moving:
    case Spent::adding: {
      const Transfer& transfer = transfer_of(scene, piece);
      return language.text("time.bar", {{"round", round_name(scene.schedule, transfer.round)},
                                        {"src", std::to_string(transfer.src)},
                                        {"dst", std::to_string(transfer.dst)},
                                        {"what", what_moves(scene, transfer)},
                                        {"time", time}});
    }
    case Spent::ended: break;
  }
  return "";
}

std::string id_of(const Timeline& timeline, std::size_t lane, std::size_t bar) {
  return "lane" + std::to_string(timeline.ranks[lane]) + ".bar" + std::to_string(bar);
}

// What the lane's GPU is, at the left.
void draw_head(Timeline& timeline, std::size_t lane) {
  Scene& scene = timeline.scene;
  const std::int32_t rank = timeline.ranks[lane];
  const double middle = timeline.middle_of(lane);
  const std::string id = "lane" + std::to_string(rank);
  const double height = std::min(timeline.pitch * 0.8, timeline.bar + 16);
  scene.drawing.line(id + ".rule", {timeline.plot.x, middle}, {timeline.plot.right(), middle},
                     {scene.theme.rule, 1});
  scene.drawing.box(id + ".stripe", {32, middle - height / 2, 10, height}, height > 12 ? 4 : 0,
                    rank_fill(scene.theme, rank),
                    height > 12 ? Stroke{scene.theme.ink, 1} : Stroke{});
  const TextStyle style{size::body, Face::bold, Align::left, scene.theme.ink};
  constexpr double line = 28;
  const auto every = static_cast<std::size_t>(std::ceil(line / timeline.pitch));
  if (lane % every != 0) return;
  scene.drawing.text(id + ".name", {56, middle + scene.drawing.cap_height(style) / 2},
                     gpu(scene, rank), style);
}

Rect wait_rect(const Timeline& timeline, std::size_t lane, const Bar& bar) {
  Rect rect = timeline.bar_of(lane, bar.from, bar.to);
  const double half = std::round(rect.height * 0.5);
  const double height = rect.height < one_line ? half : std::max(half, 28.0);
  return {rect.x, rect.center().y - height / 2, rect.width, height};
}

// Waits are lower than bars, as nothing happens in them.
Rect rect_of(const Timeline& timeline, std::size_t lane, const Bar& bar) {
  const bool low =
      bar.mixed.a == 0 && (bar.piece.spent == Spent::waiting || bar.piece.spent == Spent::stopped);
  return low ? wait_rect(timeline, lane, bar) : timeline.bar_of(lane, bar.from, bar.to);
}

void draw_bar(Timeline& timeline, std::size_t lane, std::size_t number, const Bar& bar) {
  Scene& scene = timeline.scene;
  const Rect rect = rect_of(timeline, lane, bar);
  const bool wide = rect.width >= outlined && rect.height >= 6;
  Note note{.title = words_of(scene, bar.piece, true)};
  if (bar.piece.part != no_part && is_work(bar.piece.spent))
    note.transfer = static_cast<std::int32_t>(scene.replay.plan().parts[bar.piece.part].transfer);
  if (bar.mixed.a != 0) {
    if (bar.pieces > 1)
      note.title = scene.language.text("time.merged",
                                       {{"pieces", std::to_string(bar.pieces)},
                                        {"time", scene.language.duration(bar.to - bar.from)}});
    scene.drawing.box(id_of(timeline, lane, number), rect, 0, {bar.mixed, transparent}, {}, note);
    return;
  }
  scene.drawing.box(id_of(timeline, lane, number), rect, wide && rect.height > 14 ? 4 : 0,
                    fill_of(scene, bar.piece.spent, action_of(scene, bar.piece)),
                    wide ? stroke_of(scene, bar.piece.spent) : Stroke{}, std::move(note));
}

void write_on_bar(Timeline& timeline, std::size_t lane, std::size_t number, const Bar& bar) {
  Scene& scene = timeline.scene;
  Drawing& drawing = scene.drawing;
  const Rect rect = timeline.bar_of(lane, bar.from, bar.to);
  const Transfer& transfer = transfer_of(scene, bar.piece);
  const TextStyle bold{size::body, Face::bold, Align::center, scene.theme.ink};
  const TextStyle plain{size::body, Face::sans, Align::center, scene.theme.ink};
  const std::string round = round_name(scene.schedule, transfer.round);
  const std::string what = what_moves(scene, transfer);
  const std::string id = id_of(timeline, lane, number);
  if (rect.height < one_line || drawing.width(round, bold) > rect.width - 6) return;
  const Point middle = rect.center();
  const double what_width = drawing.width(what, plain);
  const double both = drawing.width(round, bold) + 10 + what_width;
  if (rect.height < two_lines && both <= rect.width - 12) {
    const double base = middle.y + drawing.cap_height(bold) / 2;
    drawing.text(id + ".round", {middle.x - both / 2, base}, round,
                 {size::body, Face::bold, Align::left, scene.theme.ink});
    drawing.text(id + ".what", {middle.x + both / 2 - what_width, base}, what,
                 {size::body, Face::sans, Align::left, scene.theme.ink});
    return;
  }
  if (rect.height < two_lines || what_width > rect.width - 6) {
    drawing.label(id + ".round", rect, round, bold);
    return;
  }
  drawing.text(id + ".round", {middle.x, middle.y - 5}, round, bold);
  drawing.text(id + ".what", {middle.x, middle.y + 22}, what, plain);
}

// On a ground of its own, as nothing can be read on a hatch.
void write_on_wait(Timeline& timeline, std::size_t lane, std::size_t number, const Bar& bar) {
  Scene& scene = timeline.scene;
  Drawing& drawing = scene.drawing;
  const Rect rect = rect_of(timeline, lane, bar);
  const bool sleeps = bar.piece.spent == Spent::late || bar.piece.spent == Spent::delayed;
  const TextStyle style{size::body, sleeps ? Face::bold : Face::sans, Align::center,
                        scene.theme.ink};
  constexpr double pad = 8;
  if (rect.height < one_line) return;
  for (const bool long_form : {true, false}) {
    const std::string words = words_of(scene, bar.piece, long_form);
    const double width = drawing.width(words, style) + 2 * pad;
    if (width > rect.width - 8) continue;
    const double height = std::min(rect.height - 4, 40.0);
    const Rect back{rect.center().x - width / 2, rect.center().y - height / 2, width, height};
    const std::string id = id_of(timeline, lane, number) + ".back";
    drawing.box(id, back, 4, {sleeps ? scene.theme.cell : scene.theme.surface, transparent},
                sleeps ? Stroke{scene.theme.ink, 1} : Stroke{});
    drawing.label(id + ".label", back, words, style);
    return;
  }
}

// Under the bars of the lanes; from lane to lane where what was awaited had landed.
void draw_path(Timeline& timeline) {
  Scene& scene = timeline.scene;
  const double under = timeline.bar / 2 + std::clamp((timeline.pitch - timeline.bar) / 4, 1.0, 8.0);
  const double width = std::clamp((timeline.pitch - timeline.bar) / 3, 1.5, 4.0);
  std::vector<Point> points;
  std::size_t paths = 0;
  const auto finish = [&] {
    if (points.size() > 1)
      scene.drawing.path("path" + std::to_string(paths++), points, false, {},
                         {scene.theme.accent, width}, {.title = path_text(scene)});
    points.clear();
  };
  for (const Piece& piece : timeline.times.critical_path) {
    const auto lane = std::find(timeline.ranks.begin(), timeline.ranks.end(), piece.rank);
    if (lane == timeline.ranks.end() || !timeline.in_sight(piece.from, piece.to)) {
      finish();
      continue;
    }
    const double y =
        timeline.middle_of(static_cast<std::size_t>(lane - timeline.ranks.begin())) + under;
    const auto x = [&](std::int64_t time) {
      return std::clamp(timeline.x_of(time), timeline.plot.x, timeline.plot.right());
    };
    if (points.empty() || points.back().y != y) points.push_back({x(piece.from), y});
    points.push_back({x(piece.to), y});
  }
  finish();
}

// The selected transfer, and on the clock of rounds those of the round.
void outline(Timeline& timeline, std::size_t lane, std::size_t number, const Bar& bar) {
  Scene& scene = timeline.scene;
  if (bar.piece.part == no_part || !is_work(bar.piece.spent)) return;
  const std::uint32_t t = scene.replay.plan().parts[bar.piece.part].transfer;
  const bool selected = static_cast<std::int32_t>(t) == scene.context.selection.transfer;
  const bool of_round = !scene.state.measured && bar.mixed.a == 0 && timeline.bar > 14 &&
                        scene.schedule.transfers[t].round + 1 == scene.state.cursor.round;
  if (!selected && !of_round) return;
  const double width = selected ? 6 : 3;
  scene.drawing.box(id_of(timeline, lane, number) + "-outline",
                    inset(timeline.bar_of(lane, bar.from, bar.to), selected ? -2 : 0), 4, {},
                    {scene.theme.ink, width}, {.transfer = static_cast<std::int32_t>(t)});
}

}  // namespace

double Timeline::x_of(std::int64_t nanoseconds) const {
  const auto length = static_cast<double>(std::max<std::int64_t>(shown.to - shown.from, 1));
  return plot.x + plot.width * static_cast<double>(nanoseconds - shown.from) / length;
}

Rect Timeline::bar_of(std::size_t lane, std::int64_t from, std::int64_t to) const {
  const double left = x_of(std::max(from, shown.from)), right = x_of(std::min(to, shown.to));
  return {left, middle_of(lane) - bar / 2, right - left, bar};
}

std::int32_t port_waited_for(const Scene& scene, const Piece& piece) {
  const TimeSpent& times = scene.replay.times();
  const bool port =
      piece.spent == Spent::waiting && piece.part < times.port_before.size() &&
      times.port_before[piece.part] == piece.awaited &&
      std::ranges::count(scene.replay.plan().depends_of(piece.part), piece.awaited) == 0;
  return port ? transfer_of(scene, piece).src : -1;
}

std::vector<std::int32_t> lanes_of(const Scene& scene, std::int32_t most, std::int32_t chosen) {
  const TimeSpent& times = scene.replay.times();
  std::vector<std::int32_t> ranks;
  if (scene.schedule.ranks <= most) {
    for (std::int32_t rank = 0; rank < scene.schedule.ranks; ++rank) ranks.push_back(rank);
    return ranks;
  }
  const auto add = [&](std::int32_t rank) {
    if (std::ssize(ranks) < chosen && std::find(ranks.begin(), ranks.end(), rank) == ranks.end())
      ranks.push_back(rank);
  };
  if (const std::int32_t transfer = scene.context.selection.transfer; transfer >= 0)
    add(scene.schedule.transfers[static_cast<std::size_t>(transfer)].dst);
  if (times.straggler) add(times.straggler->rank);
  std::vector<std::int32_t> by(static_cast<std::size_t>(scene.schedule.ranks));
  const auto add_most = [&](const auto& measure, std::ptrdiff_t up_to) {
    for (std::size_t i = 0; i < by.size(); ++i) by[i] = static_cast<std::int32_t>(i);
    std::stable_sort(by.begin(), by.end(), [&](std::int32_t a, std::int32_t b) {
      return measure(static_cast<std::size_t>(a)) > measure(static_cast<std::size_t>(b));
    });
    for (const std::int32_t rank : by)
      if (std::ssize(ranks) < up_to) add(rank);
  };
  add_most([&](std::size_t rank) { return times.path_by_rank[rank]; }, chosen / 2);
  add_most([&](std::size_t rank) { return time_of(times.by_rank[rank], Spent::waiting); }, chosen);
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

Action action_of(const Scene& scene, const Piece& piece) {
  return piece.part == no_part ? Action::reduce : transfer_of(scene, piece).action;
}

Fill fill_of(const Scene& scene, Spent spent, Action action) {
  const Theme& theme = scene.theme;
  const Color phase = action == Action::reduce ? theme.phase_even : theme.phase_odd;
  switch (spent) {
    case Spent::late:
    case Spent::delayed: return {theme.warm, mix(theme.warm, theme.ink, 0.6)};
    case Spent::copying: return {theme.card, transparent};
    case Spent::waiting: return {theme.surface, theme.rule};
    case Spent::moving: return {phase, transparent};
    case Spent::adding: return {mix(phase, theme.line, 0.2), transparent};
    case Spent::between:
    case Spent::stopped:
    case Spent::ended: break;
  }
  return {};
}

Stroke stroke_of(const Scene& scene, Spent spent) {
  if (spent == Spent::stopped) return {scene.theme.line, 2, 6};
  return {spent == Spent::waiting ? scene.theme.line : scene.theme.ink, 1};
}

void draw_lanes(Timeline& timeline, const std::function<void()>& below_words) {
  std::vector<std::vector<Bar>> lanes;
  for (std::size_t lane = 0; lane < timeline.ranks.size(); ++lane) {
    draw_head(timeline, lane);
    lanes.push_back(Lane(timeline, lane).bars());
  }
  const auto for_each_bar = [&](const auto& body) {
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      for (std::size_t i = 0; i < lanes[lane].size(); ++i)
        if (lanes[lane][i].piece.spent != Spent::between || lanes[lane][i].mixed.a != 0)
          body(lane, i, lanes[lane][i]);
  };
  for_each_bar([&](std::size_t lane, std::size_t i, const Bar& bar) {
    if (!is_work(bar.piece.spent)) draw_bar(timeline, lane, i, bar);
  });
  draw_path(timeline);
  for_each_bar([&](std::size_t lane, std::size_t i, const Bar& bar) {
    if (is_work(bar.piece.spent)) draw_bar(timeline, lane, i, bar);
  });
  for_each_bar(
      [&](std::size_t lane, std::size_t i, const Bar& bar) { outline(timeline, lane, i, bar); });
  below_words();
  for_each_bar([&](std::size_t lane, std::size_t i, const Bar& bar) {
    if (bar.mixed.a != 0) return;
    if (is_work(bar.piece.spent))
      write_on_bar(timeline, lane, i, bar);
    else
      write_on_wait(timeline, lane, i, bar);
  });
}

}  // namespace ringscope
