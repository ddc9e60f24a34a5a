#include "core/engine/copy_limit.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "core/engine/machine.h"

namespace ringscope {
namespace {

using Steady = std::chrono::steady_clock;
using Copy = void (*)(std::byte* dst, const std::byte* src, std::size_t bytes);

#if defined(__x86_64__) && defined(__GNUC__)
using Word = __m128i;
void copy_plain(std::byte* dst, const std::byte* src, std::size_t bytes) {
  std::size_t i = 0;
  for (; i + 4 * sizeof(Word) <= bytes; i += 4 * sizeof(Word)) {
    const auto* const from = reinterpret_cast<const Word*>(src + i);
    auto* const to = reinterpret_cast<Word*>(dst + i);
    const Word a = _mm_loadu_si128(from), b = _mm_loadu_si128(from + 1),
               c = _mm_loadu_si128(from + 2), d = _mm_loadu_si128(from + 3);
    _mm_storeu_si128(to, a);
    _mm_storeu_si128(to + 1, b);
    _mm_storeu_si128(to + 2, c);
    _mm_storeu_si128(to + 3, d);
  }
  std::memcpy(dst + i, src + i, bytes - i);
}

void copy_non_temporal(std::byte* dst, const std::byte* src, std::size_t bytes) {
  std::size_t i =
      std::min<std::size_t>(-reinterpret_cast<std::uintptr_t>(dst) % sizeof(Word), bytes);
  std::memcpy(dst, src, i);
  for (; i + 4 * sizeof(Word) <= bytes; i += 4 * sizeof(Word)) {
    const auto* const from = reinterpret_cast<const Word*>(src + i);
    auto* const to = reinterpret_cast<Word*>(dst + i);
    const Word a = _mm_loadu_si128(from), b = _mm_loadu_si128(from + 1),
               c = _mm_loadu_si128(from + 2), d = _mm_loadu_si128(from + 3);
    _mm_stream_si128(to, a);
    _mm_stream_si128(to + 1, b);
    _mm_stream_si128(to + 2, c);
    _mm_stream_si128(to + 3, d);
  }
  std::memcpy(dst + i, src + i, bytes - i);
  _mm_sfence();
}
#else
void copy_plain(std::byte* dst, const std::byte* src, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) dst[i] = src[i];
}
void copy_non_temporal(std::byte* dst, const std::byte* src, std::size_t bytes) {
  copy_plain(dst, src, bytes);
}
#endif
void copy_library(std::byte* dst, const std::byte* src, std::size_t bytes) {
  std::memcpy(dst, src, bytes);
}

// Each core copies the same share of every buffer.
std::chrono::nanoseconds measure(Copy copy, std::span<const std::span<const std::byte>> sources,
                                 std::span<const std::span<std::byte>> destinations) {
  const auto cores = static_cast<std::size_t>(usable_cores());
  std::atomic<std::size_t> ready{0};
  std::atomic<bool> started{false};
  Steady::time_point start;
  std::vector<Steady::time_point> ends(cores);
  const auto work = [&](std::size_t core) {
    if (ready.fetch_add(1) + 1 == cores) {
      start = Steady::now();
      started.store(true, std::memory_order_release);
    }
    while (!started.load(std::memory_order_acquire)) std::this_thread::yield();
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const std::size_t share = (sources[i].size() / cores + 63) / 64 * 64;
      const std::size_t begin = std::min(core * share, sources[i].size());
      const std::size_t end =
          core + 1 == cores ? sources[i].size() : std::min(begin + share, sources[i].size());
      if (begin < end) copy(destinations[i].data() + begin, sources[i].data() + begin, end - begin);
    }
    ends[core] = Steady::now();
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t core = 1; core < cores; ++core) threads.emplace_back(work, core);
    work(0);
  }
  return *std::max_element(ends.begin(), ends.end()) - start;
}

}  // namespace

std::chrono::nanoseconds CopyTimes::fastest() const {
  return std::min({plain, memcpy, non_temporal});
}

CopyTimes measure_copies(std::span<const std::span<const std::byte>> sources,
                         std::span<const std::span<std::byte>> destinations) {
  return {measure(copy_plain, sources, destinations), measure(copy_library, sources, destinations),
          measure(copy_non_temporal, sources, destinations)};
}

}  // namespace ringscope
