#include "app/cli/run_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/data/element.h"
#include "core/figure/captions.h"
#include "core/figure/link_paths.h"

namespace ringscope {
namespace {

// Names of Verdict::Outcome in JSON, and the ends of their texts' ids.
constexpr std::array<std::string_view, 3> outcomes{"verified", "failed", "not_checked"};

std::string_view name_of(Verdict::Outcome outcome) {
  return outcomes[static_cast<std::size_t>(outcome)];
}

// What was to happen, but did not, is told as that.
void note_trouble(const Trace& trace, const Language& language, std::vector<std::string>& notes) {
  const Trouble happened = trouble_that_happened(trace);
  const auto note = [&](const auto& list, const auto& item, std::string text) {
    const bool did = std::find(list.begin(), list.end(), item) != list.end();
    notes.push_back(did ? std::move(text)
                        : language.text("line.run.not_reached", {{"what", std::move(text)}}));
  };
  for (const Late& late : trace.run.trouble.late)
    note(happened.late, late,
         language.text("line.run.late", {{"rank", std::to_string(late.rank)},
                                         {"time", language.duration(late.nanoseconds)}}));
  for (const Delay& delay : trace.run.trouble.delays)
    note(happened.delays, delay,
         language.text(delay.src < 0 ? "line.run.delay" : "line.run.link_delay",
                       {{"src", std::to_string(delay.src)},
                        {"rank", std::to_string(delay.dst)},
                        {"time", language.duration(delay.nanoseconds)}}));
  for (const Die& die : trace.run.trouble.deaths)
    note(happened.deaths, die,
         language.text("line.run.die", {{"rank", std::to_string(die.rank)},
                                        {"round", round_name(trace.schedule, die.round)}}));
}

void note_pace(const Trace& trace, const Language& language, std::vector<std::string>& notes) {
  const RunFacts& run = trace.run;
  if (run.pace.bytes_per_second == 0) return;
  notes.push_back(
      language.text(run.pace.latency > 0 ? "line.run.pace_latency" : "line.run.pace",
                    {{"rate", language.rate(static_cast<double>(run.pace.bytes_per_second))},
                     {"latency", language.duration(run.pace.latency)}}));
  if (run.pace_reached == run.pace.bytes_per_second) return;
  const PaceReached pace = pace_reached(run, language);
  notes.push_back(
      language.text("line.run.pace_lost", {{"reached", pace.reached}, {"asked", pace.asked}}));
}

}  // namespace

SentBytes sent_bytes(const Trace& trace) {
  const std::vector<Traffic> traffic = traffic_by_rank(trace.schedule);
  const auto [least, most] = std::minmax_element(
      traffic.begin(), traffic.end(),
      [](const Traffic& one, const Traffic& other) { return one.sent < other.sent; });
  const std::uint64_t element = bytes_of(trace.run.type);
  return {least->sent * element, most->sent * element};
}

std::string verdict_text(const Verdict& verdict, const Language& language) {
  return language.text(fmt::format("line.verdict.{}", name_of(verdict.outcome)));
}

std::vector<std::string> shape_notes(const Trace& trace, const Language& language) {
  std::vector<std::string> notes;
  if (const auto root = root_of(trace.schedule))
    notes.push_back(language.text("line.run.root", {{"rank", std::to_string(*root)}}));
  if (const std::string groups = groups_text(trace.schedule, language); !groups.empty())
    notes.push_back(language.text("line.run.groups", {{"groups", groups}}));
  if (trace.run.user_type) notes.push_back(type_text(trace.run, language));
  if (const auto& cost = trace.wire_cost) {
    if (cost->largest_error > 0)
      notes.push_back(language.text("line.run.wire_error",
                                    {{"error", fmt::format("{:.3g}", cost->largest_error)},
                                     {"largest", fmt::format("{:.3g}", cost->largest_result)}}));
    else if (cost->results_overflowed == 0)
      notes.push_back(language.text("line.run.wire_exact"));
    for (std::string& note : overflow_notes(*cost, language)) notes.push_back(std::move(note));
  }
  return notes;
}

std::vector<std::string> overflow_notes(const WireCost& cost, const Language& language) {
  std::vector<std::string> notes;
  for (const auto& [id, number] : {std::pair{"line.run.wire_inputs", cost.inputs_overflowed},
                                   std::pair{"line.run.wire_results", cost.results_overflowed}})
    if (number > 0) notes.push_back(language.text(id, {{"count", language.integer(number)}}));
  return notes;
}

std::vector<std::string> run_notes(const Trace& trace, const Language& language) {
  const RunFacts& run = trace.run;
  std::vector<std::string> notes;
  if (run.data == DataKind::file)
    notes.push_back(language.text("line.run.input", {{"file", run.input_file}}));
  else if (run.data != DataKind::digits)
    notes.push_back(
        language.text("line.run.data", {{"data", std::string(ringscope::name_of(run.data))}}));
  if (run.in_place) notes.push_back(language.text("line.run.in_place"));
  if (run.lockstep) notes.push_back(language.text("line.run.lockstep"));
  note_pace(trace, language, notes);
  note_trouble(trace, language, notes);
  if (run.repeats > 1)
    notes.push_back(language.text(trace.stopped ? "line.run.repeat" : "line.run.repeats",
                                  {{"repeats", std::to_string(run.repeats)}}));
  for (const auto& [id, number] : {std::pair{"line.run.wrapped", trace.verdict.wrapped},
                                   std::pair{"line.run.overflowed", trace.verdict.overflowed},
                                   std::pair{"line.run.underflowed", trace.verdict.underflowed}})
    if (number > 0) notes.push_back(language.text(id, {{"count", language.integer(number)}}));
  return notes;
}

std::string links_text(const Trace& trace, const Language& language) {
  constexpr std::size_t most_named = 8;
  std::vector<std::string> texts;
  for (const LinkPath path : paths_of(trace)) {
    std::vector<std::string> links;
    for (const DeviceLink& link : trace.where.links)
      if (link.path == path) links.push_back(fmt::format("{} -> {}", link.src, link.dst));
    texts.push_back(language.text(fmt::format("line.info.path.{}", name_of(path)),
                                  {{"links", std::to_string(links.size())}}));
    if (paths_of(trace).size() > 1 && trace.where.links.size() <= most_named)
      texts.back() += fmt::format(" ({})", fmt::join(links, ", "));
  }
  return fmt::format("{}", fmt::join(texts, language.text("line.info.separator")));
}

std::string run_line(const Trace& trace, const Language& language) {
  const Schedule& schedule = trace.schedule;
  const SentBytes sent = sent_bytes(trace);
  const auto done = std::count_if(trace.events.begin(), trace.events.end(),
                                  [](const Event& event) { return event.done != 0; });
  const auto whole = [&](auto number) {
    return language.integer(static_cast<std::uint64_t>(number));
  };
  const std::string_view kind = trace.opaque    ? "line.run.line_opaque"
                                : trace.stopped ? "line.run.line_partial"
                                                : "line.run.line";
  std::string line = language.text(
      kind,
      {{"algorithm", language.text("algorithm." + schedule.algorithm)},
       {"ranks", whole(schedule.ranks)},
       {"rounds", whole(rounds_of(schedule))},
       {"bytes", language.text(sent.least == sent.most ? "line.run.bytes" : "line.run.bytes_up_to",
                               {{"bytes", language.bytes(sent.most)}})},
       {"time", language.duration(trace.nanoseconds)},
       {"algbw", language.rate(algbw(trace))},
       {"busbw", language.rate(busbw(trace))},
       {"done", whole(done)},
       {"transfers", whole(trace.events.size())},
       {"verdict", verdict_text(trace.verdict, language)}});
  // On GPUs: which, and which way data went.
  std::vector<std::string> gpus;
  for (const std::string& note : {gpus_text(trace, language), links_text(trace, language)})
    if (!note.empty()) gpus.push_back(note);
  for (const auto& notes : {gpus, shape_notes(trace, language), run_notes(trace, language)})
    for (const std::string& note : notes) line += language.text("line.run.separator") + note;
  return line;
}

namespace {

// What is not seen is null, not nothing.
void add_opaque(Json& json, const Trace& trace) {
  for (const char* const unseen :
       {"chunks", "slices", "rounds", "transfers", "bytes_per_rank", "lockstep"})
    json[unseen] = Json();
  json["library"] = trace.opaque->library;
  json["rank_seconds"] = Json::array();
  const auto ranks = static_cast<std::size_t>(trace.schedule.ranks);
  for (std::size_t i = 0; i < trace.opaque->rank_times.size(); ++i) {
    if (i % ranks == 0) json["rank_seconds"].push_back(Json::array());
    json["rank_seconds"].back().push_back(static_cast<double>(trace.opaque->rank_times[i]) / 1e9);
  }
}

}  // namespace

Json run_json(const Trace& trace, const Language& language) {
  const Schedule& schedule = trace.schedule;
  const Verdict& verdict = trace.verdict;
  Json json{
      {"algorithm", schedule.algorithm},
      {"ranks", schedule.ranks},
      {"count", schedule.count},
      {"type", ringscope::name_of(trace.run.user_type.value_or(trace.run.type))},
      {"wire", trace.run.user_type ? Json(ringscope::name_of(trace.run.type)) : Json()},
      {"op", has_operator(schedule) ? Json(ringscope::name_of(trace.run.op)) : Json()},
      {"engine", trace.run.engine},
      {"data", ringscope::name_of(trace.run.data)},
      {"seed", trace.run.seed},
      {"in_place", trace.run.in_place},
      {"lockstep", trace.run.lockstep},
      {"chunks", schedule.chunks},
      {"slices", schedule.slices},
      {"repeats", trace.run.repeats},
      {"port_bytes_per_second", trace.run.pace.bytes_per_second},
      {"port_latency_seconds", static_cast<double>(trace.run.pace.latency) / 1e9},
      {"port_bytes_per_second_reached", trace.run.pace_reached},
      {"rounds", rounds_of(schedule)},
      {"transfers", schedule.transfers.size()},
      {"buffer_bytes", user_bytes(trace)},
      {"bytes_per_rank", sent_bytes(trace).most},
      {"seconds", static_cast<double>(trace.nanoseconds) / 1e9},
      {"algbw", trace.stopped ? 0 : algbw(trace)},
      {"busbw", trace.stopped ? 0 : busbw(trace)},
      {"verdict", name_of(verdict.outcome)},
      {"elements_checked", verdict.elements},
      {"ranks_agree", verdict.ranks_agree},
      {"bitwise", verdict.exact},
      {"largest_error", verdict.largest_error},
      {"wrapped", verdict.wrapped},
      {"overflowed", verdict.overflowed},
      {"underflowed", verdict.underflowed},
  };
  if (const auto& cost = trace.wire_cost)
    json["wire_cost"] = {{"elements", cost->elements},
                         {"largest_error", cost->largest_error},
                         {"largest_relative_error", cost->largest_relative_error},
                         {"largest_result", cost->largest_result},
                         {"inputs_overflowed", cost->inputs_overflowed},
                         {"results_overflowed", cost->results_overflowed}};
  if (!gpus_text(trace, language).empty()) json["devices"] = trace.where.devices;
  if (!trace.where.links.empty()) {
    json["links"] = Json::array();
    for (const DeviceLink& link : trace.where.links)
      json["links"].push_back(
          {{"src", link.src}, {"dst", link.dst}, {"path", ringscope::name_of(link.path)}});
  }
  json["opaque"] = trace.opaque.has_value();
  if (trace.opaque) add_opaque(json, trace);
  if (const auto root = root_of(schedule)) json["root"] = *root;
  if (!groups_text(schedule, language).empty()) json["groups"] = groups_of(schedule);
  if (verdict.failure) json["failure"] = language.text(*verdict.failure);
  if (trace.stopped) json["stopped"] = language.text(*trace.stopped);
  return json;
}

}  // namespace ringscope
