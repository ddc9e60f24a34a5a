// The catalogues as the build embedded them (embed_texts.cmake).
#pragma once

#include <cstddef>
#include <string_view>

namespace ringscope {

struct EmbeddedText {
  std::string_view language;  // 'en'
  std::string_view toml;
};
extern const EmbeddedText embedded_texts[];
extern const std::size_t embedded_text_count;

}  // namespace ringscope
