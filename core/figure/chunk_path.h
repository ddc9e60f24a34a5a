// What the views of one chunk share: how far it is at the moment that is drawn, and the heading.
#pragma once

#include <string>
#include <vector>

#include "core/figure/stage.h"

namespace ringscope {

enum class Progress : std::uint8_t { to_come, moving, landed };
// Of a transfer, at the scene's moment. -1 (a rank's own input): landed.
Progress progress_of(const Scene& scene, std::int32_t transfer);
// Of several that land in one place: landed when all have.
Progress progress_of(const Scene& scene, const std::vector<std::uint32_t>& transfers);

// The chosen chunk, where the schedule has it.
std::int32_t chosen_chunk(const Scene& scene);

// A title, a line about it, and sentences beneath; returns where they end.
double draw_chunk_heading(Scene& scene, const std::string& title, const std::string& subtitle,
                          const std::vector<std::string>& sentences);

}  // namespace ringscope
