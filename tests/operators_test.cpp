#include "core/data/operators.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

using namespace ringscope;

namespace {

template <class T>
using Bits = std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

template <class T>
std::vector<T> reduced(ElementType type, const Pass& pass, const std::vector<T>& own,
                       const std::vector<T>& received) {
  std::vector<T> dst(own.size());
  reduce_pass(type, pass, std::as_writable_bytes(std::span(dst)), std::as_bytes(std::span(own)),
              std::as_bytes(std::span(received)));
  return dst;
}

template <class T>
T reduced_one(ElementType type, const Pass& pass, T own, T received) {
  return reduced<T>(type, pass, std::vector<T>{own}, std::vector<T>{received})[0];
}

// --- A model of f16 and bf16, one element at a time, from the definition of the formats.

struct Format {
  ElementType type;
  int fraction_bits;
  int bias;
  std::uint16_t infinity;
  std::uint16_t quiet_nan;
};
constexpr Format half{ElementType::f16, 10, 15, 0x7c00, 0x7e00};
constexpr Format brain{ElementType::bf16, 7, 127, 0x7f80, 0x7fc0};

float decoded(const Format& format, std::uint16_t bits) {
  const int exponent = (bits & 0x7fff) >> format.fraction_bits;
  const int fraction = bits & ((1 << format.fraction_bits) - 1);
  const float sign = bits & 0x8000 ? -1.f : 1.f;
  if ((bits & 0x7fff) > format.infinity) return std::numeric_limits<float>::quiet_NaN();
  if ((bits & 0x7fff) == format.infinity) return sign * std::numeric_limits<float>::infinity();
  const int significand = exponent == 0 ? fraction : fraction | 1 << format.fraction_bits;
  const int power = std::max(exponent, 1) - format.bias - format.fraction_bits;
  return sign * std::ldexp(static_cast<float>(significand), power);
}

// The nearest value of the format, ties to the one whose last bit is 0.
std::uint16_t encoded(const Format& format, float value) {
  if (std::isnan(value)) return format.quiet_nan;
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double size = std::abs(static_cast<double>(value));
  if (std::isinf(size)) return sign | format.infinity;
  const int lowest = 1 - format.bias;
  const int exponent = size == 0 ? lowest : std::max(std::ilogb(size), lowest);
  const double steps = std::nearbyint(std::ldexp(size, format.fraction_bits - exponent));
  const int bits = ((exponent - lowest) << format.fraction_bits) + static_cast<int>(steps);
  return sign | static_cast<std::uint16_t>(std::min<int>(bits, format.infinity));
}

std::uint16_t model(const Format& format, Operator op, std::uint16_t a, std::uint16_t b) {
  const float x = decoded(format, a), y = decoded(format, b);
  if (std::isnan(x) || std::isnan(y)) return format.quiet_nan;
  switch (op) {
    case Operator::sum:
    case Operator::avg: return encoded(format, x + y);
    case Operator::prod: return encoded(format, x * y);
    case Operator::min: return x < y || (x == y && std::signbit(x)) ? a : b;
    case Operator::max: return x > y || (x == y && std::signbit(y)) ? a : b;
  }
  return 0;
}

// Every one of the 65,536 values against a set of others: all kinds of value and their neighbours.
std::vector<std::uint16_t> partners(const Format& format) {
  std::vector<std::uint16_t> result;
  const std::uint16_t one = static_cast<std::uint16_t>(format.bias << format.fraction_bits);
  const auto low = static_cast<std::uint16_t>(1 << format.fraction_bits);  // least normal
  for (const int base : {0, low + 0, int{one}, 2 * low, one / 2, one + one / 2,
                         format.infinity - low, int{format.infinity}, int{format.quiet_nan}})
    for (const int near : {-1, 0, 1}) {
      const auto bits = static_cast<std::uint16_t>(std::max(base + near, 0));
      result.push_back(bits);
      result.push_back(bits | 0x8000);
    }
  std::mt19937 random(7);
  for (int i = 0; i < 24; ++i) result.push_back(static_cast<std::uint16_t>(random()));
  return result;
}

void hold_against_model(const Format& format) {
  std::vector<std::uint16_t> all(65536);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  for (const std::uint16_t partner : partners(format)) {
    const std::vector<std::uint16_t> other(all.size(), partner);
    for (std::size_t op = 0; op < operator_names.size(); ++op) {
      const Pass pass{.op = static_cast<Operator>(op), .ranks = 3};
      const auto one_way = reduced(format.type, pass, all, other);
      const auto other_way = reduced(format.type, pass, other, all);
      std::size_t wrong = 0, uncommutative = 0;
      for (std::size_t i = 0; i < all.size(); ++i) {
        wrong += one_way[i] != model(format, pass.op, all[i], partner);
        uncommutative += one_way[i] != other_way[i];
      }
      CAPTURE(name_of(pass.op), partner);
      REQUIRE(wrong == 0);
      REQUIRE(uncommutative == 0);
    }
  }
}

// --- Values of any type

// Small integers, and for floating types now and then a special value.
template <class T>
std::vector<T> some_values(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(count);
  for (T& value : values) {
    const auto bits = static_cast<Bits<T>>(random());
    std::memcpy(&value, &bits, sizeof value);
  }
  return values;
}

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace

TEST_CASE("f16 reduces as its definition says, whatever the values, either way round") {
  hold_against_model(half);
}

TEST_CASE("bf16 reduces as its definition says, whatever the values, either way round") {
  hold_against_model(brain);
}

TEST_CASE("f32 and f64 round once, propagate one NaN and order the zeros") {
  const float nan = std::bit_cast<float>(0xffc12345u), quiet = std::bit_cast<float>(0x7fc00000u);
  const float infinity = std::numeric_limits<float>::infinity();
  const auto f32 = [](Operator op, float a, float b) {
    const float result = reduced_one(ElementType::f32, Pass{.op = op}, a, b);
    REQUIRE(same_bits(result, reduced_one(ElementType::f32, Pass{.op = op}, b, a)));
    return std::bit_cast<std::uint32_t>(result);
  };
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  for (std::size_t op = 0; op < operator_names.size(); ++op) {
    CHECK(f32(static_cast<Operator>(op), nan, 1.f) == bits(quiet));
    CHECK(f32(static_cast<Operator>(op), nan, infinity) == bits(quiet));
    CHECK(f32(static_cast<Operator>(op), nan, nan) == bits(quiet));
  }
  CHECK(f32(Operator::sum, infinity, -infinity) == bits(quiet));
  CHECK(f32(Operator::prod, infinity, 0.f) == bits(quiet));
  CHECK(f32(Operator::sum, 1.f, 0x1p-24f) == bits(1.f));
  CHECK(f32(Operator::min, 0.f, -0.f) == bits(-0.f));
  CHECK(f32(Operator::max, 0.f, -0.f) == bits(0.f));
  CHECK(f32(Operator::min, -2.f, -1.f) == bits(-2.f));
  CHECK(f32(Operator::max, -infinity, -1.f) == bits(-1.f));

  const double quiet64 = std::bit_cast<double>(0x7ff8000000000000u);
  const auto f64 = [](Operator op, double a, double b) {
    return std::bit_cast<std::uint64_t>(reduced_one(ElementType::f64, Pass{.op = op}, a, b));
  };
  CHECK(f64(Operator::max, -std::nan("5"), 1.) == std::bit_cast<std::uint64_t>(quiet64));
  CHECK(f64(Operator::min, 0., -0.) == std::bit_cast<std::uint64_t>(-0.));
  CHECK(f64(Operator::max, -3., -4.) == std::bit_cast<std::uint64_t>(-3.));
  CHECK(f64(Operator::prod, 1 + 0x1p-52, 1 + 0x1p-52) == std::bit_cast<std::uint64_t>(1 + 0x1p-51));
}

TEMPLATE_TEST_CASE("integers wrap modulo two to the number of their bits", "", std::int8_t,
                   std::uint8_t, std::int32_t, std::int64_t) {
  constexpr ElementType type = sizeof(TestType) == 4        ? ElementType::i32
                               : sizeof(TestType) == 8      ? ElementType::i64
                               : std::is_signed_v<TestType> ? ElementType::i8
                                                            : ElementType::u8;
  using U = std::make_unsigned_t<TestType>;
  const auto own = some_values<TestType>(4096, 1), received = some_values<TestType>(4096, 2);
  const int ranks = GENERATE(1, 2, 3, 7, 300, 100000);
  for (std::size_t op = 0; op < operator_names.size(); ++op)
    for (const bool completes : {false, true}) {
      const Pass pass{.op = static_cast<Operator>(op),
                      .ranks = ranks,
                      .own_is_input = true,
                      .received_is_input = true,
                      .completes = completes};
      const auto result = reduced(type, pass, own, received);
      for (std::size_t i = 0; i < own.size(); ++i) {
        const U a = static_cast<U>(own[i]), b = static_cast<U>(received[i]);
        const auto sum = static_cast<TestType>(static_cast<U>(a + b));
        TestType wanted = sum;
        if (pass.op == Operator::prod) wanted = static_cast<TestType>(static_cast<U>(a * b));
        if (pass.op == Operator::min) wanted = std::min(own[i], received[i]);
        if (pass.op == Operator::max) wanted = std::max(own[i], received[i]);
        if (pass.op == Operator::avg && completes)
          wanted = static_cast<TestType>(std::int64_t{sum} / ranks);
        if (result[i] != wanted) {
          CAPTURE(name_of(pass.op), i, +own[i], +received[i]);
          REQUIRE(+result[i] == +wanted);
        }
      }
    }
}

TEST_CASE("an integer mean is exact at the ends of the type, toward zero") {
  const auto mean = [](std::int32_t a, std::int32_t b, int ranks) {
    return reduced_one(ElementType::i32, {.op = Operator::avg, .ranks = ranks, .completes = true},
                       a, b);
  };
  CHECK(mean(2147483647, 0, 3) == 715827882);
  CHECK(mean(-2147483647 - 1, 0, 1) == -2147483647 - 1);
  CHECK(mean(-2147483647 - 1, 0, 7) == -306783378);
  CHECK(mean(-7, 0, 2) == -3);
  CHECK(mean(2147483647, 0, 2147483647) == 1);
  CHECK(mean(2147483646, 0, 2147483647) == 0);
}

namespace {

// The mean of N equal or other values as a chain of passes makes it: rank 0's is passed on first.
template <class T>
T chained_mean(ElementType type, const std::vector<T>& values) {
  const int ranks = static_cast<int>(values.size());
  T sum = values[0];
  for (int rank = 1; rank < ranks; ++rank)
    sum = reduced_one(type,
                      Pass{.op = Operator::avg,
                           .ranks = ranks,
                           .own_is_input = true,
                           .received_is_input = rank == 1,
                           .completes = rank == ranks - 1},
                      values[static_cast<std::size_t>(rank)], sum);
  return sum;
}

}  // namespace

TEST_CASE("a mean of finite values is finite, and of equal values that value") {
  CHECK(chained_mean(ElementType::f16, std::vector<std::uint16_t>(4, encoded(half, 30000.f))) ==
        encoded(half, 30000.f));
  for (const int ranks : {2, 3, 4, 5, 6, 7, 8, 9, 16, 33}) {
    CAPTURE(ranks);
    const auto n = static_cast<std::size_t>(ranks);
    const float most = std::numeric_limits<float>::max();
    const float mean = chained_mean(ElementType::f32, std::vector<float>(n, most));
    CHECK(std::isfinite(mean));
    CHECK(mean >= most * (1 - 0x1p-20f));
    const double mean64 =
        chained_mean(ElementType::f64, std::vector<double>(n, -std::numeric_limits<double>::max()));
    CHECK(std::isfinite(mean64));
    for (const Format& format : {half, brain}) {
      const auto finite = static_cast<std::uint16_t>(format.infinity - 1);
      CHECK(chained_mean(format.type, std::vector<std::uint16_t>(n, finite)) < format.infinity);
    }
    std::vector<float> one_infinite(n, 1.f);
    one_infinite.back() = std::numeric_limits<float>::infinity();
    CHECK(std::isinf(chained_mean(ElementType::f32, one_infinite)));
    one_infinite.front() = -std::numeric_limits<float>::infinity();
    CHECK(std::isnan(chained_mean(ElementType::f32, one_infinite)));
  }
}

TEST_CASE("rounding on the way does not carry a mean past the largest value") {
  const Pass last{.op = Operator::avg, .ranks = 3, .completes = true};
  const float most = std::numeric_limits<float>::max();
  CHECK(reduced_one(ElementType::f32, last, most, 0.f) == most);
  CHECK(reduced_one(ElementType::f32, last, -most, 0.f) == -most);
  CHECK(reduced_one(ElementType::f64, last, -std::numeric_limits<double>::max(), 0.) ==
        -std::numeric_limits<double>::max());
  for (const Format& format : {half, brain}) {
    const auto finite = static_cast<std::uint16_t>(format.infinity - 1);
    CHECK(reduced_one<std::uint16_t>(format.type, last, finite, 0) == finite);
    const std::vector<std::uint16_t> many(16, finite | 0x8000), zeros(16, 0);
    CHECK(reduced(format.type, last, many, zeros) == many);
  }
}

TEST_CASE("a mean scales only what is an input, and divides only what is complete") {
  const auto mean = [](bool own, bool received, bool completes, float a, float b) {
    return reduced_one(ElementType::f32,
                       Pass{.op = Operator::avg,
                            .ranks = 6,
                            .own_is_input = own,
                            .received_is_input = received,
                            .completes = completes},
                       a, b);
  };
  CHECK(mean(false, false, false, 8.f, 16.f) == 24.f);
  CHECK(mean(true, false, false, 8.f, 16.f) == 17.f);
  CHECK(mean(false, true, false, 8.f, 16.f) == 10.f);
  CHECK(mean(true, true, false, 8.f, 16.f) == 3.f);
  CHECK(mean(true, true, true, 8.f, 16.f) == 4.f);  // 3 / (6/8)
  CHECK(mean(true, true, true, 1.f, 1.f) == 0.25f / 0.75f);
  CHECK(avg_scale(1) == 1);
  CHECK(avg_scale(2) == 2);
  CHECK(avg_scale(3) == 4);
  CHECK(avg_scale(8) == 8);
  CHECK(avg_scale(1024) == 1024);
}

TEST_CASE("a copy keeps every bit, but for the input of a floating mean, which is scaled") {
  const std::vector<std::uint32_t> source{0xffc12345u, 0x7f800001u, 0x80000000u, 0x40800000u};
  std::vector<std::uint32_t> copied(4);
  const auto copy = [&](const Pass& pass) {
    copy_pass(ElementType::f32, pass, std::as_writable_bytes(std::span(copied)),
              std::as_bytes(std::span(source)));
  };
  for (const bool stream : {false, true}) {
    copy({.op = Operator::sum, .ranks = 4, .received_is_input = true, .stream = stream});
    CHECK(copied == source);
    copy({.op = Operator::avg, .ranks = 4, .received_is_input = false, .stream = stream});
    CHECK(copied == source);
    copy({.op = Operator::avg, .ranks = 4, .received_is_input = true, .stream = stream});
    CHECK(copied == std::vector<std::uint32_t>{0x7fc00000u, 0x7fc00000u, 0x80000000u, 0x3f800000u});
  }
}

namespace {

constexpr std::byte guard{0xa5};

struct Case {
  ElementType type;
  Pass pass;
  std::size_t count;
  std::size_t dst_shift, own_shift, received_shift;  // bytes off an aligned address
};

// Runs the pass on buffers that begin at the given shifts; checks what lies around dst.
std::vector<std::byte> shifted(const Case& c, const std::vector<std::byte>& own,
                               const std::vector<std::byte>& received, bool onto_own, bool copy) {
  constexpr std::size_t room = 128;
  std::vector<std::byte> dst(own.size() + 2 * room, guard), a = dst, b = dst;
  std::copy(own.begin(), own.end(), a.begin() + static_cast<std::ptrdiff_t>(c.own_shift));
  std::copy(received.begin(), received.end(),
            b.begin() + static_cast<std::ptrdiff_t>(c.received_shift));
  std::vector<std::byte>& out = onto_own ? a : dst;
  const std::size_t shift = onto_own ? c.own_shift : c.dst_shift;
  const auto to = std::span(out).subspan(shift, own.size());
  const auto from = std::span<const std::byte>(b).subspan(c.received_shift, own.size());
  if (copy)
    copy_pass(c.type, c.pass, to, from);
  else
    reduce_pass(c.type, c.pass, to, std::span<const std::byte>(a).subspan(c.own_shift, own.size()),
                from);
  const auto is_guard = [](std::byte byte) { return byte == guard; };
  REQUIRE(std::all_of(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(shift), is_guard));
  REQUIRE(std::all_of(out.begin() + static_cast<std::ptrdiff_t>(shift + own.size()), out.end(),
                      is_guard));
  return {to.begin(), to.end()};
}

}  // namespace

TEST_CASE("size, alignment, streaming and the place of the result change no bit") {
  const std::size_t count =
      GENERATE(0u, 1u, 2u, 3u, 7u, 8u, 9u, 31u, 32u, 33u, 127u, 1030u, 4095u, 4096u, 4097u);
  for (const ElementTypeRow& row : element_types) {
    const auto own = some_values<std::byte>(count * row.bytes, 3);
    const auto received = some_values<std::byte>(count * row.bytes, 4);
    for (std::size_t op = 0; op < operator_names.size() + 2; ++op) {
      Pass pass{.op = Operator::avg, .ranks = 3, .received_is_input = true};
      pass.completes = op == operator_names.size();
      if (op < operator_names.size()) pass.op = static_cast<Operator>(op);
      const bool copy = op > operator_names.size();
      Case c{row.type, pass, count, 0, 0, 0};
      // One element at a time is what all others are held against.
      std::vector<std::byte> wanted(own.size());
      for (std::size_t i = 0; i < own.size(); i += row.bytes) {
        const auto to = std::span(wanted).subspan(i, row.bytes);
        const auto a = std::span(own).subspan(i, row.bytes);
        const auto b = std::span(received).subspan(i, row.bytes);
        copy ? copy_pass(row.type, pass, to, b) : reduce_pass(row.type, pass, to, a, b);
      }
      CAPTURE(row.name, op, count);
      for (const std::size_t shift : {0u, 1u, 2u, 4u, 8u, 24u, 61u})
        for (const bool stream : {false, true}) {
          c.pass.stream = stream;
          c.dst_shift = shift;
          c.own_shift = shift * 3 % 64;
          c.received_shift = shift * 5 % 64;
          REQUIRE(shifted(c, own, received, false, copy) == wanted);
          if (!copy) REQUIRE(shifted(c, own, received, true, copy) == wanted);
        }
    }
  }
}
