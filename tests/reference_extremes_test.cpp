// What the reference makes of numbers at the ends of their types, and of what is none.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "core/trace/reference.h"
#include "tests/judged_run.h"

using namespace ringscope;

TEST_CASE("what is not finite is compared by its class") {
  const Schedule schedule = ring(2, 6);
  const float huge = std::numeric_limits<float>::max();
  const InputSpec spec = spec_of_values<float>(
      ElementType::f32, Operator::sum,
      {{no_number, infinity, infinity, -infinity, huge, 1}, {1, 1, -infinity, 1, huge, 1}});
  const Buffers right = run(schedule, spec);
  CHECK(std::isnan(get<float>(right[0], 2)));
  const Verdict verdict = judged(schedule, spec, right);
  CHECK(verified(verdict));
  CHECK(verdict.overflowed == 1);
  CHECK(verdict.largest_error == 0);

  const auto with = [&](std::size_t i, float value) {
    Buffers wrong = right;
    for (auto& result : wrong) set(result, i, value);
    return verified(judged(schedule, spec, wrong));
  };
  CHECK_FALSE(with(0, 1.f));
  CHECK_FALSE(with(0, infinity));
  CHECK_FALSE(with(1, -infinity));
  CHECK_FALSE(with(1, no_number));
  CHECK_FALSE(with(1, huge));
  CHECK_FALSE(with(2, infinity));
  CHECK_FALSE(with(3, infinity));
  CHECK_FALSE(with(5, no_number));
  CHECK_FALSE(with(5, infinity));
  CHECK(with(4, huge));  // out of the normal range: said, not failed
  CHECK(with(5, 2.f));
}

TEST_CASE("what wraps, overflows or underflows is counted once an element, and not failed") {
  const Schedule schedule = ring(3, 4);
  const auto counts = [&](const InputSpec& spec) {
    const Verdict verdict = judged(schedule, spec, run(schedule, spec));
    CHECK(verified(verdict));
    return std::vector<std::uint64_t>{verdict.wrapped, verdict.overflowed, verdict.underflowed};
  };
  using Counts = std::vector<std::uint64_t>;
  using Bytes = std::vector<std::vector<std::int8_t>>;
  const Bytes bytes{{100, 1, -100, 0}, {100, 2, -100, 64}, {1, 3, 100, 64}};
  CHECK(counts(spec_of_values(ElementType::i8, Operator::sum, bytes)) == Counts{2, 0, 0});
  CHECK(counts(spec_of_values(ElementType::i8, Operator::avg, bytes)) == Counts{2, 0, 0});
  CHECK(counts(spec_of_values(ElementType::i8, Operator::prod, bytes)) == Counts{2, 0, 0});
  CHECK(counts(spec_of_values(ElementType::i8, Operator::max, bytes)) == Counts{0, 0, 0});
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  CHECK(counts(spec_of_values<std::int64_t>(
            ElementType::i64, Operator::prod,
            {{least, least, 3, 1}, {-1, -1, least, 1}, {-1, 1, 0, 1}})) == Counts{1, 0, 0});
  CHECK(counts(spec_of_values<std::int64_t>(
            ElementType::i64, Operator::sum,
            {{least, least, 3, 1}, {-1, 5, least, 1}, {1, 1, 0, 1}})) == Counts{0, 0, 0});

  const float big = 0x1p100f, small = 0x1p-100f;
  const std::vector<std::vector<float>> floats{
      {big, small, big, 1}, {big, small, small, 1}, {small, big, 0, 1}};
  CHECK(counts(spec_of_values(ElementType::f32, Operator::prod, floats)) == Counts{0, 1, 1});
  CHECK(counts(spec_of_values(ElementType::f32, Operator::sum, floats)) == Counts{0, 0, 0});
  CHECK(counts(spec_of_values<float>(ElementType::f32, Operator::sum,
                                     {{0x1p-130f, 0, 3e38f, 3e38f},
                                      {0x1p-130f, 0, -3e38f, 3e38f},
                                      {0x1p-130f, 0, 0, -3e38f}})) == Counts{0, 2, 1});
}

TEST_CASE("a mean neither overflows nor loses its way among the smallest numbers") {
  const Schedule schedule = ring(4, 3);
  const auto f16_of = [](float value) { return static_cast<f16>(value); };
  for (const float value : {30000.f, 65504.f, -65504.f, 0x1p-24f, 0x1p-14f, 0.f}) {
    const InputSpec spec = spec_of_values<f16>(
        ElementType::f16, Operator::avg,
        std::vector<std::vector<f16>>(4, {f16_of(value), f16_of(value / 2), f16_of(1)}));
    const Buffers results = run(schedule, spec);
    const Verdict verdict = judged(schedule, spec, results);
    CHECK(verified(verdict));
    CHECK(verdict.overflowed == 0);
    if (value == 30000.f) CHECK(get<f16>(results[0], 0) == f16_of(30000.f));
    Buffers wrong = results;
    for (auto& result : wrong) set(result, 2, f16_of(1.25));
    CHECK_FALSE(verified(judged(schedule, spec, wrong)));
  }
  const double most = std::numeric_limits<double>::max();
  const InputSpec spec =
      spec_of_values<double>(ElementType::f64, Operator::avg,
                             {{most, -most, 1}, {most, most, 1}, {most, 0, 1}, {most, 0, 1}});
  const Verdict verdict = judged(schedule, spec, run(schedule, spec));
  CHECK(verified(verdict));
  CHECK(verdict.overflowed == 0);
}

TEST_CASE("min, max and the bits of a NaN and of a zero must be right") {
  const Schedule schedule = ring(2, 3);
  const InputSpec spec = spec_of_values<float>(ElementType::f32, Operator::max,
                                               {{-0.f, -no_number, -1}, {0.f, 5, -2}});
  Buffers results = run(schedule, spec);
  const Verdict verdict = judged(schedule, spec, results);
  CHECK(verified(verdict));
  CHECK(verdict.exact);
  Buffers wrong = results;
  for (auto& result : wrong) set(result, 0, -0.f);
  CHECK_FALSE(verified(judged(schedule, spec, wrong)));
  wrong = results;
  for (auto& result : wrong) set(result, 1, std::bit_cast<float>(0x7fc12345u));
  const Verdict other_nan = judged(schedule, spec, wrong);
  CHECK_FALSE(verified(other_nan));
  CHECK(argument(other_nan, "wanted") == "nan (0x7fc00000)");
  CHECK(argument(other_nan, "got") == "nan (0x7fc12345)");
}

TEST_CASE("one rank alone keeps its bits, whatever the operator") {
  const InputSpec spec = spec_of_values<float>(ElementType::f32, Operator::avg,
                                               {{std::bit_cast<float>(0xffc12345u), -0.f, 3}});
  CHECK(verified(judged(ring(1, 3), spec, run(ring(1, 3), spec))));
}
