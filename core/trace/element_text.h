// Elements as numbers and as texts.
#pragma once

#include <cstddef>
#include <string>

#include "core/data/element.h"

namespace ringscope {

// f16, bf16, f32 and f64 exactly, integers beyond 53 bits rounded.
double element_as_double(ElementType type, const std::byte* element);

// The shortest decimal number that names it; `with_bits` adds them in hexadecimal, for where two
// elements differ that read the same.
std::string element_text(ElementType type, const std::byte* element, bool with_bits = false);

// Two elements that differ, as texts that differ.
struct TextPair {
  std::string first, second;
};
TextPair telling_texts(ElementType type, const std::byte* first, const std::byte* second);

}  // namespace ringscope
