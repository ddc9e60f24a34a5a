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
#include "core/export/cairo_painter.h"
#include "core/figure/comparison.h"
#include "core/trace/atomic_file.h"
#include "core/trace/trace_file.h"
#include "core/trace/trace_format.h"

namespace ringscope {
namespace {

struct CompareOptions {
  std::vector<std::string> files;
  std::string algorithms;
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

void save(std::vector<ComparedTrace>& compared, const std::string& folder,
          const Language& language) {
  std::vector<const Trace*> traces;
  for (ComparedTrace& run : compared) {
    run.file = file_in(folder, run.trace.schedule.algorithm + ".ring");
    save_trace(run.trace, run.file);
    traces.push_back(&run.trace);
  }
  if (traces.size() >= 2 && traces.size() <= most_stages && has_cairo())
    write_comparison(traces, first_end(traces), light_theme(), {1920, 1080}, 1, language,
                     file_in(folder, picture_name));
}

CompareResult run(const CompareOptions& options, const std::vector<std::string>& names,
                  const Language& language) {
  const Interrupt interrupt;
  ProgressLine progress(language);
  CompareRequest request;
  request.runs = settings_of(options, names);
  request.repeats = request.runs.front().repeats;
  request.stop = interrupt.token();
  request.progress = [&](const std::string& algorithm, RunStage stage, double fraction) {
    progress.show(progress_text(stage), fraction, language.text("scheme." + algorithm));
  };
  return compare_runs(request);
}

void print_comparison(const std::vector<ComparedTrace>& compared, const CompareOptions& options,
                      const Language& language) {
  if (compared.empty()) return;
  if (options.json)
    print_json(compare_json(compared, language));
  else
    print(compare_text(compared, !options.files.empty(), language));
}

int compare_files(const CompareOptions& options, const Language& language) {
  if (!options.algorithms.empty() || !options.folder.empty() || options.run != RunOptions{})
    throw Error({"error.compare.files", {}}, Blame::usage);
  if (options.files.size() < 2) throw Error({"error.compare.few", {}}, Blame::usage);
  std::vector<Trace> traces;
  for (const std::string& file : options.files) traces.push_back(load_trace(file));
  std::vector<ComparedTrace> compared = compare_records(std::move(traces));
  for (std::size_t i = 0; i < compared.size(); ++i) compared[i].file = options.files[i];
  print_comparison(compared, options, language);
  return 0;
}

int compare_command(const CompareOptions& options, const Language& language) {
  if (!options.files.empty()) return compare_files(options, language);
  require("--algorithms", options.algorithms);
  const std::vector<std::string> names = names_in(options.algorithms);
  if (names.size() < 2) throw Error({"error.compare.few", {}}, Blame::usage);
  settings_of(options, names);  // what can't be read is said before a folder is made
  if (!options.folder.empty()) prepare_folder(options.folder, names);
  CompareResult result = run(options, names, language);
  if (!options.folder.empty()) save(result.traces, options.folder, language);
  print_comparison(result.traces, options, language);
  if (result.cancelled)
    throw Error(
        {"error.compare.cancelled",
         {{"done", std::to_string(result.traces.size())}, {"all", std::to_string(names.size())}}});
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
  add_run_options(options, target->run);
  options.value("-o", "FOLDER", target->folder);
  options.flag("--json", target->json);
  return [target](const Language& chosen, bool) { return compare_command(*target, chosen); };
}

}  // namespace ringscope
