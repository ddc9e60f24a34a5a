#include "core/trace/reference.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "core/data/operators.h"
#include "tests/judged_run.h"

using namespace ringscope;

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
