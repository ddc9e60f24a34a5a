#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "app/cli/compare_runs.h"
#include "app/cli/compare_text.h"
#include "app/cli/comparison_picture.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/run_options.h"
#include "app/cli/subcommands.h"
#include "core/engine/engine.h"
#include "core/export/cairo_painter.h"
#include "core/figure/comparison.h"
#include "core/trace/atomic_file.h"
#include "core/trace/trace_file.h"
#include "core/trace/trace_format.h"

namespace ringscope {
namespace {

struct CompareOptions {
  std::vector<std::string> files;
  std::string algorithms, engines;
  RunOptions run;
  std::string folder;
  bool json = false;
};

std::vector<std::string> names_in(const std::string& list) {
  if (list == "all") return all_reduces();
  std::vector<std::string> names;
  for (std::size_t at = 0; at != list.npos;) {
    const std::size_t comma = list.find(',', at);
    names.push_back(list.substr(at, comma == list.npos ? comma : comma - at));
    at = comma == list.npos ? comma : comma + 1;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    algorithm_named(names[i]);
    if (std::count(names.begin(), names.end(), names[i]) > 1)
      throw Error({"error.option.twice", {{"option", "--algorithms"}, {"value", names[i]}}},
                  Blame::usage);
  }
  return names;
}

// Each is told only what says something to it; what says nothing to any is left for the first to
// refuse.
std::vector<RunSettings> settings_of(const CompareOptions& options,
                                     const std::vector<std::string>& names) {
  const auto any_has = [&](bool Algorithm::*has) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return algorithm_named(name).*has; });
  };
  std::vector<RunSettings> runs;
  for (const std::string& name : names) {
    RunSettings settings = run_settings_of(options.run);
    const Algorithm& algorithm = algorithm_named(name);
    settings.algorithm = name;
    if (!algorithm.has_order && any_has(&Algorithm::has_order)) settings.order.clear();
    if (!algorithm.has_root && any_has(&Algorithm::has_root)) settings.root.reset();
    if (!algorithm.has_groups && any_has(&Algorithm::has_groups)) settings.groups.clear();
    runs.push_back(std::move(settings));
  }
  return runs;
}

// What is run, and by whom: an algorithm each, or one by each engine.
struct Plans {
  std::vector<RunSettings> runs;
  std::vector<std::string> names;    // of what differs
  std::vector<Message> unavailable;  // why not, of the engines that can't run it
};

std::string name_of(const CompareOptions& options, const RunSettings& run) {
  return options.engines.empty() ? run.algorithm : run.engine;
}

// Of one engine of several: what says nothing to it, but to others, is not told it.
RunSettings for_engine(RunSettings settings, const EngineRow& row, bool any_has_devices) {
  settings.engine = row.name;
  if (!row.has_devices && any_has_devices) settings.devices.clear();
  if (row.make({})->shows_transfers()) return settings;
  const RunSettings silent;
  settings.algorithm = silent.algorithm;
  settings.slices.reset();
  settings.order.clear();
  settings.root.reset();
  settings.groups.clear();
  return settings;
}

std::vector<RunSettings> settings_by_engine(const CompareOptions& options) {
  if (options.run.engine != RunOptions{}.engine)
    throw Error({"error.option.exclude", {{"option", "--engine"}, {"other", "--engines"}}},
                Blame::usage);
  const std::vector<std::string> algorithms =
      names_in(options.algorithms.empty() ? "ring" : options.algorithms);
  if (algorithms.size() != 1) throw Error({"error.compare.one_algorithm", {}}, Blame::usage);
  const std::vector<std::size_t> chosen =
      parse_choices("--engines", options.engines, names_of(engines()));
  if (chosen.size() < 2) throw Error({"error.compare.few", {}}, Blame::usage);
  const bool devices =
      std::ranges::any_of(chosen, [](std::size_t engine) { return engines()[engine].has_devices; });
  std::vector<RunSettings> runs;
  for (const std::size_t engine : chosen) {
    RunSettings settings = run_settings_of(options.run);
    settings.algorithm = algorithms.front();
    runs.push_back(for_engine(std::move(settings), engines()[engine], devices));
  }
  return runs;
}

// What the folder will hold: the records, and a picture of two or three.
std::string file_in(const std::string& folder, const std::string& name) {
  return (std::filesystem::path(folder) / name).string();
}
constexpr const char* picture_name = "comparison.png";

// Files of ours are written anew; anything else that has such a name is left alone.
void require_ours(const std::string& path, std::string_view magic) {
  std::error_code fault;
  if (!std::filesystem::exists(path, fault)) return require_writable(path);
  std::string begin(magic.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (begin != magic) throw Error({"error.compare.foreign", {{"file", path}}});
  require_writable(path);
}

void prepare_folder(const std::string& folder, const std::vector<std::string>& names) {
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  std::error_code unseen;  // not allowed to look
  if (!std::filesystem::is_directory(folder, unseen))
    throw Error({"error.file.folder",
                 {{"folder", folder}, {"why", fault ? fault.message() : std::strerror(ENOTDIR)}}});
  for (const std::string& name : names)
    require_ours(file_in(folder, name + ".ring"),
                 {reinterpret_cast<const char*>(file_magic.data()), file_magic.size()});
  require_ours(file_in(folder, picture_name), "\x89PNG");
}

// The moment at which the first of them is done.
Moment first_end(const std::vector<const Trace*>& traces) {
  Moment moment{true, traces.front()->nanoseconds, {}};
  for (const Trace* const trace : traces)
    moment.nanoseconds = std::min(moment.nanoseconds, trace->nanoseconds);
  return moment;
}

void save(std::vector<ComparedTrace>& compared, const std::string& folder, bool by_engine,
          const Language& language) {
  std::vector<const Trace*> traces;
  for (ComparedTrace& run : compared) {
    run.file = file_in(folder,
                       (by_engine ? run.trace.run.engine : run.trace.schedule.algorithm) + ".ring");
    save_trace(run.trace, run.file);
    traces.push_back(&run.trace);
  }
  if (traces.size() >= 2 && traces.size() <= most_stages && has_cairo())
    write_comparison(traces, first_end(traces), light_theme(), {1920, 1080}, 1, language,
                     file_in(folder, picture_name));
}

CompareResult run(const CompareOptions& options, std::vector<RunSettings> runs,
                  const Language& language) {
  const Interrupt interrupt;
  ProgressLine progress(language);
  CompareRequest request;
  request.runs = std::move(runs);
  request.repeats = request.runs.front().repeats;
  request.stop = interrupt.token();
  request.progress = [&](const RunSettings& run, RunStage stage, double fraction) {
    progress.show(progress_text(stage), fraction,
                  options.engines.empty() ? language.text("scheme." + run.algorithm) : run.engine);
  };
  return compare_runs(request);
}

void print_comparison(const std::vector<ComparedTrace>& compared,
                      const std::vector<Message>& unavailable, const CompareOptions& options,
                      const Language& language) {
  if (compared.empty()) return;
  if (options.json) {
    Json json = compare_json(compared, language);
    if (!options.engines.empty()) json["not_run"] = Json::array();
    for (const Message& why : unavailable) json["not_run"].push_back(language.text(why));
    return print_json(json);
  }
  print(compare_text(compared, !options.files.empty(), language));
  for (const Message& why : unavailable) print(language.text(why) + '\n');
}

int compare_files(const CompareOptions& options, const Language& language) {
  if (!options.algorithms.empty() || !options.engines.empty() || !options.folder.empty() ||
      options.run != RunOptions{})
    throw Error({"error.compare.files", {}}, Blame::usage);
  if (options.files.size() < 2) throw Error({"error.compare.few", {}}, Blame::usage);
  std::vector<Trace> traces;
  for (const std::string& file : options.files) traces.push_back(load_trace(file));
  std::vector<ComparedTrace> compared = compare_records(std::move(traces));
  for (std::size_t i = 0; i < compared.size(); ++i) compared[i].file = options.files[i];
  print_comparison(compared, {}, options, language);
  return 0;
}

// What can't be read is said before a folder is made.
Plans plan_runs(const CompareOptions& options) {
  Plans plans;
  if (options.engines.empty()) {
    require("--algorithms", options.algorithms);
    const std::vector<std::string> names = names_in(options.algorithms);
    if (names.size() < 2) throw Error({"error.compare.few", {}}, Blame::usage);
    plans.runs = settings_of(options, names);
  } else {
    for (RunSettings& run : settings_by_engine(options)) {
      if (const std::optional<Message> why = why_not(run))
        plans.unavailable.push_back(*why);
      else
        plans.runs.push_back(std::move(run));
    }
    if (plans.runs.empty()) throw Error(plans.unavailable.front());
  }
  for (const RunSettings& run : plans.runs) plans.names.push_back(name_of(options, run));
  return plans;
}

int compare_command(const CompareOptions& options, const Language& language) {
  if (!options.files.empty()) return compare_files(options, language);
  const Plans plans = plan_runs(options);
  if (!options.folder.empty()) prepare_folder(options.folder, plans.names);
  CompareResult result = run(options, plans.runs, language);
  if (!options.folder.empty())
    save(result.traces, options.folder, !options.engines.empty(), language);
  print_comparison(result.traces, plans.unavailable, options, language);
  if (result.cancelled)
    throw Error({"error.compare.cancelled",
                 {{"done", std::to_string(result.traces.size())},
                  {"all", std::to_string(plans.runs.size())}}});
  for (const ComparedTrace& run : result.traces) {
    if (run.trace.stopped) throw Error(*run.trace.stopped);
    if (run.trace.verdict.failure) throw Error(*run.trace.verdict.failure);
  }
  return 0;
}

}  // namespace

CommandAction set_up_compare(CLI::App& command, const Language& language) {
  const auto target = std::make_shared<CompareOptions>();
  Options options(command, language);
  options.optional_files(target->files);
  options.value("--algorithms", "ring,tree|all", target->algorithms);
  options.value("--engines", list_of(names_of(engines())), target->engines);
  add_run_options(options, target->run);
  options.value("-o", "FOLDER", target->folder);
  options.flag("--json", target->json);
  return [target](const Language& chosen, bool) { return compare_command(*target, chosen); };
}

}  // namespace ringscope
