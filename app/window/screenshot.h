// What the window shows, as a PNG.
#pragma once

#include <string>

namespace ringscope {

// Reads the frame that was just drawn. Sizes in device pixels. Throws Error.
void write_screenshot(int width, int height, const std::string& path);

}  // namespace ringscope
