// What one rank's thread does in the host engine: its parts, one after the other, each as soon as
// all that it depends on has landed.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/data/operators.h"
#include "core/engine/engine.h"
#include "core/engine/host_engine.h"
#include "core/engine/job_layout.h"
#include "core/engine/meeting.h"
#include "core/engine/ports.h"
#include "core/engine/progress.h"

namespace ringscope {

// What all lanes of a run share. Constant but for the atomics.
struct Run {
  Run(const Job& job, Recorder* recorder, const HostPasses& passes, std::vector<int> cores);

  const Job& job;
  Recorder* const recorder;
  const HostPasses& passes;
  const std::vector<int> cores;  // their numbers
  const bool more_lanes_than_cores;
  std::vector<std::uint64_t> cell_begins;  // cells + 1: bytes into a buffer
  std::vector<Death> deaths;               // [rank]
  StagingLayout staging;
  std::vector<std::vector<std::int32_t>>
      untouched;  // [rank]: goal cells that no transfer writes, where not in place

  Progress progress;
  Meeting rounds;
  Exit exit;
  const std::optional<PortTimes> ports;  // where they are paced
  std::atomic<std::int32_t> ready{0};    // lanes that wait for the common start
  std::atomic<bool> started{false};
  std::atomic<bool> halted{false};  // all stop at once
  Backoff::Clock::time_point start{};
};

class Lane {
 public:
  Lane(Run& run, std::int32_t rank, std::size_t staging_bytes);

  // The whole life of the lane's thread.
  void work();

  // After the thread has ended.
  std::int64_t finished_at() const { return last_landed_; }
  // The same by the steady clock, where ports are paced.
  std::int64_t real_end() const { return real_end_; }
  const Failure& failure() const { return failure_; }

 private:
  void choose_core();
  void wait_for_start();
  bool copy_untouched();
  bool do_part(std::uint32_t part);
  bool meet_until(std::int32_t round);
  bool wait_for(std::uint32_t part);
  std::chrono::nanoseconds pause(Backoff& backoff, std::int64_t wake) const;
  std::int64_t since_start() const;
  bool sleep_until(std::int64_t wake);
  bool sleep(std::chrono::nanoseconds time);
  std::chrono::nanoseconds delay_of(const Transfer& transfer) const;
  bool is_dead(std::int32_t rank, const Transfer& transfer) const;
  bool timed_out(std::chrono::nanoseconds waited, std::uint32_t awaited);
  std::uint32_t stalled_part(std::uint32_t awaited) const;

  void move_to_staging(std::uint32_t transfer);
  void apply(std::uint32_t transfer, bool from_staging);

  Run& run_;
  const std::int32_t rank_;
  LaneClock clock_;
  std::vector<std::byte> staging_;
  std::vector<Delay> delays_;  // those that concern this rank
  std::int64_t last_landed_ = 0;
  std::int64_t slept_ = 0;  // on purpose, since the last event
  std::int32_t round_ = 0;  // lockstep
  std::int64_t real_end_ = 0;
  // The stall that is watched while this lane waits.
  std::uint64_t seen_total_ = 0;
  std::chrono::nanoseconds seen_at_{};
  Failure failure_;
};

}  // namespace ringscope
