// What a comparison says in words. Every sentence is computed from the records.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

#include "core/figure/captions.h"
#include "core/figure/comparison_parts.h"
#include "core/figure/views.h"

namespace ringscope {
namespace {

using Replays = std::span<const Replay* const>;

// How many run that run's algorithm, all in all and on its engine.
struct Namesakes {
  std::ptrdiff_t all = 0, on_engine = 0;
};
Namesakes namesakes_of(Replays replays, std::size_t run) {
  Namesakes namesakes;
  const Trace& own = replays[run]->trace();
  for (const Replay* const replay : replays) {
    const Trace& other = replay->trace();
    if (other.schedule.algorithm != own.schedule.algorithm) continue;
    ++namesakes.all;
    if (other.run.engine == own.run.engine) ++namesakes.on_engine;
  }
  return namesakes;
}

std::string named(Replays replays, std::size_t run, const Language& language,
                  std::string_view family) {
  const std::string& algorithm = replays[run]->trace().schedule.algorithm;
  const std::string id = std::string(family) + "." + algorithm;
  const std::string name = language.has(id) ? language.text(id) : algorithm;
  const Namesakes namesakes = namesakes_of(replays, run);
  if (namesakes.all == 1) return name;
  if (namesakes.on_engine == 1)
    return language.text("compare.of_engine",
                         {{"name", name}, {"engine", replays[run]->trace().run.engine}});
  return language.text("compare.numbered", {{"name", name}, {"number", std::to_string(run + 1)}});
}

std::string with_capital(std::string sentence) {
  if (!sentence.empty())
    sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
  return sentence;
}

std::string joined(const std::vector<std::string>& names, const Language& language) {
  std::string all = names.front();
  for (std::size_t i = 1; i < names.size(); ++i)
    all = language.text(i + 1 < names.size() ? "compare.comma" : "compare.and",
                        {{"first", all}, {"second", names[i]}});
  return all;
}

// Of the busiest port, the way that has more.
std::uint64_t busiest_bytes(const Trace& trace) {
  const Counts counts = counts_of(trace.schedule);
  return std::max(counts.busiest_port.sent, counts.busiest_port.received) *
         bytes_of(trace.run.type);
}

// What the records have that may explain which took longer: a busier port, or more rounds.
std::string detail_of(Replays replays, std::size_t slow, std::size_t fast,
                      const Language& language) {
  const Trace &slower = replays[slow]->trace(), &faster = replays[fast]->trace();
  if (slower.opaque || faster.opaque) return "";
  const std::uint64_t port = busiest_bytes(slower), other_port = busiest_bytes(faster);
  const std::int32_t rounds = rounds_of(slower.schedule), other_rounds = rounds_of(faster.schedule);
  if (port > other_port)
    return language.text("compare.takeaway.port",
                         {{"bytes", language.bytes(port)},
                          {"rank", std::to_string(counts_of(slower.schedule).busiest_rank)},
                          {"other_bytes", language.bytes(other_port)},
                          {"other", named(replays, fast, language, "the")}});
  if (rounds > other_rounds)
    return with_capital(
        language.text("compare.takeaway.rounds", {{"slow", named(replays, slow, language, "the")},
                                                  {"fast", named(replays, fast, language, "the")},
                                                  {"rounds", std::to_string(rounds)},
                                                  {"other_rounds", std::to_string(other_rounds)}}));
  return "";
}

std::string times_text(double ratio) {
  return ratio < 10 ? fmt::format("{:.1f}", ratio) : fmt::format("{:.0f}", ratio);
}

double seconds_of(const Replay* replay) { return static_cast<double>(replay->trace().nanoseconds); }

// Where the runs ran (on what, not by which engine), and whether their ports were paced alike: else
// their times say nothing.
bool ran_alike(const Trace& a, const Trace& b) {
  return a.where.host == b.where.host && a.where.processor == b.where.processor &&
         a.where.cores == b.where.cores && a.where.devices == b.where.devices &&
         a.run.pace == b.run.pace;
}

}  // namespace

std::string stage_name(Replays replays, std::size_t run, const Language& language) {
  return named(replays, run, language, "scheme");
}

std::string comparison_title(Replays replays, const Language& language) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < replays.size(); ++i)
    names.push_back(named(replays, i, language, "the"));
  return with_capital(joined(names, language));
}

Takeaway comparison_takeaway(Replays replays, const Language& language) {
  const auto name = [&](std::size_t run) { return named(replays, run, language, "the"); };
  for (std::size_t i = 0; i < replays.size(); ++i)
    if (replays[i]->trace().stopped)
      return {with_capital(language.text("compare.takeaway.stopped", {{"name", name(i)}})), ""};
  for (std::size_t i = 0; i < replays.size(); ++i)
    if (const RunFacts& run = replays[i]->trace().run; run.pace_reached < run.pace.bytes_per_second)
      return {with_capital(language.text("compare.takeaway.slipped", {{"name", name(i)}})), ""};
  for (const Replay* const replay : replays)
    if (!ran_alike(replays[0]->trace(), replay->trace()))
      return {language.text("compare.takeaway.unlike"), ""};
  std::vector<std::size_t> order(replays.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return seconds_of(replays[a]) < seconds_of(replays[b]);
  });
  const std::size_t fast = order.front(), slow = order.back();
  const std::string time = language.duration(replays[fast]->trace().nanoseconds);
  const auto ratio = [&](std::size_t run) {
    return seconds_of(replays[run]) / std::max(1.0, seconds_of(replays[fast]));
  };
  constexpr double noticeable = 1.1;
  if (ratio(slow) < noticeable)
    return {language.text("compare.takeaway.alike", {{"time", time}}), ""};
  const std::string detail = detail_of(replays, slow, fast, language);
  if (order.size() == 2)
    return {with_capital(language.text(
                "compare.takeaway.two",
                {{"slow", name(slow)}, {"fast", name(fast)}, {"times", times_text(ratio(slow))}})),
            detail};
  if (ratio(order[1]) < noticeable)
    return {with_capital(language.text("compare.takeaway.two_alike",
                                       {{"fast", name(fast)},
                                        {"middle", name(order[1])},
                                        {"slow", name(slow)},
                                        {"time", time},
                                        {"slow_times", times_text(ratio(slow))}})),
            detail};
  return {with_capital(language.text("compare.takeaway.three",
                                     {{"fast", name(fast)},
                                      {"middle", name(order[1])},
                                      {"slow", name(slow)},
                                      {"time", time},
                                      {"middle_times", times_text(ratio(order[1]))},
                                      {"slow_times", times_text(ratio(slow))}})),
          detail};
}

std::string comparison_caption(Replays replays, const Language& language) {
  const Trace& first = replays[0]->trace();
  // The operator of those that have one.
  const auto reducing = std::find_if(replays.begin(), replays.end(), [](const Replay* replay) {
    return has_operator(replay->trace().schedule);
  });
  const bool copies = reducing == replays.end();
  const Operator op = copies ? Operator::sum : (*reducing)->trace().run.op;
  std::string text =
      language.text(copies ? "compare.caption_copies" : "compare.caption",
                    {{"names", comparison_title(replays, language)},
                     {"ranks", std::to_string(first.schedule.ranks)},
                     {"bytes", language.bytes(user_bytes(first))},
                     {"count", language.integer(first.schedule.count)},
                     {"type", type_text(first.run, language)},
                     {"operator", language.text("operator." + std::string(name_of(op)))}});
  const auto add = [&](const std::string& sentence) {
    if (sentence.empty()) return;
    if (text.back() == '.') text += ' ';
    text += sentence;
  };
  // Once where it is the same for all, else for each by name.
  const auto add_each = [&](std::string (*sentence_of)(const Trace&, const Language&)) {
    std::vector<std::string> sentences;
    for (const Replay* const replay : replays)
      sentences.push_back(sentence_of(replay->trace(), language));
    if (std::count(sentences.begin(), sentences.end(), sentences[0]) ==
        static_cast<std::ptrdiff_t>(sentences.size()))
      return add(sentences[0]);
    for (std::size_t i = 0; i < sentences.size(); ++i)
      if (!sentences[i].empty())
        add(language.text("compare.of_run",
                          {{"name", stage_name(replays, i, language)}, {"what", sentences[i]}}));
  };
  add_each(place_text);
  add_each(pace_text);
  add_each(trouble_text);
  bool all_verified = true;
  for (const Replay* const replay : replays)
    all_verified = all_verified && replay->trace().verdict.outcome == Verdict::Outcome::verified;
  add(language.text(all_verified ? "compare.all_verified" : "compare.not_all_verified"));
  return text;
}

}  // namespace ringscope
