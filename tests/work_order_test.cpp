#include "core/engine/work_order.h"

#include <catch2/catch.hpp>
#include <set>

using namespace ringscope;

namespace {

// A job without data: that is all that an order needs.
struct Ordered {
  Ordered(std::string_view algorithm, std::int32_t ranks, std::int32_t slices,
          bool lockstep = false, const Trouble& trouble = {})
      : schedule(
            algorithm_named(algorithm).make({.ranks = ranks, .count = 1000, .slices = slices})),
        plan(make_plan(schedule, lockstep)),
        job(schedule, plan) {
    job.lockstep = lockstep;
    job.trouble = trouble;
    order = order_work(job);
  }

  Schedule schedule;
  Plan plan;
  Job job;
  WorkOrder order;
};

// [part]: what has been done when it begins, by the order of lanes and the waits alone.
std::vector<std::set<std::uint32_t>> known_before(const Ordered& all) {
  std::vector<std::set<std::uint32_t>> known(all.plan.parts.size());
  for (std::size_t step = 0; step < all.order.parts.size(); ++step) {
    const std::uint32_t part = all.order.parts[step];
    const auto learn = [&](std::uint32_t other) {
      known[part].insert(known[other].begin(), known[other].end());
      known[part].insert(other);
    };
    const auto lane = static_cast<std::size_t>(all.plan.parts[part].lane);
    if (part > all.plan.lane_starts[lane]) learn(part - 1);
    for (const std::uint32_t other : all.order.waits_of(step)) learn(other);
  }
  return known;
}

}  // namespace

TEST_CASE("streams and waits keep every dependency, and no wait is implied by the others") {
  for (const Algorithm& algorithm : algorithms())
    for (const std::int32_t ranks : {1, 2, 3, 4, 7, 8}) {
      const Ordered all(algorithm.name, ranks, 2);
      INFO(algorithm.name << " of " << ranks);
      REQUIRE(all.order.parts.size() == all.plan.parts.size());
      REQUIRE(!all.order.failure.has_value());
      const auto known = known_before(all);
      for (std::size_t step = 0; step < all.order.parts.size(); ++step) {
        const std::uint32_t part = all.order.parts[step];
        for (const std::uint32_t other : all.plan.depends_of(part))
          REQUIRE(known[part].contains(other));
        const auto lane = static_cast<std::size_t>(all.plan.parts[part].lane);
        for (const std::uint32_t other : all.order.waits_of(step)) {
          const bool by_lane = part > all.plan.lane_starts[lane] && known[part - 1].contains(other);
          bool by_wait = false;
          for (const std::uint32_t third : all.order.waits_of(step))
            by_wait = by_wait || known[third].contains(other);
          REQUIRE((!by_lane && !by_wait));
          REQUIRE(all.order.awaited[other] == 1);
        }
      }
    }
}

TEST_CASE("in lockstep a part waits for all of the rounds before") {
  const Ordered all("ring", 4, 3, true);
  const auto known = known_before(all);
  const auto round = [&](std::uint32_t part) {
    return all.schedule.transfers[all.plan.parts[part].transfer].round;
  };
  for (std::uint32_t part = 0; part < all.plan.parts.size(); ++part)
    for (std::uint32_t other = 0; other < all.plan.parts.size(); ++other)
      if (round(other) < round(part)) REQUIRE(known[part].contains(other));
}

TEST_CASE("a rank that dies ends its lane, and whatever needs it does not begin") {
  Trouble trouble;
  trouble.deaths = {{1, 2}};
  const Ordered all("ring", 4, 1, false, trouble);
  REQUIRE(all.order.failure->kind == Failure::Kind::died);
  REQUIRE(all.order.failure->rank == 1);
  for (const std::uint32_t part : all.order.parts) {
    const Transfer& transfer = all.schedule.transfers[all.plan.parts[part].transfer];
    REQUIRE(!(transfer.round >= 2 && (transfer.src == 1 || transfer.dst == 1)));
  }
  REQUIRE(all.order.parts.size() < all.plan.parts.size());
}

TEST_CASE("a sleep longer than the timeout is cut, and ends its lane") {
  Trouble trouble;
  trouble.delays = {{-1, 2, 60'000'000'000}};
  const Ordered all("ring", 3, 1, false, trouble);
  REQUIRE(all.order.failure->kind == Failure::Kind::timed_out);
  REQUIRE(all.order.failure->rank == 2);
}
