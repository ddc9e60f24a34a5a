#version 330 core
// A cell's shade, between ground (0) and ink (1).

in vec2 place;

uniform sampler2D shades;
uniform vec4 ground;
uniform vec4 ink;

out vec4 pixel;

void main() { pixel = mix(ground, ink, texture(shades, place).r); }
