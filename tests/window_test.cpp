// The real window, driven by scripts under a display of its own (Xvfb, Mesa's software renderer).
#include <stb_image.h>
#include <sys/wait.h>

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "app/window/layout.h"
#include "app/window/preferences.h"
#include "core/engine/record.h"
#include "core/trace/trace_file.h"
#include "tests/folder.h"

using namespace ringscope;
namespace fs = std::filesystem;

namespace {

struct Outcome {
  int status = -1;
  std::string errors;
};

Outcome shell(const std::string& command, const fs::path& errors) {
  const int result = std::system((command + " 2>" + errors.string()).c_str());
  std::ifstream file(errors);
  return {WIFEXITED(result) ? WEXITSTATUS(result) : -1, {std::istreambuf_iterator<char>(file), {}}};
}

bool can_open_a_window() {
  const bool can = std::system("command -v xvfb-run >/dev/null 2>&1") == 0;
  if (!can) WARN("xvfb-run is missing, so the window is not tested: install xvfb and xauth");
  return can;
}

// A folder with the record of a ring, and its own settings of the window.
struct Window : Folder {
  Window() : Folder("window-test") {
    RunSettings settings;
    settings.ranks = 4;
    save_trace(record(settings), at("a.ring"));
  }

  std::string at(const std::string& name) const { return (path / name).string(); }

  // Leaks of the graphics driver are not ours.
  std::string environment(const std::string& unset = "") const {
    return "env " + unset + "XDG_CONFIG_HOME=" + at("config") +
           " LC_ALL=C.UTF-8 ASAN_OPTIONS=detect_leaks=0 ";
  }

  Outcome run(const std::string& script, const std::string& options = "") const {
    std::ofstream(at("commands.script")) << script;
    const auto once = [&] {
      return shell(environment() + "timeout 120 xvfb-run -a -s '-screen 0 1920x1080x24' " +
                       PROGRAM + " window " + at("a.ring") + " --script " + at("commands.script") +
                       ' ' + options,
                   at("errors.txt"));
    };
    // xvfb-run's own status where its server was not up in time, as on a busy machine.
    constexpr int no_server = 5;
    Outcome outcome = once();
    for (int again = 0; outcome.status == no_server && again < 3; ++again) outcome = once();
    return outcome;
  }
};

struct Picture {
  int width = 0, height = 0;
  std::vector<double> shades;  // row after row, red, green, blue

  double& at(int x, int y, int channel) {
    return shades[static_cast<std::size_t>((y * width + x) * 3 + channel)];
  }
};

Picture read_png(const std::string& path) {
  Picture picture;
  int channels = 0;
  unsigned char* bytes = stbi_load(path.c_str(), &picture.width, &picture.height, &channels, 3);
  INFO(path);
  REQUIRE(bytes != nullptr);
  picture.shades.assign(bytes, bytes + picture.width * picture.height * 3);
  stbi_image_free(bytes);
  return picture;
}

// The part of a window's screenshot where the stage is.
Picture stage_of(Picture whole, Arrangement arrangement = Arrangement::stage_and_panel) {
  const Size size{static_cast<double>(whole.width), static_cast<double>(whole.height)};
  const Layout layout = layout_of(size, 1, arrangement);
  const auto pixels = [&](double units) {
    return static_cast<int>(std::floor(units * layout.scale));
  };
  const int left = static_cast<int>(std::round(layout.stage.x * layout.scale));
  const int top = static_cast<int>(std::round(layout.stage.y * layout.scale));
  Picture stage{pixels(layout.stage.width), pixels(layout.stage.height), {}};
  for (int y = 0; y < stage.height; ++y)
    for (int x = 0; x < stage.width; ++x)
      for (int channel = 0; channel < 3; ++channel)
        stage.shades.push_back(whole.at(left + x, top + y, channel));
  return stage;
}

// 320 pixels wide, each the mean of those that it stands for.
Picture small(Picture large) {
  constexpr int width = 320;
  const double step = static_cast<double>(large.width) / width;
  Picture result{width, static_cast<int>(large.height / step), {}};
  for (int y = 0; y < result.height; ++y)
    for (int x = 0; x < width; ++x)
      for (int channel = 0; channel < 3; ++channel) {
        double sum = 0;
        int count = 0;
        for (int v = static_cast<int>(y * step); v < static_cast<int>((y + 1) * step); ++v)
          for (int u = static_cast<int>(x * step); u < static_cast<int>((x + 1) * step); ++u)
            sum += large.at(u, v, channel), ++count;
        result.shades.push_back(sum / std::max(count, 1));
      }
  return result;
}

// Peak signal to noise, in decibels; 99 for equal pictures.
double likeness(const Picture& large, const Picture& other) {
  REQUIRE(large.width == other.width);
  REQUIRE(large.height == other.height);
  const Picture a = small(large), b = small(other);
  double squares = 0;
  for (std::size_t i = 0; i < a.shades.size(); ++i)
    squares += (a.shades[i] - b.shades[i]) * (a.shades[i] - b.shades[i]);
  const double mean = squares / static_cast<double>(a.shades.size());
  return mean == 0 ? 99 : 10 * std::log10(255.0 * 255.0 / mean);
}

}  // namespace

TEST_CASE("the stage shows the picture that is saved, and no other") {
  if (!can_open_a_window()) return;
  Window window;
  const auto shots = [&](const std::string& name) {
    return "screenshot " + window.at(name + ".png") + "\nsave-picture " +
           window.at(name + "-saved.png") + "\nclose\n";  // what says where it went
  };
  const Outcome outcome =
      window.run("size 1600 900\nreduced-motion on\nforward\nforward\n" + shots("second") +
                     "forward\n" + shots("third") + "theme dark\nview matrix\n" + shots("matrix") +
                     "theme light\nview ring\nlanguage zh\n" + shots("chinese") +
                     "size 1280 720\n" + shots("small") + "quit\n",
                 "--lang en --theme light");
  INFO(outcome.errors);
  REQUIRE(outcome.status == 0);

  const auto shown = [&](const std::string& name) {
    return stage_of(read_png(window.at(name + ".png")));
  };
  const auto saved = [&](const std::string& name) {
    return read_png(window.at(name + "-saved.png"));
  };
  for (const char* name : {"second", "third", "matrix", "chinese", "small"}) {
    INFO(name);
    CHECK(likeness(shown(name), saved(name)) > 35);
  }
  CHECK(likeness(shown("second"), saved("third")) < 28);
  CHECK(likeness(shown("third"), saved("chinese")) < 28);
}

TEST_CASE("a script steps, plays to the end, and leaves the window as it was asked to") {
  if (!can_open_a_window()) return;
  Window window;
  const Outcome outcome = window.run(
      "size 800 600\nspeed 40\nforward\nback\nplay\nhelp\nhelp off\n"
      "presenter\npresenter\ntheme dark\nlanguage zh\nview matrix\n"
      "back\nquit\nforward\nforward\n");
  INFO(outcome.errors);
  CHECK(outcome.status == 0);
  const Preferences remembered = load_preferences(window.at("config/ringscope/settings.toml"));
  CHECK(remembered.theme == "dark");
  CHECK(remembered.language == "zh");
  CHECK(remembered.view == "matrix");
  CHECK(remembered.window == Size{800, 600});
  CHECK(remembered.last_folder == window.path.string());
}

TEST_CASE("play has run to the end when its line is over") {
  if (!can_open_a_window()) return;
  Window window;
  const Outcome outcome = window.run("speed 40\nplay\nforward\nquit\n");
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.errors, Catch::Contains("line 3"));
}

TEST_CASE("a run in the window replaces the record, and one that fails keeps it") {
  if (!can_open_a_window()) return;
  Window window;
  const Outcome outcome = window.run("set ranks 3\nset output " + window.at("mine.ring") +
                                     "\nset-up\nrun\ngo 2.2\n"
                                     // With no GPU it can't run, and with some that is one too few.
                                     "set engine cuda\nset devices 0\nset-up on\nrun\nquit\n");
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.errors, Catch::Contains("line 9"));
  CHECK(load_trace(window.at("mine.ring")).schedule.ranks == 3);
}

TEST_CASE("wrong scripts and files are one sentence and an exit status") {
  if (!can_open_a_window()) return;
  Window window;
  Outcome outcome = window.run("forward\njump\n");
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.errors, Catch::Contains("2") && Catch::Contains("jump"));
  std::ofstream(window.at("bad.ring")) << "no trace";
  outcome = window.run("open " + window.at("bad.ring") + "\n", "--lang zh");
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.errors, Catch::Contains("bad.ring"));
}

TEST_CASE("without a display the window names what works without one, in both languages") {
  Window window;
  for (const char* language : {"en", "zh"}) {
    const Outcome outcome = shell(window.environment("-u DISPLAY -u WAYLAND_DISPLAY ") + PROGRAM +
                                      " window " + window.at("a.ring") + " --lang " + language,
                                  window.at("errors.txt"));
    CHECK(outcome.status == 1);
    CHECK_THAT(outcome.errors, Catch::Contains("ringscope picture"));
    CHECK_THAT(outcome.errors, Catch::Contains("ringscope show"));
  }
}

TEST_CASE("both clocks, a selection, and records beside one another are shown and saved alike") {
  if (!can_open_a_window()) return;
  Window window;
  RunSettings settings;
  settings.ranks = 4;
  settings.algorithm = "tree";
  save_trace(record(settings), window.at("b.ring"));
  const auto shots = [&](const std::string& name) {
    return "screenshot " + window.at(name + ".png") + "\nsave-picture " +
           window.at(name + "-saved.png") +
           "\nclose\nclose\n";  // selection, what says where it went
  };
  const Outcome outcome =
      window.run("size 1280 720\nclock time\nseek 3us\nforward\nselect 2\n" + shots("time") +
                     "speed 1s\nplay\nback\ncompare-with " + window.at("b.ring") + "\nlast\n" +
                     shots("compared") + "end-comparison\nclock rounds\nviews\nview matrix\nquit\n",
                 "--lang en --theme light");
  INFO(outcome.errors);
  REQUIRE(outcome.status == 0);
  CHECK(likeness(stage_of(read_png(window.at("time.png"))), read_png(window.at("time-saved.png"))) >
        33);
  const Picture saved = read_png(window.at("compared-saved.png"));
  CHECK(likeness(stage_of(read_png(window.at("compared.png")), Arrangement::wide_stage), saved) >
        33);
}

TEST_CASE("records that ran on other data are not put beside one another") {
  if (!can_open_a_window()) return;
  Window window;
  RunSettings settings;
  settings.ranks = 3;
  save_trace(record(settings), window.at("b.ring"));
  const Outcome outcome = window.run("compare-with " + window.at("b.ring") + "\n");
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.errors, Catch::Contains("line 1"));
}

TEST_CASE("algorithms are run in one go and compared, from the set-up") {
  if (!can_open_a_window()) return;
  Window window;
  const Outcome outcome = window.run(
      "set ranks 4\nset compare tree, parameter-server\nset-up\nrun\nend-comparison\nquit\n");
  INFO(outcome.errors);
  CHECK(outcome.status == 0);
}
