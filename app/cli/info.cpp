#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "app/cli/columns.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/run_text.h"
#include "app/cli/subcommands.h"
#include "app/cli/traffic_text.h"
#include "core/figure/captions.h"
#include "core/trace/trace_file.h"

namespace ringscope {
namespace {

std::string phases_text(const Schedule& schedule, const Language& language) {
  std::vector<std::string> phases;
  for (const Phase& phase : schedule.phases) {
    if (phase.round_count == 0) continue;
    const std::string first = round_name(schedule, phase.first_round);
    const std::string last = round_name(schedule, phase.first_round + phase.round_count - 1);
    phases.push_back(language.text("phase." + phase.id) + ' ' +
                     (first == last ? first : first + ".." + last));
  }
  return fmt::format("{}", fmt::join(phases, language.text("line.info.separator")));
}

// As the engine names them; 'CPU thread' is a name that has a text.
std::string devices_text(const Trace& trace, const Language& language) {
  const std::vector<std::string>& devices = trace.where.devices;
  const std::string ranks = language.integer(static_cast<std::uint64_t>(trace.schedule.ranks));
  if (devices == std::vector<std::string>{"CPU thread"})
    return language.text("line.info.threads", {{"ranks", ranks}});
  if (std::string gpus = gpus_text(trace, language); !gpus.empty()) return gpus;
  return language.text(
      "line.info.devices",
      {{"ranks", ranks}, {"devices", fmt::format("{}", fmt::join(devices, ", "))}});
}

// The time of each repeat, where a record has them.
std::string repeats_text(const Trace& trace, const Language& language) {
  std::vector<std::string> times;
  if (trace.opaque && trace.run.repeats > 1)
    for (const std::int64_t time : repeat_times(*trace.opaque, trace.schedule.ranks))
      times.push_back(language.duration(time));
  return fmt::format("{}", fmt::join(times, language.text("line.info.separator")));
}

std::string clock_text(const ClockFacts& clock, const Language& language) {
  if (clock.resolution == 0) return {};
  return language.text("line.info.clock_text",
                       {{"resolution", language.duration(clock.resolution)},
                        {"uncertainty", language.duration(clock.uncertainty)}});
}

std::string verdict_details(const Verdict& verdict, const Language& language) {
  if (verdict.outcome == Verdict::Outcome::not_checked) return verdict_text(verdict, language);
  if (verdict.failure) return language.text(*verdict.failure);
  return language.text(verdict.exact ? "line.info.exact" : "line.info.bounded",
                       {{"verdict", verdict_text(verdict, language)},
                        {"elements", language.integer(verdict.elements)},
                        {"error", fmt::format("{:.3g}", verdict.largest_error)},
                        {"share", fmt::format("{:.3g}", 100 * verdict.largest_error_in_bounds)}});
}

constexpr std::array<std::string_view, 4> kept_names{"whole", "first_eight", "first_one",
                                                     "ends_only"};

std::string info_text(const Trace& trace, const Language& language) {
  const Schedule& schedule = trace.schedule;
  const Provenance& where = trace.where;
  std::vector<std::vector<std::string>> rows;
  const auto row = [&](std::string_view label, std::string text) {
    if (!text.empty())
      rows.push_back({language.text("line.info." + std::string(label)), std::move(text)});
  };
  const auto whole = [&](auto number) {
    return language.integer(static_cast<std::uint64_t>(number));
  };

  if (trace.opaque)
    row("schedule", language.text("line.info.opaque_text", {{"ranks", whole(schedule.ranks)},
                                                            {"library", trace.opaque->library}}));
  else
    row("schedule", language.text("line.info.schedule_text",
                                  {{"algorithm", language.text("algorithm." + schedule.algorithm)},
                                   {"ranks", whole(schedule.ranks)},
                                   {"chunks", whole(schedule.chunks)},
                                   {"slices", whole(schedule.slices)},
                                   {"rounds", whole(rounds_of(schedule))},
                                   {"transfers", whole(schedule.transfers.size())}}));
  row("phases", phases_text(schedule, language));
  row("order", numbers_text(schedule.order, language));
  if (const auto root = root_of(schedule))
    row("root", language.text("view.gpu", {{"rank", whole(*root)}}));
  row("groups", groups_text(schedule, language));
  const std::string_view ran =
      has_operator(schedule) ? "line.info.run_text" : "line.info.run_text_copies";
  row("run", language.text(ran, {{"op", std::string(name_of(trace.run.op))},
                                 {"count", whole(schedule.count)},
                                 {"type", type_text(trace.run, language)},
                                 {"bytes", language.bytes(user_bytes(trace))},
                                 {"engine", trace.run.engine}}));
  row("notes", fmt::format("{}", fmt::join(run_notes(trace, language),
                                           language.text("line.run.separator"))));
  row("where", language.text("line.info.where_text", {{"devices", devices_text(trace, language)},
                                                      {"cores", whole(where.cores)},
                                                      {"processor", where.processor}}));
  row("links", links_text(trace, language));
  row("clock", clock_text(where.clock, language));
  row("machine",
      language.text("line.info.machine_text", {{"host", where.host}, {"system", where.system}}));
  row("recorded", fmt::format("{:%Y-%m-%d %H:%M:%S} UTC",
                              fmt::gmtime(static_cast<std::time_t>(where.recorded_at))));
  row("program", fmt::format("ringscope {}, {}", where.program_version, where.compiler));
  // A run that stopped has no bandwidth.
  const std::string time = language.duration(trace.nanoseconds);
  row("time", trace.stopped
                  ? time
                  : language.text("line.info.time_text", {{"time", time},
                                                          {"algbw", language.rate(algbw(trace))},
                                                          {"busbw", language.rate(busbw(trace))}}));
  if (trace.run.user_type) row("wire", language.text("line.info.wire_text"));
  if (const auto& cost = trace.wire_cost) {
    std::string text =
        language.text("line.info.precision_text",
                      {{"elements", language.integer(cost->elements)},
                       {"error", fmt::format("{:.3g}", cost->largest_error)},
                       {"relative", fmt::format("{:.3g}", 100 * cost->largest_relative_error)},
                       {"largest", fmt::format("{:.3g}", cost->largest_result)}});
    for (const std::string& note : overflow_notes(*cost, language))
      text += language.text("line.run.separator") + note;
    row("precision", std::move(text));
  }
  row("repeats", repeats_text(trace, language));
  if (!trace.opaque)
    for (std::vector<std::string>& moved : traffic_rows(trace, language))
      rows.push_back(std::move(moved));
  row("values",
      language.text("line.info.kept." +
                    std::string(kept_names[static_cast<std::size_t>(trace.values.kept)])));
  row("verdict", verdict_details(trace.verdict, language));
  if (trace.stopped) row("stopped", language.text(*trace.stopped));
  return columns(rows);
}

Json info_json(const Trace& trace, const Language& language) {
  const Provenance& where = trace.where;
  Json json = run_json(trace, language);
  json["order"] = trace.schedule.order;
  json["phases"] = Json::array();
  for (const Phase& phase : trace.schedule.phases)
    json["phases"].push_back({{"name", phase.id}, {"rounds", phase.round_count}});
  json["values_kept"] = kept_names[static_cast<std::size_t>(trace.values.kept)];
  json["where"] = {{"program_version", where.program_version},
                   {"host", where.host},
                   {"processor", where.processor},
                   {"cores", where.cores},
                   {"system", where.system},
                   {"compiler", where.compiler},
                   {"recorded_at", where.recorded_at},
                   {"devices", where.devices},
                   {"clock_resolution_ns", where.clock.resolution},
                   {"clock_uncertainty_ns", where.clock.uncertainty}};
  if (!trace.opaque) add_traffic(json, trace, language);
  return json;
}

}  // namespace

CommandAction set_up_info(CLI::App& command, const Language& language) {
  struct Target {
    std::string file;
    bool json = false;
  };
  const auto target = std::make_shared<Target>();
  Options options(command, language);
  options.file(target->file);
  options.flag("--json", target->json);
  return [target](const Language& chosen, bool) {
    require("FILE", target->file);
    const Trace trace = load_trace(target->file);
    if (target->json)
      print_json(info_json(trace, chosen));
    else
      print(info_text(trace, chosen));
    return 0;
  };
}

}  // namespace ringscope
