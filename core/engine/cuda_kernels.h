// What runs on a GPU: one pass over elements, a stamp of the device's timer, a sleep. What a kernel
// is told is one struct, so that a test's stand-in for the CUDA runtime can do the same on the host
// (a kernel is looked up by its name there: 'ringscope_pass_f32').
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "core/data/element.h"
#include "core/data/operators.h"

namespace ringscope {

// Nanoseconds of the device's own timer; `unset` till then.
struct PartStamp {
  static constexpr std::uint64_t unset = ~std::uint64_t{0};
  std::uint64_t begun = unset;   // the first block went in
  std::uint64_t landed = unset;  // the last block was done
  std::uint64_t slept_from = unset;
  std::uint64_t slept_to = unset;
};

// The elements of a cell that a record keeps.
struct KeptCell {
  const std::byte* from;
  std::byte* to;
  std::uint64_t bytes;
};

// What a pass takes down beside its work. Nothing where stamp is null.
struct PassRecord {
  PartStamp* stamp = nullptr;
  std::uint32_t* ticket = nullptr;  // of the lane; 0 between kernels
  const KeptCell* kept = nullptr;
  std::uint32_t kept_count = 0;
  bool first = false;  // of the part's passes
  bool last = false;
};

// dst[i] = own[i] op received[i], or a copy of received. What is said of reduce_pass() and
// copy_pass() holds; any alignment, though only where all three are alike modulo 16 is it fast.
struct PassLaunch {
  Pass pass;
  bool reduces = false;
  std::byte* dst = nullptr;
  const std::byte* own = nullptr;  // not read by a copy
  const std::byte* received = nullptr;
  std::uint64_t count = 0;  // elements
  PassRecord record;
};

struct StampLaunch {
  std::uint64_t* where = nullptr;
};

// Notes the device's timer each time that it has stepped on.
struct TimerStepsLaunch {
  std::uint64_t* times = nullptr;
  std::uint32_t count = 0;
};

// Sleeps on the device; not longer than till *halt is no longer 0.
struct SleepLaunch {
  std::uint64_t nanoseconds = 0;
  const volatile std::uint32_t* halt = nullptr;  // in the host's memory
  std::uint64_t* from = nullptr;                 // where it notes begin and end; may be null
  std::uint64_t* to = nullptr;
};

// Each puts its kernel into the stream, on the current device. `multiprocessors` is that device's
// number of them.
cudaError_t launch_pass(ElementType type, const PassLaunch& launch, int multiprocessors,
                        cudaStream_t stream);
cudaError_t launch_stamp(const StampLaunch& launch, cudaStream_t stream);
cudaError_t launch_timer_steps(const TimerStepsLaunch& launch, cudaStream_t stream);
cudaError_t launch_sleep(const SleepLaunch& launch, cudaStream_t stream);

}  // namespace ringscope
