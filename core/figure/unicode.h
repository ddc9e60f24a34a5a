// UTF-8, one character at a time.
#pragma once

#include <cstddef>
#include <string_view>

namespace ringscope {

// Takes the first character off a text that is not empty. A byte that starts none comes back as
// U+FFFD.
inline char32_t next_character(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  char32_t character = length == 1 ? first : first & (0x7Fu >> length);
  bool sound = length != 0 && length <= text.size();
  for (std::size_t i = 1; sound && i < length; ++i) {
    sound = (byte(i) & 0xC0u) == 0x80u;
    character = (character << 6) | (byte(i) & 0x3Fu);
  }
  text.remove_prefix(sound ? length : 1);
  return sound ? character : 0xFFFD;
}

}  // namespace ringscope
