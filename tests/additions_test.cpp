#include "core/replay/additions.h"

#include <catch2/catch.hpp>
#include <cstring>

#include "core/data/operators.h"
#include "core/engine/record.h"
#include "core/replay/replay.h"
#include "tests/hand_made_schedules.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

std::string order_of(const Schedule& schedule, std::int32_t rank, std::int32_t chunk = 0,
                     Operator op = Operator::sum) {
  const Trace trace = run_serially({.schedule = schedule, .op = op});
  const Additions additions = additions_of(trace, chunk);
  const std::int32_t node = additions.of_rank[static_cast<std::size_t>(rank)];
  return node < 0 ? "" : bracketed(additions, node, schedule, op);
}

// What the tree gives, from nothing but the kept inputs and the operators.
std::vector<std::byte> evaluated(const Trace& trace, const ValueLayout& layout,
                                 const Additions& additions, std::int32_t node) {
  const AdditionNode& one = additions.nodes[static_cast<std::size_t>(node)];
  if (one.is_term()) {
    AdditionNode own = one;
    own.transfer = -1;
    Additions alone = additions;
    alone.nodes = {own};
    std::vector<std::byte> value = kept_bytes(trace, layout, alone, 0);
    if (one.transfer < 0) return value;
    std::vector<std::byte> copied(value.size());
    copy_pass(trace.run.type,
              {.op = trace.run.op, .ranks = trace.schedule.ranks, .received_is_input = true},
              copied, value);
    return copied;
  }
  const auto is_input = [&](std::int32_t operand) {
    const AdditionNode& of = additions.nodes[static_cast<std::size_t>(operand)];
    return of.is_term() && of.transfer < 0;
  };
  std::vector<std::byte> sum = evaluated(trace, layout, additions, one.left);
  const std::vector<std::byte> received = evaluated(trace, layout, additions, one.right);
  reduce_pass(trace.run.type,
              {.op = trace.run.op,
               .ranks = trace.schedule.ranks,
               .own_is_input = is_input(one.left),
               .received_is_input = is_input(one.right),
               .completes = one.terms == trace.schedule.ranks},
              sum, sum, received);
  return sum;
}

// Every rank's result, where it has one.
void require_results(const Trace& trace) {
  const ValueLayout layout(trace.schedule, trace.run.type, trace.values.kept);
  for (std::int32_t chunk = 0; chunk < trace.schedule.chunks; ++chunk) {
    const Additions additions = additions_of(trace, chunk);
    const auto cell = static_cast<std::size_t>(additions.cell);
    for (std::int32_t rank = 0; rank < trace.schedule.ranks; ++rank) {
      const std::int32_t node = additions.of_rank[static_cast<std::size_t>(rank)];
      const std::int32_t goal =
          trace.schedule.goal[static_cast<std::size_t>(rank * trace.schedule.chunks + chunk)];
      if (goal == do_not_care) continue;
      REQUIRE(node >= 0);
      const std::vector<std::byte> value = evaluated(trace, layout, additions, node);
      REQUIRE(value.size() == layout.cell_offsets[cell + 1] - layout.cell_offsets[cell]);
      const std::size_t at =
          static_cast<std::size_t>(rank) * layout.rank_bytes() + layout.cell_offsets[cell];
      if (!value.empty())
        REQUIRE(std::memcmp(value.data(), &trace.values.results[at], value.size()) == 0);
      // And each step is as it was recorded.
      for (const std::int32_t part : made_of(additions, node))
        REQUIRE(evaluated(trace, layout, additions, part) ==
                kept_bytes(trace, layout, additions, part));
    }
  }
}

}  // namespace

TEST_CASE("a ring adds to each rank's own term what comes round to it") {
  const Schedule ring = make_ring({4, 4, 1, {}});
  for (const std::int32_t rank : {0, 1, 2, 3}) CHECK(order_of(ring, rank) == "(d0+(c0+(b0+a0)))");
  CHECK(order_of(ring, 0, 1) == "(a1+(d1+(c1+b1)))");
}

TEST_CASE("a parameter server adds in rank order, a tree from its leaves, an exchange in pairs") {
  CHECK(order_of(make_star(4), 2) == "(((a0+b0)+c0)+d0)");
  CHECK(order_of(make_tree_of_four(), 3) == "((a0+(b0+d0))+c0)");
  CHECK(order_of(make_exchange(4), 0) == "((a0+b0)+(c0+d0))");
  CHECK(order_of(make_exchange(4), 3) == "((d0+c0)+(b0+a0))");
}

TEST_CASE("operators are written as they are called") {
  CHECK(order_of(make_exchange(2), 0, 0, Operator::prod) == "(a0*b0)");
  CHECK(order_of(make_star(3), 0, 0, Operator::min) == "min(min(a0,b0),c0)");
  CHECK(order_of(make_star(3), 0, 0, Operator::avg) == "((a0+b0)+c0)/3");
}

TEST_CASE("one rank alone has its own term, and who holds nothing has none") {
  CHECK(order_of(make_ring({1, 1, 1, {}}), 0) == "a0");
  CHECK(order_of(make_broadcast(3), 2) == "a0");
  Trace trace = run_serially({.schedule = make_broadcast(3)});
  for (Event& event : trace.events) event.done = 0;
  CHECK(additions_of(trace, 0).of_rank == std::vector<std::int32_t>{0, -1, -1});
}

TEST_CASE("of a run that stopped early the sum is what it had come to") {
  const Trace trace =
      run_serially({.schedule = make_ring({4, 4, 1, {}}), .trouble = {{}, {}, {{2, 1}}}});
  const Additions additions = additions_of(trace, 0);
  CHECK(bracketed(additions, additions.of_rank[1], trace.schedule, Operator::sum) == "(b0+a0)");
}

TEST_CASE("in every algorithm the tree gives the recorded results to the bit") {
  RunSettings settings;
  for (const Algorithm& algorithm : algorithms()) {
    settings.algorithm = algorithm.name;
    for (const int ranks : {1, 2, 3, 4, 7, 8}) {
      settings.ranks = ranks;
      for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::bf16})
        for (const Operator op : {Operator::sum, Operator::avg}) {
          const bool copies_only = algorithm.name == "all-gather" || algorithm.name == "broadcast";
          if (copies_only && op == Operator::avg) continue;
          settings.type = type;
          settings.op.reset();
          if (!copies_only) settings.op = op;
          settings.data = DataKind::random;
          settings.count = 61;
          settings.slices = ranks % 2 + 1;
          settings.in_place = ranks % 3 == 0;
          INFO(algorithm.name << ", N = " << ranks << ", " << name_of(type) << ", " << name_of(op));
          require_results(record(settings));
        }
    }
  }
}

TEST_CASE("empty chunks have an order of additions, but no values") {
  RunSettings settings;
  settings.count = 2;
  const Trace trace = record(settings);
  require_results(trace);
}

TEST_CASE("what another order gives is the fold in the order of ranks") {
  RunSettings settings;
  settings.algorithm = "parameter-server";
  settings.ranks = 5;
  settings.count = 50;
  settings.data = DataKind::random;
  const Trace star = record(settings);
  const ValueLayout layout(star.schedule, star.run.type, star.values.kept);
  const Additions additions = additions_of(star, 0);
  // That is how a parameter server adds.
  CHECK(in_rank_order(star, layout, additions) ==
        kept_bytes(star, layout, additions, additions.of_rank[0]));
  settings.algorithm = "ring";
  const Trace ring = record(settings);
  const ValueLayout layout_of_ring(ring.schedule, ring.run.type, ring.values.kept);
  bool differs = false;
  for (std::int32_t chunk = 0; chunk < 5; ++chunk) {
    const Additions other = additions_of(ring, chunk);
    differs = differs || in_rank_order(ring, layout_of_ring, other) !=
                             kept_bytes(ring, layout_of_ring, other, other.of_rank[0]);
  }
  CHECK(differs);
  // A broadcast adds nothing.
  settings.algorithm = "broadcast";
  const Trace copied = record(settings);
  CHECK(in_rank_order(copied, ValueLayout(copied.schedule, copied.run.type, copied.values.kept),
                      additions_of(copied, 0))
            .empty());
}

TEST_CASE("what rounding took away from a sum is found exactly") {
  const auto rounding = [](float a, float b, float sum) {
    return rounding_of(ElementType::f32, Operator::sum, reinterpret_cast<const std::byte*>(&a),
                       reinterpret_cast<const std::byte*>(&b),
                       reinterpret_cast<const std::byte*>(&sum));
  };
  CHECK(rounding(1, 2, 3) == 0.0);
  CHECK(rounding(1e8f, 1, 1e8f + 1) == -1.0);
  CHECK(rounding(1e8f, 1e-30f, 1e8f) == -static_cast<double>(1e-30f));
  CHECK_FALSE(rounding(1e38f, 3e38f, INFINITY).has_value());
  const std::int32_t one = 1;
  const auto* const bytes = reinterpret_cast<const std::byte*>(&one);
  CHECK_FALSE(rounding_of(ElementType::i32, Operator::sum, bytes, bytes, bytes).has_value());
}
