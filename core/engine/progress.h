// How far each lane has come, and how a lane waits for another: the only words that the lanes of a
// run exchange. Written by its own lane, read by all.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "core/schedule/plan.h"

namespace ringscope {

class Progress {
 public:
  explicit Progress(const Plan& plan) : plan_(plan), lanes_(static_cast<std::size_t>(plan.lanes)) {
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
      lanes_[lane].next.store(plan.lane_starts[lane], std::memory_order_relaxed);
  }

  // All that the part wrote is seen by whoever finds it done.
  void publish(std::uint32_t part) {
    of(plan_.parts[part].lane).next.store(part + 1, std::memory_order_release);
  }
  bool done(std::uint32_t part) const {
    return of(plan_.parts[part].lane).next.load(std::memory_order_acquire) > part;
  }
  // The part that the lane is at.
  std::uint32_t next(std::int32_t lane) const {
    return of(lane).next.load(std::memory_order_acquire);
  }

  // The lane does nothing any more, be it done or not.
  void end(std::int32_t lane) { of(lane).ended.store(true, std::memory_order_release); }
  bool ended(std::int32_t lane) const { return of(lane).ended.load(std::memory_order_acquire); }

  // The lane is at work on its part, which lasts on purpose.
  void beat(std::int32_t lane) { of(lane).beats.fetch_add(1, std::memory_order_relaxed); }

  // Grows with every part that any lane does, and every beat.
  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const Lane& lane : lanes_)
      sum += lane.next.load(std::memory_order_relaxed) + lane.beats.load(std::memory_order_relaxed);
    return sum;
  }

 private:
  // Two cache lines: the processor fetches them in pairs.
  struct alignas(128) Lane {
    std::atomic<std::uint32_t> next{0};
    std::atomic<bool> ended{false};
    std::atomic<std::uint64_t> beats{0};
  };
  Lane& of(std::int32_t lane) { return lanes_[static_cast<std::size_t>(lane)]; }
  const Lane& of(std::int32_t lane) const { return lanes_[static_cast<std::size_t>(lane)]; }

  const Plan& plan_;
  std::vector<Lane> lanes_;
};

// One wait: spins while that is likely to be short, then lets other threads have the core, then
// sleeps.
class Backoff {
 public:
  using Clock = std::chrono::steady_clock;

  // Where there are more lanes than cores, the one waited for may need this very core.
  explicit Backoff(bool more_lanes_than_cores) : spins_(more_lanes_than_cores ? 16 : 2000) {}

  // Waits a little; returns for how long it has by now (0 while it spins).
  std::chrono::nanoseconds pause() {
    if (spins_ > 0) {
      --spins_;
      relax();
      return {};
    }
    const Clock::time_point now = Clock::now();
    if (begun_ == Clock::time_point{}) begun_ = now;
    const std::chrono::nanoseconds waited = now - begun_;
    if (waited < std::chrono::milliseconds(1))
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    return waited;
  }

  // The same where what is waited for takes its time, not before `wake`: burns nothing. Wakes now
  // and then, to see whether all has stopped.
  std::chrono::nanoseconds sleep(Clock::time_point wake) {
    constexpr std::chrono::nanoseconds shortest = std::chrono::microseconds(20),
                                       longest = std::chrono::microseconds(500),
                                       nap = std::chrono::milliseconds(2);
    const Clock::time_point now = Clock::now();
    if (begun_ == Clock::time_point{}) begun_ = now;
    if (wake > now)
      std::this_thread::sleep_until(std::min(wake, now + nap));
    else
      std::this_thread::sleep_for(
          std::clamp((now - std::max(wake, begun_)) / 4, shortest, longest));
    return now - begun_;
  }

 private:
  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  int spins_;
  Clock::time_point begun_{};
};

}  // namespace ringscope
