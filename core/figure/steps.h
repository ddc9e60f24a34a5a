// What goes over a link at one moment: the transfers of one step from one rank to another, of
// several chunks and slices one.
#pragma once

#include <string>
#include <vector>

#include "core/figure/stage.h"

namespace ringscope {

struct Step {
  std::uint32_t transfer;  // stands for all: the first that is not empty
  std::int32_t src, dst, round;
  std::int32_t first_chunk, last_chunk;
  Action action;
  double fraction = 1;  // of the way
};

// What is moving.
std::vector<Step> moving_steps(const Scene& scene);
// All that happens in a round (from 0).
std::vector<Step> steps_of_round(const Scene& scene, std::int32_t round);
// What a view lights: what is moving; on the logical clock all of the round that is shown.
std::vector<Step> shown_steps(const Scene& scene);

bool is_selected(const Scene& scene, const Step& step);

// '0-3, 7': numbers in ascending order, runs of three or more shortened.
std::string numbers_text(const std::vector<std::int32_t>& numbers);
// '3', '0-3'.
std::string chunk_numbers(const Step& step);
// 'chunk 3', 'chunks 0-3', 'whole buffer'.
std::string chunks_text(const Scene& scene, const Step& step);
// Of all its chunks.
std::uint64_t elements_of(const Scene& scene, const Step& step);

// What a rank does at the moment, in words of falling length: 'sends chunk 3, receives chunk 2',
// 'in round 1.2, 77 %', 'has waited 105 us for GPU 0'. Empty where there is nothing to say.
// `first_chunk` and `chunks`: of which chunks it speaks; 0: of all.
std::vector<std::string> doings(const Scene& scene, std::int32_t rank, std::int32_t first_chunk = 0,
                                std::int32_t chunks = 0);

// What travels, as much of it as the size has room for: the sum and its value, slots and a name, a
// number, a mark.
// That size, widened where a number needs it.
Size step_chip_size(const Scene& scene, const Step& step, Size size);
void draw_step_chip(Scene& scene, const Step& step, Point center, Size size);

}  // namespace ringscope
