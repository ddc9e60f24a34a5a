// Shader programs of OpenGL, from the sources that the build embedded (embed_shaders.cmake).
#pragma once

#include <cstddef>
#include <string_view>

#include "core/figure/figure.h"

namespace ringscope {

struct EmbeddedShader {
  std::string_view name;  // 'halo.vert'
  std::string_view source;
};
extern const EmbeddedShader embedded_shaders[];
extern const std::size_t embedded_shader_count;

// Lives with the OpenGL context.
class GlProgram {
 public:
  // From '<name>.vert' and '<name>.frag'. Throws Error where the driver refuses them.
  explicit GlProgram(std::string_view name);
  ~GlProgram();
  GlProgram(const GlProgram&) = delete;
  GlProgram& operator=(const GlProgram&) = delete;

  void use() const;
  // Of the program in use.
  void set(const char* uniform, float value) const;
  void set(const char* uniform, Size size) const;
  void set(const char* uniform, const Rect& rect) const;
  void set(const char* uniform, Color color) const;

 private:
  unsigned program_ = 0;
};

}  // namespace ringscope
