// Where everything lies, in design units: pixels of a 1920 x 1080 window. No ImGui.
#pragma once

#include "core/figure/figure.h"

namespace ringscope {

struct Layout {
  double scale = 1;                     // pixels in a design unit
  Rect title, stage, panel, transport;  // while presenting the stage only; of a wide one no panel
  Rect progress;                        // while presenting: the thin line below the stage
  double stage_scale = 1;               // of the stage's texts, in pixels a unit
};

// What the window has to show.
enum class Arrangement {
  stage_and_panel,
  wide_stage,  // several records beside one another
  presenting,
};

// `window`: pixels; `content_scale`: the display's, 1 for 96 dots an inch.
Layout layout_of(Size window, double content_scale, Arrangement arrangement);

}  // namespace ringscope
