#include "core/trace/plain_text.h"

#include <algorithm>

namespace ringscope {
namespace {

constexpr std::size_t longest_text = 4096;  // bytes

// Bytes of the valid UTF-8 sequence of a printable character at the start of the text; 0 where
// there is none. (Unicode 15, table 3-7.)
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto continues = [&](std::size_t i, unsigned least = 0x80, unsigned most = 0xBF) {
    return byte(i) >= least && byte(i) <= most;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return continues(1, first == 0xC2 ? 0xA0 : 0x80) ? 2 : 0;
  if (first < 0xF0) {
    const bool second = continues(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF);
    return second && continues(2) ? 3 : 0;
  }
  if (first > 0xF4) return 0;
  const bool second = continues(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF);
  return second && continues(2) && continues(3) ? 4 : 0;
}

}  // namespace

bool is_plain_text(std::string_view text) {
  if (text.size() > longest_text) return false;
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string plain_text(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    if (plain.size() + std::max<std::size_t>(bytes, 1) > longest_text) break;
    plain += bytes == 0 ? "?" : text.substr(0, bytes);
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return plain;
}

}  // namespace ringscope
