#include "app/cli/run_options.h"

#include <array>

#include "core/engine/engine.h"
#include "core/engine/trouble.h"
#include "core/error.h"

namespace ringscope {
namespace {

// The data that a person may ask for; 'file' is what --input makes of it.
constexpr std::array generated{DataKind::digits, DataKind::ramp, DataKind::random, DataKind::exact};

constexpr std::array<std::string_view, 2> wire_names{name_of(ElementType::f16),
                                                     name_of(ElementType::bf16)};

std::vector<std::string_view> data_names() {
  std::vector<std::string_view> all;
  for (const DataKind kind : generated) all.push_back(name_of(kind));
  return all;
}

}  // namespace

void add_run_options(Options& options, RunOptions& target) {
  options.value("--ranks", "N", target.ranks);
  options.value("--count", "N", target.count);
  options.value("--type", choices(names_of(element_types)), target.type);
  options.value("--wire", choices(wire_names), target.wire);
  options.value("--op", choices(operator_names), target.op);
  options.value("--engine", choices(names_of(engines())), target.engine);
  options.value("--devices", "0,0,1,1", target.devices);
  options.value("--data", choices(data_names()), target.data);
  options.value("--seed", "N", target.seed);
  options.value("--input", "FILE.npy", target.input);
  options.flag("--in-place", target.in_place);
  options.value("--slices", "auto|N", target.slices);
  options.value("--order", "0,2,1,3", target.order);
  options.value("--root", "2", target.root);
  options.value("--groups", "3,1", target.groups);
  options.flag("--lockstep", target.lockstep);
  options.values("--late", "2:120us", target.late);
  options.values("--delay", "2:5ms|1-2:5ms", target.delay);
  options.value("--port", "500MB/s", target.port);
  options.value("--latency", "5us", target.latency);
  options.value("--repeats", "N", target.repeats);
  options.value("--timeout", "10s", target.timeout);
}

RunSettings run_settings_of(const RunOptions& options) {
  RunSettings settings;
  if (!options.ranks.empty()) settings.ranks = parse_int("--ranks", options.ranks, 1);
  if (!options.count.empty()) settings.count = parse_whole("--count", options.count, 0);
  if (!options.type.empty())
    settings.type =
        element_types[parse_choice("--type", options.type, names_of(element_types))].type;
  if (!options.wire.empty())
    settings.wire =
        element_type_named(wire_names[parse_choice("--wire", options.wire, wire_names)]);
  if (!options.op.empty())
    settings.op = static_cast<Operator>(parse_choice("--op", options.op, operator_names));
  settings.engine = options.engine;
  settings.devices = parse_list("--devices", options.devices);
  if (!options.data.empty())
    settings.data = generated[parse_choice("--data", options.data, data_names())];
  settings.seed = parse_whole("--seed", options.seed, 0);
  settings.input_file = options.input;
  if (!options.input.empty() && !options.data.empty())
    throw Error({"error.option.exclude", {{"option", "--input"}, {"other", "--data"}}},
                Blame::usage);
  settings.in_place = options.in_place;
  if (options.slices != "auto") settings.slices = parse_int("--slices", options.slices, 1);
  settings.order = parse_list("--order", options.order);
  if (!options.root.empty()) settings.root = parse_int("--root", options.root, 0);
  settings.groups = parse_list("--groups", options.groups);
  settings.lockstep = options.lockstep;
  settings.late = options.late;
  settings.delays = options.delay;
  settings.port = options.port;
  settings.latency = options.latency;
  settings.repeats = parse_int("--repeats", options.repeats, 1);
  settings.timeout = parse_duration(options.timeout);
  return settings;
}

std::vector<std::string_view> algorithm_names() { return names_of(algorithms()); }

std::string progress_text(RunStage stage) {
  constexpr std::array<std::string_view, 5> stages{"preparing", "filling", "warming_up", "running",
                                                   "verifying"};
  return "line.progress." + std::string(stages[static_cast<std::size_t>(stage)]);
}

}  // namespace ringscope
