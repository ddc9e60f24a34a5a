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

// The same in at most that many lines (1 or more); where that is too few for all of the text, the
// last ends in '…'.
std::vector<std::string> lines_at_most(std::size_t most, const Drawing& measure,
                                       std::string_view text, const TextStyle& style, double width);

// A text whose lines were broken, in one.
std::string in_one_line(std::string_view text);

}  // namespace ringscope
