#include "core/trace/reference.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>

#include "core/data/operators.h"
#include "core/schedule/plan.h"

using namespace ringscope;

namespace {

using Buffers = std::vector<std::vector<std::byte>>;  // [rank]

InputSpec spec_of(const Schedule& schedule, ElementType type, Operator op, DataKind kind) {
  return {.kind = kind,
          .type = type,
          .op = op,
          .ranks = schedule.ranks,
          .count = schedule.count,
          .seed = 5,
          .array = nullptr};
}

Schedule ring(int ranks, std::uint64_t count, int slices = 1) {
  return make_ring({.ranks = ranks, .count = count, .slices = slices, .order = {}});
}

// Runs the schedule, one transfer after another, with the sources of a round as they were before.
Buffers run(const Schedule& schedule, const InputSpec& spec) {
  const std::size_t size = bytes_of(spec.type);
  Buffers buffers(static_cast<std::size_t>(schedule.ranks));
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    buffers[static_cast<std::size_t>(rank)].resize(schedule.count * size);
    fill_input(spec, rank, 0, buffers[static_cast<std::size_t>(rank)]);
  }
  const Plan plan = make_plan(schedule);
  Buffers before;
  std::int32_t round = -1;
  for (std::size_t t = 0; t < schedule.transfers.size(); ++t) {
    const Transfer& transfer = schedule.transfers[t];
    if (transfer.round != round) before = buffers;
    round = transfer.round;
    for (std::int32_t i = 0; i < transfer.cell_count; ++i) {
      const Extent extent = cell_extent(schedule, transfer.first_cell + i);
      const CellUse use = plan.uses[plan.use_starts[t] + static_cast<std::uint32_t>(i)];
      const Pass pass{.op = spec.op,
                      .ranks = schedule.ranks,
                      .own_is_input = !use.dst_written,
                      .received_is_input = !use.src_written,
                      .completes = use.completes};
      const auto dst = std::span(buffers[static_cast<std::size_t>(transfer.dst)])
                           .subspan(extent.first * size, extent.count * size);
      const auto src = std::span<const std::byte>(before[static_cast<std::size_t>(transfer.src)])
                           .subspan(extent.first * size, extent.count * size);
      if (transfer.action == Action::reduce)
        reduce_pass(spec.type, pass, dst, dst, src);
      else
        copy_pass(spec.type, pass, dst, src);
    }
  }
  return buffers;
}

Verdict judged(const Schedule& schedule, const InputSpec& spec, const Buffers& results) {
  return judge(schedule, spec, [&](int rank, Extent extent, std::span<std::byte> out) {
    const std::size_t size = bytes_of(spec.type);
    if (out.size() != extent.count * size) throw std::logic_error("room of another size");
    if (!out.empty())
      std::memcpy(out.data(), results[static_cast<std::size_t>(rank)].data() + extent.first * size,
                  out.size());
  });
}

bool verified(const Verdict& verdict) {
  return verdict.outcome == Verdict::Outcome::verified && !verdict.failure;
}

std::string argument(const Verdict& verdict, const std::string& name) {
  if (verdict.failure)
    for (const auto& [key, value] : verdict.failure->arguments)
      if (key == name) return value;
  return "";
}

// A file's data: the ranks' elements, one list a rank.
template <class T>
InputSpec spec_of_values(ElementType type, Operator op, const std::vector<std::vector<T>>& ranks) {
  auto array = std::make_shared<NumpyArray>();
  array->type = type;
  array->ranks = static_cast<int>(ranks.size());
  array->count = ranks[0].size();
  for (const std::vector<T>& values : ranks) {
    const auto bytes = std::as_bytes(std::span(values));
    array->bytes.insert(array->bytes.end(), bytes.begin(), bytes.end());
  }
  return {.kind = DataKind::file,
          .type = type,
          .op = op,
          .ranks = array->ranks,
          .count = array->count,
          .seed = 1,
          .array = array};
}

template <class T>
void set(std::vector<std::byte>& buffer, std::size_t i, T value) {
  std::memcpy(buffer.data() + i * sizeof(T), &value, sizeof value);
}
template <class T>
T get(const std::vector<std::byte>& buffer, std::size_t i) {
  T value;
  std::memcpy(&value, buffer.data() + i * sizeof(T), sizeof value);
  return value;
}

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("a right result is verified, whatever the type, operator, data, ranks and count") {
  const int ranks = GENERATE(1, 2, 3, 4, 7);
  const std::uint64_t count = GENERATE(0u, 1u, 6u, 100u);
  const Schedule schedule = ring(ranks, count, 2);
  for (const ElementTypeRow& row : element_types)
    for (std::size_t op = 0; op < operator_names.size(); ++op)
      for (const DataKind kind : {DataKind::ramp, DataKind::random, DataKind::exact}) {
        const InputSpec spec = spec_of(schedule, row.type, static_cast<Operator>(op), kind);
        const Verdict verdict = judged(schedule, spec, run(schedule, spec));
        CAPTURE(row.name, operator_names[op], name_of(kind), ranks, count);
        REQUIRE(verified(verdict));
        REQUIRE(verdict.ranks_agree);
        REQUIRE(verdict.elements == count * static_cast<unsigned>(ranks));
        REQUIRE(verdict.largest_error_in_bounds <= 1);
        REQUIRE(verdict.overflowed + verdict.underflowed == 0);
        if (kind == DataKind::exact && count > 0) {
          REQUIRE(verdict.exact);
          REQUIRE(verdict.largest_error == 0);
          REQUIRE(verdict.wrapped == 0);
        }
      }
}

TEST_CASE("one bit of one element of one rank is found and named") {
  const Schedule schedule = ring(4, 41);
  for (const ElementTypeRow& row : element_types)
    for (std::size_t op = 0; op < operator_names.size(); ++op)
      for (const DataKind kind : {DataKind::random, DataKind::exact}) {
        const InputSpec spec = spec_of(schedule, row.type, static_cast<Operator>(op), kind);
        Buffers results = run(schedule, spec);
        results[2][17 * row.bytes] ^= std::byte{1};
        const Verdict verdict = judged(schedule, spec, results);
        CAPTURE(row.name, operator_names[op], name_of(kind));
        REQUIRE(verdict.outcome == Verdict::Outcome::failed);
        REQUIRE_FALSE(verdict.ranks_agree);
        REQUIRE(argument(verdict, "element") == "17");
        REQUIRE(argument(verdict, verdict.failure->id == "verdict.disagree" ? "other" : "rank") ==
                "2");
        if (verdict.exact) REQUIRE(verdict.failure->id == "verdict.wrong");
      }
}

TEST_CASE("a bit that all ranks have wrong is found where the result is exact") {
  const Schedule schedule = ring(3, 10);
  for (const ElementTypeRow& row : element_types) {
    const InputSpec spec = spec_of(schedule, row.type, Operator::sum, DataKind::exact);
    Buffers results = run(schedule, spec);
    for (auto& result : results) result[3 * row.bytes] ^= std::byte{1};
    const Verdict verdict = judged(schedule, spec, results);
    REQUIRE(verdict.outcome == Verdict::Outcome::failed);
    REQUIRE(verdict.ranks_agree);
    REQUIRE(argument(verdict, "element") == "3");
    REQUIRE(argument(verdict, "rank") == "0");
  }
}

TEST_CASE("the bounds are tight enough for a lost term and a doubled one") {
  for (const ElementType type :
       {ElementType::f16, ElementType::bf16, ElementType::f32, ElementType::f64})
    for (const Operator op : {Operator::sum, Operator::avg, Operator::prod})
      for (const int ranks : {2, 4, 7}) {
        const Schedule schedule = ring(ranks, 64);
        const InputSpec spec = spec_of(schedule, type, op, DataKind::random);
        // Rank 0's term is left out, or taken twice, by all ranks: the rest is as it should be.
        for (const int times : {0, 2}) {
          InputSpec alone = spec;
          Buffers inputs(static_cast<std::size_t>(ranks));
          for (int rank = 0; rank < ranks; ++rank) {
            inputs[static_cast<std::size_t>(rank)].resize(64 * bytes_of(type));
            fill_input(spec, rank, 0, inputs[static_cast<std::size_t>(rank)]);
          }
          std::vector<std::byte> result = inputs[1];
          std::vector<std::size_t> order;
          for (int rank = 2; rank < ranks; ++rank) order.push_back(static_cast<std::size_t>(rank));
          for (int i = 0; i < times; ++i) order.push_back(0);
          for (std::size_t i = 0; i < order.size(); ++i)
            reduce_pass(type,
                        {.op = op,
                         .ranks = ranks,
                         .own_is_input = i == 0,
                         .received_is_input = true,
                         .completes = i + 1 == order.size()},
                        result, result, inputs[order[i]]);
          const Verdict verdict =
              judged(schedule, alone, Buffers(static_cast<std::size_t>(ranks), result));
          CAPTURE(name_of(type), name_of(op), ranks, times);
          REQUIRE(verdict.outcome == Verdict::Outcome::failed);
          REQUIRE(verdict.ranks_agree);
          REQUIRE(verdict.largest_error_in_bounds > 1);
          REQUIRE(verdict.failure->id == "verdict.out_of_bounds");
        }
      }
}

namespace {

// 0 and 1 exchange, 2 and 3 exchange, then 0 and 2 and 1 and 3: two additions on every path.
Schedule doubling() {
  Schedule schedule = ring(4, 1);
  schedule.algorithm = "";
  schedule.chunks = 1;
  schedule.order.clear();
  schedule.initial = {0, 1, 2, 3};
  schedule.goal.assign(4, everyone);
  schedule.phases = {{"reduce", 0, 2}};
  schedule.transfers.clear();
  for (const std::int32_t round : {0, 1})
    for (std::int32_t rank = 0; rank < 4; ++rank)
      schedule.transfers.push_back({rank ^ (round + 1), rank, 0, 1, round, 0, Action::reduce});
  return schedule;
}

}  // namespace

TEST_CASE("the bound of a sum is the additions on the longest path times eps times the sizes") {
  const InputSpec spec = spec_of_values<float>(ElementType::f32, Operator::sum,
                                               {{1.f}, {-1.f}, {1.f}, {5.f}});  // sizes: 8
  const auto off_by = [&](float error) {
    const Buffers results(4, [&] {
      std::vector<std::byte> result(4);
      set(result, 0, 6 + error);
      return result;
    }());
    return std::pair(verified(judged(doubling(), spec, results)),
                     verified(judged(ring(4, 1), spec, results)));
  };
  const float unit = 8 * 0x1p-23f;
  CHECK(off_by(0) == std::pair(true, true));
  CHECK(off_by(2 * unit) == std::pair(true, true));
  CHECK(off_by(2.5f * unit) == std::pair(false, true));
  CHECK(off_by(3 * unit) == std::pair(false, true));
  CHECK(off_by(-3.5f * unit) == std::pair(false, false));
}

TEST_CASE("the bound of a mean is the sum's by N and one unit of its own") {
  const InputSpec spec = spec_of_values<float>(ElementType::f32, Operator::avg,
                                               {{1.f}, {-1.f}, {1.f}, {5.f}});  // sizes: 8
  const auto off_by = [&](float units) {
    Buffers results(4, std::vector<std::byte>(4));
    for (auto& result : results) set(result, 0, 1.5f + units * 0x1p-23f);
    return verified(judged(ring(4, 1), spec, results));
  };
  CHECK(off_by(0));
  CHECK(off_by(7));  // 3 x 8/4 + 1.5
  CHECK(off_by(-7));
  CHECK_FALSE(off_by(8));
}

TEST_CASE("ranks that differ within the bounds are told from each other") {
  const Schedule schedule = ring(4, 8);
  const InputSpec spec = spec_of(schedule, ElementType::f32, Operator::sum, DataKind::random);
  Buffers results = run(schedule, spec);
  set(results[3], 5, std::nextafter(get<float>(results[3], 5), 0.f));
  const Verdict verdict = judged(schedule, spec, results);
  CHECK(verdict.outcome == Verdict::Outcome::failed);
  CHECK_FALSE(verdict.ranks_agree);
  CHECK(verdict.largest_error_in_bounds < 1);
  REQUIRE(verdict.failure->id == "verdict.disagree");
  CHECK(argument(verdict, "rank") == "0");
  CHECK(argument(verdict, "other") == "3");
  CHECK(argument(verdict, "element") == "5");
}

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

TEST_CASE("goals of one rank are held to its bits, and what nobody cares for to nothing") {
  // Rank 0 sends its chunk to rank 1; rank 2 holds nothing and is not cared for.
  Schedule schedule;
  schedule.ranks = 3;
  schedule.count = 2;
  schedule.initial = {0, nothing, nothing};
  schedule.goal = {0, 0, do_not_care};
  schedule.phases = {{"broadcast", 0, 1}};
  schedule.transfers = {{0, 1, 0, 1, 0, 0, Action::copy}};
  const float odd = std::bit_cast<float>(0xffc12345u);
  const InputSpec spec =
      spec_of_values<float>(ElementType::f32, Operator::sum, {{odd, 2}, {7, 7}, {8, 8}});
  Buffers results = run(schedule, spec);
  const Verdict verdict = judged(schedule, spec, results);
  CHECK(verified(verdict));
  CHECK(verdict.exact);
  CHECK(verdict.elements == 4);
  set(results[2], 0, 99.f);
  CHECK(verified(judged(schedule, spec, results)));
  set(results[1], 0, no_number);
  CHECK_FALSE(verified(judged(schedule, spec, results)));

  // A reduction to rank 2 of what ranks 0 and 2 hold; rank 1 holds nothing.
  schedule.initial = {0, nothing, 2};
  schedule.goal = {do_not_care, do_not_care, everyone};
  schedule.transfers = {{0, 2, 0, 1, 0, 0, Action::reduce}};
  const InputSpec sum =
      spec_of_values<float>(ElementType::f32, Operator::sum, {{1, 2}, {100, 100}, {10, 20}});
  results = run(schedule, sum);
  CHECK(get<float>(results[2], 0) == 11);
  CHECK(judged(schedule, sum, results).elements == 2);
  CHECK(verified(judged(schedule, sum, results)));
  set(results[2], 0, 111.f);
  CHECK_FALSE(verified(judged(schedule, sum, results)));
}

TEST_CASE("one rank alone keeps its bits, whatever the operator") {
  const InputSpec spec = spec_of_values<float>(ElementType::f32, Operator::avg,
                                               {{std::bit_cast<float>(0xffc12345u), -0.f, 3}});
  CHECK(verified(judged(ring(1, 3), spec, run(ring(1, 3), spec))));
}

TEST_CASE("over many blocks and threads the first wrong element is told") {
  const Schedule schedule = ring(4, 300001, 3);
  const InputSpec spec = spec_of(schedule, ElementType::f32, Operator::sum, DataKind::random);
  Buffers results = run(schedule, spec);
  const Verdict right = judged(schedule, spec, results);
  CHECK(verified(right));
  CHECK(right.elements == 4 * 300001);
  CHECK(right.largest_error > 0);
  for (const std::size_t i : {300000u, 200000u, 150000u})
    for (auto& result : results) set(result, i, 1000.f);
  const Verdict wrong = judged(schedule, spec, results);
  CHECK(argument(wrong, "element") == "150000");
  CHECK(argument(wrong, "got") == "1000");
}

TEST_CASE("an error of whoever reads the results comes out") {
  const Schedule schedule = ring(2, 200000);
  const InputSpec spec = spec_of(schedule, ElementType::f32, Operator::sum, DataKind::ramp);
  CHECK_THROWS_AS(judge(schedule, spec,
                        [](int, Extent, std::span<std::byte>) {
                          throw Error({"error.memory.refused", {}});
                        }),
                  Error);
}
