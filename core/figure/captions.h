// Words about a run that more than one view needs; the rest is in views.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/language/language.h"
#include "core/trace/trace.h"

namespace ringscope {

// 'GPU 2 starts 120 us late.', a sentence for each trouble that was made; empty for none.
std::string trouble_text(const Trace& trace, const Language& language);

// 'f32', or 'f32 sent as bf16'.
std::string type_text(const RunFacts& run, const Language& language);

// '3, 1'; of more than 16 numbers the first ones and '...'.
std::string numbers_text(std::span<const std::int32_t> numbers, const Language& language);

// The sizes of a hierarchical schedule's groups, as numbers_text() has them; empty for others.
std::string groups_text(const Schedule& schedule, const Language& language);

// '4 ranks on 4 CPU threads.'
std::string place_text(const Trace& trace, const Language& language);

// 'Every port paced at 500 MB/s each way.', and whether this machine could keep that; empty where
// ports were not paced.
std::string pace_text(const Trace& trace, const Language& language);
// '2.1' of '8 GB/s': what was kept of the pace, in the unit of what was asked for.
struct PaceReached {
  std::string reached;
  std::string asked;
};
PaceReached pace_reached(const RunFacts& run, const Language& language);
// '4 GPUs (NVIDIA H200)', '4 virtual GPUs on 1 NVIDIA H200'; empty of a run on no GPU.
std::string gpus_text(const Trace& trace, const Language& language);

}  // namespace ringscope
