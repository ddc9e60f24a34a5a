// When each part of a plan was done, and what it had to wait for, read off a trace.
#pragma once

#include <cstdint>
#include <vector>

#include "core/replay/time_spent.h"

namespace ringscope {

// Keeps references to all that it is given.
class LaneTimes {
 public:
  // Of `spent` it looks at barriers and ports only.
  LaneTimes(const Trace& trace, const Plan& plan, const TimeSpent& spent)
      : trace_(trace), plan_(plan), spent_(spent) {}

  const Plan& plan() const { return plan_; }
  std::int64_t end() const { return trace_.nanoseconds; }
  std::int32_t rank_of(std::uint32_t part) const { return plan_.parts[part].lane; }
  const Transfer& transfer_of(std::uint32_t part) const {
    return trace_.schedule.transfers[plan_.parts[part].transfer];
  }
  bool is_first(std::uint32_t part) const {
    return part == plan_.lane_starts[static_cast<std::size_t>(rank_of(part))];
  }

  bool done(std::uint32_t part) const;
  // Of parts that were done. Never outside the run; landed never before begun.
  std::int64_t begun(std::uint32_t part) const;
  std::int64_t landed(std::uint32_t part) const;
  // How long the rank slept on purpose right before it, without its lateness.
  std::int64_t delayed(std::uint32_t part) const;

  // How late a rank began, and when it was ready for its first part: after it had been late, and
  // had copied what it had to.
  std::int64_t late(std::int32_t rank) const;
  std::int64_t ready(std::int32_t rank) const;

  // Of what must be done by other lanes before the part that which landed last; no_part for none.
  std::uint32_t awaited(std::uint32_t part) const;
  // Of that and the part before it on its lane; the latter where both landed at once.
  std::uint32_t cause(std::uint32_t part) const;
  // What it waits for and never landed; no_part for none.
  std::uint32_t missing(std::uint32_t part) const;

 private:
  const Event& event(std::uint32_t part) const { return trace_.events[plan_.parts[part].transfer]; }
  template <class Body>
  void for_each_awaited(std::uint32_t part, Body&& body) const;

  const Trace& trace_;
  const Plan& plan_;
  const TimeSpent& spent_;
};

// Whether a rank's first work is to copy its own input to its output (out of place, a goal cell
// that no transfer writes); [rank].
std::vector<bool> ranks_that_copy(const Trace& trace);

}  // namespace ringscope
