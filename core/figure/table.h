// The table of ranks and chunks, as the matrix and what stands beside it draw it.
#pragma once

#include "core/figure/stage.h"

namespace ringscope {

// Up to 16 ranks and chunks.
void draw_table(Scene& scene, const Rect& area);

}  // namespace ringscope
