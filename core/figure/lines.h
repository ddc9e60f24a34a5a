// Texts of several lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/figure/drawing.h"

namespace ringscope {

// As few lines as the width allows, broken where one pauses, else about equally long. Lines that
// are broken already stay so.
std::vector<std::string> balanced_lines(const Drawing& measure, std::string_view text,
                                        const TextStyle& style, double width);

// The first `most` (1 or more) of them; what is left over goes as far as it fits on the last, which
// ends in '…'.
std::vector<std::string> first_lines(const Drawing& measure, std::vector<std::string> lines,
                                     std::size_t most, const TextStyle& style, double width);

// A text whose lines were broken, in one.
std::string in_one_line(std::string_view text);

}  // namespace ringscope
