#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "app/cli/columns.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/run_text.h"
#include "app/cli/subcommands.h"
#include "core/trace/trace_file.h"

namespace ringscope {
namespace {

// Bytes that ranks send and receive, as the schedule says.
struct TrafficBytes {
  std::uint64_t least_sent = 0, most_sent = 0;
  std::uint64_t least_received = 0, most_received = 0;
  std::uint64_t total = 0;
};

// What really went, of a run that stopped less than its schedule says.
TrafficBytes traffic_of(const Trace& trace) {
  std::vector<Traffic> traffic(static_cast<std::size_t>(trace.schedule.ranks));  // in bytes
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    if (trace.events[i].done == 0) continue;
    const Transfer& transfer = trace.schedule.transfers[i];
    traffic[static_cast<std::size_t>(transfer.src)].sent += trace.events[i].bytes;
    traffic[static_cast<std::size_t>(transfer.dst)].received += trace.events[i].bytes;
  }
  TrafficBytes bytes;
  bytes.least_sent = bytes.least_received = ~std::uint64_t{0};
  for (const Traffic& rank : traffic) {
    bytes.least_sent = std::min(bytes.least_sent, rank.sent);
    bytes.most_sent = std::max(bytes.most_sent, rank.sent);
    bytes.least_received = std::min(bytes.least_received, rank.received);
    bytes.most_received = std::max(bytes.most_received, rank.received);
    bytes.total += rank.sent;
  }
  return bytes;
}

// What theory says of the algorithm. A rank's share is exact where N divides the count.
struct Formula {
  std::string_view algorithm;
  std::int64_t (*rounds)(std::int64_t n);
  double (*bytes_per_rank)(double n, double buffer);
  double (*total)(double n, double buffer);
  std::string_view in_symbols[3];  // the same three, K being the buffer's bytes
};
// Patarasuk and Yuan, JPDC 2009.
constexpr std::array<Formula, 1> formulas{{
    {"ring",
     [](std::int64_t n) { return 2 * (n - 1); },
     [](double n, double buffer) { return 2 * (n - 1) / n * buffer; },
     [](double n, double buffer) { return 2 * (n - 1) * buffer; },
     {"2(N-1)", "2(N-1)/N K", "2(N-1) K"}},
}};

std::optional<Formula> formula_of(const Schedule& schedule) {
  for (const Formula& row : formulas)
    if (row.algorithm == schedule.algorithm) return row;
  return std::nullopt;
}

std::string range(const Language& language, std::uint64_t least, std::uint64_t most) {
  if (least == most) return language.text("line.info.each", {{"bytes", language.bytes(most)}});
  return language.text("line.info.from_to",
                       {{"least", language.bytes(least)}, {"most", language.bytes(most)}});
}

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

std::string order_text(const Schedule& schedule) {
  constexpr std::size_t shown = 16;
  const std::span<const std::int32_t> order(schedule.order);
  const std::string head =
      fmt::format("{}", fmt::join(order.first(std::min(shown, order.size())), ", "));
  return order.size() > shown ? head + ", ..." : head;
}

// As the engine names them; 'CPU thread' is a name that has a text.
std::string devices_text(const Trace& trace, const Language& language) {
  const std::vector<std::string>& devices = trace.where.devices;
  const std::string ranks = language.integer(static_cast<std::uint64_t>(trace.schedule.ranks));
  if (devices == std::vector<std::string>{"CPU thread"})
    return language.text("line.info.threads", {{"ranks", ranks}});
  return language.text(
      "line.info.devices",
      {{"ranks", ranks}, {"devices", fmt::format("{}", fmt::join(devices, ", "))}});
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

std::string formula_text(const Trace& trace, const Formula& formula, const Language& language) {
  const auto n = static_cast<double>(trace.schedule.ranks);
  const auto buffer = static_cast<double>(buffer_bytes(trace));
  const auto bytes = [&](double number) {
    return language.bytes(static_cast<std::uint64_t>(number + 0.5));
  };
  return language.text(
      "line.info.formula_text",
      {{"buffer", language.bytes(buffer_bytes(trace))},
       {"rounds",
        fmt::format("{} = {}", formula.in_symbols[0], formula.rounds(trace.schedule.ranks))},
       {"sent",
        fmt::format("{} = {}", formula.in_symbols[1], bytes(formula.bytes_per_rank(n, buffer)))},
       {"total", fmt::format("{} = {}", formula.in_symbols[2], bytes(formula.total(n, buffer)))}});
}

std::string info_text(const Trace& trace, const Language& language) {
  const Schedule& schedule = trace.schedule;
  const Provenance& where = trace.where;
  const TrafficBytes traffic = traffic_of(trace);
  std::vector<std::vector<std::string>> rows;
  const auto row = [&](std::string_view label, std::string text) {
    if (!text.empty())
      rows.push_back({language.text("line.info." + std::string(label)), std::move(text)});
  };
  const auto whole = [&](auto number) {
    return language.integer(static_cast<std::uint64_t>(number));
  };

  row("schedule", language.text("line.info.schedule_text",
                                {{"algorithm", language.text("algorithm." + schedule.algorithm)},
                                 {"ranks", whole(schedule.ranks)},
                                 {"chunks", whole(schedule.chunks)},
                                 {"slices", whole(schedule.slices)},
                                 {"rounds", whole(rounds_of(schedule))},
                                 {"transfers", whole(schedule.transfers.size())}}));
  row("phases", phases_text(schedule, language));
  row("order", order_text(schedule));
  row("run", language.text("line.info.run_text", {{"op", std::string(name_of(trace.run.op))},
                                                  {"count", whole(schedule.count)},
                                                  {"type", std::string(name_of(trace.run.type))},
                                                  {"bytes", language.bytes(buffer_bytes(trace))},
                                                  {"engine", trace.run.engine}}));
  row("notes", fmt::format("{}", fmt::join(run_notes(trace, language),
                                           language.text("line.run.separator"))));
  row("where", language.text("line.info.where_text", {{"devices", devices_text(trace, language)},
                                                      {"cores", whole(where.cores)},
                                                      {"processor", where.processor}}));
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
  row("sent", range(language, traffic.least_sent, traffic.most_sent));
  row("received", range(language, traffic.least_received, traffic.most_received));
  row("total", language.bytes(traffic.total));
  if (const std::optional<Formula> formula = formula_of(schedule))
    row("formula", formula_text(trace, *formula, language));
  row("values",
      language.text("line.info.kept." +
                    std::string(kept_names[static_cast<std::size_t>(trace.values.kept)])));
  row("verdict", verdict_details(trace.verdict, language));
  if (trace.stopped) row("stopped", language.text(*trace.stopped));
  return columns(rows);
}

Json info_json(const Trace& trace, const Language& language) {
  const Provenance& where = trace.where;
  const TrafficBytes traffic = traffic_of(trace);
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
                   {"devices", where.devices}};
  json["traffic"] = {{"least_sent", traffic.least_sent},
                     {"most_sent", traffic.most_sent},
                     {"least_received", traffic.least_received},
                     {"most_received", traffic.most_received},
                     {"total", traffic.total}};
  if (const std::optional<Formula> formula = formula_of(trace.schedule)) {
    const auto n = static_cast<double>(trace.schedule.ranks);
    const auto buffer = static_cast<double>(buffer_bytes(trace));
    json["formula"] = {{"rounds", formula->rounds(trace.schedule.ranks)},
                       {"bytes_per_rank", formula->bytes_per_rank(n, buffer)},
                       {"total", formula->total(n, buffer)}};
  }
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
