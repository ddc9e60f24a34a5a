#include "core/engine/bench.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>

#include "app/cli/columns.h"
#include "app/cli/interrupt.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/run_options.h"
#include "app/cli/subcommands.h"
#include "core/engine/engine.h"

namespace ringscope {
namespace {

struct BenchOptions {
  std::string algorithms = "ring", engine = "host", devices, ranks = "4", sizes, repeats = "7";
  bool json = false;
};

using Row = std::vector<std::string>;

// Where there is nothing to have a share of, or none, a figure would say nothing.
constexpr std::string_view no_figure = "-";

std::string percent(double share) {
  return share > 0 ? fmt::format("{:.1f} %", 100 * share) : std::string(no_figure);
}

std::string rate_of(double rate, const Language& language) {
  return rate > 0 ? language.rate(rate) : std::string(no_figure);
}

std::string time_of(double seconds, const Language& language) {
  return language.duration(std::llround(seconds * 1e9));
}

std::string limits_text(const BenchResult& result, const Language& language) {
  const auto head = [&](std::string_view id) {
    return language.text("line.bench." + std::string(id));
  };
  std::vector<Row> rows{{head("buffer"), head("plain"), head("memcpy"), head("non_temporal")}};
  for (const BenchSize& size : result.sizes) {
    Row row{language.bytes(size.bytes)};
    for (const auto time : {size.copies.plain, size.copies.memcpy, size.copies.non_temporal})
      row.push_back(language.duration(time.count()));
    rows.push_back(std::move(row));
  }
  constexpr std::array sides{Side::right, Side::right, Side::right, Side::right};
  return columns(rows, sides, 2);
}

std::string results_text(const BenchResult& result, const Language& language) {
  const auto head = [&](std::string_view id) {
    return language.text("line.bench." + std::string(id));
  };
  // The limit is that of the host's memory, and the price that of its clock.
  const bool limits = !result.sizes.empty();
  std::vector<Row> rows{{head("buffer"), head("algorithm"), head("recording"), head("time"),
                         head("algbw"), head("busbw")}};
  if (limits) rows[0].insert(rows[0].end(), {head("share"), head("price")});
  for (const BenchRow& row : result.rows) {
    rows.push_back({language.bytes(row.bytes), row.algorithm, head(row.recording ? "on" : "off"),
                    time_of(row.seconds, language), rate_of(row.algbw, language),
                    rate_of(row.busbw, language)});
    if (limits)
      rows.back().insert(rows.back().end(),
                         {percent(row.limit_share), row.recording ? percent(row.event_share) : ""});
  }
  constexpr std::array sides{Side::right, Side::left,  Side::left,  Side::right,
                             Side::right, Side::right, Side::right, Side::right};
  return columns(rows, sides, 2);
}

std::string bench_text(const BenchResult& result, const BenchRequest& request,
                       const Language& language) {
  const std::string ranks = std::to_string(request.ranks);
  const std::string repeats = std::to_string(request.repeats);
  if (result.sizes.empty())
    return language.text("line.bench.on_engine",
                         {{"ranks", ranks}, {"repeats", repeats}, {"engine", request.engine}}) +
           "\n" + results_text(result, language);
  return language.text("line.bench.limits", {{"ranks", ranks}, {"repeats", repeats}}) + "\n" +
         limits_text(result, language) + "\n" +
         language.text("line.bench.results", {{"ranks", ranks}, {"repeats", repeats}}) + "\n" +
         results_text(result, language) + "\n" +
         language.text("line.bench.event", {{"time", time_of(result.event_seconds, language)}}) +
         "\n";
}

Json bench_json(const BenchResult& result, const BenchRequest& request) {
  Json rows = Json::array(), limits = Json::array();
  for (const BenchRow& row : result.rows)
    rows.push_back({{"engine", request.engine},
                    {"algorithm", row.algorithm},
                    {"ranks", row.ranks},
                    {"bytes", row.bytes},
                    {"recording", row.recording},
                    {"seconds", row.seconds},
                    {"algbw", row.algbw},
                    {"busbw", row.busbw},
                    {"limit_share", row.limit_share},
                    {"events", row.events},
                    {"event_share", row.event_share}});
  const auto seconds = [](std::chrono::nanoseconds time) {
    return static_cast<double>(time.count()) / 1e9;
  };
  for (const BenchSize& size : result.sizes)
    limits.push_back({{"bytes", size.bytes},
                      {"plain_seconds", seconds(size.copies.plain)},
                      {"memcpy_seconds", seconds(size.copies.memcpy)},
                      {"non_temporal_seconds", seconds(size.copies.non_temporal)}});
  return {{"results", std::move(rows)},
          {"limits", std::move(limits)},
          {"event_seconds", result.event_seconds}};
}

std::vector<std::string> algorithms_of(std::string_view text) {
  std::vector<std::string_view> known = algorithm_names();
  known.push_back("all");
  std::vector<std::string> chosen;
  for (const std::size_t index : parse_choices("--algorithms", text, known))
    chosen.emplace_back(known[index]);
  return chosen;
}

int bench_command(const BenchOptions& options, const Language& language) {
  BenchRequest request;
  request.algorithms = algorithms_of(options.algorithms);
  request.engine = options.engine;
  request.devices = parse_list("--devices", options.devices);
  request.ranks = parse_int("--ranks", options.ranks, 1);
  request.repeats = parse_int("--repeats", options.repeats, 1);
  if (!options.sizes.empty()) request.sizes = parse_bytes_list("--sizes", options.sizes);

  const auto run = [&] {
    const Interrupt interrupt;
    ProgressLine progress(language);
    request.stop = interrupt.token();
    request.progress = [&](double fraction) { progress.show("line.progress.measuring", fraction); };
    return run_bench(request);
  };
  const BenchResult result = run();
  if (options.json)
    print_json(bench_json(result, request));
  else
    print(bench_text(result, request, language));
  return 0;
}

}  // namespace

CommandAction set_up_bench(CLI::App& command, const Language& language) {
  const auto target = std::make_shared<BenchOptions>();
  Options options(command, language);
  options.value("--algorithms", "ring,tree|all", target->algorithms);
  options.value("--engine", choices(names_of(engines())), target->engine);
  options.value("--devices", "0,0,1,1", target->devices);
  options.value("--ranks", "N", target->ranks);
  options.value("--sizes", "1KiB,64MiB", target->sizes);
  options.value("--repeats", "N", target->repeats);
  options.flag("--json", target->json);
  return [target](const Language& chosen, bool) { return bench_command(*target, chosen); };
}

}  // namespace ringscope
