// Where the time of a run went: what each rank did from the start to the end without a gap, who
// waited for whom, and the critical path, the one chain of pieces that the whole run took.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/schedule/plan.h"
#include "core/trace/trace.h"

namespace ringscope {

enum class Spent : std::uint8_t {
  late,     // began late on purpose
  delayed,  // slept on purpose before a transfer
  copying,  // its own input to its output, where no transfer brings it
  waiting,  // for what another rank had to do first
  between,  // all was there, but it had not begun: waking up, or no core was free
  moving,   // data move; where fused, they are added or overwrite in the same pass
  adding,   // out of the staging buffer into their place
  stopped,  // would have gone on, but the run stopped early
  ended,    // had done all that it had to do
};
inline constexpr std::size_t spent_kinds = 9;
// Nanoseconds by Spent.
using TimeBySpent = std::array<std::int64_t, spent_kinds>;
inline std::int64_t time_of(const TimeBySpent& times, Spent spent) {
  return times[static_cast<std::size_t>(spent)];
}

inline constexpr std::uint32_t no_part = std::numeric_limits<std::uint32_t>::max();

// One thing that one rank did without a break.
struct Piece {
  Spent spent;
  std::int32_t rank;
  std::int64_t from;  // nanoseconds from the common start
  std::int64_t to;
  std::uint32_t part = no_part;     // of the plan: done then, or about to begin
  std::uint32_t awaited = no_part;  // waiting: the part of another lane that landed last of those
                                    // that it waited for; stopped: one that never landed

  bool operator==(const Piece&) const = default;
};

// A rank that waited because another one was late or slept on purpose.
struct Felt {
  std::int32_t rank;
  std::uint32_t part;        // before which it did so first
  std::int64_t nanoseconds;  // over all its waits
  std::int64_t waited;       // all that it waited, for whomever
};

// What one rank's lateness and delays did to the others.
struct Straggler {
  std::int32_t rank = -1;
  std::int64_t slept = 0;    // late and delayed
  std::int64_t on_path = 0;  // of that, on the critical path
  std::vector<Felt> felt;    // by the time at which each first waited
};

struct RoundTime {
  std::int64_t from = 0;  // its first transfer begins to move
  std::int64_t to = 0;    // its last one has landed
  bool done = false;      // some transfer of it happened
};

struct TimeSpent {
  std::int64_t end = 0;                    // of the run
  std::vector<TimeBySpent> by_rank;        // [rank]; each adds up to `end`
  std::vector<Piece> critical_path;        // from 0 to `end`, each piece from where the last ended
  TimeBySpent on_path = {};                // the same by kind; adds up to `end`
  std::vector<std::int64_t> path_by_rank;  // [rank]; adds up to `end`
  std::vector<RoundTime> rounds;           // [round]
  std::optional<Straggler> straggler;      // the rank that slept on purpose the longest
  std::vector<std::uint32_t> barriers;     // lockstep: [round] the part that landed last of all
                                           // rounds before, or no_part; else empty
  std::vector<std::uint32_t> port_before;  // paced ports: [part] the last part of another lane that
                                           // had its source's port out before it, or no_part; else
                                           // empty
};

// Linear in the parts of the plan, but for the straggler: there each wait is followed back to what
// it waited for. A record that contradicts itself is followed as far as it goes.
TimeSpent time_spent(const Trace& trace, const Plan& plan);

// What a rank did, from 0 to the end of the run, each piece from where the last one ended. Pieces
// of no length are left out, but for `moving` and `adding`.
std::vector<Piece> pieces_of(const Trace& trace, const Plan& plan, const TimeSpent& times,
                             std::int32_t rank);

}  // namespace ringscope
