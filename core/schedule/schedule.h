// The domain, explained once.
//
// N *ranks* (drawn as GPU 0, GPU 1, ...) each own a buffer of `count` elements. A *collective* such
// as all-reduce leaves in every buffer the element-wise sum (or mean, product, ...) of them all.
// How it gets there is a *schedule*, which is plain data:
//
//   buffer of a rank   | chunk 0       | chunk 1       | chunk 2       | chunk 3       |    C
//   chunks cells              | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | ...                               S
//   slices a chunk
//
// A *chunk* may be cut into S *slices*, so that it is passed on before it has wholly come. One
// slice of one chunk at one rank is a *cell*; within a rank, cell number = chunk * S + slice. A
// *transfer* takes one run of adjacent cells from rank src to the same cells of rank dst, where
// they are added (reduce) or overwrite what was there (copy). The transfers of one logical moment
// are a *round*: their sources are read as they were before it. Rounds are grouped into *phases*
// (the ring's scatter-reduce and all-gather), and written 'phase.round', both from 1: 'Round 1.2'.
//
// Making a schedule touches no buffer, no clock and no device. What order the work must keep is
// derived in plan.h; whether the schedule does what it claims is proved in check.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringscope {

enum class Action : std::uint8_t { reduce, copy };

struct Transfer {
  std::int32_t src;         // rank that is read
  std::int32_t dst;         // rank that is written; it pulls
  std::int32_t first_cell;  // in both ranks
  std::int32_t cell_count;  // adjacent cells, at least 1
  std::int32_t round;       // from 0, over all phases
  std::int32_t slice;       // 0 .. S-1: lanes work slice by slice; see building.h
  Action action;

  bool operator==(const Transfer&) const = default;
};

struct Phase {
  std::string id;  // 'scatter-reduce', 'all-gather': a text of the catalogue is 'phase.<id>'
  std::int32_t first_round;  // from 0, over all phases
  std::int32_t round_count;  // may be 0 (one rank alone)

  bool operator==(const Phase&) const = default;
};

// Stand for ranks in Schedule::initial and Schedule::goal.
inline constexpr std::int32_t nothing = -1;  // initial: the cell holds no contribution
inline constexpr std::int32_t everyone =
    -1;  // goal: all that the chunk holds anywhere at the start, each exactly once
inline constexpr std::int32_t do_not_care = -2;  // goal: whatever; not verified

struct Schedule {
  std::string algorithm;    // a name of the table of algorithms
  std::int32_t ranks = 1;   // N
  std::uint64_t count = 0;  // elements of one rank's buffer
  std::int32_t chunks = 1;  // C
  std::int32_t slices = 1;  // S
  std::vector<std::int32_t>
      order;                  // the ring: ranks in the order in which they pass on; else empty
  std::vector<Phase> phases;  // consecutive
  std::vector<std::int32_t>
      initial;  // [rank * C + chunk]: the rank whose term the cell starts with, or nothing
  std::vector<std::int32_t> goal;  // [rank * C + chunk]: everyone, one rank, or do_not_care
  std::vector<Transfer>
      transfers;  // by round; within one, reductions into a cell are applied in list order

  bool operator==(const Schedule&) const = default;
};

// Cells of one rank: C * S.
std::int32_t cells_per_rank(const Schedule& schedule);

// R: rounds of all phases.
std::int32_t rounds_of(const Schedule& schedule);

// Index into phases of a round (0 <= round < R).
std::int32_t phase_of(const Schedule& schedule, std::int32_t round);

// '1.2' for a round (from 0 over all phases), as written everywhere; '0' for -1, the start.
std::string round_name(const Schedule& schedule, std::int32_t round);

// The round that '1.2' names; -1 for '0'. Throws Error (usage) that lists what there is.
std::int32_t round_named(const Schedule& schedule, std::string_view name);

// First transfer of each round, R + 1 entries: round r has transfers [result[r], result[r + 1]).
std::vector<std::uint32_t> round_starts(const Schedule& schedule);

// Whether a transfer goes on where the one before it in the list ended: one more slice of the same
// step. (Its slice number does not tell: that is the turn in which lanes work on it.)
bool continues_step(const Schedule& schedule, std::uint32_t transfer);

// A run of elements of a buffer.
struct Extent {
  std::uint64_t first;
  std::uint64_t count;

  bool operator==(const Extent&) const = default;
};

// Where part j of `parts` lies when `count` elements are cut: with count = q * parts + r it begins
// at q * j + floor(r * j / parts). Sizes differ by at most one; nothing overflows; parts may be
// empty.
Extent cut(std::uint64_t count, std::int32_t parts, std::int32_t j);

Extent chunk_extent(const Schedule& schedule, std::int32_t chunk);
// The chunk's extent cut into S.
Extent cell_extent(const Schedule& schedule, std::int32_t cell);
// All cells of the transfer.
Extent transfer_extent(const Schedule& schedule, const Transfer& transfer);

// [cell]: its first element; one more, the count. For those who ask for many extents.
std::vector<std::uint64_t> cell_begins(const Schedule& schedule);

// Elements that a rank sends and receives over the whole schedule.
struct Traffic {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;

  bool operator==(const Traffic&) const = default;
};
std::vector<Traffic> traffic_by_rank(const Schedule& schedule);

// What an algorithm is asked for.
struct ScheduleRequest {
  std::int32_t ranks = 4;   // N >= 1
  std::uint64_t count = 4;  // elements of one rank's buffer, 0 upward
  std::int32_t slices = 1;  // S >= 1
  // Of those algorithms that have it:
  std::vector<std::int32_t> order = {};   // a permutation of the ranks; empty: 0, 1, 2, ...
  std::optional<std::int32_t> root = {};  // a rank; not said: 0
  std::vector<std::int32_t> groups = {};  // ranks of each group; empty: fours, the last smaller
};

// One row an algorithm. make() throws Error (usage) for a request that makes no sense.
struct Algorithm {
  std::string_view name;  // its title is the text 'algorithm.<name>'
  Schedule (*make)(const ScheduleRequest& request);
  std::int32_t (*chunks)(const ScheduleRequest& request);  // C
  // What of a request says something to it.
  bool has_order = false;
  bool has_root = false;
  bool has_groups = false;
  bool has_operator = true;  // false: it only copies
  // 'auto' is one slice, as nothing is sent back before everything has come.
  bool one_slice = false;
};
std::span<const Algorithm> algorithms();
// Throws Error (usage) that lists the names.
const Algorithm& algorithm_named(std::string_view name);

// False where the algorithm only copies, so that no operator says anything of it.
bool has_operator(const Schedule& schedule);

// The root of a schedule whose algorithm is asked for one (Algorithm::has_root), as its starts,
// goals and transfers have it; nothing of others.
std::optional<std::int32_t> root_of(const Schedule& schedule);

// The sizes of the groups of a hierarchical schedule, in the order of ranks: it keeps them in its
// transfers only.
std::vector<std::int32_t> groups_of(const Schedule& schedule);

// One function an algorithm, each in a file of its name, the last four in parts.cpp.
Schedule make_ring(const ScheduleRequest& request);
Schedule make_bidirectional(const ScheduleRequest& request);
Schedule make_parameter_server(const ScheduleRequest& request);
Schedule make_tree(const ScheduleRequest& request);
Schedule make_double_tree(const ScheduleRequest& request);
Schedule make_recursive_doubling(const ScheduleRequest& request);
Schedule make_halving_doubling(const ScheduleRequest& request);
Schedule make_hierarchical(const ScheduleRequest& request);
Schedule make_reduce_scatter(const ScheduleRequest& request);
Schedule make_all_gather(const ScheduleRequest& request);
Schedule make_reduce(const ScheduleRequest& request);
Schedule make_broadcast(const ScheduleRequest& request);

}  // namespace ringscope
