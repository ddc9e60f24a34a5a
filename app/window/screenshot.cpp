#include "app/window/screenshot.h"

#include <epoxy/gl.h>
#include <stb_image_write.h>

#include <vector>

#include "core/error.h"

namespace ringscope {

void write_screenshot(int width, int height, const std::string& path) {
  const std::size_t row = static_cast<std::size_t>(width) * 3;
  std::vector<unsigned char> upward(row * static_cast<std::size_t>(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, upward.data());
  // OpenGL's first row is the lowest.
  std::vector<unsigned char> downward;
  downward.reserve(upward.size());
  for (std::size_t y = static_cast<std::size_t>(height); y-- > 0;)
    downward.insert(downward.end(), upward.begin() + static_cast<std::ptrdiff_t>(y * row),
                    upward.begin() + static_cast<std::ptrdiff_t>((y + 1) * row));
  if (!stbi_write_png(path.c_str(), width, height, 3, downward.data(), static_cast<int>(row)))
    throw Error({"error.window.screenshot", {{"file", path}}});
}

}  // namespace ringscope
