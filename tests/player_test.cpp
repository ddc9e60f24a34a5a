// The page for the browser, stepped through by keys in headless Chromium, where that is installed.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "core/export/deck.h"
#include "core/export/html.h"
#include "tests/folder.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

std::string page(const std::string& folder) {
  Trace trace = run_serially({.schedule = make_ring({4, 4}), .type = ElementType::f32});
  trace.verdict.outcome = Verdict::Outcome::verified;
  const Fonts fonts;
  DeckSettings settings;
  settings.formats = {Format::html};
  settings.last_round = rounds_of(trace.schedule);
  settings.folder = folder;
  settings.name = "ring";
  const Replay replay(trace);
  const Replay* const replays[] = {&replay};
  export_deck(replays, fonts, Language::named("en"), settings);
  const std::vector<std::byte> bytes = bytes_of_file(folder + "/ring.html");
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

nlohmann::json deck_of(const std::string& html) {
  const std::string begin = "<script id=\"deck\" type=\"application/json\">";
  const std::size_t from = html.find(begin) + begin.size();
  return nlohmann::json::parse(html.substr(from, html.find("</script>", from) - from));
}

bool has_chromium() { return std::system("command -v chromium >/dev/null") == 0; }

// What is done to a page that was opened at an address, and what it shows then.
struct Visit {
  std::string address, script;
};
// Each in a frame of its own, all in one browser, which takes a second to start. `script` may wait:
// 'await seconds(3)' takes none, as the browser's clock runs ahead while nothing is to do.
nlohmann::json visited(const Folder& folder, const std::vector<Visit>& visits,
                       const std::string& options = "") {
  std::string script =
      "<!DOCTYPE html><meta charset='utf-8'><body><script>\n"
      "const looks = `({address: location.hash, where: by('where').textContent, sentence: "
      "by('sentence').textContent, language: document.documentElement.lang, shapes: "
      "by('stage').querySelectorAll('svg > *').length, bar: by('bar').value})`;\n"
      "async function visit(address, script) {\n"
      "  const frame = document.createElement('iframe');\n"
      "  frame.src = 'ring.html' + address;\n"
      "  document.body.append(frame);\n"
      "  await new Promise(done => frame.onload = done);\n"
      "  await frame.contentWindow.eval('const press = key => dispatchEvent(new KeyboardEvent("
      "\"keydown\", {key, cancelable: true})); const seconds = count => new Promise(done => "
      "setTimeout(done, 1000 * count)); (async () => {' + script + '})()');\n"
      "  return frame.contentWindow.eval(looks);\n"
      "}\n(async () => {\nconst all = [];\n";
  for (const Visit& visit : visits)
    script += "all.push(await visit(" + nlohmann::json(visit.address).dump() + ", " +
              nlohmann::json(visit.script).dump() + "));\n";
  script +=
      "const seen = document.createElement('pre'); seen.id = 'seen';\n"
      "seen.textContent = JSON.stringify(all); document.body.replaceChildren(seen);\n"
      "})();\n</script></body>";
  std::ofstream(folder.file("visits.html")) << script;
  const std::string dom = folder.file("dom.html");
  const std::string command =
      "chromium --headless --no-sandbox --disable-gpu --allow-file-access-from-files "
      "--virtual-time-budget=60000 " +
      options + " --user-data-dir=" + folder.file("profile") + " --dump-dom 'file://" +
      folder.file("visits.html") + "' >" + dom + " 2>/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  std::ifstream file(dom);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::smatch seen;
  REQUIRE(std::regex_search(text, seen, std::regex("<pre id=\"seen\">([^<]*)</pre>")));
  return nlohmann::json::parse(seen[1].str());
}

}  // namespace

TEST_CASE("the page needs no network, and holds every beat in both languages") {
  const Folder folder;
  const std::string html = page(folder.path);
  CHECK(html.size() < 500'000);
  for (const char* const outside : {"http://", "https://", "<link", "@import", " src="}) {
    INFO(outside);
    std::string rest = html;
    for (std::size_t at = 0; (at = rest.find("http://www.w3.org/2000/svg")) != rest.npos;)
      rest.erase(at, 26);
    CHECK(rest.find(outside) == rest.npos);
  }
  const nlohmann::json deck = deck_of(html);
  REQUIRE(deck["languages"].size() == 2);
  CHECK(deck["languages"][0]["code"] == "en");
  CHECK(deck["languages"][1]["code"] == "zh");
  for (const auto& language : deck["languages"]) {
    REQUIRE(language["beats"].size() == 13);
    for (const auto& beat : language["beats"])
      for (const auto& shape : beat["shapes"])
        CHECK(shape.get<std::size_t>() < deck["shapes"].size());
  }
}

TEST_CASE("keys step through the page, and the address follows") {
  if (!has_chromium()) {
    WARN("chromium is not installed: the page is not tried");
    return;
  }
  const Folder folder;
  page(folder.path);
  struct Expected {
    Visit visit;
    std::string address, where, language = "en";
  };
  const std::vector<Expected> all{
      {{"", ""}, "#0", "Start"},
      {{"", "press('ArrowRight'); press('PageDown'); press('PageDown');"},
       "#1.2-moving",
       "Round 1.2, moving"},
      {{"", "press('End'); press('PageUp');"}, "#2.3-moving", "Round 2.3, moving"},
      {{"", "press('End'); press('ArrowRight'); press('Home'); press('ArrowLeft');"},
       "#0",
       "Start"},
      {{"#1.2", ""}, "#1.2", "Round 1.2, after"},
      {{"#1.2", "location.hash = '#2.1-moving'; await seconds(1);"},
       "#2.1-moving",
       "Round 2.1, moving"},
      // Left as it is; the start is shown.
      {{"#9.9", ""}, "#9.9", "Start"},
      {{"#%zz", ""}, "#%zz", "Start"},
      {{"", "by('bar').value = 5; by('bar').dispatchEvent(new Event('input'));"},
       "#1.3-moving",
       "Round 1.3, moving"},
      {{"", "press('End'); press('l');"}, "#2.3", "第 2.3 轮，完成后", "zh"},
      {{"", "by('language').click(); by('forward').click();"},
       "#1.1-moving",
       "第 1.1 轮，传输中",
       "zh"},
      {{"", "press(' '); press(' ');"}, "#0", "Start"},
      {{"", "press(' '); await seconds(1);"}, "#1.1-moving", "Round 1.1, moving"},
      {{"", "press(' '); await seconds(1); press(' '); await seconds(9);"},
       "#1.1-moving",
       "Round 1.1, moving"},
      {{"#2.3-moving", "press(' '); await seconds(9);"}, "#2.3", "Round 2.3, after"},
  };
  std::vector<Visit> visits;
  for (const Expected& expected : all) visits.push_back(expected.visit);
  const nlohmann::json seen = visited(folder, visits);
  REQUIRE(seen.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    INFO(all[i].visit.address << ' ' << all[i].visit.script);
    CHECK(seen[i]["address"] == all[i].address);
    CHECK(seen[i]["where"] == all[i].where);
    CHECK(seen[i]["language"] == all[i].language);
    CHECK(seen[i]["shapes"].get<int>() > 20);
    CHECK_FALSE(seen[i]["sentence"].get<std::string>().empty());
  }
}

TEST_CASE("who asked for less motion sees each round once, landed") {
  if (!has_chromium()) return;
  const Folder folder;
  page(folder.path);
  const nlohmann::json seen =
      visited(folder, {{"", "press(' '); await seconds(1);"}}, "--force-prefers-reduced-motion");
  CHECK(seen[0]["address"] == "#1.1");
}
