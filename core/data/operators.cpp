#include "core/data/operators.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>

#include "core/data/element_operations.h"

// The loops are compiled twice on x86-64, for any processor and for one with AVX2 and F16C, and
// the processor decides at run time. What a loop calls is inlined into it, so that it is compiled
// for the same processor.
#if defined(__x86_64__)
#include <immintrin.h>
#define RINGSCOPE_WIDE [[gnu::target("avx2,f16c")]]
#endif
#define RINGSCOPE_INLINE [[gnu::always_inline]] inline
// dst may be own, element for element, so no iteration depends on another.
#if defined(__clang__)
#define RINGSCOPE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define RINGSCOPE_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace ringscope {
namespace {

// At any alignment.
template <class T>
RINGSCOPE_INLINE computed<T> load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return widen<T>(value);
}
template <class T>
RINGSCOPE_INLINE void store(std::byte* to, computed<T> value) {
  const T kept = narrow<T>(value);
  std::memcpy(to, &kept, sizeof kept);
}

// --- Loops over elements

struct Operands {
  std::byte* dst;
  const std::byte* own;
  const std::byte* received;
  std::size_t count;

  Operands from(std::size_t first, std::size_t bytes_each) const {
    const std::size_t skip = first * bytes_each;
    return {dst + skip, own + skip, received + skip, count - first};
  }
};

template <class T, class Body>
RINGSCOPE_INLINE void plain_loop(const Operands& all, Body body) {
  std::byte* const dst = all.dst;
  const std::byte* const own = all.own;
  const std::byte* const received = all.received;
  const std::size_t end = all.count * sizeof(T);
  RINGSCOPE_INDEPENDENT
  for (std::size_t i = 0; i < end; i += sizeof(T))
    store<T>(dst + i, body(load<T>(own + i), load<T>(received + i)));
}

template <class T, class Body>
void any_loop(const Operands& all, Body body) {
  plain_loop<T>(all, body);
}

#if defined(__x86_64__)

RINGSCOPE_WIDE RINGSCOPE_INLINE void widen_eight(float* to, const std::byte* from) {
  _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
}

// f16 by eights: the compiler does not vectorise the conversion. The small arrays stay in
// registers.
template <class Body>
RINGSCOPE_WIDE RINGSCOPE_INLINE void eight_halves(std::byte* dst, const std::byte* own,
                                                  const std::byte* received, Body body) {
  float a[8], b[8], result[8];
  widen_eight(a, own);
  widen_eight(b, received);
  for (int i = 0; i < 8; ++i) {
    const float value = body(a[i], b[i]);
    result[i] = value != value ? canonical_nan<float>() : value;
  }
  _mm_storeu_si128(reinterpret_cast<__m128i*>(dst),
                   _mm256_cvtps_ph(_mm256_loadu_ps(result), _MM_FROUND_TO_NEAREST_INT));
}

template <class T, class Body>
RINGSCOPE_WIDE void wide_loop(const Operands& all, Body body) {
  std::size_t done = 0;
  if constexpr (std::is_same_v<T, f16>)
    for (; done + 8 <= all.count; done += 8) {
      const std::size_t at = done * sizeof(T);
      eight_halves(all.dst + at, all.own + at, all.received + at, body);
    }
  plain_loop<T>(all.from(done, sizeof(T)), body);
}

template <class T, class Body>
void loop(const Operands& all, Body body) {
  static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
  wide ? wide_loop<T>(all, body) : any_loop<T>(all, body);
}

constexpr std::size_t line = 64;  // bytes of a cache line

// Whole lines past the caches. Both lie on a boundary of a line.
void stream_lines(std::byte* dst, const std::byte* src, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += sizeof(__m128i))
    _mm_stream_si128(reinterpret_cast<__m128i*>(dst + i),
                     _mm_load_si128(reinterpret_cast<const __m128i*>(src + i)));
}

// By blocks that stay in the first cache till they are streamed out. dst lies on a boundary of a
// line; what is no whole line at the end is stored as ever.
template <class T, class Body>
void stream_blocks(const Operands& all, Body body) {
  constexpr std::size_t each = 2048 / sizeof(T);
  alignas(line) std::byte block[each * sizeof(T)];
  const std::size_t whole = all.count / (line / sizeof(T)) * (line / sizeof(T));
  for (std::size_t first = 0; first < whole; first += each) {
    const Operands rest = all.from(first, sizeof(T));
    const std::size_t count = std::min(each, whole - first);
    loop<T>(Operands{block, rest.own, rest.received, count}, body);
    stream_lines(rest.dst, block, count * sizeof(T));
  }
  _mm_sfence();
  loop<T>(all.from(whole, sizeof(T)), body);
}

template <class T, class Body>
void run(const Operands& all, Body body, bool stream) {
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(all.dst) % line;
  const std::size_t head = before / sizeof(T);
  if (!stream || before % sizeof(T) != 0 || head >= all.count) return loop<T>(all, body);
  loop<T>(Operands{all.dst, all.own, all.received, head}, body);
  stream_blocks<T>(all.from(head, sizeof(T)), body);
}

#else

template <class T, class Body>
void run(const Operands& all, Body body, bool) {
  any_loop<T>(all, body);
}

#endif

}  // namespace

double avg_scale(int ranks) { return two_to_the_k(ranks); }

void reduce_pass(ElementType type, const Pass& pass, std::span<std::byte> dst,
                 std::span<const std::byte> own, std::span<const std::byte> received) {
  assert(own.size() == dst.size() && received.size() == dst.size());
  assert(dst.size() % bytes_of(type) == 0);
  if (dst.empty()) return;
  const Operands all{dst.data(), own.data(), received.data(), dst.size() / bytes_of(type)};
  with_type(type, [&](auto tag) {
    reduce_with<typename decltype(tag)::type>(pass, [&](auto element, auto body) {
      run<typename decltype(element)::type>(all, body, pass.stream);
    });
  });
}

void copy_pass(ElementType type, const Pass& pass, std::span<std::byte> dst,
               std::span<const std::byte> received) {
  assert(received.size() == dst.size() && dst.size() % bytes_of(type) == 0);
  if (dst.empty()) return;
  const bool scaled = copy_scales(type, pass);
  if (!scaled && !pass.stream) {
    std::memcpy(dst.data(), received.data(), dst.size());
    return;
  }
  if (!scaled)
    return run<std::uint8_t>({dst.data(), received.data(), received.data(), dst.size()}, Copy{},
                             true);
  const Operands all{dst.data(), received.data(), received.data(), dst.size() / bytes_of(type)};
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (is_floating<T>)
      run<T>(all, ScaledCopy<computed<T>>{input_scale<computed<T>>(pass, true)}, pass.stream);
  });
}

}  // namespace ringscope
