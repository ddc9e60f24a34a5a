// Who reads and writes each cell, in the order of the schedule: what a cell holds, and whether it
// is still needed, is read off it for the few cells that are drawn.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/schedule/schedule.h"

namespace ringscope {

// Keeps a reference to the schedule, which must outlive it.
class CellAccesses {
 public:
  explicit CellAccesses(const Schedule& schedule);

  // One read or write of a cell by a transfer.
  class Access {
   public:
    Access(std::uint32_t transfer, bool writes) : bits_(transfer << 1 | (writes ? 1u : 0u)) {}
    std::uint32_t transfer() const { return bits_ >> 1; }
    bool writes() const { return (bits_ & 1) != 0; }

   private:
    std::uint32_t bits_;
  };

  // By round; in a round the reads before the writes, those in list order.
  std::span<const Access> of(std::int32_t rank, std::int32_t cell) const;

  // How many of them come before the round; up to and including the transfer's write.
  std::size_t before_round(std::int32_t rank, std::int32_t cell, std::int32_t round) const;
  std::size_t up_to_write(std::int32_t rank, std::int32_t cell, std::uint32_t transfer) const;

 private:
  const Schedule& schedule_;
  std::size_t cells_;
  std::vector<std::uint32_t> starts_;  // [rank * cells + cell]; one more
  std::vector<Access> accesses_;
};

}  // namespace ringscope
