// The limit that an all-reduce is held against: how fast all cores together copy as many bytes.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>

namespace ringscope {

// From each source to the destination of the same index, which has its size. Times from a common
// start of all cores to the end of the last.
struct CopyTimes {
  std::chrono::nanoseconds plain{0};         // loads and stores
  std::chrono::nanoseconds memcpy{0};        // the C library's
  std::chrono::nanoseconds non_temporal{0};  // stores that go past the caches

  std::chrono::nanoseconds fastest() const;
};

// Measures each once.
CopyTimes measure_copies(std::span<const std::span<const std::byte>> sources,
                         std::span<const std::span<std::byte>> destinations);

}  // namespace ringscope
