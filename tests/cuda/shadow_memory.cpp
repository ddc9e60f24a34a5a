#include "tests/cuda/shadow_memory.h"

#include <algorithm>

namespace ringscope {

void VectorClock::learn(const VectorClock& other) {
  if (steps_.size() < other.steps_.size()) steps_.resize(other.steps_.size(), 0);
  for (std::size_t actor = 0; actor < other.steps_.size(); ++actor)
    steps_[actor] = std::max(steps_[actor], other.steps_[actor]);
}

std::uint64_t VectorClock::step(std::size_t actor) {
  if (steps_.size() <= actor) steps_.resize(actor + 1, 0);
  return ++steps_[actor];
}

ShadowMemory::ShadowMemory(std::uint64_t bytes) : bytes_(bytes) { segments_[0] = {}; }

ShadowMemory::Segments::iterator ShadowMemory::split(std::uint64_t at) {
  auto next = segments_.lower_bound(at);
  if (next != segments_.end() && next->first == at) return next;
  if (at >= bytes_) return segments_.end();
  return segments_.emplace_hint(next, at, std::prev(next)->second);
}

std::string ShadowMemory::read(std::uint64_t begin, std::uint64_t end, std::size_t actor,
                               const VectorClock& clock) {
  const auto first = split(begin), last = split(end);
  for (auto at = first; at != last; ++at) {
    Segment& segment = at->second;
    if (!segment.written) return "reads what was never written";
    if (clock.of(segment.writer.actor) < segment.writer.step)
      return "reads without an order after the write";
    const auto known = std::find_if(segment.readers.begin(), segment.readers.end(),
                                    [&](const Accessor& one) { return one.actor == actor; });
    if (known == segment.readers.end())
      segment.readers.push_back({actor, clock.of(actor)});
    else
      known->step = clock.of(actor);
  }
  return {};
}

std::string ShadowMemory::write(std::uint64_t begin, std::uint64_t end, std::size_t actor,
                                const VectorClock& clock) {
  const auto first = split(begin), last = split(end);
  for (auto at = first; at != last; ++at) {
    Segment& segment = at->second;
    if (segment.written && clock.of(segment.writer.actor) < segment.writer.step)
      return "writes without an order after another write";
    for (const Accessor& reader : segment.readers)
      if (clock.of(reader.actor) < reader.step) return "writes without an order after a read";
    segment = {{actor, clock.of(actor)}, true, {}};
  }
  return {};
}

}  // namespace ringscope
