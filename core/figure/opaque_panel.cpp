// Beside an all-reduce that shows no transfers: all that was measured of it.
#include <fmt/format.h>

#include <algorithm>

#include "core/figure/opaque.h"
#include "core/figure/views.h"

namespace ringscope {
namespace {

constexpr double pad = 20;
constexpr std::size_t most_rows = 16;

// The panel as it grows.
struct Panel {
  Scene& scene;
  double left, right;
  double y = 0;

  void words(const std::string& id, const std::string& text, Color color) {
    const TextStyle style{size::small, Face::sans, Align::left, color};
    const std::vector<std::string> lines = scene.drawing.wrap(text, style, right - left);
    for (std::size_t i = 0; i < lines.size(); ++i)
      scene.drawing.text(id + std::to_string(i), {left, y += 26}, lines[i], style);
  }
  void title(const std::string& id) {
    y += 40;
    scene.drawing.text(id, {left, y}, scene.language.text(id),
                       {size::body, Face::bold, Align::left, scene.theme.ink});
    y += 12;
  }
};

// A name, a bar and a time.
struct Row {
  std::string id, name;
  std::int64_t time = 0;
  bool strong = false;
};

void draw_rows(Panel& panel, const std::vector<Row>& rows, const std::string& id) {
  Drawing& drawing = panel.scene.drawing;
  const Theme& theme = panel.scene.theme;
  std::int64_t most = 1;
  double names = 0, times = 0;
  const auto time_of = [&](const Row& row) { return panel.scene.language.duration(row.time); };
  const auto style = [&](const Row& row, Align align) {
    return TextStyle{size::small, row.strong ? Face::bold : Face::sans, align,
                     row.strong ? theme.ink : theme.quiet};
  };
  for (const Row& row : rows) {
    most = std::max(most, row.time);
    names = std::max(names, drawing.width(row.name, style(row, Align::left)));
    times = std::max(times, drawing.width(time_of(row), style(row, Align::right)));
  }
  const double left = panel.left + names + 16, room = panel.right - times - 16 - left;
  for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i) {
    const Row& row = rows[i];
    panel.y += 30;
    drawing.text(row.id + ".name", {panel.left, panel.y}, row.name, style(row, Align::left));
    drawing.box(
        row.id + ".bar",
        {left, panel.y - 15, room * static_cast<double>(row.time) / static_cast<double>(most), 16},
        3, {row.strong ? theme.ink : theme.line, transparent});
    drawing.text(row.id + ".time", {panel.right, panel.y}, time_of(row), style(row, Align::right));
  }
  if (rows.size() > most_rows)
    panel.words(id + ".more",
                panel.scene.language.text("panel.more",
                                          {{"count", std::to_string(rows.size() - most_rows)}}),
                theme.quiet);
}

void draw_ranks(Panel& panel, const OpaqueTimes& times) {
  std::vector<Row> rows;
  if (times.ranks.empty()) return;
  const std::int64_t slowest = std::ranges::max(times.ranks);
  for (std::size_t rank = 0; rank < times.ranks.size(); ++rank)
    rows.push_back({"time" + std::to_string(rank),
                    panel.scene.language.text("view.gpu", {{"rank", std::to_string(rank)}}),
                    times.ranks[rank], times.ranks[rank] == slowest});
  panel.title("closed.panel.ranks");
  draw_rows(panel, rows, "times");
}

void draw_repeats(Panel& panel, const OpaqueTimes& times) {
  if (times.repeats.size() < 2) return;
  std::vector<Row> rows;
  for (std::size_t repeat = 0; repeat < times.repeats.size(); ++repeat)
    rows.push_back({"repeat" + std::to_string(repeat), std::to_string(repeat + 1),
                    times.repeats[repeat], repeat == times.kept});
  panel.title("closed.panel.repeats");
  draw_rows(panel, rows, "repeats");
}

void draw_bandwidth(Panel& panel) {
  const Trace& trace = panel.scene.trace;
  const Language& language = panel.scene.language;
  if (trace.nanoseconds <= 0) return;
  panel.title("closed.panel.bandwidth");
  panel.words("algbw",
              language.text("closed.panel.algbw", {{"bytes", language.bytes(user_bytes(trace))},
                                                   {"time", language.duration(trace.nanoseconds)},
                                                   {"rate", language.rate(algbw(trace))}}),
              panel.scene.theme.quiet);
  if (trace.schedule.ranks == 1) return;
  panel.words("busbw", language.text("closed.panel.busbw"), panel.scene.theme.ink);
  panel.words("busbw_value",
              language.text("closed.panel.busbw_value",
                            {{"factor", fmt::format("{:.4g}", busbw_factor(trace.schedule))},
                             {"rate", language.rate(busbw(trace))}}),
              panel.scene.theme.ink);
}

void draw_verdict(Panel& panel) {
  const Trace& trace = panel.scene.trace;
  const Language& language = panel.scene.language;
  panel.title("closed.panel.verdict");
  const Verdict& verdict = trace.verdict;
  std::string text = language.text("closed.panel.not_checked");
  if (verdict.outcome == Verdict::Outcome::failed)
    text = verdict.failure ? language.text(*verdict.failure) : language.text("view.failed_unknown");
  else if (verdict.outcome == Verdict::Outcome::verified)
    text = language.text(verdict.exact ? "closed.panel.exact" : "closed.panel.bounded",
                         {{"elements", language.integer(verdict.elements)},
                          {"share", fmt::format("{:.2g}", 100 * verdict.largest_error_in_bounds)}});
  panel.words("verdict", text, panel.scene.theme.ink);
}

}  // namespace

Figure draw_opaque_panel(const ViewContext& context, const ReplayState& state) {
  Scene scene(context, state, StageFit{context.scale}, false);
  Panel panel{scene, pad, scene.drawing.room().width - pad, 40};
  scene.drawing.text("panel.title", {panel.left, panel.y},
                     scene.language.text("closed.panel.title"),
                     {28, Face::bold, Align::left, scene.theme.ink});
  panel.y += 8;
  panel.words("panel.sentence", scene.language.text("closed.panel.sentence"), scene.theme.ink);
  const OpaqueTimes times = opaque_times(scene.trace);
  draw_ranks(panel, times);
  draw_repeats(panel, times);
  draw_bandwidth(panel);
  draw_verdict(panel);
  scene.drawing.set_height(panel.y + 20);
  return std::move(scene.drawing).finish(scene.theme.surface);
}

}  // namespace ringscope
