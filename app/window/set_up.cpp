#include "app/window/set_up.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace ringscope {
namespace {

using Choices = std::vector<std::string_view>;

// One half of an all-reduce.
bool is_part(std::string_view algorithm) {
  for (const std::string_view part : {"reduce-scatter", "all-gather", "reduce", "broadcast"})
    if (part == algorithm) return true;
  return false;
}

Choices algorithm_choices() {
  Choices names;
  for (const Algorithm& algorithm : algorithms()) names.push_back(algorithm.name);
  return names;
}
// Those that leave all ranks with the whole sum.
Choices compared_choices() {
  Choices names;
  for (const std::string_view name : algorithm_choices())
    if (!is_part(name)) names.push_back(name);
  return names;
}
Choices engine_choices() {
  Choices names;
  for (const EngineRow& engine : engines()) names.push_back(engine.name);
  return names;
}
Choices type_choices() {
  Choices names{"auto"};
  for (const ElementTypeRow& row : element_types) names.push_back(row.name);
  return names;
}
Choices operator_choices() { return {operator_names.begin(), operator_names.end()}; }

constexpr DataKind generated_kinds[] = {DataKind::digits, DataKind::ramp, DataKind::random,
                                        DataKind::exact};
Choices data_choices() {
  Choices names{"auto"};
  for (const DataKind kind : generated_kinds) names.push_back(name_of(kind));
  return names;
}

template <class Number>
Number number_in(std::string_view field, std::string_view value) {
  Number number{};
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size())
    throw Error(
        {"error.set_up.number", {{"field", std::string(field)}, {"value", std::string(value)}}},
        Blame::usage);
  return number;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// '2:5ms, 1-2:5ms' -> its parts, without the blanks.
std::vector<std::string> parts_of(std::string_view list) {
  std::vector<std::string> parts;
  while (!trimmed(list).empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    parts.emplace_back(trimmed(list.substr(0, comma)));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return parts;
}

void apply_data(RunSettings& settings, std::string_view value) {
  settings.data.reset();
  for (const DataKind kind : generated_kinds)
    if (name_of(kind) == value) settings.data = kind;
}

std::vector<std::int32_t> numbers_in(std::string_view field, std::string_view value) {
  std::vector<std::int32_t> numbers;
  for (const std::string& number : parts_of(value))
    numbers.push_back(number_in<std::int32_t>(field, number));
  return numbers;
}

// Beside what is run: more would not find room on the stage.
constexpr std::size_t most_compared = 2;

constexpr auto no_choices = static_cast<Choices (*)()>(nullptr);
constexpr auto choice = FieldKind::choice;
constexpr auto several = FieldKind::several;
constexpr auto text = FieldKind::text;
constexpr auto flag = FieldKind::flag;
constexpr bool wide = true, half = false;

const SetUpField fields[] = {
    {"algorithm", "what", choice, half, "ring", algorithm_choices,
     [](RunSettings& settings, std::string_view value) { settings.algorithm = value; }},
    {"ranks", "what", text, half, "", no_choices,
     [](RunSettings& settings, std::string_view value) {
       if (!value.empty()) settings.ranks = number_in<int>("ranks", value);
     }},
    {"count", "what", text, half, "", no_choices,
     [](RunSettings& settings, std::string_view value) {
       if (!value.empty()) settings.count = number_in<std::uint64_t>("count", value);
     }},
    {"type", "what", choice, half, "auto", type_choices,
     [](RunSettings& settings, std::string_view value) {
       settings.type = element_type_named(value);  // nothing for 'auto'
     }},
    {"wire", "what", choice, half, "off",
     [] {
       return Choices{"off", "f16", "bf16"};
     },
     [](RunSettings& settings, std::string_view value) {
       settings.wire = element_type_named(value);  // nothing for 'off'
     }},
    {"op", "what", choice, half, "sum", operator_choices,
     [](RunSettings& settings, std::string_view value) { settings.op = *operator_named(value); },
     &Algorithm::has_operator},
    {"engine", "what", choice, half, "host", engine_choices,
     [](RunSettings& settings, std::string_view value) { settings.engine = value; }},
    {"devices", "what", text, half, "", no_choices,
     [](RunSettings& settings, std::string_view value) {
       settings.devices = numbers_in("devices", value);
     },
     nullptr, &EngineRow::has_devices},
    {"compare", "what", several, wide, "", compared_choices, [](RunSettings&, std::string_view) {}},
    {"data", "data", choice, half, "auto", data_choices, apply_data},
    {"seed", "data", text, half, "1", no_choices,
     [](RunSettings& settings, std::string_view value) {
       settings.seed = number_in<std::uint64_t>("seed", value);
     }},
    {"input", "data", text, wide, "", no_choices,
     [](RunSettings& settings, std::string_view value) { settings.input_file = value; }},
    {"slices", "how", text, half, "auto", no_choices,
     [](RunSettings& settings, std::string_view value) {
       if (value != "auto") settings.slices = number_in<int>("slices", value);
     }},
    {"order", "how", text, half, "", no_choices,
     [](RunSettings& settings, std::string_view value) {
       settings.order = numbers_in("order", value);
     },
     &Algorithm::has_order},
    {"root", "how", text, half, "", no_choices,
     [](RunSettings& settings, std::string_view value) {
       if (!value.empty()) settings.root = number_in<std::int32_t>("root", value);
     },
     &Algorithm::has_root},
    {"groups", "how", text, half, "", no_choices,
     [](RunSettings& settings, std::string_view value) {
       settings.groups = numbers_in("groups", value);
     },
     &Algorithm::has_groups},
    {"repeats", "how", text, half, "1", no_choices,
     [](RunSettings& settings, std::string_view value) {
       settings.repeats = number_in<int>("repeats", value);
     }},
    {"timeout", "how", text, half, "10s", no_choices,
     [](RunSettings& settings, std::string_view value) {
       settings.timeout = parse_duration(value);
     }},
    {"port", "how", text, half, "", no_choices,
     [](RunSettings& settings, std::string_view value) { settings.port = value; }, nullptr,
     &EngineRow::has_ports},
    {"latency", "how", text, half, "", no_choices,
     [](RunSettings& settings, std::string_view value) { settings.latency = value; }, nullptr,
     &EngineRow::has_ports},
    {"in-place", "how", flag, half, "off", no_choices,
     [](RunSettings& settings, std::string_view value) { settings.in_place = value == "on"; }},
    {"lockstep", "how", flag, half, "off", no_choices,
     [](RunSettings& settings, std::string_view value) { settings.lockstep = value == "on"; }},
    {"late", "trouble", text, wide, "", no_choices,
     [](RunSettings& settings, std::string_view value) { settings.late = parts_of(value); }},
    {"delay", "trouble", text, wide, "", no_choices,
     [](RunSettings& settings, std::string_view value) { settings.delays = parts_of(value); }},
    {"die", "trouble", text, wide, "", no_choices,
     [](RunSettings& settings, std::string_view value) { settings.deaths = parts_of(value); }},
    {"output", "file", text, wide, "", no_choices, [](RunSettings&, std::string_view) {}},
};

}  // namespace

std::span<const SetUpField> set_up_fields() { return fields; }

SetUp::SetUp() {
  for (const SetUpField& field : fields) values.emplace_back(field.initial);
}

std::size_t set_up_field_named(std::string_view id) {
  std::vector<std::string_view> names;
  for (const SetUpField& field : fields) {
    if (field.id == id) return static_cast<std::size_t>(&field - fields);
    names.push_back(field.id);
  }
  throw Error({"error.set_up.field",
               {{"name", std::string(id)}, {"names", fmt::format("{}", fmt::join(names, ", "))}}},
              Blame::usage);
}

namespace {

bool may_hold(const SetUpField& field, const Choices& allowed, std::string_view value) {
  if (field.kind == text) return true;
  const std::vector<std::string> parts =
      field.kind == several ? parts_of(value) : std::vector{std::string(value)};
  if (field.kind == several && parts.size() > most_compared) return false;
  return std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
    return std::find(allowed.begin(), allowed.end(), part) != allowed.end();
  });
}

}  // namespace

void set_value(SetUp& set_up, std::string_view id, std::string_view value) {
  const std::size_t index = set_up_field_named(id);
  const SetUpField& field = fields[index];
  const Choices allowed = field.kind == flag ? Choices{"on", "off"}
                          : field.choices    ? field.choices()
                                             : Choices{};
  if (!may_hold(field, allowed, value))
    throw Error({"error.set_up.choice",
                 {{"field", std::string(id)},
                  {"value", std::string(value)},
                  {"names", fmt::format("{}", fmt::join(allowed, ", "))}}},
                Blame::usage);
  set_up.values[index] = value;
}

std::string_view value_of(const SetUp& set_up, std::string_view id) {
  return set_up.values[set_up_field_named(id)];
}

namespace {

// To the engine.
bool says_something_to_it(const SetUp& set_up, const SetUpField& field) {
  if (field.of_engine == nullptr) return true;
  const auto rows = engines();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const EngineRow& candidate) {
    return candidate.name == value_of(set_up, "engine");
  });
  return row != rows.end() && (*row).*field.of_engine;
}

}  // namespace

bool says_something(const SetUp& set_up, const SetUpField& field) {
  if (!says_something_to_it(set_up, field)) return false;
  if (field.needs == nullptr) return true;
  std::vector<std::string> names = several_of(value_of(set_up, "compare"));
  names.emplace_back(value_of(set_up, "algorithm"));
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return algorithm_named(name).*field.needs; });
}

RunSettings settings_of(const SetUp& set_up) {
  const Algorithm& algorithm = algorithm_named(value_of(set_up, "algorithm"));
  RunSettings settings;
  for (std::size_t i = 0; i < std::size(fields); ++i)
    if ((fields[i].needs == nullptr || algorithm.*fields[i].needs) &&
        says_something_to_it(set_up, fields[i]))
      fields[i].apply(settings, trimmed(set_up.values[i]));
  return settings;
}

int ranks_of(const SetUp& set_up) {
  RunSettings settings;
  try {
    fields[set_up_field_named("ranks")].apply(settings, trimmed(value_of(set_up, "ranks")));
  } catch (const Error&) {
    // The run will say it.
  }
  return settings.ranks.value_or(4);
}

Remembered remembered(const SetUp& set_up) {
  return changed_values(set_up_fields(), set_up.values, "output");
}

std::vector<std::string> several_of(std::string_view value) { return parts_of(value); }

std::vector<RunSettings> runs_of(const SetUp& set_up) {
  std::vector<RunSettings> runs{settings_of(set_up)};
  for (const std::string& name : several_of(value_of(set_up, "compare"))) {
    SetUp other = set_up;
    set_value(other, "algorithm", name);
    runs.push_back(settings_of(other));
  }
  return runs;
}

}  // namespace ringscope
