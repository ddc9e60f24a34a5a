#include "core/export/html.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/export/svg.h"

namespace ringscope {

// assets/player.html, embedded at build.
extern const std::string_view player_page;

namespace {

using Json = nlohmann::ordered_json;

// What the page's buttons are called: texts 'player.<id>'.
constexpr std::array<std::string_view, 7> buttons{"first", "back", "play",    "forward",
                                                  "last",  "bar",  "language"};

std::string hex(Color color) {
  return fmt::format("#{:02x}{:02x}{:02x}", color.r, color.g, color.b);
}

// Most shapes are the same in many beats and are kept once.
class ShapePool {
 public:
  explicit ShapePool(const Fonts& fonts) : elements_(fonts, Letters::shared) {}

  Json indices_of(const Figure& figure) {
    Json indices = Json::array();
    indices.push_back(index_of(ground_of(figure)));
    for (const Shape& shape : figure.shapes)
      if (std::string element = elements_.element(shape); !element.empty())
        indices.push_back(index_of(std::move(element)));
    return indices;
  }
  Json shapes() const {
    std::vector<std::string_view> shapes(numbers_.size());
    for (const auto& [element, number] : numbers_) shapes[number] = element;
    return shapes;
  }
  std::string definitions() const { return elements_.definitions(); }

 private:
  static std::string ground_of(const Figure& figure) {
    return fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"{}\"/>", figure.size.width,
                       figure.size.height, hex(figure.background));
  }
  std::size_t index_of(std::string element) {
    return numbers_.try_emplace(std::move(element), numbers_.size()).first->second;
  }

  SvgElements elements_;
  std::map<std::string, std::size_t> numbers_;
};

Json beats_of(const HtmlLanguage& language, ShapePool& pool) {
  Json beats = Json::array();
  for (const HtmlBeat& beat : language.beats)
    beats.push_back({{"round", beat.round},
                     {"beat", beat.beat},
                     {"title", beat.title},
                     {"sentence", beat.sentence},
                     {"shapes", pool.indices_of(beat.figure)}});
  return beats;
}

// So that no text of the deck ends the script that holds it.
std::string without_tags(std::string json) {
  for (std::size_t at = 0; (at = json.find("</", at)) != std::string::npos; at += 3)
    json.replace(at, 2, "<\\/");
  return json;
}

}  // namespace

std::string html_of(std::span<const HtmlLanguage> languages, const Theme& theme,
                    const Fonts& fonts) {
  ShapePool pool(fonts);
  Json deck{{"colors",
             {{"ground", hex(theme.ground)},
              {"surface", hex(theme.surface)},
              {"ink", hex(theme.ink)},
              {"quiet", hex(theme.quiet)},
              {"rule", hex(theme.rule)},
              {"accent", hex(theme.accent)},
              {"on-accent", hex(theme.on_accent)}}},
            {"languages", Json::array()}};
  for (const HtmlLanguage& each : languages) {
    Json words;
    for (const std::string_view button : buttons)
      words[std::string(button)] = each.language.text("player." + std::string(button));
    deck["languages"].push_back({{"code", each.language.code()},
                                 {"name", each.language.text("player.name")},
                                 {"title", each.title},
                                 {"words", std::move(words)},
                                 {"beats", beats_of(each, pool)}});
    if (!each.beats.empty()) {
      deck["width"] = each.beats.front().figure.size.width;
      deck["height"] = each.beats.front().figure.size.height;
    }
  }
  deck["shapes"] = pool.shapes();
  deck["glyphs"] = pool.definitions();
  std::string page(player_page);
  static constexpr std::string_view place = "@DECK@";
  return page.replace(page.find(place), place.size(), without_tags(deck.dump()));
}

}  // namespace ringscope
