// A replay as one HTML file that steps in the browser: no network, all beats as SVG, the sentence
// of each, in every language that it is given.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/figure/fonts.h"
#include "core/figure/theme.h"
#include "core/language/language.h"

namespace ringscope {

struct HtmlBeat {
  Figure figure;
  std::string round;     // '1.2', '0': in the address
  std::string beat;      // 'before', 'moving', 'after'
  std::string title;     // 'Round 1.2, moving'
  std::string sentence;  // what happens
};
struct HtmlLanguage {
  const Language& language;
  std::string title;  // of the page
  std::vector<HtmlBeat> beats;
};

// The page opens in the first language. All beats have figures of one size. The same beats give the
// same bytes.
std::string html_of(std::span<const HtmlLanguage> languages, const Theme& theme,
                    const Fonts& fonts);

}  // namespace ringscope
