// The lower half of the round's panel.
#pragma once

#include "core/figure/stage.h"

namespace ringscope {

// How much each GPU has sent, and what is on its way: a piece a round where all send alike. Both
// draw from `y` downward and move it on.
void draw_sent(Scene& scene, double left, double right, double& y);
// Whether all GPUs send and receive alike, in all.
bool are_alike(const Scene& scene);
// Where they don't: how much goes through each, in and out, and whose port has most to do.
void draw_ports(Scene& scene, double left, double right, double& y);
// What the signs of the stage mean, those that the round has. `columns`: whether slots stand in
// columns, a chunk each.
void draw_legend(Scene& scene, bool columns, double left, double right, double& y);

}  // namespace ringscope
