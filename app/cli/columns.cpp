#include "app/cli/columns.h"

#include <algorithm>
#include <array>

namespace ringscope {
namespace {

struct CodePoints {
  char32_t first, last;
};
// What terminals draw two columns wide, of what our texts can hold (Unicode's East Asian Width,
// classes W and F).
constexpr std::array<CodePoints, 8> wide{{{0x1100, 0x115F},
                                          {0x2E80, 0x303E},
                                          {0x3041, 0xA4CF},
                                          {0xAC00, 0xD7A3},
                                          {0xF900, 0xFAFF},
                                          {0xFE30, 0xFE6F},
                                          {0xFF00, 0xFF60},
                                          {0x20000, 0x3FFFD}}};

// The code point that begins at the front of the text, which must not be empty, taken off it.
char32_t take_code_point(std::string_view& text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
  char32_t code = length == 1 ? byte(0) : byte(0) & (0x7Fu >> length);
  for (std::size_t at = 1; at < std::min(length, text.size()); ++at)
    code = code << 6 | (byte(at) & 0x3Fu);
  text.remove_prefix(std::min(length, text.size()));
  return code;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const char32_t code = take_code_point(text);
    const bool is_wide = std::any_of(wide.begin(), wide.end(), [code](const CodePoints& range) {
      return range.first <= code && code <= range.last;
    });
    width += is_wide ? 2 : 1;
  }
  return width;
}

std::string columns(std::span<const std::vector<std::string>> rows, std::span<const Side> sides,
                    std::size_t indent) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string lines;
  for (const std::vector<std::string>& row : rows) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - display_width(row[i]), ' ');
      const bool right = i < sides.size() && sides[i] == Side::right;
      line += right ? padding + row[i] : row[i] + padding;
      line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines += line + '\n';
  }
  return lines;
}

}  // namespace ringscope
