// All that leaves a replay: which files, and nothing half-written.
#include "core/export/deck.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "core/export/cairo_painter.h"
#include "tests/error_of.h"
#include "tests/folder.h"
#include "tests/serial_run.h"

using namespace ringscope;
namespace fs = std::filesystem;

namespace {

const Fonts& fonts() {
  static const Fonts loaded;
  return loaded;
}

Trace ring_trace(std::int32_t ranks) {
  Trace trace = run_serially({.schedule = make_ring({ranks, static_cast<std::uint64_t>(ranks)}),
                              .type = ElementType::f32});
  trace.where.recorded_at = 1'700'000'000;
  trace.verdict.outcome = Verdict::Outcome::verified;
  return trace;
}

DeckSettings settings_for(const Trace& trace, const std::string& folder,
                          std::vector<Format> formats) {
  DeckSettings settings;
  settings.formats = std::move(formats);
  settings.last_round = rounds_of(trace.schedule);
  settings.folder = folder;
  settings.name = "ring";
  return settings;
}

DeckResult export_of(const Trace& trace, const DeckSettings& settings, const DeckHooks& hooks = {},
                     std::string_view language = "en") {
  const Replay replay(trace);
  const Replay* const replays[] = {&replay};
  return export_deck(replays, fonts(), Language::named(language), settings, hooks);
}

std::string text_of(const std::string& path) {
  const std::vector<std::byte> bytes = bytes_of_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

const std::vector<Format> every_still{Format::svg,  Format::pdf, Format::png,
                                      Format::html, Format::csv, Format::perfetto};

}  // namespace

TEST_CASE("a deck has a picture of each beat, named after it") {
  const Folder folder;
  const Trace trace = ring_trace(3);
  const DeckResult result = export_of(trace, settings_for(trace, folder.path, {Format::svg}));
  CHECK(names_in(folder.path) ==
        std::set<std::string>{
            "ring-round-0.svg", "ring-round-1.1-moving.svg", "ring-round-1.1-after.svg",
            "ring-round-1.2-moving.svg", "ring-round-1.2-after.svg", "ring-round-2.1-moving.svg",
            "ring-round-2.1-after.svg", "ring-round-2.2-moving.svg", "ring-round-2.2-after.svg"});
  CHECK(result.files.size() == 9);
  CHECK(result.notes.empty());
}

TEST_CASE("a rank alone has its start to show") {
  if (!has_cairo()) return;
  const Folder folder;
  const Trace trace = ring_trace(1);
  export_of(trace, settings_for(trace, folder.path, every_still));
  CHECK(names_in(folder.path) ==
        std::set<std::string>{"ring-round-0.svg", "ring.pdf", "ring-beamer.tex", "ring-round-0.png",
                              "ring.html", "ring.csv", "ring.perfetto.json"});
}

TEST_CASE("chosen rounds and beats, another view, a storyboard") {
  const Folder folder;
  const Trace trace = ring_trace(4);
  DeckSettings settings = settings_for(trace, folder.path, {Format::svg});
  settings.first_round = settings.last_round = 2;
  settings.beats = {Beat::before};
  settings.view = &view_named("matrix");
  export_of(trace, settings);
  CHECK(names_in(folder.path) == std::set<std::string>{"ring-matrix-round-1.2-before.svg"});
  settings = settings_for(trace, folder.path, {Format::svg});
  settings.storyboard = true;
  export_of(trace, settings);
  const std::string page = text_of(folder.file("ring-storyboard.svg"));
  CHECK(page.find("id=\"tile12.title\"") != page.npos);
  CHECK(page.find("id=\"tile13.title\"") == page.npos);
}

TEST_CASE("cells say symbols, numbers, or both") {
  const Folder folder;
  const Trace trace = ring_trace(4);
  const auto says = [&](CellText text, const std::string& words) {
    DeckSettings settings = settings_for(trace, folder.path, {Format::svg});
    settings.first_round = settings.last_round = 2;
    settings.beats = {Beat::moving};
    settings.cell_text = text;
    export_of(trace, settings);
    const std::string picture = text_of(folder.file("ring-round-1.2-moving.svg"));
    return picture.find("aria-label=\"" + words + "\"") != picture.npos;
  };
  for (const CellText text : {CellText::both, CellText::symbols}) {
    CHECK(says(text, "b0+a0"));
    CHECK(says(text, "+b0+a0"));
  }
  CHECK_FALSE(says(CellText::numbers, "b0+a0"));
  for (const CellText text : {CellText::both, CellText::numbers}) CHECK(says(text, "11"));
  CHECK(says(CellText::numbers, "+11"));
  CHECK_FALSE(says(CellText::symbols, "11"));
}

TEST_CASE("a PDF has a page a beat, and its date from the trace") {
  if (!has_cairo()) return;
  const Folder folder;
  Trace trace = ring_trace(4);
  export_of(trace, settings_for(trace, folder.path, {Format::pdf}));
  const std::string pdf = text_of(folder.file("ring.pdf"));
  CHECK(pdf.starts_with("%PDF-"));
  CHECK(pdf.find("/Count 13") != pdf.npos);
  CHECK(pdf.find("20231114221320Z") != pdf.npos);
  CHECK(pdf.find("/Title (Round 1.2, moving)") != pdf.npos);
  const std::string tex = text_of(folder.file("ring-beamer.tex"));
  CHECK(tex.find("page{13}") != tex.npos);
  CHECK(tex.find("page{14}") == tex.npos);
  trace.where.recorded_at += 86'400;
  export_of(trace, settings_for(trace, folder.path, {Format::pdf}));
  CHECK(text_of(folder.file("ring.pdf")) != pdf);
}

TEST_CASE("the words of a PDF can be selected, in both languages") {
  if (!has_cairo()) return;
  if (std::system("command -v pdftotext >/dev/null") != 0) {
    WARN("pdftotext is missing, so no text is selected: install poppler-utils");
    return;
  }
  const Folder folder;
  const Trace trace = ring_trace(4);
  const auto words = [&](std::string_view language) {
    export_of(trace, settings_for(trace, folder.path, {Format::pdf}), {}, language);
    const std::string file = folder.file("ring.pdf"), text = folder.file("ring.txt");
    REQUIRE(std::system(("pdftotext '" + file + "' '" + text + "'").c_str()) == 0);
    return text_of(text);
  };
  const std::string english = words("en"), chinese = words("zh");
  for (const char* const part : {"Round 1.2\n", "scatter-reduce, 2 of 3", "a3+d3", "4004"})
    CHECK(english.find(part) != std::string::npos);
  for (const char* const part : {"第 1.2 轮", "传输中", "a3+d3"})
    CHECK(chinese.find(part) != std::string::npos);
}

TEST_CASE("a PDF of four ranks is small, in Chinese, too, whose font is not") {
  if (!has_cairo()) return;
  const Folder folder;
  const Trace trace = ring_trace(4);
  const auto kilobytes = [&](std::string_view language) {
    export_of(trace, settings_for(trace, folder.path, {Format::pdf}), {}, language);
    return fs::file_size(folder.file("ring.pdf")) / 1000;
  };
  CHECK(kilobytes("en") < 130);
  CHECK(kilobytes("zh") < 145);
}

TEST_CASE("a PNG has as many pixels as its width and density ask for, and says its density") {
  if (!has_cairo()) return;
  const Folder folder;
  const Trace trace = ring_trace(2);
  DeckSettings settings = settings_for(trace, folder.path, {Format::png});
  settings.last_round = 0;
  settings.width_cm = 12.7;
  settings.dpi = 300;
  export_of(trace, settings);
  const std::string png = text_of(folder.file("ring-round-0.png"));
  const auto number = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
      value = value << 8 | static_cast<unsigned char>(png[at + i]);
    return value;
  };
  CHECK(number(16) == 1500);
  CHECK(number(20) == 844);
  const std::size_t density = png.find("pHYs");
  REQUIRE(density != png.npos);
  CHECK(number(density + 4) == 11811);  // 300 / 0.0254
}

TEST_CASE("a transparent picture has no ground") {
  if (!has_cairo()) return;
  const Trace trace = ring_trace(2);
  const Replay replay(trace);
  const Figure figure = draw_ring({.replay = replay,
                                   .theme = light_theme(),
                                   .fonts = fonts(),
                                   .language = Language::named("en"),
                                   .size = {640, 360},
                                   .scale = 1.0 / 3},
                                  replay.at({0, 1}));
  CHECK(draw_pixels(figure, fonts(), true).rgba[3] == 255);
  CHECK(draw_pixels(figure, fonts(), false).rgba[3] == 0);
}

TEST_CASE("an export that is cancelled stops, and what can't be written is one sentence") {
  const Folder folder;
  const Trace trace = ring_trace(4);
  std::stop_source stop;
  DeckHooks hooks;
  hooks.stop = stop.get_token();
  hooks.progress = [&](double share) {
    if (share > 0.4) stop.request_stop();
  };
  const DeckSettings settings = settings_for(trace, folder.path, {Format::svg});
  CHECK(error_of([&] { export_of(trace, settings, hooks); }) == "error.export.cancelled");
  CHECK(folder.files() > 0);
  CHECK(folder.files() < 13);

  CHECK(error_of([&] {
          export_of(trace, settings_for(trace, folder.file("no/such"), {Format::svg}));
        }) == "error.file.no_folder");
  write(folder.file("taken"), {});
  for (const char* name : {"taken", "taken/below"})
    CHECK(error_of([&] {
            export_of(trace, settings_for(trace, folder.file(name), {Format::svg}));
          }) == "error.file.folder");
  fs::create_directory(folder.file("ring.csv"));
  CHECK(error_of([&] { export_of(trace, settings_for(trace, folder.path, {Format::csv})); }) ==
        "error.file.is_folder");
}

TEST_CASE("progress never falls and ends at one") {
  const Folder folder;
  const Trace trace = ring_trace(3);
  double last = 0;
  DeckHooks hooks;
  hooks.progress = [&](double share) {
    CHECK(share >= last);
    last = share;
  };
  export_of(trace, settings_for(trace, folder.path, {Format::svg, Format::html, Format::csv}),
            hooks);
  CHECK(last == 1);
}
