#include "app/window/set_up.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "core/engine/engine.h"

namespace ringscope {
namespace {

using Choices = std::vector<std::string_view>;

Choices algorithm_choices() {
  Choices names;
  for (const Algorithm& algorithm : algorithms()) names.push_back(algorithm.name);
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

constexpr auto no_choices = static_cast<Choices (*)()>(nullptr);
constexpr auto choice = FieldKind::choice;
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
    {"op", "what", choice, half, "sum", operator_choices,
     [](RunSettings& settings, std::string_view value) { settings.op = *operator_named(value); },
     &Algorithm::has_operator},
    {"engine", "what", choice, half, "host", engine_choices,
     [](RunSettings& settings, std::string_view value) { settings.engine = value; }},
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

void set_value(SetUp& set_up, std::string_view id, std::string_view value) {
  const std::size_t index = set_up_field_named(id);
  const SetUpField& field = fields[index];
  const Choices allowed = field.kind == flag     ? Choices{"on", "off"}
                          : field.kind == choice ? field.choices()
                                                 : Choices{};
  if (field.kind != text && std::find(allowed.begin(), allowed.end(), value) == allowed.end())
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

bool says_something(const SetUp& set_up, const SetUpField& field) {
  return field.needs == nullptr || algorithm_named(value_of(set_up, "algorithm")).*field.needs;
}

RunSettings settings_of(const SetUp& set_up) {
  RunSettings settings;
  for (std::size_t i = 0; i < std::size(fields); ++i)
    if (says_something(set_up, fields[i])) fields[i].apply(settings, trimmed(set_up.values[i]));
  return settings;
}

}  // namespace ringscope
