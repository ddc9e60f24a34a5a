#include "core/data/operators.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

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

// What is computed in: f16 and bf16 in f32, all others in themselves.
template <class T>
struct Computed {
  using type = T;
};
template <>
struct Computed<f16> {
  using type = float;
};
template <>
struct Computed<bf16> {
  using type = float;
};
template <class T>
using computed = typename Computed<T>::type;

template <class T>
inline constexpr bool is_floating =
    std::is_same_v<T, f16> || std::is_same_v<T, bf16> || std::is_floating_point_v<T>;

// The one NaN that a reduction leaves in memory: positive, quiet, no payload.
template <class T>
constexpr T canonical_nan() {
  if constexpr (std::is_same_v<T, f16>)
    return std::bit_cast<f16>(std::uint16_t{0x7e00});
  else if constexpr (std::is_same_v<T, bf16>)
    return bf16{0x7fc0};
  else
    return std::numeric_limits<T>::quiet_NaN();
}

// Memory <-> what is computed in, at any alignment.
template <class T>
RINGSCOPE_INLINE computed<T> load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  if constexpr (std::is_same_v<T, bf16>)
    return std::bit_cast<float>(std::uint32_t{value.bits} << 16);
  else
    return static_cast<computed<T>>(value);
}
template <class T>
RINGSCOPE_INLINE void store(std::byte* to, computed<T> value) {
  T kept;
  if constexpr (std::is_same_v<T, bf16>) {  // to the nearest, ties to even
    const auto bits = std::bit_cast<std::uint32_t>(value);
    kept.bits = static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
  } else {
    kept = static_cast<T>(value);
  }
  if constexpr (is_floating<T>) kept = value != value ? canonical_nan<T>() : kept;
  std::memcpy(to, &kept, sizeof kept);
}

// The largest finite value of a floating type, in what it is computed in.
template <class T>
constexpr computed<T> largest() {
  if constexpr (std::is_same_v<T, f16>) return 65504.f;
  if constexpr (std::is_same_v<T, bf16>) return 0x1.FEp127f;
  return std::numeric_limits<computed<T>>::max();
}

// --- The operators on one pair of elements; the first is the receiver's own.

template <class C>
struct FloatingSum {
  RINGSCOPE_INLINE C operator()(C own, C received) const { return own + received; }
};

template <class C>
struct FloatingProduct {
  RINGSCOPE_INLINE C operator()(C own, C received) const { return own * received; }
};

struct Copy {
  RINGSCOPE_INLINE std::uint8_t operator()(std::uint8_t, std::uint8_t received) const {
    return received;
  }
};

template <class C>
struct ScaledCopy {
  C scale;
  RINGSCOPE_INLINE C operator()(C, C received) const { return received * scale; }
};

// A step of avg that leaves a partial sum: inputs come in scaled by 2^-k, so that nothing
// overflows.
template <class C>
struct ScaledSum {
  C own_scale, received_scale;
  RINGSCOPE_INLINE C operator()(C own, C received) const {
    return own * own_scale + received * received_scale;
  }
};

// The last step of avg. Rounding must not carry a mean of finite values past the largest one.
template <class C>
struct Mean {
  C own_scale, received_scale, divisor, most;
  RINGSCOPE_INLINE C operator()(C own, C received) const {
    const C sum = own * own_scale + received * received_scale;
    const C mean = sum / divisor;
    const C below = mean > most ? most : mean;
    const C clamped = below < -most ? -most : below;
    const C size = sum < 0 ? -sum : sum;
    return size <= std::numeric_limits<C>::max() ? clamped : mean;
  }
};

// Integers wrap modulo 2^bits.
template <class T>
struct WrappedSum {
  using U = std::make_unsigned_t<T>;
  RINGSCOPE_INLINE T operator()(T own, T received) const {
    return static_cast<T>(static_cast<U>(static_cast<U>(own) + static_cast<U>(received)));
  }
};

template <class T>
struct WrappedProduct {
  using U = std::make_unsigned_t<T>;
  RINGSCOPE_INLINE T operator()(T own, T received) const {
    return static_cast<T>(static_cast<U>(static_cast<U>(own) * static_cast<U>(received)));
  }
};

// The wrapped sum, divided once, toward zero. Up to 32 bits the division goes through floating
// point, where it is exact to the integer below (a quotient is at least 1/N short of the next
// integer, which is more than the rounding) and many times as fast.
template <class T>
struct IntegerMean {
  using Q = std::conditional_t<sizeof(T) == 1, float,
                               std::conditional_t<sizeof(T) == 4, double, std::int64_t>>;
  Q ranks;
  RINGSCOPE_INLINE T operator()(T own, T received) const {
    return static_cast<T>(static_cast<Q>(WrappedSum<T>{}(own, received)) / ranks);
  }
};

template <class T, bool smaller>
struct IntegerExtreme {
  RINGSCOPE_INLINE T operator()(T own, T received) const {
    return (own < received) == smaller ? own : received;
  }
};

// min and max of floating values on their bits, T: as signed integers with the order of negative
// ones turned round, they are ordered as the values are, and -0 < +0.
template <class T, T infinity, bool smaller>
struct FloatingExtreme {
  static constexpr T size = std::numeric_limits<T>::max();  // all bits but the sign
  static constexpr T quiet_nan = static_cast<T>(infinity | (infinity & -infinity) >> 1);
  RINGSCOPE_INLINE static T key(T bits) { return static_cast<T>(bits ^ (bits < 0 ? size : T{0})); }
  RINGSCOPE_INLINE T operator()(T own, T received) const {
    const T picked = (key(own) < key(received)) == smaller ? own : received;
    const bool nan = (own & size) > infinity || (received & size) > infinity;
    return nan ? quiet_nan : picked;
  }
};

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

// --- Which loop

template <bool smaller>
void floating_extreme(ElementType type, const Operands& all, bool stream) {
  switch (type) {
    case ElementType::f16:
      return run<std::int16_t>(all, FloatingExtreme<std::int16_t, 0x7c00, smaller>{}, stream);
    case ElementType::bf16:
      return run<std::int16_t>(all, FloatingExtreme<std::int16_t, 0x7f80, smaller>{}, stream);
    case ElementType::f32:
      return run<std::int32_t>(all, FloatingExtreme<std::int32_t, 0x7f800000, smaller>{}, stream);
    default:
      return run<std::int64_t>(all, FloatingExtreme<std::int64_t, 0x7ff0000000000000, smaller>{},
                               stream);
  }
}

template <class C>
C input_scale(const Pass& pass, bool is_input) {
  return is_input ? static_cast<C>(1 / avg_scale(pass.ranks)) : C{1};
}

template <class T>
void floating_average(const Pass& pass, const Operands& all) {
  using C = computed<T>;
  const C own = input_scale<C>(pass, pass.own_is_input);
  const C received = input_scale<C>(pass, pass.received_is_input);
  if (!pass.completes) return run<T>(all, ScaledSum<C>{own, received}, pass.stream);
  const C divisor = static_cast<C>(pass.ranks / avg_scale(pass.ranks));
  run<T>(all, Mean<C>{own, received, divisor, largest<T>()}, pass.stream);
}

template <class T>
void reduce_floating(ElementType type, const Pass& pass, const Operands& all) {
  using C = computed<T>;
  switch (pass.op) {
    case Operator::sum: return run<T>(all, FloatingSum<C>{}, pass.stream);
    case Operator::prod: return run<T>(all, FloatingProduct<C>{}, pass.stream);
    case Operator::avg: return floating_average<T>(pass, all);
    case Operator::min: return floating_extreme<true>(type, all, pass.stream);
    case Operator::max: return floating_extreme<false>(type, all, pass.stream);
  }
}

template <class T>
void reduce_integer(const Pass& pass, const Operands& all) {
  switch (pass.op) {
    case Operator::avg:
      if (pass.completes)
        return run<T>(all, IntegerMean<T>{static_cast<typename IntegerMean<T>::Q>(pass.ranks)},
                      pass.stream);
      [[fallthrough]];
    case Operator::sum: return run<T>(all, WrappedSum<T>{}, pass.stream);
    case Operator::prod: return run<T>(all, WrappedProduct<T>{}, pass.stream);
    case Operator::min: return run<T>(all, IntegerExtreme<T, true>{}, pass.stream);
    case Operator::max: return run<T>(all, IntegerExtreme<T, false>{}, pass.stream);
  }
}

}  // namespace

double avg_scale(int ranks) { return std::bit_ceil(static_cast<unsigned>(ranks)); }

void reduce_pass(ElementType type, const Pass& pass, std::span<std::byte> dst,
                 std::span<const std::byte> own, std::span<const std::byte> received) {
  assert(own.size() == dst.size() && received.size() == dst.size());
  assert(dst.size() % bytes_of(type) == 0);
  if (dst.empty()) return;
  const Operands all{dst.data(), own.data(), received.data(), dst.size() / bytes_of(type)};
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (is_floating<T>)
      reduce_floating<T>(type, pass, all);
    else
      reduce_integer<T>(pass, all);
  });
}

void copy_pass(ElementType type, const Pass& pass, std::span<std::byte> dst,
               std::span<const std::byte> received) {
  assert(received.size() == dst.size() && dst.size() % bytes_of(type) == 0);
  if (dst.empty()) return;
  const bool scaled = pass.op == Operator::avg && pass.received_is_input && !is_integer(type);
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
