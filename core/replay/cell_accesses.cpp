#include "core/replay/cell_accesses.h"

#include <algorithm>

namespace ringscope {

CellAccesses::CellAccesses(const Schedule& schedule)
    : schedule_(schedule), cells_(static_cast<std::size_t>(cells_per_rank(schedule))) {
  starts_.assign(static_cast<std::size_t>(schedule.ranks) * cells_ + 1, 0);
  const auto first_place = [&](std::int32_t rank, const Transfer& transfer) {
    return static_cast<std::size_t>(rank) * cells_ + static_cast<std::size_t>(transfer.first_cell);
  };
  for (const Transfer& transfer : schedule.transfers)
    for (const std::int32_t rank : {transfer.src, transfer.dst}) {
      const std::size_t first = first_place(rank, transfer);
      for (std::size_t i = 0; i < static_cast<std::size_t>(transfer.cell_count); ++i)
        ++starts_[first + i + 1];
    }
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];

  accesses_.assign(starts_.back(), Access(0, false));
  std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
  const auto add = [&](std::uint32_t t, bool writes) {
    const Transfer& transfer = schedule.transfers[t];
    const std::size_t first = first_place(writes ? transfer.dst : transfer.src, transfer);
    for (std::size_t i = 0; i < static_cast<std::size_t>(transfer.cell_count); ++i)
      accesses_[next[first + i]++] = Access(t, writes);
  };
  const std::vector<std::uint32_t> rounds = round_starts(schedule);
  for (std::size_t round = 0; round + 1 < rounds.size(); ++round)
    for (const bool writes : {false, true})
      for (std::uint32_t t = rounds[round]; t < rounds[round + 1]; ++t) add(t, writes);
}

std::span<const CellAccesses::Access> CellAccesses::of(std::int32_t rank, std::int32_t cell) const {
  const std::size_t place =
      static_cast<std::size_t>(rank) * cells_ + static_cast<std::size_t>(cell);
  return std::span(accesses_).subspan(starts_[place], starts_[place + 1] - starts_[place]);
}

std::size_t CellAccesses::before_round(std::int32_t rank, std::int32_t cell,
                                       std::int32_t round) const {
  const auto accesses = of(rank, cell);
  const auto end = std::partition_point(accesses.begin(), accesses.end(), [&](Access access) {
    return schedule_.transfers[access.transfer()].round < round;
  });
  return static_cast<std::size_t>(end - accesses.begin());
}

std::size_t CellAccesses::up_to_write(std::int32_t rank, std::int32_t cell,
                                      std::uint32_t transfer) const {
  const auto accesses = of(rank, cell);
  const std::int32_t round = schedule_.transfers[transfer].round;
  const auto end = std::partition_point(accesses.begin(), accesses.end(), [&](Access access) {
    const std::int32_t other = schedule_.transfers[access.transfer()].round;
    if (other != round) return other < round;
    return !access.writes() || access.transfer() <= transfer;
  });
  return static_cast<std::size_t>(end - accesses.begin());
}

}  // namespace ringscope
