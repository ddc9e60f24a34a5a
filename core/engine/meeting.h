// Where the lanes of a run wait for all others: after each round in lockstep, and at the end.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>

namespace ringscope {

// Where the lanes meet after each round in lockstep. Nobody who has left is waited for.
class Meeting {
 public:
  explicit Meeting(std::int32_t lanes) : lanes_(lanes) {}

  // This lane has finished a round. `time` (Lamport clock) is what those who meet it then have
  // passed.
  void arrive(std::int32_t round, std::int64_t time);
  bool complete(std::int32_t round) const;
  // This lane leaves for good without having finished the round.
  void leave(std::int32_t round);
  bool hopeless(std::int32_t round) const;
  // The latest time of all that arrived, once complete.
  std::int64_t latest(std::int32_t round) const;

 private:
  const std::int64_t lanes_;
  std::atomic<std::int64_t> arrived_{0};
  std::atomic<std::int32_t> first_left_{std::numeric_limits<std::int32_t>::max()};
  std::array<std::atomic<std::int64_t>, 2>
      latest_{};  // by parity of the round: nobody is two rounds ahead
};

// Where the threads of lanes end, all together: ending one costs its core more than a small message
// takes, and another lane may need that core.
class Exit {
 public:
  explicit Exit(std::int32_t lanes) : inside_(lanes) {}

  // Returns when all lanes have come here.
  void leave() {
    if (inside_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      open();
    else
      open_.wait(false, std::memory_order_acquire);
  }
  // Lets everybody out, where not all lanes have a thread.
  void open() {
    open_.store(true, std::memory_order_release);
    open_.notify_all();
  }

 private:
  std::atomic<std::int32_t> inside_;
  std::atomic<bool> open_{false};
};

}  // namespace ringscope
