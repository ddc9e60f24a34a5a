#include <algorithm>
#include <array>
#include <memory>

#include "app/cli/comparison_picture.h"
#include "app/cli/interrupt.h"
#include "app/cli/opaque_text.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/subcommands.h"
#include "core/engine/trouble.h"
#include "core/export/deck.h"
#include "core/export/png.h"
#include "core/figure/views.h"
#include "core/schedule/opaque.h"
#include "core/trace/atomic_file.h"
#include "core/trace/trace_file.h"

namespace ringscope {
namespace {

struct PictureOptions {
  std::vector<std::string> files;
  std::string round, time, beat, view, output, size = "1920x1080", theme = "light";
  std::string text_scale = "1";
};

constexpr std::array<std::string_view, 3> beats{"before", "moving", "after"};
constexpr std::array<double, 3> fractions{0, 0.5, 1};  // of the cursor, by beat

// Where in its round the moment is.
double fraction_of(const PictureOptions& options) {
  return options.beat.empty() ? 1 : fractions[parse_choice("--beat", options.beat, beats)];
}

// 'out/ring.png' -> 'out/ring-round-1.2-after.png', for a picture of every round.
std::string path_of_round(const PictureOptions& options, const std::string& round) {
  const std::string stem = options.output.substr(0, options.output.size() - 4);
  return stem + "-round-" + round +
         (round == "0" ? "" : '-' + (options.beat.empty() ? "after" : options.beat)) + ".png";
}

// Several records, side by side.
int comparison_command(const PictureOptions& options, double text_scale, const Language& language) {
  require_stages(options.files.size());
  if (!options.view.empty())
    throw Error({"error.option.exclude", {{"option", "--view"}, {"other", "FILE FILE"}}},
                Blame::usage);
  std::vector<Trace> traces;
  std::vector<const Trace*> all;
  for (const std::string& file : options.files) traces.push_back(load_trace(file));
  for (const Trace& trace : traces) all.push_back(&trace);
  const Moment moment = moment_of(all, options.time, options.round, fraction_of(options));
  require_writable(options.output);
  write_comparison(all, moment, theme_named(options.theme), parse_size("--size", options.size),
                   text_scale, language, options.output);
  return 0;
}

int picture_command(const PictureOptions& options, const Language& language) {
  require("FILE", options.files.empty() ? "" : options.files.front());
  if (options.time.empty() && options.files.size() > 1) require("--round", options.round);
  for (const auto& [other, value] :
       {std::pair("--round", options.round), std::pair("--beat", options.beat)})
    if (!options.time.empty() && !value.empty())
      throw Error({"error.option.exclude", {{"option", "--time"}, {"other", other}}}, Blame::usage);
  require("-o", options.output);
  const double fraction = fraction_of(options);
  const bool timed = !options.time.empty();
  const std::int64_t moment = timed ? parse_duration(options.time).count() : 0;
  const View* const named = options.view.empty() ? nullptr : &view_named(options.view);
  const Theme& theme = theme_named(options.theme);
  const Size size = parse_size("--size", options.size);
  const double text_scale =
      parse_real("--text-scale", options.text_scale, least_text_scale, most_text_scale);
  require_png_name(options.output);
  if (!has_cairo()) throw Error({"error.picture.no_cairo", {}});
  if (options.files.size() > 1) return comparison_command(options, text_scale, language);

  const Trace trace = load_trace(options.files.front());
  // A run that shows no transfers has no rounds to choose from.
  const bool has_rounds = !is_opaque(trace.schedule);
  if (!timed && has_rounds) require("--round", options.round);
  const bool all = options.round == "all";
  require_seen(trace, "--round " + options.round,
               !all && !options.round.empty() && options.round != "0");
  const std::int32_t first =
      all || timed || !has_rounds ? 0 : round_named(trace.schedule, options.round) + 1;
  const std::int32_t last = all ? rounds_of(trace.schedule) : first;
  const View& view = named ? *named : first_view_of(trace.schedule);
  require_seen(trace, "--view " + options.view, !view.fits(trace.schedule));
  if (!view.fits(trace.schedule))
    throw Error({"error.picture.view", {{"view", options.view}}}, Blame::usage);
  require_writable(options.output);
  const Interrupt interrupt;
  ProgressLine progress(language);
  const Replay replay(trace);
  const Fonts fonts;
  const double scale = std::min(size.width / 1920, size.height / 1080);
  const ViewContext context{.replay = replay,
                            .theme = theme,
                            .fonts = fonts,
                            .language = language,
                            .size = size,
                            .scale = scale,
                            .caption = true,
                            .text_scale = text_scale};
  if (timed) {
    write_png(view.draw(context, replay.at_time(moment)), fonts, options.output);
    return 0;
  }
  for (std::int32_t round = first; round <= last; ++round) {
    if (interrupt.token().stop_requested()) throw Error({"error.export.cancelled", {}});
    progress.show("line.progress.exporting", (round - first + 0.0) / (last - first + 1));
    const Cursor cursor{round, round == 0 ? 1 : fraction};
    const std::string path =
        all ? path_of_round(options, round_name(trace.schedule, round - 1)) : options.output;
    write_png(view.draw(context, replay.at(cursor)), fonts, path);
  }
  return 0;
}

}  // namespace

CommandAction set_up_picture(CLI::App& command, const Language& language) {
  const auto target = std::make_shared<PictureOptions>();
  Options options(command, language);
  options.files(target->files);
  options.value("--round", "1.2|0|all", target->round);
  options.value("--time", "12.3us", target->time);
  options.value("--beat", choices(beats), target->beat);
  options.value("--view", choices(names_of(views())), target->view);
  options.value("-o", "FILE.png", target->output);
  options.value("--size", "WxH", target->size);
  options.value("--theme", choices(names_of(themes())), target->theme);
  options.value("--text-scale", "TIMES", target->text_scale);
  return [target](const Language& chosen, bool) { return picture_command(*target, chosen); };
}

}  // namespace ringscope
