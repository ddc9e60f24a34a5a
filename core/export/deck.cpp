#include "core/export/deck.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

#include "core/export/deck_source.h"
#include "core/export/film.h"
#include "core/export/html.h"
#include "core/export/png.h"
#include "core/export/svg.h"
#include "core/export/trace_tables.h"
#include "core/figure/storyboard.h"
#include "core/replay/playback.h"
#include "core/trace/atomic_file.h"

namespace ringscope {
namespace {

namespace fs = std::filesystem;

constexpr std::array<FormatRow, 8> table{{
    {Format::svg, "svg", ".svg", false},
    {Format::pdf, "pdf", ".pdf", false},
    {Format::png, "png", ".png", false},
    {Format::gif, "gif", ".gif", false},
    {Format::mp4, "mp4", ".mp4", false},
    {Format::html, "html", ".html", false},
    {Format::csv, "csv", ".csv", true},
    {Format::perfetto, "perfetto", ".perfetto.json", true},
}};

constexpr double centimetres_per_inch = 2.54, points_per_inch = 72;
constexpr double seconds_of_run = 10;

constexpr std::array<std::string_view, 3> beat_names{"before", "moving", "after"};
constexpr std::array<double, 3> beat_fractions{0, 0.5, 1};
std::string_view name_of(Beat beat) { return beat_names[static_cast<std::size_t>(beat)]; }

double inches_of(const DeckSettings& settings) { return settings.width_cm / centimetres_per_inch; }
Size png_size(const DeckSettings& settings) {
  if (settings.dpi == 0) return settings.size;
  const double width = settings.dpi * inches_of(settings);
  return {std::round(width), std::round(settings.size.height * width / settings.size.width)};
}

// One picture of a deck.
struct Still {
  std::int32_t round;
  Beat beat;
};

class Deck {
 public:
  Deck(std::span<const Replay* const> replays, const Fonts& fonts, const Language& language,
       const DeckSettings& settings, const DeckHooks& hooks)
      : source_(replays, settings.view),
        fonts_(fonts),
        language_(language),
        settings_(settings),
        hooks_(hooks) {
    for (std::int32_t round = settings.first_round; round <= settings.last_round; ++round)
      for (const Beat beat : settings.beats)
        if (round > 0)
          stills_.push_back({round, beat});
        else if (beat == settings.beats.front())
          stills_.push_back({0, Beat::after});
  }

  DeckResult run() {
    for (std::size_t i = 0; i < settings_.formats.size(); ++i) {
      format_ = i;
      report(0);
      write(settings_.formats[i]);
    }
    report(1);
    return std::move(result_);
  }

 private:
  // Where the whole work is, `share` of the way through the present format.
  void report(double share) const {
    if (hooks_.stop.stop_requested()) throw Error({"error.export.cancelled", {}});
    if (hooks_.progress)
      hooks_.progress((static_cast<double>(format_) + share) /
                      static_cast<double>(settings_.formats.size()));
  }

  Figure figure(const DeckMoment& moment, const Language& language, double scale = 1) const {
    const Size size{std::round(settings_.size.width * scale),
                    std::round(settings_.size.height * scale)};
    return source_.figure(moment, {*settings_.theme, fonts_, language, size,
                                   settings_.caption && !settings_.storyboard, settings_.cell_text,
                                   settings_.text_scale});
  }
  static Cursor cursor_of(const Still& still) {
    return {still.round, beat_fractions[static_cast<std::size_t>(still.beat)]};
  }
  static DeckMoment moment_of(const Still& still) { return {.cursor = cursor_of(still)}; }
  // 'Round 1.2, moving'
  std::string title_of(const Still& still, const Language& language) const {
    std::string title = source_.round_title(still.round, language);
    if (still.round == 0) return title;
    return language.text(
        "export.beat",
        {{"round", title}, {"beat", language.text("view." + std::string(name_of(still.beat)))}});
  }
  std::string round_of(const Still& still) const { return source_.round(still.round); }

  std::string path_of(const std::string& moment, std::string_view ending) const {
    return (fs::path(settings_.folder) /
            (settings_.name + source_.middle() + moment + std::string(ending)))
        .string();
  }
  std::string path_of(const Still& still, std::string_view ending) const {
    std::string middle = "-round-" + round_of(still);
    if (still.round > 0) middle += '-' + std::string(name_of(still.beat));
    return path_of(middle, ending);
  }
  void save(const std::string& path, const std::string& bytes) {
    write_file(path, {std::as_bytes(std::span(bytes))}, Until::written);
    result_.files.push_back(path);
  }

  void write(Format format) {
    switch (format) {
      case Format::svg:
      case Format::png: return write_stills(format);
      case Format::pdf: return write_pdf();
      case Format::gif: return write_film(FilmKind::gif);
      case Format::mp4: return write_film(FilmKind::mp4);
      case Format::html: return write_html();
      case Format::csv: return write_data(".csv", csv_of);
      case Format::perfetto: return write_data(".perfetto.json", chrome_trace_of);
    }
  }
  // Of each replay; the second of the same algorithm is called 'NAME-ring-2'.
  void write_data(std::string_view ending, std::string (*text_of)(const Replay&)) {
    std::map<std::string, int> seen;
    for (const Replay* replay : source_.replays()) {
      std::string name = settings_.name;
      if (source_.compares()) {
        const std::string& algorithm = replay->trace().schedule.algorithm;
        name += '-' + algorithm;
        if (const int before = seen[algorithm]++; before > 0)
          name += '-' + std::to_string(before + 1);
      }
      save((fs::path(settings_.folder) / (name + std::string(ending))).string(), text_of(*replay));
    }
  }

  double inches() const { return inches_of(settings_); }
  double png_dpi() const {
    return settings_.dpi > 0 ? settings_.dpi : settings_.size.width / inches();
  }

  Figure storyboard(const Language& language, double scale = 1) const {
    std::vector<StoryboardTile> tiles;
    for (const Still& still : stills_)
      tiles.push_back({figure(moment_of(still), language), title_of(still, language)});
    return draw_storyboard(
        tiles, source_.title(language), *settings_.theme, fonts_,
        {std::round(settings_.size.width * scale), std::round(settings_.size.height * scale)});
  }

  void write_picture(Format format, const std::string& path, const Figure& figure) {
    if (format == Format::svg)
      save(path, svg_of(figure, fonts_, settings_.svg_text ? Letters::text : Letters::outlines,
                        !settings_.transparent));
    else
      save(path, png_of(draw_pixels(figure, fonts_, !settings_.transparent), png_dpi()));
  }
  void write_stills(Format format) {
    const double scale =
        format == Format::png ? png_size(settings_).width / settings_.size.width : 1;
    const std::string_view ending = table[static_cast<std::size_t>(format)].ending;
    if (settings_.storyboard)
      return write_picture(format, path_of("-storyboard", ending), storyboard(language_, scale));
    for (std::size_t i = 0; i < stills_.size(); ++i) {
      report(static_cast<double>(i) / static_cast<double>(stills_.size()));
      write_picture(format, path_of(stills_[i], ending),
                    figure(moment_of(stills_[i]), language_, scale));
    }
  }

  void write_pdf() {
    std::vector<PdfPage> pages;
    if (settings_.storyboard) {
      pages.push_back({storyboard(language_), language_.text("export.storyboard"), "1"});
    } else {
      for (const Still& still : stills_)
        pages.push_back(
            {figure(moment_of(still), language_), title_of(still, language_),
             still.round == 0 ? "0" : round_of(still) + ' ' + std::string(name_of(still.beat))});
    }
    const PdfFacts facts{.title = source_.title(language_),
                         .created = source_.trace().where.recorded_at,
                         .points_per_pixel = inches() * points_per_inch / settings_.size.width,
                         .ground = !settings_.transparent};
    const std::string middle = settings_.storyboard ? "-storyboard" : "";
    const std::string path = path_of(middle, ".pdf");
    save(path, pdf_of(pages, fonts_, facts));
    // Under another name: LaTeX calls what it makes after what it reads.
    if (!settings_.storyboard) save(path_of("-beamer", ".tex"), beamer_text(path, pages));
  }
  // Slides that step through the pages.
  std::string beamer_text(const std::string& pdf, const std::vector<PdfPage>& pages) const {
    const std::string file = fs::path(pdf).filename().string();
    const bool wide = settings_.size.width > 1.5 * settings_.size.height;
    std::string text = fmt::format(
        "% The pages of {0} as slides, one a click: pdflatex this file, or copy what is between\n"
        "% the lines of dashes into slides of yours.\n"
        "\\documentclass[aspectratio={1}]{{beamer}}\n"
        "\\setbeamertemplate{{navigation symbols}}{{}}\n"
        "\\begin{{document}}\n"
        "% ---\n"
        "{{\\catcode`\\%=12\\catcode`\\#=12 \\xdef\\pages{{\\detokenize{{{0}}}}}}}\n"
        "\\def\\showpage#1{{\\only<#1>{{\\makebox[\\textwidth]{{\\includegraphics[page=#1,"
        "width=\\paperwidth,height=\\paperheight,keepaspectratio]{{\\pages}}}}}}}}\n"
        "\\begin{{frame}}[plain]\n\\centering\n",
        file, wide ? "169" : "43");
    for (std::size_t i = 0; i < pages.size(); ++i)
      text += fmt::format("\\showpage{{{}}}% {}\n", i + 1, pages[i].label);
    return text + "\\end{frame}\n% ---\n\\end{document}\n";
  }

  void write_html() {
    std::vector<HtmlLanguage> languages;
    std::vector<std::string_view> codes = Language::codes();
    std::stable_partition(codes.begin(), codes.end(),
                          [&](std::string_view code) { return code == language_.code(); });
    std::size_t drawn = 0;
    for (const std::string_view code : codes) {
      const Language& language = Language::named(code);
      HtmlLanguage& page =
          languages.emplace_back(HtmlLanguage{language, source_.title(language), {}});
      for (const Still& still : stills_) {
        page.beats.push_back({figure(moment_of(still), language), round_of(still),
                              std::string(name_of(still.beat)), title_of(still, language),
                              source_.sentence(cursor_of(still), language)});
        report(static_cast<double>(++drawn) / static_cast<double>(codes.size() * stills_.size()));
      }
    }
    save(path_of("", ".html"), html_of(languages, *settings_.theme, fonts_));
  }

  // The moments of a film, one a frame.
  template <class Visit>
  void for_each_frame(Visit&& visit) const {
    const double step = 1.0 / settings_.frames_a_second;
    if (settings_.measured) {
      const double slowdown = slowdown_of(settings_, source_.nanoseconds());
      const double seconds = static_cast<double>(source_.nanoseconds()) * 1e-9 * slowdown;
      const int frames = static_cast<int>(std::ceil((seconds + stop_seconds) / step)) + 1;
      for (int i = 0; i < frames; ++i)
        visit(DeckMoment{.measured = true,
                         .nanoseconds = static_cast<std::int64_t>(i * step / slowdown * 1e9)},
              static_cast<double>(i) / frames);
      return;
    }
    Playback playback;
    playback.rounds = settings_.last_round;
    playback.round = settings_.first_round;
    playback.playing = settings_.first_round < settings_.last_round;
    playback.rest = stop_seconds;
    const double rounds = std::max(1, settings_.last_round - settings_.first_round);
    double after_end = 0;
    while (after_end < stop_seconds) {
      visit(DeckMoment{.cursor = ringscope::cursor_of(playback)},
            std::min(1.0, (position_of(playback) - settings_.first_round) / rounds));
      advance(playback, step);
      if (!runs(playback)) after_end += step;
    }
  }

  void write_film(FilmKind kind) {
    // A GIF is for pages and chats, and stores every frame whole: half the size will do. What mp4
    // stores has an even number of pixels each way.
    const double scale = kind == FilmKind::gif ? 0.5 : 1;
    const Size size{std::floor(settings_.size.width * scale / 2) * 2,
                    std::floor(settings_.size.height * scale / 2) * 2};
    const std::string path = path_of("", kind == FilmKind::gif ? ".gif" : ".mp4");
    const auto pixels_of = [&](const DeckMoment& moment) {
      Figure drawn = figure(moment, language_, scale);
      drawn.size = size;
      return draw_pixels(drawn, fonts_);
    };
    if (!has_ffmpeg()) return write_frames(kind, size, path, pixels_of);
    Film film(kind, size, settings_.frames_a_second, path);
    Pixels pixels;
    std::optional<DeckMoment> shown;
    for_each_frame([&](const DeckMoment& moment, double share) {
      report(share);
      // While a round rests all frames are the same.
      if (shown != moment) pixels = pixels_of(moment);
      shown = moment;
      film.add(pixels);
    });
    film.finish();
    result_.files.push_back(path);
  }
  template <class PixelsOf>
  void write_frames(FilmKind kind, Size size, const std::string& path, const PixelsOf& pixels_of) {
    int number = 0;
    for_each_frame([&](const DeckMoment& moment, double share) {
      report(share);
      save(path_of(fmt::format("-frame-{:04}", number++), ".png"), png_of(pixels_of(moment)));
    });
    result_.notes.push_back({"export.no_ffmpeg",
                             {{"command", film_command(kind, size, settings_.frames_a_second, path,
                                                       path_of("-frame-%04d", ".png"))}}});
  }

  DeckSource source_;
  const Fonts& fonts_;
  const Language& language_;
  const DeckSettings& settings_;
  const DeckHooks& hooks_;
  std::vector<Still> stills_;
  std::size_t format_ = 0;
  DeckResult result_;
};

}  // namespace

std::span<const FormatRow> formats() { return table; }

double slowdown_of(const DeckSettings& settings, std::int64_t nanoseconds) {
  if (settings.slowed_down > 0) return settings.slowed_down;
  return nanoseconds > 0 ? seconds_of_run * 1e9 / static_cast<double>(nanoseconds) : 1;
}

DeckResult export_deck(std::span<const Replay* const> replays, const Fonts& fonts,
                       const Language& language, const DeckSettings& settings,
                       const DeckHooks& hooks) {
  // Before the folder is made, and other formats are written.
  const bool has_png = std::find(settings.formats.begin(), settings.formats.end(), Format::png) !=
                       settings.formats.end();
  require_picture_size(has_png ? png_size(settings) : settings.size);
  std::error_code fault;
  fs::create_directory(settings.folder, fault);
  std::error_code unseen;  // not allowed to look
  if (!fs::is_directory(settings.folder, unseen)) {
    if (fault == std::errc::no_such_file_or_directory)
      throw Error({"error.file.no_folder", {{"file", settings.folder}}});
    if (!fault) fault = unseen;
    const bool taken = !fault || fault == std::errc::file_exists;
    const std::error_code why = taken ? make_error_code(std::errc::not_a_directory) : fault;
    throw Error({"error.file.folder", {{"folder", settings.folder}, {"why", why.message()}}});
  }
  return Deck(replays, fonts, language, settings, hooks).run();
}

}  // namespace ringscope
