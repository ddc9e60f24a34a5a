// The only place that knows what differs between Dear ImGui 1.86 (Debian 12) and later ones.
#pragma once

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <cstdint>

namespace ringscope {

// An OpenGL texture as ImGui takes it.
inline ImTextureID texture_id(unsigned texture) {
  return (ImTextureID)(std::intptr_t)texture;  // a pointer in 1.86, a number from 1.91.4
}

// A window that is all our own painting.
inline constexpr ImGuiWindowFlags bare_window =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse;

// After the atlas of fonts was built anew: to the graphics card.
#if IMGUI_VERSION_NUM >= 19200
inline void replace_font_texture() {}
#else
inline void replace_font_texture() {
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}
#endif

}  // namespace ringscope
