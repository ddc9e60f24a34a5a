#include "core/replay/history.h"

#include <algorithm>
#include <utility>

namespace ringscope {

History::History(const Schedule& schedule, std::vector<std::uint32_t> sequence)
    : schedule_(schedule), sequence_(std::move(sequence)), cell_begins_(cell_begins(schedule)) {
  const auto ranks = static_cast<std::size_t>(schedule.ranks);
  const auto cells = static_cast<std::size_t>(cells_per_rank(schedule));
  Checkpoint now{0, std::vector<std::int32_t>(ranks * cells, -1),
                 std::vector<std::uint64_t>(ranks, 0)};
  checkpoints_.push_back(now);
  // So many writes from one to the next that to repeat them takes less than to copy it.
  const std::size_t interval = std::max<std::size_t>(now.writers.size() / 4, 4096);
  std::size_t writes = 0;
  for (const std::uint32_t t : sequence_) {
    write(now.writers, t);
    send(now.sent, t);
    ++now.landed;
    writes += static_cast<std::size_t>(schedule.transfers[t].cell_count);
    if (writes < interval) continue;
    writes = 0;
    checkpoints_.push_back(now);
  }
}

std::vector<std::int32_t> History::last_writers(std::size_t landed) const {
  const Checkpoint& from = checkpoint_before(landed);
  std::vector<std::int32_t> writers = from.writers;
  for (std::size_t i = from.landed; i < landed; ++i) write(writers, sequence_[i]);
  return writers;
}

std::vector<std::uint64_t> History::elements_sent(std::size_t landed) const {
  const Checkpoint& from = checkpoint_before(landed);
  std::vector<std::uint64_t> sent = from.sent;
  for (std::size_t i = from.landed; i < landed; ++i) send(sent, sequence_[i]);
  return sent;
}

const History::Checkpoint& History::checkpoint_before(std::size_t landed) const {
  const auto after =
      std::upper_bound(checkpoints_.begin(), checkpoints_.end(), landed,
                       [](std::size_t value, const Checkpoint& c) { return value < c.landed; });
  return *(after - 1);
}

void History::write(std::vector<std::int32_t>& writers, std::uint32_t t) const {
  const Transfer& transfer = schedule_.transfers[t];
  const std::size_t first = static_cast<std::size_t>(transfer.dst) * (cell_begins_.size() - 1) +
                            static_cast<std::size_t>(transfer.first_cell);
  std::fill_n(writers.begin() + static_cast<std::ptrdiff_t>(first), transfer.cell_count,
              static_cast<std::int32_t>(t));
}

void History::send(std::vector<std::uint64_t>& sent, std::uint32_t t) const {
  const Transfer& transfer = schedule_.transfers[t];
  const auto first = static_cast<std::size_t>(transfer.first_cell);
  sent[static_cast<std::size_t>(transfer.src)] +=
      cell_begins_[first + static_cast<std::size_t>(transfer.cell_count)] - cell_begins_[first];
}

}  // namespace ringscope
