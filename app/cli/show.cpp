#include <array>
#include <memory>

#include "app/cli/additions_text.h"
#include "app/cli/opaque_text.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/run_text.h"
#include "app/cli/show_text.h"
#include "app/cli/subcommands.h"
#include "core/trace/trace_file.h"

namespace ringscope {
namespace {

struct ShowOptions {
  std::string file, round = "all", values = "symbols", additions;
  bool json = false;
};

constexpr std::array<std::string_view, 3> forms{"symbols", "numbers", "both"};

// Of 64 ranks it is 280 MB.
Json rounds_json(const Replay& replay, std::int32_t first, std::int32_t last, ShowValues values,
                 const Language& language) {
  ProgressLine progress(language);
  Json rounds = Json::array();
  for (std::int32_t round = first; round <= last; ++round) {
    progress.show("line.progress.collecting", (round - first + 0.0) / (last - first + 1));
    rounds.push_back(round_json(replay, round, values));
  }
  return rounds;
}

int show_command(const ShowOptions& options, const Language& language) {
  require("FILE", options.file);
  const auto values = static_cast<ShowValues>(parse_choice("--values", options.values, forms));
  const Trace trace = load_trace(options.file);
  require_seen(trace, "--additions", !options.additions.empty());
  require_seen(trace, "--round " + options.round, options.round != "all" && options.round != "0");
  if (trace.opaque) {
    if (options.json)
      print_json({{"run", run_json(trace, language)}, {"gpus", opaque_json(trace)}});
    else
      print(run_line(trace, language) + "\n\n" + opaque_text(trace, language));
    return 0;
  }
  const Replay replay(trace);
  std::int32_t first = 0, last = replay.rounds();
  if (options.round != "all") first = last = round_named(trace.schedule, options.round) + 1;

  if (!options.additions.empty()) {
    const auto chunk = static_cast<std::int32_t>(
        parse_whole("--additions", options.additions, 0,
                    static_cast<std::uint64_t>(trace.schedule.chunks) - 1));
    if (options.json)
      print_json(
          {{"run", run_json(trace, language)}, {"additions", additions_json(replay, chunk)}});
    else
      print(run_line(trace, language) + "\n\n" + additions_text(replay, chunk, language));
    return 0;
  }
  if (options.json) {
    Json rounds = rounds_json(replay, first, last, values, language);
    Json wrong = Json::array();
    for (const Message& message : replay.contradictions()) wrong.push_back(language.text(message));
    print_json({{"run", run_json(trace, language)},
                {"rounds", std::move(rounds)},
                {"contradictions", std::move(wrong)}});
    return 0;
  }
  print(run_line(trace, language) + '\n');
  if (trace.stopped) print(language.text(*trace.stopped) + '\n');
  for (const Message& message : replay.contradictions())
    print(language.text("line.show.wrong", {{"what", language.text(message)}}) + '\n');
  for (std::int32_t round = first; round <= last; ++round)
    print('\n' + round_text(replay, round, values, language));
  return 0;
}

}  // namespace

CommandAction set_up_show(CLI::App& command, const Language& language) {
  const auto target = std::make_shared<ShowOptions>();
  Options options(command, language);
  options.file(target->file);
  options.value("--round", "1.2|0|all", target->round);
  options.value("--values", choices(forms), target->values);
  options.value("--additions", "CHUNK", target->additions);
  options.flag("--json", target->json);
  return [target](const Language& chosen, bool) { return show_command(*target, chosen); };
}

}  // namespace ringscope
