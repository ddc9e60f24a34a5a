// Pictures for other programs to paste, through wl-copy or xclip where one is installed.
#pragma once

#include <string>

namespace ringscope {

// Throws Error where neither is installed or it fails.
void copy_png(const std::string& bytes);

}  // namespace ringscope
