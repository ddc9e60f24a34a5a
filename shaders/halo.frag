#version 330 core
// Soft light around a rounded box, strongest at its edge.

in vec2 from_center;
flat in vec2 half_size;
flat in float corner;

uniform float spread;
uniform vec4 color;

out vec4 pixel;

void main() {
  // Distance to the rounded box, as Inigo Quilez derives it (iquilezles.org/articles/distfunctions2d).
  vec2 q = abs(from_center) - half_size + corner;
  float away = min(max(q.x, q.y), 0.0) + length(max(q, 0.0)) - corner;
  float light = clamp(1.0 - max(away, 0.0) / spread, 0.0, 1.0);
  pixel = vec4(color.rgb, color.a * light * light);
}
