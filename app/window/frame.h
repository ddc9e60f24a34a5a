// One frame: the layout, ImGui's looks, and every panel. It computes nothing that lasts.
#pragma once

#include "app/window/layout.h"
#include "app/window/ui.h"

namespace ringscope {

// ImGui's own widgets (the drawer's fields) with the theme's colours at this scale.
void apply_looks(const Theme& theme, double scale);
// Bakes the widgets' font, with the letters of both catalogues, at that many pixels of an em.
void bake_widget_font(const Fonts& fonts, double pixels);

// What the window is cleared with: behind everything, or the stage where it is alone.
Color ground_of(const Session& session);

// Between ImGui::NewFrame() and ImGui::Render(). `window`: units of ImGui.
void draw_frame(Session& session, UiTools& tools, const Layout& layout, Size window);

}  // namespace ringscope
