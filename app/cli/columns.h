// Text in columns, for terminals: a Chinese character is as wide as two Latin ones.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringscope {

// Columns of a terminal that a UTF-8 text takes.
std::size_t display_width(std::string_view text);

enum class Side { left, right };

// Rows of cells as lines, each column as wide as its widest cell and two blanks from the next;
// every line begins with `indent` blanks. A column is set flush to its side; those beyond `sides`
// to the left. No blanks at the end of a line.
std::string columns(std::span<const std::vector<std::string>> rows,
                    std::span<const Side> sides = {}, std::size_t indent = 0);

}  // namespace ringscope
