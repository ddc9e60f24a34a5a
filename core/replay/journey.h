// The way of one chunk: where it starts, and each landing on its way, with what it had become
// there.
#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/trace.h"

namespace ringscope {

// A rank's chunk after one of its rounds, or at the start.
struct Station {
  std::int32_t rank;
  std::int32_t round = -1;              // -1: the start
  std::int32_t column = 0;              // from the left
  std::vector<std::uint32_t> arrivals;  // transfers, in list order
  std::vector<std::int32_t> from;       // [arrival]: the station that it comes from
  std::int32_t before = -1;             // the rank's own station before, where it is added to
  std::int32_t terms = 0;
  bool copied = false;  // the last arrival overwrote
};

struct Journey {
  std::int32_t chunk = 0;
  std::int32_t cell = 0;          // of its slices the first that is not empty
  std::vector<Station> stations;  // by round; the starts among them as they are first read
  std::int32_t columns = 0;       // one a round in which the chunk lands somewhere, and one
                                  // for the starts
  std::int32_t all = 0;           // terms that there are
};

// Of what happened. One pass over the transfers.
Journey journey_of(const Trace& trace, std::int32_t chunk);

// The first station that holds all terms where more than one is needed; -1 for none.
std::int32_t completion_of(const Journey& journey);

}  // namespace ringscope
