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

// What the page holds after `script` has run in it: the address, the title of the beat, the
// sentence and the language, as the script's last lines collect them into a <pre>.
nlohmann::json after(const Folder& folder, const std::string& html, const std::string& script,
                     const std::string& address = "") {
  std::string probed = html;
  const std::string probe =
      "<script>const press = key => dispatchEvent(new KeyboardEvent('keydown', {key, cancelable: "
      "true}));\n" +
      script +
      "\nconst seen = document.createElement('pre'); seen.id = 'seen'; seen.textContent = "
      "JSON.stringify({address: location.hash, where: by('where').textContent, sentence: "
      "by('sentence').textContent, language: document.documentElement.lang, shapes: "
      "by('stage').querySelectorAll('svg > *').length, bar: by('bar').value}); "
      "document.body.append(seen);</script></body>";
  probed.replace(probed.rfind("</body>"), 7, probe);
  std::ofstream(folder.file("probe.html")) << probed;
  const std::string dom = folder.file("dom.html");
  const std::string command =
      "chromium --headless --no-sandbox --disable-gpu --user-data-dir=" + folder.file("profile") +
      " --dump-dom 'file://" + folder.file("probe.html") + address + "' >" + dom + " 2>/dev/null";
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
  const std::string html = page(folder.path);
  const auto where = [&](const std::string& script, const std::string& address = "") {
    const nlohmann::json seen = after(folder, html, script, address);
    CHECK(seen["shapes"].get<int>() > 20);
    CHECK_FALSE(seen["sentence"].get<std::string>().empty());
    return seen["address"].get<std::string>();
  };
  CHECK(where("") == "#0");
  CHECK(where("press('ArrowRight'); press('PageDown'); press('PageDown');") == "#1.2-moving");
  CHECK(where("press('End'); press('PageUp');") == "#2.3-moving");
  CHECK(where("press('End'); press('ArrowRight'); press('Home'); press('ArrowLeft');") == "#0");
  CHECK(where("", "#1.2") == "#1.2");
  CHECK(where("", "#9.9") == "#9.9");  // left as it is; the start is shown
  CHECK(where("by('bar').value = 5; by('bar').dispatchEvent(new Event('input'));") ==
        "#1.3-moving");
  const nlohmann::json chinese = after(folder, html, "press('End'); press('l');");
  CHECK(chinese["language"] == "zh");
  CHECK(chinese["address"] == "#2.3");
  CHECK(chinese["where"].get<std::string>().find("轮") != std::string::npos);
  // Space plays: within half a second it is on its way.
  CHECK(where("press(' '); press(' ');") == "#0");
}
