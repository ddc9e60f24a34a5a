#include "core/figure/lines.h"

#include <algorithm>

namespace ringscope {
namespace {

bool ends_with_any(const std::string& line, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [&](std::string_view end) { return line.ends_with(end); });
}

// How well lines are broken: 2 at the ends of sentences, 1 at commas and the like, 0 anywhere.
int quality_of(const std::vector<std::string>& lines) {
  int quality = 2;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    if (ends_with_any(lines[i], {".", "。"})) continue;
    quality = std::min(quality, ends_with_any(lines[i], {",", ";", ":", "，", "；", "："}) ? 1 : 0);
  }
  return quality;
}

std::vector<std::string> balanced(const Drawing& measure, const std::string& text,
                                  const TextStyle& style, double width) {
  constexpr double step = 12;
  std::vector<std::string> best = measure.wrap(text, style, width), last = best;
  while (best.size() > 1 && width > 2 * step) {
    // Down to its widest line the text is broken in the same way.
    double widest = 0;
    for (const std::string& line : last) widest = std::max(widest, measure.width(line, style));
    do width -= step;
    while (width >= widest && width > 2 * step);
    last = measure.wrap(text, style, width);
    if (last.size() > best.size()) break;
    if (quality_of(last) >= quality_of(best)) best = last;
  }
  return best;
}

}  // namespace

std::vector<std::string> balanced_lines(const Drawing& measure, std::string_view text,
                                        const TextStyle& style, double width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    for (std::string& line : balanced(measure, std::string(text.substr(0, end)), style, width))
      lines.push_back(std::move(line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<std::string> lines_at_most(std::size_t most, const Drawing& measure,
                                       std::string_view text, const TextStyle& style,
                                       double width) {
  std::vector<std::string> lines = balanced_lines(measure, text, style, width);
  if (lines.size() <= most) return lines;
  // Breaks at the ends of sentences cost lines.
  lines = balanced(measure, in_one_line(text), style, width);
  if (lines.size() <= most) return lines;
  lines = measure.wrap(in_one_line(text), style, width);  // holds the most
  std::string rest = lines[most - 1];
  for (std::size_t i = most; i < lines.size(); ++i) rest += '\n' + lines[i];
  lines.resize(most);
  lines.back() = measure.fit(in_one_line(rest), style, width);
  return lines;
}

std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char character : text) {
    if (character != '\n')
      line += character;
    else if (!line.empty() && static_cast<unsigned char>(line.back()) < 0x80)
      line += ' ';  // Chinese has none
  }
  return line;
}

}  // namespace ringscope
