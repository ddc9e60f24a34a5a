// What is said of where the time went: all of it read off the record.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/figure/timeline.h"
#include "core/replay/symbols.h"

namespace ringscope {
namespace {

constexpr std::size_t most_named = 8;  // ranks that a sentence lists

std::string percent(std::int64_t part, std::int64_t whole) {
  const double share =
      whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
  return share > 0 && share < 1 ? "< 1" : fmt::format("{:.0f}", std::floor(share + 0.5));
}

// All others, each for a good part of that time.
bool all_wait(const Scene& scene, const Straggler& straggler) {
  if (std::ssize(straggler.felt) + 1 != scene.schedule.ranks) return false;
  return std::all_of(straggler.felt.begin(), straggler.felt.end(),
                     [&](const Felt& felt) { return 10 * felt.nanoseconds >= straggler.slept; });
}

std::string felt_text(const Scene& scene, const Straggler& straggler) {
  std::string list;
  for (std::size_t i = 0; i < straggler.felt.size() && i < most_named; ++i) {
    const std::uint32_t t = scene.replay.plan().parts[straggler.felt[i].part].transfer;
    list += scene.language.text(
        i == 0 ? "time.felt_first" : "time.felt",
        {{"rank", std::to_string(straggler.felt[i].rank)},
         {"round", round_name(scene.schedule, scene.schedule.transfers[t].round)}});
  }
  if (straggler.felt.size() > most_named)
    list += scene.language.text("time.felt_more",
                                {{"count", std::to_string(straggler.felt.size() - most_named)}});
  return list.empty() ? list : scene.language.text("time.sentence", {{"words", list}});
}

}  // namespace

std::string path_text(const Scene& scene) {
  struct Part {
    Spent spent;
    std::string_view id;
  };
  // What is lost between two pieces comes last.
  static constexpr std::array<Part, 8> order{{{Spent::late, "time.part.late"},
                                              {Spent::delayed, "time.part.delayed"},
                                              {Spent::copying, "time.part.copying"},
                                              {Spent::moving, "time.part.moving"},
                                              {Spent::adding, "time.part.adding"},
                                              {Spent::between, "time.part.between"},
                                              {Spent::stopped, "time.part.stopped"},
                                              {Spent::ended, "time.part.ended"}}};
  const TimeSpent& times = scene.replay.times();
  std::string parts;
  for (const Part& part : order)
    if (const std::int64_t time = time_of(times.on_path, part.spent); time > 0)
      parts += (parts.empty() ? "" : " + ") +
               scene.language.text(part.spent == Spent::adding && !adds(scene.trace.run.op)
                                       ? "time.part.combining"
                                       : part.id,
                                   {{"time", scene.language.duration(time)}});
  if (parts.empty()) return scene.language.text("time.no_path");
  return scene.language.text("time.path",
                             {{"whole", scene.language.duration(times.end)}, {"parts", parts}});
}

std::string waiting_title(const Scene& scene) {
  const Language& language = scene.language;
  const TimeSpent& times = scene.replay.times();
  const std::int32_t ranks = scene.schedule.ranks;
  if (ranks == 1) return language.text("time.alone");
  if (times.straggler) {
    const std::string rank = std::to_string(times.straggler->rank);
    if (times.straggler->felt.empty()) return language.text("time.nobody", {{"rank", rank}});
    if (ranks > 2 && all_wait(scene, *times.straggler))
      return language.text("time.everybody", {{"rank", rank}});
    return language.text(
        "time.some", {{"rank", rank},
                      {"count", language.small_number(times.straggler->felt.size())},
                      {"others", language.small_number(static_cast<std::uint64_t>(ranks) - 1)}});
  }
  const auto holder = std::max_element(times.path_by_rank.begin(), times.path_by_rank.end());
  return language.text("time.holder",
                       {{"rank", std::to_string(holder - times.path_by_rank.begin())},
                        {"share", percent(*holder, times.end)}});
}

std::string waiting_text(const Scene& scene) {
  const TimeSpent& times = scene.replay.times();
  if (!times.straggler) return "";
  const std::string share = scene.language.text(
      "time.share", {{"rank", std::to_string(times.straggler->rank)},
                     {"time", scene.language.duration(times.straggler->on_path)},
                     {"share", percent(times.straggler->on_path, times.end)}});
  const std::string felt = felt_text(scene, *times.straggler);
  return felt.empty() ? share : felt + "\n" + share;
}

}  // namespace ringscope
