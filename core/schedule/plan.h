// What order the work must keep, derived from a schedule once, the same for every engine.
//
// A transfer has two *parts*, move and reduce. They are *fused* (the receiver pulls and reduces in
// one pass) unless another transfer of its round reads its destination cells, as in an exchange:
// then the move lands in a staging buffer, and the second part (reduce, or copy out of staging)
// waits until the partner has read.
//
//   lane of rank 1   | fused 0 | fused 4 | fused 8 | ...   one after the other; each starts when
//   lane of rank 2   | fused 1 | fused 5 | ...             all that it depends on is done
//
// Lane order: by slice, then round, then all staged moves, then the rest in list order; with
// lockstep, by round before slice. Dependencies (read after write, write after read, write after
// write, per cell) are between parts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/schedule/schedule.h"

namespace ringscope {

enum class PartKind : std::uint8_t { fused, move, finish };

struct Part {
  std::uint32_t transfer;
  std::int32_t lane;
  PartKind kind;
};

// What a transfer finds in one of its cells.
struct CellUse {
  bool src_written : 1;  // some transfer of an earlier round has written the source cell (else it
                         // is the input)
  bool dst_written : 1;  // some transfer before this one has written the destination cell
  bool completes : 1;    // after this one, a reduction, the destination cell first holds every
                         // contributor
};

struct Plan {
  std::int32_t lanes = 0;   // one a rank: that of dst
  std::vector<Part> parts;  // lane after lane, each in lane order
  std::vector<std::uint32_t>
      lane_starts;  // lanes + 1: lane l has parts [lane_starts[l], lane_starts[l + 1])
  std::vector<std::uint32_t> depends_starts;  // parts + 1
  // Parts on other lanes that must be done first; the latest of each lane only, ascending. (A part
  // of the same lane is in it only where lane order contradicts the rounds: then there is a cycle.)
  std::vector<std::uint32_t> depends;
  std::vector<std::uint32_t> use_starts;  // transfers + 1
  std::vector<CellUse> uses;              // [use_starts[transfer] + i] for cell first_cell + i
  std::vector<std::uint32_t> first_part;  // [transfer]: its fused part, or its move
  std::vector<std::uint32_t> last_part;   // [transfer]: its fused part, or its finish

  // Parts on other lanes that must be done before this one starts.
  std::span<const std::uint32_t> depends_of(std::uint32_t part) const {
    return std::span(depends).subspan(depends_starts[part],
                                      depends_starts[part + 1] - depends_starts[part]);
  }
};

// Linear in the number of cells that are transferred. The schedule's indices must be in range
// (check.h).
Plan make_plan(const Schedule& schedule, bool lockstep = false);

// The part with the lowest transfer among those that no order of work ever reaches; nothing where
// all are reached.
std::optional<std::uint32_t> stuck_part(const Plan& plan);

// True where lane order and dependencies together allow the parts to be done in some order, so that
// no engine can get stuck on the plan.
bool is_acyclic(const Plan& plan);

}  // namespace ringscope
