// What has landed after each of a sequence of landings: any moment in a few milliseconds, from
// checkpoints on the way.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/schedule/schedule.h"

namespace ringscope {

// Keeps a reference to the schedule, which must outlive it.
class History {
 public:
  // `sequence` names transfers in the order in which they land, each at most once.
  History(const Schedule& schedule, std::vector<std::uint32_t> sequence);

  std::span<const std::uint32_t> sequence() const { return sequence_; }

  // After the first `landed` of the sequence: [rank * cells + cell] the transfer that has written
  // the cell last, -1 where none has.
  std::vector<std::int32_t> last_writers(std::size_t landed) const;
  // The same: [rank] elements that it has sent.
  std::vector<std::uint64_t> elements_sent(std::size_t landed) const;

 private:
  struct Checkpoint {
    std::size_t landed;
    std::vector<std::int32_t> writers;
    std::vector<std::uint64_t> sent;
  };

  const Checkpoint& checkpoint_before(std::size_t landed) const;
  void write(std::vector<std::int32_t>& writers, std::uint32_t t) const;
  void send(std::vector<std::uint64_t>& sent, std::uint32_t t) const;

  const Schedule& schedule_;
  std::vector<std::uint32_t> sequence_;
  std::vector<std::uint64_t> cell_begins_;  // [cell]: its first element; cells + 1
  std::vector<Checkpoint> checkpoints_;     // the first one is the start
};

}  // namespace ringscope
