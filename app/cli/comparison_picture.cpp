#include "app/cli/comparison_picture.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <vector>

#include "app/cli/options.h"
#include "core/engine/trouble.h"
#include "core/error.h"
#include "core/export/png.h"
#include "core/figure/comparison.h"
#include "core/replay/differences.h"

namespace ringscope {

std::int32_t most_rounds(std::span<const Trace* const> traces) {
  std::int32_t most = 0;
  for (const Trace* const trace : traces) most = std::max(most, rounds_of(trace->schedule));
  return most;
}

std::int32_t compared_round(std::span<const Trace* const> traces, std::string_view text) {
  const std::int32_t most = most_rounds(traces);
  std::int32_t round = -1;
  const char* const end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, round);
  if (fault == std::errc{} && rest == end && round >= 0 && round <= most) return round;
  throw Error(
      {"error.compare.round", {{"value", std::string(text)}, {"last", std::to_string(most)}}},
      Blame::usage);
}

Moment moment_of(std::span<const Trace* const> traces, std::string_view time,
                 std::string_view round, double fraction) {
  if (!time.empty()) return {true, parse_duration(time).count(), {}};
  const std::int32_t number = compared_round(traces, round);
  return {false, 0, {number, number == 0 ? 1 : fraction}};
}

void require_stages(std::size_t runs) {
  if (runs < 2 || runs > most_stages)
    throw Error({"error.compare.stages", {{"runs", std::to_string(runs)}}}, Blame::usage);
}

void write_comparison(std::span<const Trace* const> traces, const Moment& moment,
                      const Theme& theme, Size size, double text_scale, const Language& language,
                      const std::string& path) {
  require_stages(traces.size());
  for (const Trace* const trace : traces) require_same_data(*traces.front(), *trace);
  std::deque<Replay> kept;
  std::vector<const Replay*> replays;
  for (const Trace* const trace : traces) replays.push_back(&kept.emplace_back(*trace));
  const Fonts fonts;
  const ComparisonContext context{theme, fonts, language, size, true, text_scale};
  const std::vector<ComparedRun> runs = moment.measured
                                            ? compared_at_time(replays, moment.nanoseconds)
                                            : compared_at(replays, moment.cursor);
  write_png(draw_comparison(context, runs), fonts, path);
}

}  // namespace ringscope
