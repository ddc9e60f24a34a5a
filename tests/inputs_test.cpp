#include "core/data/inputs.h"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "core/data/operators.h"
#include "core/error.h"

using namespace ringscope;

namespace {

template <class T>
std::vector<T> input(const InputSpec& spec, int rank) {
  std::vector<T> values(spec.count);
  fill_input(spec, rank, 0, std::as_writable_bytes(std::span(values)));
  return values;
}

std::vector<std::byte> input_bytes(const InputSpec& spec, int rank) {
  std::vector<std::byte> bytes(spec.count * bytes_of(spec.type));
  fill_input(spec, rank, 0, bytes);
  return bytes;
}

double as_double(ElementType type, const std::byte* from) {
  return with_type(type, [&](auto tag) -> double {
    using T = typename decltype(tag)::type;
    T value;
    std::memcpy(&value, from, sizeof value);
    if constexpr (std::is_same_v<T, bf16>)
      return std::bit_cast<float>(std::uint32_t{value.bits} << 16);
    else
      return static_cast<double>(value);
  });
}

std::vector<double> doubles(const InputSpec& spec, int rank) {
  const std::vector<std::byte> bytes = input_bytes(spec, rank);
  std::vector<double> values;
  for (std::size_t i = 0; i < bytes.size(); i += bytes_of(spec.type))
    values.push_back(as_double(spec.type, bytes.data() + i));
  return values;
}

std::string refusal(const InputSpec& spec) {
  try {
    check_inputs(spec);
  } catch (const Error& error) {
    CHECK(error.blame() == Blame::usage);
    return error.message().id;
  }
  return "";
}

// Reduces the ranks' inputs one after another in the given order.
std::vector<std::byte> reduced(const InputSpec& spec, const std::vector<int>& order) {
  std::vector<std::byte> result = input_bytes(spec, order[0]);
  for (std::size_t i = 1; i < order.size(); ++i)
    reduce_pass(spec.type,
                {.op = spec.op,
                 .ranks = spec.ranks,
                 .own_is_input = i == 1,
                 .received_is_input = true,
                 .completes = i + 1 == order.size()},
                result, result, input_bytes(spec, order[i]));
  return result;
}

InputSpec any_spec(DataKind kind, ElementType type, Operator op, int ranks, std::uint64_t count) {
  return {.kind = kind,
          .type = type,
          .op = op,
          .ranks = ranks,
          .count = count,
          .seed = 3,
          .array = nullptr};
}

}  // namespace

TEST_CASE("the first digit of part j at rank r is (j+1) * 10^r, wherever the ring would cut") {
  InputSpec spec;
  CHECK(input<float>(spec, 0) == std::vector<float>{1, 2, 3, 4});
  CHECK(input<float>(spec, 1) == std::vector<float>{10, 20, 30, 40});
  CHECK(input<float>(spec, 3) == std::vector<float>{1000, 2000, 3000, 4000});

  spec.count = 10;  // parts of 2, 3, 2, 3: ramp in between
  const std::vector<float> values = input<float>(spec, 2);
  CHECK(values[0] == 100);
  CHECK(values[2] == 200);
  CHECK(values[5] == 300);
  CHECK(values[7] == 400);
  CHECK(values[1] == float((7 * 1 + 3 * 2) % 11 - 5));
  CHECK(values[9] == float((7 * 9 + 3 * 2) % 11 - 5));

  spec.count = 2;  // parts of 0, 1, 0, 1
  CHECK(input<float>(spec, 1) == std::vector<float>{20, 40});
  spec.count = 0;
  CHECK(input<float>(spec, 1).empty());
}

TEST_CASE("digits are the default where every subset sum is exact") {
  for (const ElementTypeRow& row : element_types) {
    CAPTURE(row.name);
    int ranks = 1;
    while (default_data(row.type, Operator::sum, ranks + 1) == DataKind::digits) ++ranks;
    CHECK(ranks == (row.type == ElementType::f16                      ? 3
                    : row.bytes == 1 || row.type == ElementType::bf16 ? 2
                                                                      : 7));
    CHECK(default_data(row.type, Operator::avg, ranks) == DataKind::digits);
    CHECK(default_data(row.type, Operator::avg, ranks + 1) == DataKind::ramp);
    for (const Operator op : {Operator::prod, Operator::min, Operator::max})
      CHECK(default_data(row.type, op, 2) == DataKind::ramp);

    InputSpec spec = any_spec(DataKind::digits, row.type, Operator::sum, ranks, 40);
    CHECK(refusal(spec).empty());
    spec.ranks = ranks + 1;
    CHECK(refusal(spec) == "error.data.digits");

    spec.ranks = ranks;
    std::vector<std::vector<double>> values;
    for (int rank = 0; rank < ranks; ++rank) values.push_back(doubles(spec, rank));
    for (unsigned subset = 1; subset < 1u << ranks; ++subset) {
      std::vector<std::byte> sum(spec.count * row.bytes);
      for (int rank = 0; rank < ranks; ++rank)
        if (subset >> rank & 1)
          reduce_pass(row.type, {.op = Operator::sum}, sum, sum, input_bytes(spec, rank));
      for (std::size_t i = 0; i < spec.count; ++i) {
        double wanted = 0;
        for (int rank = 0; rank < ranks; ++rank)
          if (subset >> rank & 1) wanted += values[static_cast<std::size_t>(rank)][i];
        REQUIRE(as_double(row.type, sum.data() + i * row.bytes) == wanted);
      }
    }
  }
}

TEST_CASE("ramp is ((7 i + 3 rank) mod 11) - 5, unsigned + 5, however far out") {
  InputSpec spec = any_spec(DataKind::ramp, ElementType::i64, Operator::sum, 1000, 4);
  CHECK(input<std::int64_t>(spec, 0) == std::vector<std::int64_t>{-5, 2, -2, 5});
  CHECK(input<std::int64_t>(spec, 999) ==
        std::vector<std::int64_t>{2997 % 11 - 5, 3004 % 11 - 5, 3011 % 11 - 5, 3018 % 11 - 5});
  std::int64_t far = 0;
  fill_input(spec, 1, std::numeric_limits<std::uint64_t>::max(),
             std::as_writable_bytes(std::span(&far, 1)));
  CHECK(far == 4);  // 2^64 - 1 is 4 modulo 11
  spec.type = ElementType::u8;
  CHECK(input<std::uint8_t>(spec, 0) == std::vector<std::uint8_t>{5, 12, 8, 15});
}

TEST_CASE("any part of an input made alone is that part of the whole") {
  const DataKind kind =
      GENERATE(DataKind::digits, DataKind::ramp, DataKind::random, DataKind::exact);
  for (const ElementTypeRow& row : element_types)
    for (std::size_t op = 0; op < operator_names.size(); ++op) {
      const InputSpec spec = any_spec(kind, row.type, static_cast<Operator>(op), 2, 67);
      for (const int rank : {0, 1}) {
        const std::vector<std::byte> whole = input_bytes(spec, rank);
        for (std::uint64_t first = 0; first < spec.count; first += 13)
          for (const std::uint64_t count : {0u, 1u, 2u, 13u}) {
            std::vector<std::byte> part(std::min(count, spec.count - first) * row.bytes);
            fill_input(spec, rank, first, part);
            const auto from = whole.begin() + static_cast<std::ptrdiff_t>(first * row.bytes);
            REQUIRE(std::equal(part.begin(), part.end(), from));
          }
      }
    }
}

TEST_CASE("random data depends on the seed, the rank and the index, and lies in its range") {
  InputSpec spec = any_spec(DataKind::random, ElementType::f32, Operator::sum, 4, 4096);
  const std::vector<float> values = input<float>(spec, 0);
  CHECK(values != input<float>(spec, 1));
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  CHECK(*low > -1);
  CHECK(*low < -0.99);
  CHECK(*high < 1);
  CHECK(*high > 0.99);
  CHECK(std::abs(std::accumulate(values.begin(), values.end(), 0.)) / 4096 < 0.05);
  std::vector<float> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  CHECK(std::unique(sorted.begin(), sorted.end()) - sorted.begin() > 4000);
  spec.seed = 4;
  CHECK(values != input<float>(spec, 0));
}

TEST_CASE("random factors of any number of ranks multiply to what fits the type") {
  for (const ElementTypeRow& row : element_types)
    for (const int ranks : {1, 2, 7, 33, 300}) {
      const InputSpec spec = any_spec(DataKind::random, row.type, Operator::prod, ranks, 64);
      std::vector<double> largest(spec.count, 1), smallest(spec.count, 1);
      bool varied = false;
      for (int rank = 0; rank < ranks; ++rank) {
        const std::vector<double> factors = doubles(spec, rank);
        for (std::size_t i = 0; i < factors.size(); ++i) {
          const double size = std::abs(factors[i]);
          REQUIRE(size >= 0.5);
          REQUIRE(size <= 2);
          varied = varied || size != 1;
          (size > 1 ? largest : smallest)[i] *= size;
        }
      }
      CHECK(varied);
      const double most = row.type == ElementType::f16   ? 65504
                          : row.type == ElementType::i8  ? 127
                          : row.type == ElementType::u8  ? 255
                          : row.type == ElementType::i32 ? 2147483647.
                          : row.type == ElementType::i64 ? 0x1p62
                          : row.type == ElementType::f64 ? std::numeric_limits<double>::max()
                                                         : 0x1p127;
      const double least = row.type == ElementType::f16 ? 0x1p-14 : 0x1p-126;
      CHECK(*std::max_element(largest.begin(), largest.end()) <= most);
      CHECK(*std::min_element(smallest.begin(), smallest.end()) >= least);
    }
}

TEST_CASE("exact data comes to the same bits in every order") {
  const int ranks = GENERATE(1, 2, 3, 4, 5);
  for (const ElementTypeRow& row : element_types)
    for (std::size_t op = 0; op < operator_names.size(); ++op) {
      const InputSpec spec =
          any_spec(DataKind::exact, row.type, static_cast<Operator>(op), ranks, 50);
      CAPTURE(row.name, operator_names[op], ranks);
      REQUIRE(refusal(spec).empty());
      REQUIRE(is_exact(spec));
      std::vector<int> order(static_cast<std::size_t>(ranks));
      std::iota(order.begin(), order.end(), 0);
      const std::vector<std::byte> wanted = reduced(spec, order);
      while (std::next_permutation(order.begin(), order.end()))
        REQUIRE(reduced(spec, order) == wanted);
    }
}

TEST_CASE("exact sums and means are those of the integers, with nothing rounded") {
  const int ranks = GENERATE(1, 2, 3, 6, 13, 64);
  for (const ElementTypeRow& row : element_types)
    for (const Operator op : {Operator::sum, Operator::avg}) {
      if (row.type == ElementType::i64 || row.type == ElementType::f64) continue;  // > 53 bits
      const InputSpec spec = any_spec(DataKind::exact, row.type, op, ranks, 50);
      CAPTURE(row.name, name_of(op), ranks);
      std::vector<double> sums(spec.count, 0);
      std::vector<int> order;
      for (int rank = 0; rank < ranks; ++rank) {
        order.push_back(rank);
        const std::vector<double> values = doubles(spec, rank);
        for (std::size_t i = 0; i < values.size(); ++i) sums[i] += values[i];
      }
      const std::vector<std::byte> result = reduced(spec, order);
      bool all_zero = true;
      for (std::size_t i = 0; i < spec.count; ++i) {
        all_zero = all_zero && sums[i] == 0;
        const double wanted = op == Operator::avg ? sums[i] / ranks : sums[i];
        REQUIRE(wanted == std::trunc(wanted));
        REQUIRE(as_double(row.type, result.data() + i * row.bytes) == wanted);
      }
      if (ranks < 64) CHECK_FALSE(all_zero);  // the mean of 64 in i8 can hardly be anything else
    }
}

TEST_CASE("exact data of very many ranks is thinned out, and where no mean fits it is refused") {
  InputSpec spec = any_spec(DataKind::exact, ElementType::bf16, Operator::sum, 1000, 64);
  double sum = 0;
  for (int rank = 0; rank < spec.ranks; ++rank)
    for (const double value : doubles(spec, rank)) {
      REQUIRE(std::abs(value) <= 1);
      sum += std::abs(value);
    }
  CHECK(sum > 0);
  CHECK(sum <= 256 * 64);
  CHECK(refusal(spec).empty());
  spec.op = Operator::avg;
  CHECK(refusal(spec) == "error.data.exact_avg");
  spec.ranks = 170;
  CHECK(refusal(spec).empty());
}

TEST_CASE("a run says whether its result must be the same to the bit") {
  const auto exact = [](DataKind kind, ElementType type, Operator op, int ranks) {
    return is_exact(any_spec(kind, type, op, ranks, 4));
  };
  CHECK(exact(DataKind::random, ElementType::i32, Operator::prod, 9));
  CHECK(exact(DataKind::random, ElementType::f32, Operator::min, 9));
  CHECK(exact(DataKind::digits, ElementType::f32, Operator::sum, 7));
  CHECK(exact(DataKind::ramp, ElementType::bf16, Operator::avg, 51));
  CHECK_FALSE(exact(DataKind::ramp, ElementType::bf16, Operator::avg, 52));
  CHECK_FALSE(exact(DataKind::digits, ElementType::f32, Operator::prod, 4));
  CHECK_FALSE(exact(DataKind::random, ElementType::f32, Operator::sum, 2));
  CHECK_FALSE(exact(DataKind::file, ElementType::f64, Operator::sum, 2));
}

TEST_CASE("a file's array must be of the type, ranks and count that are asked for") {
  auto array = std::make_shared<NumpyArray>();
  array->type = ElementType::i32;
  array->ranks = 2;
  array->count = 3;
  const std::vector<std::int32_t> numbers{1, 2, 3, 4, 5, 6};
  const auto bytes = std::as_bytes(std::span(numbers));
  array->bytes.assign(bytes.begin(), bytes.end());
  InputSpec spec = any_spec(DataKind::file, ElementType::i32, Operator::sum, 2, 3);
  spec.array = array;
  CHECK(refusal(spec).empty());
  CHECK(input<std::int32_t>(spec, 0) == std::vector<std::int32_t>{1, 2, 3});
  CHECK(input<std::int32_t>(spec, 1) == std::vector<std::int32_t>{4, 5, 6});
  std::int32_t last = 0;
  fill_input(spec, 1, 2, std::as_writable_bytes(std::span(&last, 1)));
  CHECK(last == 6);
  spec.type = ElementType::f32;
  CHECK(refusal(spec) == "error.data.file_type");
  spec.type = ElementType::i32;
  spec.ranks = 3;
  CHECK(refusal(spec) == "error.data.file_ranks");
  spec.ranks = 2;
  spec.count = 4;
  CHECK(refusal(spec) == "error.data.file_count");
}
