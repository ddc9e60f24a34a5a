#include "core/replay/term_counts.h"

#include <algorithm>

namespace ringscope {

std::vector<std::int32_t> count_terms(const Trace& trace) {
  const Schedule& schedule = trace.schedule;
  const auto cells = static_cast<std::size_t>(cells_per_rank(schedule));
  const auto at = [&](std::int32_t rank, std::int32_t cell) {
    return static_cast<std::size_t>(rank) * cells + static_cast<std::size_t>(cell);
  };
  std::vector<std::int32_t> held(static_cast<std::size_t>(schedule.ranks) * cells);
  for (std::size_t i = 0; i < held.size(); ++i)
    held[i] = schedule.initial[i / static_cast<std::size_t>(schedule.slices)] == nothing ? 0 : 1;

  const std::vector<std::uint32_t> starts = round_starts(schedule);
  std::vector<std::int32_t> after(schedule.transfers.size(), 0);
  std::vector<std::int32_t> carried;  // by a round's cells, read before any of them is written
  for (std::size_t round = 0; round + 1 < starts.size(); ++round) {
    carried.clear();
    for (std::uint32_t t = starts[round]; t < starts[round + 1]; ++t) {
      const Transfer& transfer = schedule.transfers[t];
      for (std::int32_t i = 0; i < transfer.cell_count; ++i)
        carried.push_back(held[at(transfer.src, transfer.first_cell + i)]);
    }
    std::size_t next = 0;
    for (std::uint32_t t = starts[round]; t < starts[round + 1]; ++t) {
      const Transfer& transfer = schedule.transfers[t];
      const bool done = t >= trace.events.size() || trace.events[t].done != 0;
      for (std::int32_t i = 0; i < transfer.cell_count; ++i, ++next) {
        std::int32_t& dst = held[at(transfer.dst, transfer.first_cell + i)];
        // A wrong schedule may count terms again and again: one too many says it.
        if (done)
          dst = std::min(carried[next] + (transfer.action == Action::reduce ? dst : 0),
                         schedule.ranks + 1);
        if (done && i == 0) after[t] = dst;
      }
    }
  }
  return after;
}

}  // namespace ringscope
