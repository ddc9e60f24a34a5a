// What the algorithms' files share: a request is checked, an empty schedule begun, and step after
// step written down.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/schedule/schedule.h"

namespace ringscope {

// Throws Error (usage) where the request makes no sense for the algorithm of that name.
void check_request(const ScheduleRequest& request, std::string_view algorithm);

// The schedule of an all-reduce with no phase and no transfer yet: every rank starts with its own
// term in every chunk, and wants the sum of all. Throws Error (usage) where the chunks that all
// transfers take together, `moved_chunks`, would make 2^31 transfers or more.
Schedule begin_all_reduce(const ScheduleRequest& request, std::string_view algorithm,
                          double moved_chunks);

// The next phase, of that many rounds; none where that is 0. Returns the phase's first round.
std::int32_t add_phase(Schedule& schedule, std::string id, std::int32_t rounds);

// Rank src sends dst a run of chunks. One slice: one transfer of the whole run. More: a slice of
// the run is that slice of each of its chunks, one transfer each, so that what a slice is does not
// depend on the run:
//
//   chunk |    0      |    1      |    2      |    3      |
//   cell  | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |10 |11 |     S = 3; slice 1 of the run of chunks
//               *           *                                    0 and 1 is cells 1 and 4
//
// Lanes work slice by slice, so the slice number of a cell must never fall from round to round, and
// must be the same at all ranks within a round: then lane order and dependencies have no cycle.
// Were the run simply cut into S runs of adjacent cells, halving-doubling would have one: a cell
// that is in the last slice of a long run is in the first of a short one.
//
// A step that lags works on a slice only when its lane has begun that many later ones of the steps
// before it: its slice numbers are so much higher, and S - 1 at most.
void add_step(Schedule& schedule, std::int32_t round, std::int32_t src, std::int32_t dst,
              std::int32_t first_chunk, std::int32_t chunk_count, Action action,
              std::int32_t lag = 0);

// The order that was asked for, or 0, 1, 2, ...
std::vector<std::int32_t> ring_order(const ScheduleRequest& request);

// One round of a ring: the rank in each place p passes on what stood in place p - step when the
// phase began, chunks[p - step], to the rank in place p + 1. Places are counted modulo the size.
void add_ring_round(Schedule& schedule, std::int32_t round, std::span<const std::int32_t> ring,
                    std::span<const std::int32_t> chunks, std::int32_t step, Action action);

// first, first + 1, ..., first + count - 1, all modulo count: chunks or ranks by their places.
std::vector<std::int32_t> counted_from(std::int32_t first, std::int32_t count);

// The sizes of the groups: those asked for, or fours, the last smaller.
std::vector<std::int32_t> group_sizes(const ScheduleRequest& request);

}  // namespace ringscope
