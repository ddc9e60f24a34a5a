// Takes down what happens while it happens: one lane a rank, each written by one thread only, no
// lock, memory reserved and touched before the run starts.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/schedule/plan.h"
#include "core/trace/trace.h"

namespace ringscope {

// What a lane's times are read from: the steady clock, or in tests a Lamport counter per lane,
// which makes a trace byte-stable and still causal.
enum class Clock { steady, lamport };

// One lane's clock. Used by that lane's thread only.
class LaneClock {
 public:
  LaneClock() = default;
  LaneClock(Clock clock, std::chrono::steady_clock::time_point start)
      : clock_(clock), start_(start) {}

  // Nanoseconds from the common start, or the counter's next value.
  std::int64_t now() {
    if (clock_ == Clock::lamport) return ++counter_;
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                                start_)
        .count();
  }
  // After a wait: what this lane saw next comes after what it waited for.
  void raise_above(std::int64_t landed) {
    if (clock_ == Clock::lamport && counter_ < landed) counter_ = landed;
  }
  // After a sleep of that many nanoseconds; the steady clock goes on by itself.
  void pass(std::int64_t nanoseconds) {
    if (clock_ == Clock::lamport) counter_ += nanoseconds;
  }

 private:
  Clock clock_ = Clock::steady;
  std::chrono::steady_clock::time_point start_{};
  std::int64_t counter_ = 0;
};

// When a part was done.
struct PartTimes {
  std::int64_t waited_from = 0;
  std::int64_t delayed = 0;
  std::int64_t begun = 0;
  std::int64_t landed = 0;
};

class Recorder {
 public:
  Recorder(const Schedule& schedule, const Plan& plan, ElementType type, Clock clock);

  Clock clock() const { return clock_; }

  // The event of a part's transfer.
  const Event& event(std::uint32_t part) const { return events_[slot_of_part_[part]]; }

  // Takes a part down when it has landed, before that is published: its times, and with the last
  // part of a transfer the first elements of its destination cells. By the part's lane only.
  // `buffer` is the whole output buffer of dst.
  void land(std::uint32_t part, const PartTimes& times, std::span<const std::byte> buffer);
  // The same where a device has kept the elements when they had landed: of the part's cells, one
  // after the other. Empty with a part that is not the last of its transfer, or whose values are
  // not kept.
  void land_kept(std::uint32_t part, const PartTimes& times, std::span<const std::byte> kept);
  // Of a run on GPUs, from one thread.
  void keep_links(std::vector<DeviceLink> links) { links_ = std::move(links); }
  void keep_clock(const ClockFacts& clock) { clock_facts_ = clock; }

  // Of a run that shows no transfers, from one thread: one repeat.
  void keep_opaque(OpaqueRun run) { opaque_ = std::move(run); }
  const std::optional<OpaqueRun>& opaque() const { return opaque_; }

  // Of a paced run, once it is over: what share of the pace it kept up with, 0 to 1.
  void keep_pace_share(double share) { pace_share_ = share; }
  double pace_share() const { return pace_share_; }

  // Before and after the run, from one thread: the kept elements of a rank's input and result.
  void keep_input(int rank, std::span<const std::byte> buffer);
  void keep_result(int rank, std::span<const std::byte> buffer);

  // Moves everything into the trace: events in the order of transfers, values.
  void finish(Trace& trace) &&;

  // Bytes that a recorder of that schedule takes.
  static std::uint64_t bytes(const Schedule& schedule, const Plan& plan, ElementType type);

 private:
  // True with the last part of a transfer.
  bool take_down(std::uint32_t part, const PartTimes& times);
  void keep_landed(std::uint32_t part, std::span<const std::byte> buffer);
  void keep_rank(std::vector<std::byte>& kept, int rank, std::span<const std::byte> buffer) const;

  const Schedule& schedule_;
  const Plan& plan_;
  Clock clock_;
  double pace_share_ = 1;
  ValueLayout layout_;
  std::vector<std::uint64_t> cell_begins_;   // where each cell begins in a buffer, in bytes
  std::vector<std::uint32_t> slot_of_part_;  // a staged transfer's two parts share one slot
  // By slot, which is the order of parts: what a lane writes lies together, away from the others'.
  std::vector<Event> events_;
  std::vector<std::uint64_t> landed_begins_;
  std::vector<std::byte> landed_;
  std::vector<std::byte> inputs_, results_;
  std::vector<DeviceLink> links_;
  ClockFacts clock_facts_;
  std::optional<OpaqueRun> opaque_;
};

}  // namespace ringscope
