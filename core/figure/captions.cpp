// What is said about a run, and the titles of its rounds.
#include "core/figure/captions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/figure/views.h"

namespace ringscope {
namespace {

std::string operator_id(std::string_view family, Operator op) {
  return std::string(family) + "." + std::string(name_of(op));
}

// 'NVIDIA H200' of 'GPU 0: NVIDIA H200', as the CUDA engine names devices; empty of other names.
std::string model_of(const std::string& device) {
  const auto at = device.find(": ");
  return device.starts_with("GPU ") && at != std::string::npos ? device.substr(at + 2) : "";
}

// A full stop of Chinese has its space within.
void add_sentence(std::string& text, const std::string& sentence) {
  if (!text.empty() && text.back() == '.') text += ' ';
  text += sentence;
}

std::string outcome(const Trace& trace, const Language& language) {
  const std::string time = language.duration(trace.nanoseconds);
  if (trace.stopped) return language.text("title.stopped", {{"time", time}});
  const std::string_view id = trace.verdict.outcome == Verdict::Outcome::verified ? "title.verified"
                              : trace.verdict.outcome == Verdict::Outcome::failed
                                  ? "title.failed"
                                  : "title.not_checked";
  std::string whole = language.text("title.whole_run", {{"time", time}});
  if (trace.run.repeats > 1)
    whole = language.text("title.median",
                          {{"time", time}, {"repeats", std::to_string(trace.run.repeats)}});
  const std::string result =
      has_operator(trace.schedule) ? operator_id("result", trace.run.op) : "result.copy";
  return language.text(id, {{"whole", whole}, {"result", language.text(result)}});
}

// How far a wire type led from full precision.
std::string precision(const WireCost& cost, const Language& language) {
  if (cost.results_overflowed > 0)
    return language.text("title.wire_overflow",
                         {{"count", language.integer(cost.results_overflowed)}});
  if (cost.largest_error == 0) return language.text("title.wire_exact");
  return language.text("title.wire_error", {{"error", fmt::format("{:.2g}", cost.largest_error)}});
}

// 'Root GPU 2.', 'Groups 3, 1.' of an algorithm that has them.
std::string shape(const Schedule& schedule, const Language& language) {
  if (const auto root = root_of(schedule))
    return language.text("title.root", {{"rank", std::to_string(*root)}});
  const std::string groups = groups_text(schedule, language);
  return groups.empty() ? "" : language.text("title.groups", {{"groups", groups}});
}

}  // namespace

std::string type_text(const RunFacts& run, const Language& language) {
  const std::string type(name_of(run.type));
  if (!run.user_type) return type;
  return language.text("title.wire",
                       {{"type", std::string(name_of(*run.user_type))}, {"wire", type}});
}

std::string gpus_text(const Trace& trace, const Language& language) {
  const std::vector<std::string>& devices = trace.where.devices;
  const std::set<std::string> distinct(devices.begin(), devices.end());
  std::set<std::string> models;
  for (const std::string& device : distinct) models.insert(model_of(device));
  if (devices.empty() || models.contains("")) return {};
  const std::string_view id =
      distinct.size() == devices.size() ? "title.gpus" : "title.virtual_gpus";
  return language.text(id, {{"ranks", std::to_string(trace.schedule.ranks)},
                            {"devices", std::to_string(distinct.size())},
                            {"names", fmt::format("{}", fmt::join(models, ", "))}});
}

std::string numbers_text(std::span<const std::int32_t> numbers, const Language& language) {
  constexpr std::size_t shown = 16;
  std::string text;
  const auto add = [&](const std::string& next) {
    text =
        text.empty() ? next : language.text("compare.comma", {{"first", text}, {"second", next}});
  };
  for (const std::int32_t number : numbers.first(std::min(shown, numbers.size())))
    add(std::to_string(number));
  if (numbers.size() > shown) add("...");
  return text;
}

std::string groups_text(const Schedule& schedule, const Language& language) {
  const auto rows = algorithms();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Algorithm& candidate) {
    return candidate.name == schedule.algorithm;
  });
  return row != rows.end() && row->has_groups ? numbers_text(groups_of(schedule), language) : "";
}

std::string place_text(const Trace& trace, const Language& language) {
  const std::string ranks = std::to_string(trace.schedule.ranks);
  const std::vector<std::string>& devices = trace.where.devices;
  if (devices.empty() || (devices.size() == 1 && devices[0] == "CPU thread"))
    return language.text("title.on_threads", {{"ranks", ranks}});
  if (const std::string gpus = gpus_text(trace, language); !gpus.empty())
    return language.text("title.on_gpus", {{"gpus", gpus}});
  std::string names;
  for (const std::string& device : devices) names += (names.empty() ? "" : ", ") + device;
  return language.text("title.on_devices", {{"ranks", ranks}, {"devices", names}});
}

std::string trouble_text(const Trace& trace, const Language& language) {
  std::string text;
  const auto add = [&](const std::string& sentence) { add_sentence(text, sentence); };
  const Trouble trouble = trouble_that_happened(trace);
  for (const Late& late : trouble.late)
    add(language.text("title.late", {{"rank", std::to_string(late.rank)},
                                     {"time", language.duration(late.nanoseconds)}}));
  for (const Delay& delay : trouble.delays)
    add(language.text(delay.src < 0 ? "title.delay" : "title.delay_link",
                      {{"src", std::to_string(delay.src)},
                       {"dst", std::to_string(delay.dst)},
                       {"time", language.duration(delay.nanoseconds)}}));
  for (const Die& death : trouble.deaths)
    add(language.text("title.die", {{"rank", std::to_string(death.rank)},
                                    {"round", round_name(trace.schedule, death.round)}}));
  return text;
}

PaceReached pace_reached(const RunFacts& run, const Language& language) {
  const auto asked = static_cast<double>(run.pace.bytes_per_second);
  const std::string rate = language.rate(asked);
  const std::string unit = rate.substr(rate.find(' ') + 1);
  // The rate's own number says how large its unit is.
  const double in_unit = asked / std::stod(rate);
  const double scale = std::pow(10.0, std::round(std::log10(in_unit)));
  const double reached = static_cast<double>(run.pace_reached) / scale;
  return {reached < 99.5 ? fmt::format("{:.2g}", reached) : fmt::format("{:.0f}", reached),
          fmt::format("{:g} {}", asked / scale, unit)};
}

std::string pace_text(const Trace& trace, const Language& language) {
  const RunFacts& run = trace.run;
  if (run.pace.bytes_per_second == 0) return {};
  std::string text =
      language.text(run.pace.latency > 0 ? "title.pace_latency" : "title.pace",
                    {{"rate", language.rate(static_cast<double>(run.pace.bytes_per_second))},
                     {"latency", language.duration(run.pace.latency)}});
  if (run.pace_reached < run.pace.bytes_per_second) {
    const PaceReached pace = pace_reached(run, language);
    add_sentence(
        text, language.text("title.pace_lost", {{"reached", pace.reached}, {"asked", pace.asked}}));
  }
  return text;
}

std::string run_title(const Trace& trace, const Language& language) {
  const Schedule& schedule = trace.schedule;
  const std::string algorithm_id = "algorithm." + schedule.algorithm;
  std::string text = language.text(
      has_operator(schedule) ? "title.run" : "title.run_copies",
      {{"algorithm", language.has(algorithm_id) ? language.text(algorithm_id) : schedule.algorithm},
       {"ranks", std::to_string(schedule.ranks)},
       {"bytes", language.bytes(user_bytes(trace))},
       {"count", language.integer(schedule.count)},
       {"type", type_text(trace.run, language)},
       {"operator", language.text(operator_id("operator", trace.run.op))}});
  if (const std::string sentence = shape(schedule, language); !sentence.empty())
    add_sentence(text, sentence);
  add_sentence(text, place_text(trace, language));
  if (const std::string pace = pace_text(trace, language); !pace.empty()) add_sentence(text, pace);
  if (const std::string trouble = trouble_text(trace, language); !trouble.empty())
    add_sentence(text, trouble);
  if (trace.wire_cost) add_sentence(text, precision(*trace.wire_cost, language));
  add_sentence(text, outcome(trace, language));
  return text;
}

std::string round_title(const ReplayState& state, const Trace& trace, const Language& language) {
  if (trace.opaque) return language.text("closed.title");
  if (state.measured) return language.duration(state.nanoseconds);
  if (state.cursor.round <= 0) return language.text("round.start");
  return language.text("round.title",
                       {{"round", round_name(trace.schedule, state.cursor.round - 1)}});
}

std::string round_subtitle(const ReplayState& state, const Trace& trace, const Language& language) {
  const Schedule& schedule = trace.schedule;
  if (trace.opaque) return trace.opaque->library;
  if (state.measured)
    return language.text("round.measured", {{"time", language.duration(trace.nanoseconds)}});
  const std::string chunks = language.small_number(static_cast<std::uint64_t>(schedule.chunks));
  if (schedule.ranks == 1) return language.text("round.start_alone", {{"chunks", chunks}});
  if (state.cursor.round <= 0)
    return language.text(
        "round.start_place",
        {{"ranks", language.small_number(static_cast<std::uint64_t>(schedule.ranks))},
         {"chunks", chunks}});
  const std::int32_t round = state.cursor.round - 1;
  const Phase& phase = schedule.phases[static_cast<std::size_t>(phase_of(schedule, round))];
  const std::string phase_id = "phase." + phase.id;
  return language.text("round.place",
                       {{"phase", language.has(phase_id) ? language.text(phase_id) : phase.id},
                        {"round", std::to_string(round - phase.first_round + 1)},
                        {"rounds", std::to_string(phase.round_count)}});
}

}  // namespace ringscope
