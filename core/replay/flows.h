// What has gone through each GPU's port and over each link at a moment of a replay, and what will
// have in the whole run.
#pragma once

#include <cstdint>
#include <vector>

#include "core/replay/replay.h"

namespace ringscope {

// Bytes one way.
struct Flow {
  std::uint64_t total = 0;  // in the whole run, as the schedule has it
  std::uint64_t added = 0;  // of these, what is added at its end; the rest is copied
  std::uint64_t landed = 0;
  double moving = 0;  // of what is on its way, as much as its motion has covered

  bool operator==(const Flow&) const = default;
};

// All that goes from one rank to another.
struct LinkFlow {
  std::int32_t src = 0;
  std::int32_t dst = 0;
  Flow flow;
  double head = -1;  // how far the first transfer on its way is, 0..1; -1: none is

  bool operator==(const LinkFlow&) const = default;
};

struct Flows {
  std::vector<Flow> in;         // [rank]
  std::vector<Flow> out;        // [rank]
  std::vector<LinkFlow> links;  // by src, then dst; those that the schedule uses; up to 64 ranks
};
inline constexpr std::int32_t most_linked_ranks = 64;

// In time linear in the transfers.
Flows flows_of(const Replay& replay, const ReplayState& state);

}  // namespace ringscope
