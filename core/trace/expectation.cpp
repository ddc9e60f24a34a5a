#include "core/trace/expectation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace ringscope {
namespace {

struct Format {
  int significand_bits;  // with the hidden one
  int lowest_exponent;   // of normal numbers
  double largest;
};
constexpr Format format_of(ElementType type) {
  switch (type) {
    case ElementType::f16: return {11, -14, 65504.};
    case ElementType::bf16: return {8, -126, 0x1.FEp127};
    case ElementType::f32: return {24, -126, 0x1.FFFFFEp127};
    default: return {53, -1022, std::numeric_limits<double>::max()};
  }
}
// From 1 to the next number.
double eps_of(const Format& format) { return std::ldexp(1., 1 - format.significand_bits); }
double smallest_normal(const Format& format) { return std::ldexp(1., format.lowest_exponent); }
double smallest_subnormal(const Format& format) {
  return std::ldexp(1., format.lowest_exponent + 1 - format.significand_bits);
}

template <class T>
T element_at(std::span<const std::byte> bytes, std::size_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

double widened(f16 half) {  // the bits as those of a double, and its exponent put right
  const auto bits = std::bit_cast<std::uint16_t>(half);
  const double size = std::bit_cast<double>(std::uint64_t{bits & 0x7fffu} << 42) * 0x1p1008;
  const double value = size < 0x1p16    ? size
                       : size == 0x1p16 ? std::numeric_limits<double>::infinity()
                                        : std::numeric_limits<double>::quiet_NaN();
  return bits & 0x8000u ? -value : value;
}
double widened(bf16 brain) { return std::bit_cast<float>(std::uint32_t{brain.bits} << 16); }
template <class T>
double widened(T value) {
  return static_cast<double>(value);
}

// Rounded once, ties to even; a NaN is the canonical one.
template <class T>
T rounded(double value) {
  if constexpr (std::is_same_v<T, bf16>) {
    if (std::isnan(value)) return {0x7fc0};
    const double size = std::abs(value);
    const int exponent = std::max(size > 0 && std::isfinite(size) ? std::ilogb(size) : -126, -126);
    const double quantum = std::ldexp(1., exponent - 7);
    const double kept = std::isfinite(size) ? std::nearbyint(size / quantum) * quantum : size;
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::copysign(kept, value)));
    return {static_cast<std::uint16_t>(bits >> 16)};
  } else {
    if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
    return static_cast<T>(value);
  }
}

template <class T>
void put(std::vector<std::byte>& bits, std::size_t i, T value) {
  std::memcpy(bits.data() + i * sizeof(T), &value, sizeof(T));
}

// What expect() was asked.
struct Wanted {
  const InputSpec& inputs;
  const ElementReader& read;
  const Terms& terms;
  Extent extent;
};

// Calls body(elements) with each contributor's elements, one after another.
template <class Body>
void for_each_input(const Wanted& wanted, Expectation& e, Body body) {
  for (const std::int32_t rank : wanted.terms.contributors) {
    wanted.read(rank, wanted.extent, e.input);
    body(std::span<const std::byte>(e.input));
  }
}

// --- Floating sums and means

// value + rest += x without loss (Knuth's two-sum); rest is only followed for f64, for the other
// types a double has bits to spare.
template <class T>
void add_terms(std::span<const std::byte> input, double scale, Expectation& e) {
  constexpr double most = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < e.count; ++i) {
    const double x = widened(element_at<T>(input, i)) * scale;
    const double sum = e.value[i] + x;
    if constexpr (std::is_same_v<T, double>) {
      const double added = sum - e.value[i];
      e.rest[i] += (e.value[i] - (sum - added)) + (x - added);
    }
    e.value[i] = sum;
    const double size = std::abs(x);
    e.size[i] += size <= most ? size : 0;  // whether inputs are infinite is seen in the value
  }
}

// In f64 the terms of a mean are scaled by a power of two first, as their sum may leave the type.
struct MeanScale {
  double scale = 1, divisor = 1;
};
MeanScale mean_scale(const InputSpec& inputs) {
  if (inputs.op != Operator::avg) return {};
  if (inputs.type != ElementType::f64) return {1, static_cast<double>(inputs.ranks)};
  const double power = std::bit_ceil(static_cast<unsigned>(inputs.ranks));
  return {1 / power, inputs.ranks / power};
}

// (value + rest) / divisor, again as value + rest.
void divide(double divisor, double& value, double& rest) {
  const double quotient = value / divisor;
  if (!std::isfinite(value)) {
    rest = 0;
  } else if (!std::isfinite(quotient)) {
    value = std::copysign(std::numeric_limits<double>::max(), value);
    rest = 0;
    return;
  } else {
    rest = (std::fma(-quotient, divisor, value) + rest) / divisor;
  }
  value = quotient;
}

// The bound of a sum: depth x eps x sum|x|. Out of the normal range nothing is held against it.
void bound_sum(const Format& format, const Terms& terms, Expectation& e) {
  const double factor = terms.depth * eps_of(format), least = smallest_normal(format);
  for (std::size_t i = 0; i < e.count; ++i) {
    const double bound = factor * e.size[i];
    const bool over = e.size[i] + bound > format.largest;
    const bool under = e.size[i] > 0 && e.size[i] < least;
    e.overflowed += over;
    e.underflowed += under;
    e.bound[i] = over || under ? std::numeric_limits<double>::infinity() : bound;
  }
}

// The bound of a mean: the sum's / N + 1 ulp + 2N x smallest subnormal. It does not overflow.
void bound_mean(const Format& format, const Terms& terms, const MeanScale& by, int ranks,
                Expectation& e) {
  const double factor = terms.depth * eps_of(format) / by.divisor;
  const double tiny = 2 * ranks * smallest_subnormal(format);
  for (std::size_t i = 0; i < e.count; ++i) {
    divide(by.divisor, e.value[i], e.rest[i]);
    const double ulp = std::isfinite(e.value[i]) ? eps_of(format) * std::abs(e.value[i]) : 0;
    e.bound[i] = factor * e.size[i] + ulp + tiny;
  }
}

template <class T>
void expect_sum(const Wanted& wanted, Expectation& e) {
  const MeanScale by = mean_scale(wanted.inputs);
  e.value.assign(e.count, -0.);  // what changes no term, -0 neither
  e.rest.assign(e.count, 0);
  e.size.assign(e.count, 0);
  for_each_input(wanted, e,
                 [&](std::span<const std::byte> input) { add_terms<T>(input, by.scale, e); });
  const Format format = format_of(wanted.inputs.type);
  e.bound.resize(e.count);
  if (wanted.inputs.op == Operator::avg)
    bound_mean(format, wanted.terms, by, wanted.inputs.ranks, e);
  else
    bound_sum(format, wanted.terms, e);
  if constexpr (std::is_same_v<T, double>)  // an infinity has no rest
    for (std::size_t i = 0; i < e.count; ++i)
      if (!std::isfinite(e.value[i])) e.rest[i] = 0;
}

// --- Floating products

template <class T>
void multiply_factors(std::span<const std::byte> input, Expectation& e) {
  for (std::size_t i = 0; i < e.count; ++i) {
    const double x = widened(element_at<T>(input, i));
    const double product = e.value[i] * x;
    if constexpr (std::is_same_v<T, double>)  // the rounding's error, exactly
      e.rest[i] = e.rest[i] * x + std::fma(e.value[i], x, -product);
    e.value[i] = product;
    const double size = std::abs(x) <= std::numeric_limits<double>::max() ? std::abs(x) : 1;
    e.size[i] *= std::max(size, 1.);
    e.least[i] *= size > 0 ? std::min(size, 1.) : 1;
  }
}

// The bound of a product: (N-1) x eps, relative. What has a sub-product out of the normal range is
// not held against it, as then the order decides. (In f64 the rest itself may be below the range.)
template <class T>
void expect_product(const Wanted& wanted, Expectation& e) {
  e.value.assign(e.count, 1);
  e.rest.assign(e.count, 0);
  e.size.assign(e.count, 1);
  e.least.assign(e.count, 1);
  for_each_input(wanted, e,
                 [&](std::span<const std::byte> input) { multiply_factors<T>(input, e); });
  const Format format = format_of(wanted.inputs.type);
  const auto factors = static_cast<double>(wanted.terms.contributors.size());
  const double relative = (factors - 1) * eps_of(format);
  const double tiny = std::is_same_v<T, double> ? factors * smallest_subnormal(format) : 0;
  e.bound.resize(e.count);
  for (std::size_t i = 0; i < e.count; ++i) {
    const bool over = e.size[i] * (1 + relative) > format.largest;
    const bool under = e.least[i] < smallest_normal(format);
    e.overflowed += over;
    e.underflowed += under;
    const bool finite = std::isfinite(e.value[i]);
    if (!finite) e.rest[i] = 0;
    e.bound[i] = over || under               ? std::numeric_limits<double>::infinity()
                 : finite && e.value[i] != 0 ? relative * std::abs(e.value[i]) + tiny
                                             : 0;
  }
}

// --- min and max of floating values: a NaN stays, -0 comes before +0

template <class T>
void expect_extreme(const Wanted& wanted, Expectation& e) {
  const double sign =
      wanted.inputs.op == Operator::min ? 1 : -1;  // max is the min of what is negated
  e.value.assign(e.count, std::numeric_limits<double>::infinity());
  for_each_input(wanted, e, [&](std::span<const std::byte> input) {
    for (std::size_t i = 0; i < e.count; ++i) {
      const double x = sign * widened(element_at<T>(input, i));
      const bool less = x < e.value[i] || (x == e.value[i] && std::signbit(x));
      if (std::isnan(x) || less) e.value[i] = std::isnan(e.value[i]) ? e.value[i] : x;
    }
  });
  for (std::size_t i = 0; i < e.count; ++i) e.value[i] *= sign;
}

// --- Integers

template <class T>
bool fits(__int128 value) {
  return value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max();
}

template <class T>
void combine_integers(Operator op, std::span<const std::byte> input, Expectation& e) {
  constexpr __int128 most = __int128{1} << 63;
  for (std::size_t i = 0; i < e.count; ++i) {
    const T x = element_at<T>(input, i);
    __int128& exact = e.exact[i];
    switch (op) {
      case Operator::sum:
      case Operator::avg: exact += x; break;
      case Operator::prod:
        e.remainder[i] *= static_cast<std::uint64_t>(x);
        // Beyond 64 bits it only matters that it is beyond: no further factor but 0 brings it back.
        if (x == 0 || (exact >= -most && exact <= most)) exact *= x;
        if (x == 0) exact = 0;
        break;
      case Operator::min: exact = std::min<__int128>(exact, x); break;
      case Operator::max: exact = std::max<__int128>(exact, x); break;
    }
  }
}

template <class T>
void expect_integers(const Wanted& wanted, Expectation& e) {
  const Operator op = wanted.inputs.op;
  const __int128 start = op == Operator::prod  ? 1
                         : op == Operator::min ? std::numeric_limits<T>::max()
                         : op == Operator::max ? std::numeric_limits<T>::min()
                                               : 0;
  e.exact.assign(e.count, start);
  e.remainder.assign(e.count, 1);
  for_each_input(wanted, e,
                 [&](std::span<const std::byte> input) { combine_integers<T>(op, input, e); });
  for (std::size_t i = 0; i < e.count; ++i) {
    e.wrapped += !fits<T>(e.exact[i]);
    const auto kept =
        op == Operator::prod ? e.remainder[i] : static_cast<std::uint64_t>(e.exact[i]);
    auto result = static_cast<T>(kept);
    if (op == Operator::avg)  // the wrapped sum, divided toward zero
      result = static_cast<T>(std::int64_t{result} / wanted.inputs.ranks);
    put(e.bits, i, result);
  }
}

// --- All of them

template <class T>
void expect_of(const Wanted& wanted, Expectation& e) {
  if constexpr (std::is_integral_v<T>) {
    expect_integers<T>(wanted, e);
  } else {
    switch (wanted.inputs.op) {
      case Operator::sum:
      case Operator::avg: expect_sum<T>(wanted, e); break;
      case Operator::prod: expect_product<T>(wanted, e); break;
      case Operator::min:
      case Operator::max: expect_extreme<T>(wanted, e); break;
    }
    if (e.bitwise)
      for (std::size_t i = 0; i < e.count; ++i) put(e.bits, i, rounded<T>(e.value[i]));
  }
}

template <class T>
bool is_within(const Expectation& e, std::span<const std::byte> got, std::size_t i) {
  const double value = widened(element_at<T>(got, i)), wanted = e.value[i];
  if (std::isinf(e.bound[i])) return true;
  if (std::isnan(wanted)) return std::isnan(value);
  if (std::isinf(wanted)) return value == wanted;
  return std::abs((value - wanted) - e.rest[i]) <= e.bound[i];  // not where value is not finite
}

template <class T>
Comparison compare_within(const Expectation& e, std::span<const std::byte> got) {
  Comparison result;
  constexpr double most = std::numeric_limits<double>::max();
  std::size_t doubtful = 0;
  for (std::size_t i = 0; i < e.count; ++i) {
    const double value = widened(element_at<T>(got, i));
    const double error = std::abs((value - e.value[i]) - e.rest[i]);
    const bool counts = e.bound[i] <= most && error <= most;
    const double ratio = error == 0 ? 0 : error / e.bound[i];
    result.largest_error = std::max(result.largest_error, counts ? error : 0);
    result.largest_error_in_bounds = std::max(result.largest_error_in_bounds, counts ? ratio : 0);
    doubtful += !(error <= e.bound[i]);
  }
  for (std::size_t i = 0; doubtful > 0 && i < e.count && !result.first_wrong; ++i)
    if (!is_within<T>(e, got, i)) result.first_wrong = i;
  return result;
}

}  // namespace

void expect(const InputSpec& inputs, const ElementReader& read, const Terms& terms, Extent extent,
            Expectation& e) {
  e.count = static_cast<std::size_t>(extent.count);
  const std::size_t bytes = e.count * bytes_of(inputs.type);
  e.wrapped = e.overflowed = e.underflowed = 0;
  e.bits.resize(bytes);
  e.input.resize(bytes);
  const bool alone = terms.contributors.size() == 1;
  const bool scaled = terms.unseen && inputs.op == Operator::avg && !is_integer(inputs.type);
  e.bitwise = alone || (is_exact(inputs) && !scaled);
  if (alone) return read(terms.contributors[0], extent, e.bits);
  with_type(inputs.type, [&](auto tag) {
    expect_of<typename decltype(tag)::type>({inputs, read, terms, extent}, e);
  });
}

Comparison compare(const Expectation& e, ElementType type, std::span<const std::byte> got) {
  if (!e.bitwise)
    return with_type(type, [&](auto tag) -> Comparison {
      return compare_within<typename decltype(tag)::type>(e, got);
    });
  Comparison result;
  const std::size_t bytes = bytes_of(type);
  if (std::memcmp(e.bits.data(), got.data(), got.size()) == 0) return result;
  const auto [wanted, found] = std::mismatch(e.bits.begin(), e.bits.end(), got.begin());
  result.first_wrong = static_cast<std::size_t>(wanted - e.bits.begin()) / bytes;
  return result;
}

}  // namespace ringscope
