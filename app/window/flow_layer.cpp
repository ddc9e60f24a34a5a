#include "app/window/flow_layer.h"

#include <epoxy/gl.h>

#include <algorithm>

#include "app/window/imgui_versions.h"

namespace ringscope {
namespace {

constexpr std::size_t floats_a_halo = 5;

bool holds(const Rect& outer, const Rect& inner) {
  return outer.x <= inner.x && outer.y <= inner.y && outer.right() >= inner.right() &&
         outer.bottom() >= inner.bottom();
}

double radius_of(const Shape& shape) {
  if (const Box* box = std::get_if<Box>(&shape.form)) return box->radius;
  if (const Disc* disc = std::get_if<Disc>(&shape.form)) return disc->radius;
  return 0;
}

}  // namespace

std::vector<Halo> halos_of(const Figure& figure) {
  std::vector<Halo> halos;
  for (const Shape& shape : figure.shapes) {
    if (!shape.moving) continue;
    const Rect rect = bounds_of(shape);
    const auto covers = [&](const Halo& halo) { return holds(halo.rect, rect); };
    if (std::any_of(halos.begin(), halos.end(), covers)) continue;
    std::erase_if(halos, [&](const Halo& halo) { return holds(rect, halo.rect); });
    halos.push_back({rect, radius_of(shape)});
  }
  return halos;
}

FlowLayer::FlowLayer() : halo_program_("halo"), grid_program_("grid") {
  glGenVertexArrays(1, &grid_array_);
  glGenVertexArrays(1, &halo_array_);
  glGenBuffers(1, &instances_);
  glBindVertexArray(halo_array_);
  glBindBuffer(GL_ARRAY_BUFFER, instances_);
  constexpr GLsizei stride = floats_a_halo * sizeof(float);
  glEnableVertexAttribArray(0);
  glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, stride, nullptr);
  glVertexAttribDivisor(0, 1);
  glEnableVertexAttribArray(1);
  glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, stride,
                        reinterpret_cast<const void*>(4 * sizeof(float)));
  glVertexAttribDivisor(1, 1);
  glBindVertexArray(0);
}

FlowLayer::~FlowLayer() {
  glDeleteTextures(static_cast<GLsizei>(textures_.size()), textures_.data());
  glDeleteBuffers(1, &instances_);
  glDeleteVertexArrays(1, &halo_array_);
  glDeleteVertexArrays(1, &grid_array_);
}

void FlowLayer::begin_frame(Size display, double pixel_ratio) {
  display_ = display;
  pixel_ratio_ = pixel_ratio;
  jobs_.clear();
  textures_used_ = 0;
}

void FlowLayer::add_halos(ImDrawList& list, std::vector<Halo> halos, Color color, double spread) {
  if (halos.empty()) return;
  Job& job = jobs_.emplace_back();
  job.layer = this;
  job.halos = std::move(halos);
  job.color = color;
  job.spread = spread;
  list.AddCallback(&FlowLayer::draw_halos, &job);
  list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void FlowLayer::add_grid(ImDrawList& list, const Rect& rect, const Grid& grid) {
  if (grid.columns <= 0 || grid.rows <= 0) return;
  if (textures_used_ == textures_.size()) glGenTextures(1, &textures_.emplace_back(0));
  Job& job = jobs_.emplace_back();
  job.layer = this;
  job.rect = rect;
  job.ground = grid.ground;
  job.ink = grid.ink;
  job.texture = textures_[textures_used_++];
  glBindTexture(GL_TEXTURE_2D, job.texture);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, grid.columns, grid.rows, 0, GL_RED, GL_UNSIGNED_BYTE,
               grid.shades.data());
  // Cells smaller than a pixel are averaged, larger ones have sharp edges.
  const bool tiny = grid.columns > rect.width || grid.rows > rect.height;
  if (tiny) glGenerateMipmap(GL_TEXTURE_2D);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                  tiny ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  list.AddCallback(&FlowLayer::draw_grid, &job);
  list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void FlowLayer::clip_to(const ImDrawCmd& command) const {
  const auto pixels = [&](double units) { return static_cast<GLint>(units * pixel_ratio_); };
  const ImVec4& clip = command.ClipRect;
  glScissor(
      pixels(static_cast<double>(clip.x)), pixels(display_.height - static_cast<double>(clip.w)),
      pixels(static_cast<double>(clip.z - clip.x)), pixels(static_cast<double>(clip.w - clip.y)));
}

void FlowLayer::draw_halos(const ImDrawList*, const ImDrawCmd* command) {
  const Job& job = *static_cast<const Job*>(command->UserCallbackData);
  const FlowLayer& layer = *job.layer;
  std::vector<float> data;
  for (const Halo& halo : job.halos)
    for (const double value :
         {halo.rect.x, halo.rect.y, halo.rect.width, halo.rect.height, halo.radius})
      data.push_back(static_cast<float>(value));
  layer.clip_to(*command);
  layer.halo_program_.use();
  layer.halo_program_.set("viewport", layer.display_);
  layer.halo_program_.set("spread", static_cast<float>(job.spread));
  layer.halo_program_.set("color", job.color);
  glBindVertexArray(layer.halo_array_);
  glBindBuffer(GL_ARRAY_BUFFER, layer.instances_);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(data.size() * sizeof(float)), data.data(),
               GL_STREAM_DRAW);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(job.halos.size()));
}

void FlowLayer::draw_grid(const ImDrawList*, const ImDrawCmd* command) {
  const Job& job = *static_cast<const Job*>(command->UserCallbackData);
  const FlowLayer& layer = *job.layer;
  layer.clip_to(*command);
  layer.grid_program_.use();
  layer.grid_program_.set("viewport", layer.display_);
  layer.grid_program_.set("rect", job.rect);
  layer.grid_program_.set("ground", job.ground);
  layer.grid_program_.set("ink", job.ink);
  glBindTexture(GL_TEXTURE_2D, job.texture);
  glBindVertexArray(layer.grid_array_);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace ringscope
