#version 330 core
// A quad for each moving shape, large enough for its halo. Corners come from gl_VertexID: no
// vertex buffer but the instances'.

layout(location = 0) in vec4 rect;      // left, top, width, height, in pixels
layout(location = 1) in float radius;   // of its corners

uniform vec2 viewport;  // size in pixels
uniform float spread;   // how far the halo reaches, in pixels

out vec2 from_center;
flat out vec2 half_size;
flat out float corner;

void main() {
  vec2 side = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  half_size = rect.zw * 0.5;
  corner = radius;
  from_center = side * (half_size + spread);
  vec2 pixel = rect.xy + half_size + from_center;
  gl_Position = vec4(pixel.x / viewport.x * 2.0 - 1.0, 1.0 - pixel.y / viewport.y * 2.0, 0.0, 1.0);
}
