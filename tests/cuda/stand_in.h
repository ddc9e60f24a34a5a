// A small stand-in for the CUDA runtime, of the calls that the CUDA engine makes: a few devices
// whose memory is the host's, with asynchronous streams. Kernels are looked up by the name under
// which nvcc's code registers them, and run as host functions.
//
// It keeps vector clocks: what a stream knows of the others. An access that no order covers is a
// fault whatever the timing was; so is memory of a device without peer access, a read of what was
// never written, a use after it was given back, and what was not given back at the end.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ringscope {

// How the call that is to fail does so.
enum class Failing {
  once,      // it alone
  for_good,  // and all after it: streams do nothing any more
  when_run,  // the same, but only when a stream comes to its work: the call itself succeeds
};

struct StandInSettings {
  int devices = 4;
  cudaError_t no_devices = cudaSuccess;           // what asking for devices is answered with
  std::set<std::pair<int, int>> no_peer;          // (reader, owner)
  bool refuses_peers = false;                     // says that they can, and then refuses
  std::uint64_t memory = std::uint64_t{1} << 30;  // bytes of a device
  std::uint64_t seed = 1;                         // of the order in which streams go on
  std::uint64_t timer_step = 32;                  // nanoseconds
  // Counted from 0, over all devices.
  std::optional<std::uint64_t> drop_wait;
  std::optional<std::uint64_t> fail_allocation, fail_copy, fail_launch;
  Failing failing = Failing::once;
  std::optional<std::uint64_t> hang_launch;  // this one never ends
};

struct StandInReport {
  std::vector<std::string> faults;
  std::uint64_t waits = 0, allocations = 0, copies = 0, launches = 0;
};

// All of CUDA that this process sees, from the construction to the end of its life.
class StandIn {
 public:
  explicit StandIn(const StandInSettings& settings);
  ~StandIn();
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;

  // With what is left over as faults. All counts are from the construction on.
  StandInReport report() const;
};

}  // namespace ringscope
