#include "app/window/export_form.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace ringscope {
namespace {

using Choices = std::vector<std::string_view>;

[[noreturn]] void wrong(std::string_view field, std::string_view value,
                        const std::string& allowed) {
  throw Error({"error.set_up.choice",
               {{"field", std::string(field)}, {"value", std::string(value)}, {"names", allowed}}},
              Blame::usage);
}

double number_in(std::string_view field, std::string_view value, double min, double max) {
  double number = 0;
  const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (fault != std::errc{} || end != value.data() + value.size() || !(number >= min) ||
      !(number <= max))
    wrong(field, value, fmt::format("{} - {}", min, max));
  return number;
}

constexpr auto no_choices = static_cast<Choices (*)()>(nullptr);

template <Format format>
void apply_format(DeckSettings& settings, std::string_view value) {
  if (value == "on") settings.formats.push_back(format);
}
template <Beat beat>
void apply_beat(DeckSettings& settings, std::string_view value) {
  if (value == "on") settings.beats.push_back(beat);
}

Choices theme_choices() {
  Choices names;
  for (const Theme& theme : themes()) names.push_back(theme.name);
  return names;
}

struct NamedSize {
  std::string_view name;
  Size size;
};
constexpr NamedSize sizes[] = {{"1920x1080", {1920, 1080}},
                               {"1440x1080", {1440, 1080}},
                               {"1280x720", {1280, 720}},
                               {"3840x2160", {3840, 2160}}};
Choices size_choices() {
  Choices names;
  for (const NamedSize& size : sizes) names.push_back(size.name);
  return names;
}

constexpr bool flag = true, other = false;

const ExportField fields[] = {
    {"svg", "formats", "on", no_choices, flag, apply_format<Format::svg>},
    {"pdf", "formats", "on", no_choices, flag, apply_format<Format::pdf>},
    {"png", "formats", "off", no_choices, flag, apply_format<Format::png>},
    {"html", "formats", "off", no_choices, flag, apply_format<Format::html>},
    {"gif", "formats", "off", no_choices, flag, apply_format<Format::gif>},
    {"mp4", "formats", "off", no_choices, flag, apply_format<Format::mp4>},
    {"csv", "formats", "off", no_choices, flag, apply_format<Format::csv>},
    {"perfetto", "formats", "off", no_choices, flag, apply_format<Format::perfetto>},
    {"before", "moments", "off", no_choices, flag, apply_beat<Beat::before>},
    {"moving", "moments", "on", no_choices, flag, apply_beat<Beat::moving>},
    {"after", "moments", "on", no_choices, flag, apply_beat<Beat::after>},
    {"storyboard", "moments", "off", no_choices, flag,
     [](DeckSettings& settings, std::string_view value) { settings.storyboard = value == "on"; }},
    {"rounds", "moments", "all",
     [] {
       return Choices{"all", "this"};
     },
     other, [](DeckSettings&, std::string_view) {}},
    {"clock", "moments", "rounds",
     [] {
       return Choices{"rounds", "time"};
     },
     other,
     [](DeckSettings& settings, std::string_view value) { settings.measured = value == "time"; }},
    {"theme", "looks", "light", theme_choices, other,
     [](DeckSettings& settings, std::string_view value) { settings.theme = &theme_named(value); }},
    {"size", "looks", "1920x1080", size_choices, other,
     [](DeckSettings& settings, std::string_view value) {
       for (const NamedSize& size : sizes)
         if (size.name == value) settings.size = size.size;
     }},
    {"values", "looks", "both",
     [] {
       return Choices{"both", "symbols", "numbers"};
     },
     other,
     [](DeckSettings& settings, std::string_view value) {
       settings.cell_text = value == "symbols"   ? CellText::symbols
                            : value == "numbers" ? CellText::numbers
                                                 : CellText::both;
     }},
    {"text-scale", "looks", "1", [] { return Choices{"0.8", "1", "1.2", "1.4", "1.7", "2"}; },
     other,
     [](DeckSettings& settings, std::string_view value) {
       settings.text_scale = number_in("text-scale", value, least_text_scale, most_text_scale);
     }},
    {"width-cm", "looks", "33.867", no_choices, other,
     [](DeckSettings& settings, std::string_view value) {
       settings.width_cm = number_in("width-cm", value, 1, 1000);
     }},
    {"dpi", "looks", "", no_choices, other,
     [](DeckSettings& settings, std::string_view value) {
       if (!value.empty()) settings.dpi = number_in("dpi", value, 10, 2400);
     }},
    {"caption", "looks", "on", no_choices, flag,
     [](DeckSettings& settings, std::string_view value) { settings.caption = value == "on"; }},
    {"transparent", "looks", "off", no_choices, flag,
     [](DeckSettings& settings, std::string_view value) { settings.transparent = value == "on"; }},
    {"svg-text", "looks", "off", no_choices, flag,
     [](DeckSettings& settings, std::string_view value) { settings.svg_text = value == "on"; }},
    {"folder", "where", "", no_choices, other,
     [](DeckSettings& settings, std::string_view value) {
       if (!value.empty()) settings.folder = value;
     }},
};

std::size_t field_named(std::string_view id) {
  std::vector<std::string_view> names;
  for (const ExportField& field : fields) {
    if (field.id == id) return static_cast<std::size_t>(&field - fields);
    names.push_back(field.id);
  }
  throw Error({"error.set_up.field",
               {{"name", std::string(id)}, {"names", fmt::format("{}", fmt::join(names, ", "))}}},
              Blame::usage);
}

}  // namespace

std::span<const ExportField> export_fields() { return fields; }

ExportForm::ExportForm() {
  for (const ExportField& field : fields) values.emplace_back(field.initial);
}

void set_value(ExportForm& form, std::string_view id, std::string_view value) {
  const std::size_t index = field_named(id);
  const ExportField& field = fields[index];
  const Choices allowed = field.flag      ? Choices{"on", "off"}
                          : field.choices ? field.choices()
                                          : Choices{};
  if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), value) == allowed.end())
    wrong(id, value, fmt::format("{}", fmt::join(allowed, ", ")));
  form.values[index] = value;
}

std::string_view value_of(const ExportForm& form, std::string_view id) {
  return form.values[field_named(id)];
}

Remembered remembered(const ExportForm& form) {
  return changed_values(export_fields(), form.values, "folder");
}

DeckSettings settings_of(const ExportForm& form, const Schedule& schedule) {
  DeckSettings settings;
  settings.beats.clear();
  settings.last_round = rounds_of(schedule);
  for (std::size_t i = 0; i < std::size(fields); ++i) fields[i].apply(settings, form.values[i]);
  if (settings.formats.empty()) throw Error({"error.export.no_format", {}}, Blame::usage);
  if (settings.beats.empty()) throw Error({"error.export.no_moment", {}}, Blame::usage);
  return settings;
}

}  // namespace ringscope
