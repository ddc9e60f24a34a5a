// Beside the timeline: the selected transfer, where each GPU's time went, who waits for whom.
#include <algorithm>
#include <array>

#include "core/figure/lines.h"
#include "core/figure/link_paths.h"
#include "core/figure/timeline.h"

namespace ringscope {
namespace {

constexpr double pad = 20, inner = 16, line = 30;
constexpr std::int32_t most_rows = 16, chosen_rows = 12;

struct Panel {
  Scene& scene;
  double left, right;
  double y = 40;
};

TextStyle small(Color color, Align align = Align::left) {
  return {size::small, Face::sans, align, color};
}

void draw_lines(Panel& panel, const std::string& id, const std::string& text,
                const TextStyle& style) {
  const std::vector<std::string> lines =
      balanced_lines(panel.scene.drawing, text, style, panel.right - panel.left);
  for (std::size_t i = 0; i < lines.size(); ++i)
    panel.scene.drawing.text(id + std::to_string(i), {panel.left, panel.y += 28}, lines[i], style);
}

// What is said of one transfer: a name and what it was.
struct Row {
  std::string_view id;
  std::string value;
  bool bold = false;
};

std::string rank_text(const Scene& scene, std::int32_t rank) {
  return scene.language.text("view.gpu", {{"rank", std::to_string(rank)}});
}

// The pieces of its lane that belong to the transfer: waiting for it, sleeping, moving, adding.
std::vector<Row> rows_of(const Scene& scene, std::uint32_t t) {
  const Language& language = scene.language;
  const Transfer& transfer = scene.schedule.transfers[t];
  const Event& event = scene.trace.events[t];
  const Plan& plan = scene.replay.plan();
  const bool staged = plan.first_part[t] != plan.last_part[t];
  const auto at = [&](std::int64_t time) { return language.duration(time); };
  std::int64_t waited = 0, awaited_longest = 0, slept = 0, worked = 0;
  std::int32_t awaited = -1, port = -1;
  for (const Piece& piece : scene.replay.pieces(transfer.dst)) {
    if (piece.part == no_part || plan.parts[piece.part].transfer != t) continue;
    const std::int64_t length = piece.to - piece.from;
    if (piece.spent == Spent::waiting) {
      waited += length;
      if (length > awaited_longest)
        awaited_longest = length, awaited = plan.parts[piece.awaited].lane,
        port = port_waited_for(scene, piece);
    }
    if (piece.spent == Spent::delayed) slept += length;
    if (piece.spent == Spent::moving || piece.spent == Spent::adding) worked += length;
  }
  std::vector<Row> rows{{"time.row.waited_from", at(event.waited_from)},
                        {"time.row.move_begun", at(event.move_begun)}};
  if (staged) {
    rows.push_back({"time.row.staged", at(event.move_landed)});
    rows.push_back({transfer.action == Action::reduce ? "time.row.add_begun" : "time.row.put_begun",
                    at(event.reduce_begun)});
  }
  rows.push_back({"time.row.landed", at(event.reduce_landed)});
  if (const auto path = path_of(scene.trace, transfer.src, transfer.dst))
    rows.push_back({"time.row.path", path_text(*path, language)});
  if (slept > 0) rows.push_back({"time.row.slept", at(slept), true});
  rows.push_back({"time.row.waited",
                  awaited < 0
                      ? language.text("time.not_at_all")
                      : language.text(port < 0 ? "time.for_rank" : "time.for_port",
                                      {{"time", at(waited)},
                                       {"rank", std::to_string(port < 0 ? awaited : port)}}),
                  true});
  const double rate =
      worked > 0 ? static_cast<double>(event.bytes) * 1e9 / static_cast<double>(worked) : 0;
  const std::string time = at(worked);
  rows.push_back(
      {transfer.action == Action::reduce ? "time.row.moved_added" : "time.row.moved",
       rate > 0 ? language.text("time.at_rate", {{"time", time}, {"rate", language.rate(rate)}})
                : time,
       true});
  return rows;
}

// 'd2 += c2', 'chunk 0 = a0+b0+c0+d0', as the round's panel says it.
std::string arithmetic_of(const Scene& scene, std::uint32_t t) {
  const Transfer& transfer = scene.schedule.transfers[t];
  const std::int32_t chunk = scene.chunk_of(t);
  const std::string carried = scene.symbol_of(scene.replay.carried(t), chunk);
  if (transfer.action == Action::copy)
    return scene.language.text("panel.chunk_becomes",
                               {{"chunk", std::to_string(chunk)}, {"sum", carried}});
  const std::string old = scene.symbol_of(scene.replay.before(t), chunk);
  switch (scene.trace.run.op) {
    case Operator::prod: return old + " *= " + carried;
    case Operator::min:
    case Operator::max:
      return old + " = " + std::string(name_of(scene.trace.run.op)) + "(" + old + ", " + carried +
             ")";
    default: return old + " += " + carried;
  }
}

std::string place_text(const Scene& scene, std::uint32_t t) {
  const Transfer& transfer = scene.schedule.transfers[t];
  const std::string round = round_name(scene.schedule, transfer.round);
  const std::string chunk = std::to_string(scene.chunk_of(t));
  if (scene.schedule.slices == 1)
    return scene.language.text("time.place", {{"round", round}, {"chunk", chunk}});
  return scene.language.text(
      "time.place_slice",
      {{"round", round}, {"chunk", chunk}, {"slice", std::to_string(transfer.slice)}});
}

void draw_transfer(Panel& panel, std::uint32_t t) {
  Scene& scene = panel.scene;
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const Transfer& transfer = scene.schedule.transfers[t];
  const bool done = t < scene.trace.events.size() && scene.trace.events[t].done != 0;
  const std::vector<Row> rows = done ? rows_of(scene, t) : std::vector<Row>();
  const double height = 84 + line * static_cast<double>(done ? rows.size() : 1);
  const Rect box{panel.left, panel.y, panel.right - panel.left, height};
  drawing.box("chosen", box, 8, {theme.card, transparent}, {theme.ink, 3});
  const double left = box.x + inner, right = box.right() - inner;
  const TextStyle bold{size::small, Face::bold, Align::left, theme.ink};
  drawing.text("chosen.link", {left, box.y + 34},
               rank_text(scene, transfer.src) + " → " + rank_text(scene, transfer.dst), bold);
  drawing.text("chosen.place", {right, box.y + 34}, place_text(scene, t),
               small(theme.quiet, Align::right));
  const TextStyle symbols{size::small, Face::mono_bold, Align::left, theme.ink};
  const std::string arithmetic = arithmetic_of(scene, t);
  drawing.text("chosen.arithmetic", {left, box.y + 66},
               drawing.fit(arithmetic, symbols, right - left), symbols, {.title = arithmetic});
  double y = box.y + 100;
  if (!done)
    drawing.text("chosen.not_done", {left, y}, scene.language.text("panel.not_done"),
                 small(theme.ink));
  for (const Row& row : rows) {
    drawing.text("chosen." + std::string(row.id), {left, y}, scene.language.text(row.id),
                 small(theme.quiet));
    drawing.text("chosen.value." + std::string(row.id), {right, y}, row.value,
                 {size::small, row.bold ? Face::bold : Face::sans, Align::right, theme.ink});
    y += line;
  }
  panel.y += height + 12;
}

void draw_selected(Panel& panel) {
  Scene& scene = panel.scene;
  scene.drawing.text("selected.title", {panel.left, panel.y}, scene.language.text("time.selected"),
                     {28, Face::bold, Align::left, scene.theme.ink});
  panel.y += 20;
  const std::int32_t chosen = scene.context.selection.transfer;
  if (chosen >= 0 && chosen < std::ssize(scene.schedule.transfers)) {
    draw_transfer(panel, static_cast<std::uint32_t>(chosen));
  } else {
    panel.y -= 4;
    draw_lines(
        panel, "selected.hint",
        scene.language.text(scene.schedule.transfers.empty() ? "time.nothing_moves" : "time.hint"),
        small(scene.theme.quiet));
    panel.y += 20;
  }
}

// The order in which they lie in a rank's bar: work first, so that bars can be compared.
constexpr std::array<Spent, 7> bar_order{Spent::late,   Spent::delayed, Spent::copying,
                                         Spent::moving, Spent::adding,  Spent::waiting,
                                         Spent::stopped};

void draw_rank_row(Panel& panel, std::int32_t rank, double names, double words) {
  Scene& scene = panel.scene;
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const TimeBySpent& times = scene.replay.times().by_rank[static_cast<std::size_t>(rank)];
  const std::string id = "spent" + std::to_string(rank);
  const Rect bar{panel.left + names, panel.y + 6, panel.right - panel.left - names - words, 22};
  const TextStyle style = small(theme.ink);
  const double base = bar.center().y + drawing.cap_height(style) / 2;
  drawing.text(id + ".name", {panel.left, base}, rank_text(scene, rank), style);
  drawing.box(id + ".all", bar, 2, {}, {theme.rule, 1});
  double x = bar.x;
  const auto whole = static_cast<double>(std::max<std::int64_t>(scene.replay.times().end, 1));
  for (const Spent spent : bar_order) {
    const double width = bar.width * static_cast<double>(time_of(times, spent)) / whole;
    if (width <= 0) continue;
    drawing.box(id + ".part" + std::to_string(static_cast<int>(spent)),
                {x, bar.y, width, bar.height}, 2, fill_of(scene, spent, Action::reduce),
                width > 4 ? stroke_of(scene, spent) : Stroke{});
    x += width;
  }
  drawing.text(
      id + ".waits", {panel.right, base},
      scene.language.text("time.waits",
                          {{"time", scene.language.duration(time_of(times, Spent::waiting))}}),
      small(theme.quiet, Align::right));
  panel.y += 34;
}

void draw_where(Panel& panel) {
  Scene& scene = panel.scene;
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const Language& language = scene.language;
  panel.y += 28;
  drawing.text("where.title", {panel.left, panel.y}, language.text("time.where"),
               {size::body, Face::bold, Align::left, theme.ink});
  drawing.text("where.of", {panel.right, panel.y},
               language.text("time.of", {{"time", language.duration(scene.replay.times().end)}}),
               small(theme.quiet, Align::right));
  panel.y += 12;
  const std::vector<std::int32_t> ranks = lanes_of(scene, most_rows, chosen_rows);
  double names = 0, words = 0;
  for (const std::int32_t rank : ranks) {
    const TimeBySpent& times = scene.replay.times().by_rank[static_cast<std::size_t>(rank)];
    const std::string waits =
        language.text("time.waits", {{"time", language.duration(time_of(times, Spent::waiting))}});
    names = std::max(names, drawing.width(rank_text(scene, rank), small({})) + 16);
    words = std::max(words, drawing.width(waits, small({})) + 16);
  }
  for (const std::int32_t rank : ranks) draw_rank_row(panel, rank, names, words);
  if (std::ssize(ranks) < scene.schedule.ranks) {
    const std::string more =
        language.integer(static_cast<std::uint64_t>(scene.schedule.ranks) - ranks.size());
    drawing.text("where.more", {panel.left, panel.y += 26},
                 language.text("panel.more", {{"count", more}}), small(theme.quiet));
  }
  panel.y += 16;
}

}  // namespace

Figure draw_timeline_panel(const ViewContext& context, const ReplayState& state) {
  Scene scene(context, state, {context.scale}, false);
  Panel panel{scene, pad, scene.drawing.room().width - pad};
  draw_selected(panel);
  draw_where(panel);
  draw_lines(panel, "waiting.title", waiting_title(scene),
             {size::body, Face::bold, Align::left, scene.theme.ink});
  panel.y += 4;
  const std::string waiting = waiting_text(scene);
  if (!waiting.empty()) draw_lines(panel, "waiting.words", waiting, small(scene.theme.ink));
  draw_lines(panel, "path.words", path_text(scene), small(scene.theme.ink));
  const TimeSpent& times = scene.replay.times();
  if (10 * time_of(times.on_path, Spent::between) >= times.end && times.end > 0)
    draw_lines(panel, "between",
               scene.language.text(!scene.trace.where.links.empty() ? "time.between_gpu"
                                   : times.port_before.empty()      ? "time.between_means"
                                                                    : "time.between_paced"),
               small(scene.theme.quiet));
  scene.drawing.set_height(panel.y + 24);
  return std::move(scene.drawing).finish(scene.theme.surface);
}

}  // namespace ringscope
