#version 330 core
// One quad over a grid of shades.

uniform vec4 rect;      // left, top, width, height, in pixels
uniform vec2 viewport;  // size in pixels

out vec2 place;  // 0..1 over columns and rows

void main() {
  place = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 pixel = rect.xy + place * rect.zw;
  gl_Position = vec4(pixel.x / viewport.x * 2.0 - 1.0, 1.0 - pixel.y / viewport.y * 2.0, 0.0, 1.0);
}
