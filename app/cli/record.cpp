#include "core/engine/record.h"

#include <memory>

#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/run_options.h"
#include "app/cli/run_text.h"
#include "app/cli/subcommands.h"
#include "core/trace/atomic_file.h"
#include "core/trace/trace_file.h"

namespace ringscope {
namespace {

struct RecordOptions {
  std::string algorithm = "ring";
  RunOptions run;
  std::vector<std::string> die;
  std::string output;
  bool json = false;
};

RunSettings settings_of(const RecordOptions& options) {
  RunSettings settings = run_settings_of(options.run);
  settings.algorithm = options.algorithm;
  settings.deaths = options.die;
  return settings;
}

Trace run(const RunSettings& settings, const Language& language) {
  const Interrupt interrupt;
  ProgressLine progress(language);
  RunHooks hooks;
  hooks.stop = interrupt.token();
  hooks.progress = [&](RunStage stage, double fraction) {
    progress.show(progress_text(stage), fraction);
  };
  return record(settings, hooks);
}

int record_command(const RecordOptions& options, const Language& language) {
  const RunSettings settings = settings_of(options);
  if (!options.output.empty()) require_writable(options.output);
  const Trace trace = run(settings, language);
  if (!options.output.empty()) save_trace(trace, options.output);

  if (options.json) {
    Json json = run_json(trace, language);
    if (!options.output.empty()) json["file"] = options.output;
    print_json(json);
  } else {
    print(run_line(trace, language) + '\n');
  }
  if (trace.stopped) throw Error(*trace.stopped);
  if (trace.verdict.failure) throw Error(*trace.verdict.failure);
  return 0;
}

}  // namespace

CommandAction set_up_record(CLI::App& command, const Language& language) {
  const auto target = std::make_shared<RecordOptions>();
  Options options(command, language);
  options.value("--algorithm", choices(algorithm_names()), target->algorithm);
  add_run_options(options, target->run);
  options.values("--die", "2@1.2", target->die);
  options.value("-o", "FILE", target->output);
  options.flag("--json", target->json);
  return [target](const Language& chosen, bool) { return record_command(*target, chosen); };
}

}  // namespace ringscope
