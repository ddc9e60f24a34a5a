// A device's timer on the host's clock. Before and after a run the device is pinged: the host's
// clock is read, a kernel writes the device's timer, the host's clock is read again. The ping whose
// two readings are closest says best where the timer stands between them; from the one before to
// the one after, the timer is taken to go evenly. How finely it tells is seen by reading it on the
// device till it steps on.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/engine/cuda_api.h"

namespace ringscope {

struct ClockPing {
  std::int64_t before = 0;  // the host's, nanoseconds
  std::int64_t after = 0;
  std::uint64_t device = 0;  // read between them
};

struct ClockMap {
  std::uint64_t device_begin = 0;
  double host_begin = 0;         // nanoseconds from `origin` of map_clock()
  double rate = 1;               // the host's nanoseconds in one of the device's
  std::int64_t uncertainty = 0;  // nanoseconds: half of the wider of the two closest brackets

  // Never goes back where the timer does not.
  std::int64_t host_time(std::uint64_t device) const;
};

// From pings before and after a run, at least one each.
ClockMap map_clock(std::span<const ClockPing> before, std::span<const ClockPing> after,
                   std::int64_t origin);

// Nanoseconds by which a timer steps that was read each time that it had. A device may have been
// busy with something else between two of them: of ten steps the longest is not looked at.
std::int64_t step_of(std::span<const std::uint64_t> times);

// Pings one device, on one of its streams, which is idle then.
class ClockPinger {
 public:
  static constexpr std::size_t pings = 100;

  ClockPinger(int device, cudaStream_t stream);
  std::vector<ClockPing> ping();
  // Nanoseconds by which the device's timer steps, as a kernel sees it.
  std::int64_t resolution();
  void abandon() { memory_.abandon(); }

 private:
  std::vector<std::uint64_t> read_slots();

  int device_;
  cudaStream_t stream_;
  DeviceMemory memory_;
};

// The host's clock: nanoseconds of the steady clock.
std::int64_t host_now();

}  // namespace ringscope
