// What the operators do to one pair of elements, for every engine: a processor's loops and a GPU's
// kernels apply these same functions, so that they give the same bits.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/data/element.h"
#include "core/data/operators.h"

#if defined(__CUDACC__)
#define RINGSCOPE_ELEMENTWISE __host__ __device__ __forceinline__
#else
#define RINGSCOPE_ELEMENTWISE [[gnu::always_inline]] inline
#endif

namespace ringscope {

// f16 for a compiler that only moves _Float16 about, as that for GPUs does.
struct F16Bits {
  std::uint16_t bits;
};

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
template <>
struct Computed<F16Bits> {
  using type = float;
};
template <class T>
using computed = typename Computed<T>::type;

template <class T>
inline constexpr bool is_floating = std::is_same_v<T, f16> || std::is_same_v<T, F16Bits> ||
                                    std::is_same_v<T, bf16> || std::is_floating_point_v<T>;

// The one NaN that a reduction leaves in memory: positive, quiet, no payload.
template <class T>
constexpr T canonical_nan() {
  if constexpr (std::is_same_v<T, f16>)
    return std::bit_cast<f16>(std::uint16_t{0x7e00});
  else if constexpr (std::is_same_v<T, F16Bits>)
    return F16Bits{0x7e00};
  else if constexpr (std::is_same_v<T, bf16>)
    return bf16{0x7fc0};
  else
    return std::numeric_limits<T>::quiet_NaN();
}

// What is in memory <-> what is computed in. Of a type whose conversions only some compilers have
// (F16Bits) they are specialised where they are needed.
template <class T>
RINGSCOPE_ELEMENTWISE computed<T> widen(T value) {
  if constexpr (std::is_same_v<T, bf16>)
    return std::bit_cast<float>(std::uint32_t{value.bits} << 16);
  else
    return static_cast<computed<T>>(value);
}
template <class T>
RINGSCOPE_ELEMENTWISE T narrow(computed<T> value) {
  T kept;
  if constexpr (std::is_same_v<T, bf16>) {  // to the nearest, ties to even
    const auto bits = std::bit_cast<std::uint32_t>(value);
    kept.bits = static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
  } else {
    kept = static_cast<T>(value);
  }
  if constexpr (is_floating<T>) kept = value != value ? canonical_nan<T>() : kept;
  return kept;
}

// The largest finite value of a floating type, in what it is computed in.
template <class T>
constexpr computed<T> largest() {
  if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, F16Bits>) return 65504.f;
  if constexpr (std::is_same_v<T, bf16>) return 0x1.FEp127f;
  return std::numeric_limits<computed<T>>::max();
}

// --- The operators on one pair of elements; the first is the receiver's own.

template <class C>
struct FloatingSum {
  RINGSCOPE_ELEMENTWISE C operator()(C own, C received) const { return own + received; }
};

template <class C>
struct FloatingProduct {
  RINGSCOPE_ELEMENTWISE C operator()(C own, C received) const { return own * received; }
};

struct Copy {
  RINGSCOPE_ELEMENTWISE std::uint8_t operator()(std::uint8_t, std::uint8_t received) const {
    return received;
  }
};

template <class C>
struct ScaledCopy {
  C scale;
  RINGSCOPE_ELEMENTWISE C operator()(C, C received) const { return received * scale; }
};

// A step of avg that leaves a partial sum: inputs come in scaled by 2^-k, so that nothing
// overflows.
template <class C>
struct ScaledSum {
  C own_scale, received_scale;
  RINGSCOPE_ELEMENTWISE C operator()(C own, C received) const {
    return own * own_scale + received * received_scale;
  }
};

// The last step of avg. Rounding must not carry a mean of finite values past the largest one.
template <class C>
struct Mean {
  C own_scale, received_scale, divisor, most;
  RINGSCOPE_ELEMENTWISE C operator()(C own, C received) const {
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
  RINGSCOPE_ELEMENTWISE T operator()(T own, T received) const {
    return static_cast<T>(static_cast<U>(static_cast<U>(own) + static_cast<U>(received)));
  }
};

template <class T>
struct WrappedProduct {
  using U = std::make_unsigned_t<T>;
  RINGSCOPE_ELEMENTWISE T operator()(T own, T received) const {
    return static_cast<T>(static_cast<U>(static_cast<U>(own) * static_cast<U>(received)));
  }
};

// The wrapped sum, divided once, toward zero. Up to 32 bits the division goes through floating
// point, where it is exact to the integer below (a quotient is at least 1/N short of the next
// integer, which is more than the rounding) and many times as fast.
template <class T>
struct IntegerMean {
  using Quotient = std::conditional_t<sizeof(T) == 1, float,
                                      std::conditional_t<sizeof(T) == 4, double, std::int64_t>>;
  Quotient ranks;
  RINGSCOPE_ELEMENTWISE T operator()(T own, T received) const {
    return static_cast<T>(static_cast<Quotient>(WrappedSum<T>{}(own, received)) / ranks);
  }
};

template <class T, bool smaller>
struct IntegerExtreme {
  RINGSCOPE_ELEMENTWISE T operator()(T own, T received) const {
    return (own < received) == smaller ? own : received;
  }
};

// min and max of floating values on their bits, T: as signed integers with the order of negative
// ones turned round, they are ordered as the values are, and -0 < +0.
template <class T, T infinity, bool smaller>
struct FloatingExtreme {
  static constexpr T size = std::numeric_limits<T>::max();  // all bits but the sign
  static constexpr T quiet_nan = static_cast<T>(infinity | (infinity & -infinity) >> 1);
  RINGSCOPE_ELEMENTWISE static T key(T bits) {
    return static_cast<T>(bits ^ (bits < 0 ? size : T{0}));
  }
  RINGSCOPE_ELEMENTWISE T operator()(T own, T received) const {
    const T picked = (key(own) < key(received)) == smaller ? own : received;
    const bool nan = (own & size) > infinity || (received & size) > infinity;
    return nan ? quiet_nan : picked;
  }
};

// --- Which operator

RINGSCOPE_ELEMENTWISE double two_to_the_k(int ranks) {
  return std::bit_ceil(static_cast<unsigned>(ranks));
}

template <class C>
RINGSCOPE_ELEMENTWISE C input_scale(const Pass& pass, bool is_input) {
  return is_input ? static_cast<C>(1 / two_to_the_k(pass.ranks)) : C{1};
}

template <class T, class Loop>
RINGSCOPE_ELEMENTWISE void average_with(const Pass& pass, Loop&& loop) {
  using C = computed<T>;
  const std::type_identity<T> element;
  const C own = input_scale<C>(pass, pass.own_is_input);
  const C received = input_scale<C>(pass, pass.received_is_input);
  if (!pass.completes) return loop(element, ScaledSum<C>{own, received});
  const C divisor = static_cast<C>(pass.ranks / two_to_the_k(pass.ranks));
  loop(element, Mean<C>{own, received, divisor, largest<T>()});
}

template <class T, bool smaller, class Loop>
RINGSCOPE_ELEMENTWISE void extreme_with(Loop&& loop) {
  using Bits = std::conditional_t<sizeof(T) == 2, std::int16_t,
                                  std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>;
  constexpr Bits infinity = sizeof(T) == 8            ? static_cast<Bits>(0x7ff0000000000000)
                            : sizeof(T) == 4          ? static_cast<Bits>(0x7f800000)
                            : std::is_same_v<T, bf16> ? Bits{0x7f80}
                                                      : Bits{0x7c00};
  loop(std::type_identity<Bits>{}, FloatingExtreme<Bits, infinity, smaller>{});
}

// Calls loop(std::type_identity<E>{}, body): body(own, received) is the pass's operator on elements
// of type T, taken as E.
template <class T, class Loop>
RINGSCOPE_ELEMENTWISE void reduce_with(const Pass& pass, Loop&& loop) {
  const std::type_identity<T> element;
  if constexpr (is_floating<T>) {
    using C = computed<T>;
    switch (pass.op) {
      case Operator::sum: return loop(element, FloatingSum<C>{});
      case Operator::prod: return loop(element, FloatingProduct<C>{});
      case Operator::avg: return average_with<T>(pass, loop);
      case Operator::min: return extreme_with<T, true>(loop);
      case Operator::max: return extreme_with<T, false>(loop);
    }
  } else {
    using Q = typename IntegerMean<T>::Quotient;
    switch (pass.op) {
      case Operator::avg:
        if (pass.completes) return loop(element, IntegerMean<T>{static_cast<Q>(pass.ranks)});
        [[fallthrough]];
      case Operator::sum: return loop(element, WrappedSum<T>{});
      case Operator::prod: return loop(element, WrappedProduct<T>{});
      case Operator::min: return loop(element, IntegerExtreme<T, true>{});
      case Operator::max: return loop(element, IntegerExtreme<T, false>{});
    }
  }
}

// Whether a copy is more than that: floating avg scales inputs.
RINGSCOPE_ELEMENTWISE bool copy_scales(ElementType type, const Pass& pass) {
  return pass.op == Operator::avg && pass.received_is_input && !is_integer(type);
}

}  // namespace ringscope
