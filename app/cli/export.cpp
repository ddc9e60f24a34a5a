#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>

#include "app/cli/comparison_picture.h"
#include "app/cli/interrupt.h"
#include "app/cli/opaque_text.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/subcommands.h"
#include "core/export/deck.h"
#include "core/replay/differences.h"
#include "core/trace/trace_file.h"

namespace ringscope {
namespace {

struct ExportOptions {
  std::vector<std::string> files;
  std::string format = "svg,pdf,png,html", view, round = "all", beats;
  std::string theme = "light", size = "1920x1080", width_cm = "33.867", dpi, caption = "on";
  std::string text_scale = "1", values = "both", clock = "rounds", slowdown, folder = ".";
  bool transparent = false, svg_text = false, storyboard = false, json = false;
};

constexpr std::array<std::string_view, 3> beats{"before", "moving", "after"};
constexpr std::array<std::string_view, 2> switches{"off", "on"};
constexpr std::array<std::string_view, 3> cell_texts{"both", "symbols", "numbers"};
constexpr std::array<std::string_view, 2> clocks{"rounds", "time"};

// '1.2', '1.1-1.3': first and last of the cursor's rounds, each as `round_of` reads it.
template <class RoundOf>
std::pair<std::int32_t, std::int32_t> range_of(const std::string& text, RoundOf round_of) {
  const std::size_t dash = text.find('-');
  if (dash == 0 || dash + 1 == text.size()) return {round_of(text), 0};  // which refuses it
  const std::int32_t first = round_of(text.substr(0, dash));
  const std::int32_t last = dash == std::string::npos ? first : round_of(text.substr(dash + 1));
  if (last < first) throw Error({"error.export.rounds", {{"value", text}}}, Blame::usage);
  return {first, last};
}
std::pair<std::int32_t, std::int32_t> rounds_named(const Schedule& schedule,
                                                   const std::string& text) {
  if (text == "all") return {0, rounds_of(schedule)};
  return range_of(text, [&](const std::string& round) { return round_named(schedule, round) + 1; });
}

// Several records in one picture, not one after the other.
constexpr std::string_view compare = "compare";

std::vector<std::string_view> view_names() {
  std::vector<std::string_view> names = names_of(views());
  names.push_back(compare);
  return names;
}

// A page for all rounds has room for one moment of each.
std::string default_beats(const ExportOptions& options) {
  return options.storyboard ? "after" : "moving,after";
}

DeckSettings settings_of(const ExportOptions& options) {
  DeckSettings settings;
  for (const std::size_t row : parse_choices("--format", options.format, names_of(formats())))
    settings.formats.push_back(formats()[row].format);
  if (!options.view.empty()) parse_choice("--view", options.view, view_names());
  if (!options.view.empty() && options.view != compare) settings.view = &view_named(options.view);
  settings.beats.clear();
  for (const std::size_t beat : parse_choices(
           "--beats", options.beats.empty() ? default_beats(options) : options.beats, beats))
    settings.beats.push_back(static_cast<Beat>(beat));
  settings.theme = &theme_named(options.theme);
  settings.size = options.size == "16:9"  ? Size{1920, 1080}
                  : options.size == "4:3" ? Size{1440, 1080}
                                          : parse_size("--size", options.size);
  settings.width_cm = parse_real("--width-cm", options.width_cm, 1, 1000);
  if (!options.dpi.empty()) settings.dpi = parse_real("--dpi", options.dpi, 10, 2400);
  settings.caption = parse_choice("--caption", options.caption, switches) == 1;
  settings.cell_text = static_cast<CellText>(parse_choice("--values", options.values, cell_texts));
  settings.text_scale =
      parse_real("--text-scale", options.text_scale, least_text_scale, most_text_scale);
  settings.measured = parse_choice("--clock", options.clock, clocks) == 1;
  if (!options.slowdown.empty())
    settings.slowed_down = parse_real("--slowdown", options.slowdown, 1, 1e12);
  settings.transparent = options.transparent;
  settings.svg_text = options.svg_text;
  settings.storyboard = options.storyboard;
  settings.folder = options.folder;
  return settings;
}

// The decks that are asked for, one after the other: what each is made of and is called.
struct Source {
  std::vector<std::unique_ptr<Trace>> traces;
  std::string name;
};
std::vector<Source> load_sources(const ExportOptions& options) {
  std::vector<Source> sources;
  for (const std::string& file : options.files) {
    const std::string stem = std::filesystem::path(file).stem().string();
    if (sources.empty() || options.view != compare) sources.push_back({{}, stem});
    sources.back().traces.push_back(std::make_unique<Trace>(load_trace(file)));
    const std::vector<std::unique_ptr<Trace>>& traces = sources.back().traces;
    if (traces.size() == 1) continue;
    require_same_data(*traces.front(), *traces.back());
    sources.back().name += '-' + stem;
  }
  return sources;
}

// The rounds that are asked for, of one record or over all phases of several.
std::pair<std::int32_t, std::int32_t> rounds_of_source(const Source& source,
                                                       const std::string& text) {
  if (source.traces.size() == 1) return rounds_named(source.traces.front()->schedule, text);
  std::vector<const Trace*> traces;
  for (const auto& trace : source.traces) traces.push_back(trace.get());
  if (text == "all") return {0, most_rounds(traces)};
  return range_of(text, [&](const std::string& round) { return compared_round(traces, round); });
}

// Two decks of one name would be one over the other.
void require_own_names(const ExportOptions& options) {
  std::map<std::string, std::string> files;
  for (const std::string& file : options.files)
    if (const auto [other, is_new] =
            files.emplace(std::filesystem::path(file).stem().string(), file);
        !is_new)
      throw Error({"error.export.same_name", {{"file", other->second}, {"other", file}}},
                  Blame::usage);
}

// What says nothing to the formats that are chosen.
void require_use(std::string_view option, bool given, const ExportOptions& options,
                 const std::vector<Format>& formats_chosen, std::span<const Format> uses) {
  const auto used = [&](Format format) {
    return std::find(uses.begin(), uses.end(), format) != uses.end();
  };
  if (!given || std::any_of(formats_chosen.begin(), formats_chosen.end(), used)) return;
  std::string known;
  for (const FormatRow& row : formats())
    if (used(row.format)) known += (known.empty() ? "" : ", ") + std::string(row.name);
  throw Error({"error.export.unused",
               {{"option", std::string(option)}, {"formats", options.format}, {"known", known}}},
              Blame::usage);
}
void require_use_of_all(const ExportOptions& options, const std::vector<Format>& chosen) {
  constexpr std::array films{Format::gif, Format::mp4};
  constexpr std::array dotted{Format::png}, lettered{Format::svg};
  constexpr std::array pages{Format::svg, Format::pdf, Format::png};
  require_use("clock", options.clock == "time", options, chosen, films);
  require_use("slowdown", !options.slowdown.empty(), options, chosen, films);
  require_use("dpi", !options.dpi.empty(), options, chosen, dotted);
  require_use("svg-text", options.svg_text, options, chosen, lettered);
  require_use("transparent", options.transparent, options, chosen, pages);
  require_use("storyboard", options.storyboard, options, chosen, pages);
}

Json notes_json(const std::vector<Message>& notes, const Language& language) {
  Json texts = Json::array();
  for (const Message& note : notes) texts.push_back(language.text(note));
  return texts;
}

// A record without transfers has one picture, and no film.
void require_seen_by(const Source& source, const DeckSettings& settings,
                     const ExportOptions& options) {
  if (source.traces.size() > 1) return;
  const Trace& trace = *source.traces.front();
  require_seen(trace, "--round " + options.round, options.round != "all" && options.round != "0");
  require_seen(trace, "--view " + options.view,
               settings.view != nullptr && !settings.view->fits(trace.schedule));
  require_seen(trace, "--storyboard", settings.storyboard);
  for (const Format format : {Format::gif, Format::mp4})
    require_seen(trace, "--format " + std::string(formats()[static_cast<std::size_t>(format)].name),
                 std::ranges::count(settings.formats, format) > 0);
}

int export_command(const ExportOptions& options, const Language& language) {
  if (options.files.empty()) require("FILE", "");
  DeckSettings settings = settings_of(options);
  require_use_of_all(options, settings.formats);
  if (options.view == compare)
    require_stages(options.files.size());
  else
    require_own_names(options);
  const Interrupt interrupt;
  ProgressLine progress(language);
  const Fonts fonts;
  Json written = Json::array();
  std::vector<Message> notes;
  const std::vector<Source> sources = load_sources(options);
  // What can't be done for one of them is said before anything is written.
  for (const Source& source : sources) {
    require_seen_by(source, settings, options);
    rounds_of_source(source, options.round);
    if (settings.view != nullptr && !settings.view->fits(source.traces.front()->schedule))
      throw Error({"error.picture.view", {{"view", options.view}}}, Blame::usage);
  }
  for (const Source& source : sources) {
    std::tie(settings.first_round, settings.last_round) = rounds_of_source(source, options.round);
    settings.name = source.name;
    std::vector<std::unique_ptr<Replay>> owned;
    std::vector<const Replay*> replays;
    for (const auto& trace : source.traces)
      replays.push_back(owned.emplace_back(std::make_unique<Replay>(*trace)).get());
    DeckHooks hooks;
    hooks.stop = interrupt.token();
    hooks.progress = [&](double share) { progress.show("line.progress.exporting", share); };
    const DeckResult result = export_deck(replays, fonts, language, settings, hooks);
    for (const std::string& path : result.files) {
      if (options.json)
        written.push_back(path);
      else
        print(path + '\n');
    }
    notes.insert(notes.end(), result.notes.begin(), result.notes.end());
  }
  if (!options.json)
    for (const Message& note : notes) print(language.text(note) + '\n');
  else
    print_json({{"files", written}, {"notes", notes_json(notes, language)}});
  return 0;
}

}  // namespace

CommandAction set_up_export(CLI::App& command, const Language& language) {
  const auto target = std::make_shared<ExportOptions>();
  Options options(command, language);
  options.files(target->files);
  options.value("--format", list_of(names_of(formats())), target->format);
  options.value("--view", choices(view_names()), target->view);
  options.value("--round", "all|1.2|1.1-1.3", target->round);
  options.value("--beats", list_of(beats), target->beats);
  options.value("--theme", choices(names_of(themes())), target->theme);
  options.value("--size", "WxH|16:9|4:3", target->size);
  options.value("--width-cm", "CM", target->width_cm);
  options.value("--dpi", "DPI", target->dpi);
  options.value("--text-scale", "TIMES", target->text_scale);
  options.value("--caption", choices(switches), target->caption);
  options.value("--values", choices(cell_texts), target->values);
  options.value("--clock", choices(clocks), target->clock);
  options.value("--slowdown", "TIMES", target->slowdown);
  options.flag("--transparent", target->transparent);
  options.flag("--svg-text", target->svg_text);
  options.flag("--storyboard", target->storyboard);
  options.value("-o", "DIR", target->folder);
  options.flag("--json", target->json);
  return [target](const Language& chosen, bool) { return export_command(*target, chosen); };
}

}  // namespace ringscope
