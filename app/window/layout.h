// Where everything lies, in design units: pixels of a 1920 x 1080 window. No ImGui.
#pragma once

#include "core/figure/figure.h"

namespace ringscope {

struct Layout {
  double scale = 1;                     // pixels in a design unit
  Rect title, stage, panel, transport;  // none of the first and the last two while presenting
  Rect progress;                        // while presenting: the thin line below the stage
  double stage_scale = 1;               // of the stage's texts, in pixels a unit
};

// `window`: pixels; `content_scale`: the display's, 1 for 96 dots an inch.
Layout layout_of(Size window, double content_scale, bool presenting);

}  // namespace ringscope
