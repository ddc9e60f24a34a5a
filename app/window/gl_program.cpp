#include "app/window/gl_program.h"

#include <epoxy/gl.h>

#include <array>
#include <span>
#include <string>

#include "core/error.h"

namespace ringscope {
namespace {

std::string_view source_of(const std::string& name) {
  for (const EmbeddedShader& shader : std::span(embedded_shaders, embedded_shader_count))
    if (shader.name == name) return shader.source;
  throw Error({"error.window.shader", {{"name", name}, {"why", "not built in"}}});
}

unsigned compile(GLenum kind, const std::string& name) {
  const std::string source(source_of(name));
  const char* text = source.c_str();
  const unsigned shader = glCreateShader(kind);
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint compiled = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (compiled) return shader;
  std::array<char, 1024> log{};
  glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), nullptr, log.data());
  glDeleteShader(shader);
  throw Error({"error.window.shader", {{"name", name}, {"why", log.data()}}});
}

float part(std::uint8_t channel) { return static_cast<float>(channel) / 255; }

}  // namespace

GlProgram::GlProgram(std::string_view name) {
  const std::string stem(name);
  const unsigned vertex = compile(GL_VERTEX_SHADER, stem + ".vert");
  const unsigned fragment = compile(GL_FRAGMENT_SHADER, stem + ".frag");
  program_ = glCreateProgram();
  glAttachShader(program_, vertex);
  glAttachShader(program_, fragment);
  glLinkProgram(program_);
  glDeleteShader(vertex);
  glDeleteShader(fragment);
  GLint linked = 0;
  glGetProgramiv(program_, GL_LINK_STATUS, &linked);
  if (linked) return;
  glDeleteProgram(program_);
  throw Error({"error.window.shader", {{"name", stem}, {"why", "link"}}});
}

GlProgram::~GlProgram() { glDeleteProgram(program_); }

void GlProgram::use() const { glUseProgram(program_); }

void GlProgram::set(const char* uniform, float value) const {
  glUniform1f(glGetUniformLocation(program_, uniform), value);
}
void GlProgram::set(const char* uniform, Size size) const {
  glUniform2f(glGetUniformLocation(program_, uniform), static_cast<float>(size.width),
              static_cast<float>(size.height));
}
void GlProgram::set(const char* uniform, const Rect& rect) const {
  glUniform4f(glGetUniformLocation(program_, uniform), static_cast<float>(rect.x),
              static_cast<float>(rect.y), static_cast<float>(rect.width),
              static_cast<float>(rect.height));
}
void GlProgram::set(const char* uniform, Color color) const {
  glUniform4f(glGetUniformLocation(program_, uniform), part(color.r), part(color.g), part(color.b),
              part(color.a));
}

}  // namespace ringscope
