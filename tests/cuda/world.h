// What the stand-in for the CUDA runtime knows: memory, streams, events, and which accesses an
// order covers.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/cuda/shadow_memory.h"
#include "tests/cuda/stand_in.h"

// What CUDA hands out by pointer is ours to define.
struct CUstream_st {
  int device = 0;
  std::size_t actor = 0;
  ringscope::VectorClock clock;  // of what is in it by now
  struct Work {
    std::function<bool()> is_ready;
    std::function<void()> run;
  };
  std::deque<Work> work;
};
struct CUevent_st {
  int device = 0;
  ringscope::VectorClock clock;
  std::shared_ptr<bool> reached;  // of the last record; null before one
  std::shared_ptr<std::uint64_t> time = std::make_shared<std::uint64_t>(0);  // the device's, then
};

namespace ringscope {

// Bytes that some work touches.
struct Range {
  const void* data;
  std::uint64_t bytes;
  bool writes;
};

class World {
 public:
  explicit World(const StandInSettings& settings);
  // What a broken context did not take back is lost to the engine, not to the test.
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  StandInSettings settings;
  StandInReport report;
  int current = 0;
  cudaError_t last_error = cudaSuccess;
  cudaError_t broken = cudaSuccess;  // for good
  std::set<std::pair<int, int>> enabled;
  std::map<cudaStream_t, std::unique_ptr<CUstream_st>> streams;
  std::map<cudaEvent_t, std::unique_ptr<CUevent_st>> events;
  std::set<void*> host_memory;
  VectorClock host_clock;

  cudaError_t answer(cudaError_t result) {
    if (result != cudaSuccess) last_error = result;
    return result;
  }
  void fault(const std::string& text) { report.faults.push_back(text); }
  bool is_device(int device) const { return device >= 0 && device < settings.devices; }
  std::size_t new_actor() { return ++actors_; }

  // Counts a call; whether it is the one that is to fail.
  bool fails(const std::optional<std::uint64_t>& which, std::uint64_t& count, cudaError_t how);
  // The same of a call that puts work into a stream: whether it is to fail at once. What fails only
  // when it is run is put into the stream before that work.
  bool fails_at_once(const std::optional<std::uint64_t>& which, std::uint64_t& count,
                     cudaError_t how, cudaStream_t stream);

  // --- Memory

  void* allocate(std::uint64_t bytes);
  void give_back(void* data);
  std::uint64_t free_memory() const {
    return settings.memory - used_[static_cast<std::size_t>(current)];
  }
  std::size_t live_allocations() const { return memory_.size(); }

  // Holds an access against all before it. `device` < 0: the driver's own copies reach all memory.
  void check(const Range& range, int device, std::size_t actor, const VectorClock& clock,
             const std::string& who);

  // --- Streams

  // Puts work into a stream; what it reads and writes is held against all that came before.
  void put(cudaStream_t stream, const std::string& who, const std::vector<Range>& ranges,
           int device, std::function<void()> run);
  bool is_known(cudaStream_t stream);
  // What comes later in the stream does not begin.
  void hang(cudaStream_t stream);
  // What hangs goes on.
  void end_hangs() { hangs_ = false; }
  // One step of some stream that can go on; false where none can.
  bool go_on();
  // Till no stream can. To wait for a device that hangs is a fault.
  void drain();
  cudaError_t query(bool is_done, const VectorClock& clock);

  // Nanoseconds of a device's own timer: each goes a little differently.
  std::uint64_t timer(int device) const;

 private:
  struct Allocation {
    int device;
    std::uint64_t bytes;
    ShadowMemory shadow;
  };

  std::mt19937_64 random_;
  std::vector<std::uint64_t> used_;              // [device] bytes
  std::map<std::uintptr_t, Allocation> memory_;  // by address
  std::size_t actors_ = 0;                       // beside the host, which is actor 0
  const std::int64_t began_;                     // on the host's clock
  bool hangs_ = false;
};

// Of the StandIn that lives.
World& world();

}  // namespace ringscope
