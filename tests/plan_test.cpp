#include "core/schedule/plan.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "tests/hand_made_schedules.h"

using namespace ringscope;

namespace {

std::vector<Schedule> all_kinds() {
  std::vector<Schedule> all;
  for (const std::int32_t ranks : {1, 2, 3, 4, 5, 8})
    for (const std::int32_t slices : {1, 2, 3}) all.push_back(make_ring({ranks, 64, slices, {}}));
  all.push_back(make_ring({4, 4, 1, {0, 2, 1, 3}}));
  for (const std::int32_t ranks : {1, 2, 3, 6}) all.push_back(make_star(ranks, 2));
  for (const std::int32_t ranks : {1, 2, 4, 8}) all.push_back(make_exchange(ranks, 2));
  for (const std::int32_t ranks : {2, 3, 5}) all.push_back(make_shift(ranks));
  all.push_back(make_tree_of_four(2));
  all.push_back(make_halving_doubling_of_four());
  all.push_back(make_broadcast(5));
  return all;
}

// What a cell holds, as the text of how it came about: nothing may be mixed up and go unseen.
using Memory = std::vector<std::string>;

std::size_t at(const Schedule& schedule, std::int32_t rank, std::int32_t cell) {
  return static_cast<std::size_t>(rank * cells_per_rank(schedule) + cell);
}

Memory start_of(const Schedule& schedule) {
  Memory memory;
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank)
    for (std::int32_t cell = 0; cell < cells_per_rank(schedule); ++cell)
      memory.push_back(std::to_string(rank) + ":" + std::to_string(cell));
  return memory;
}

void write(std::string& cell, const std::string& received, Action action) {
  cell = action == Action::copy ? received : "(" + cell + "+" + received + ")";
}

// Round by round, sources as they were before the round, reductions in list order.
Memory run_by_rounds(const Schedule& schedule) {
  Memory memory = start_of(schedule);
  for (std::int32_t round = 0; round < rounds_of(schedule); ++round) {
    const Memory before = memory;
    for (const Transfer& transfer : schedule.transfers)
      for (std::int32_t i = 0; transfer.round == round && i < transfer.cell_count; ++i)
        write(memory[at(schedule, transfer.dst, transfer.first_cell + i)],
              before[at(schedule, transfer.src, transfer.first_cell + i)], transfer.action);
  }
  return memory;
}

// The parts in any order that lanes and dependencies allow.
Memory run_in_random_order(const Schedule& schedule, const Plan& plan, std::mt19937& random) {
  Memory memory = start_of(schedule);
  std::vector<Memory> staging(schedule.transfers.size());
  std::vector<bool> done(plan.parts.size(), false);
  std::vector<std::uint32_t> next(plan.lane_starts.begin(), plan.lane_starts.end() - 1);
  for (std::size_t left = plan.parts.size(); left > 0; --left) {
    std::vector<std::size_t> ready;
    for (std::size_t lane = 0; lane < next.size(); ++lane) {
      bool can_start = next[lane] < plan.lane_starts[lane + 1];
      if (can_start)
        for (const std::uint32_t part : plan.depends_of(next[lane]))
          can_start = can_start && done[part];
      if (can_start) ready.push_back(lane);
    }
    REQUIRE(!ready.empty());
    const std::uint32_t part = next[ready[random() % ready.size()]]++;
    const Transfer& transfer = schedule.transfers[plan.parts[part].transfer];
    Memory& staged = staging[plan.parts[part].transfer];
    for (std::int32_t i = 0; i < transfer.cell_count; ++i) {
      const std::string& source = memory[at(schedule, transfer.src, transfer.first_cell + i)];
      std::string& target = memory[at(schedule, transfer.dst, transfer.first_cell + i)];
      switch (plan.parts[part].kind) {
        case PartKind::fused: write(target, source, transfer.action); break;
        case PartKind::move: staged.push_back(source); break;
        case PartKind::finish:
          write(target, staged[static_cast<std::size_t>(i)], transfer.action);
          break;
      }
    }
    done[part] = true;
  }
  return memory;
}

std::vector<std::uint32_t> depends_of_transfer(const Plan& plan, std::uint32_t transfer) {
  const auto depends = plan.depends_of(plan.last_part[transfer]);
  return {depends.begin(), depends.end()};
}

}  // namespace

TEST_CASE("whatever order lanes and dependencies allow gives what the rounds say") {
  std::mt19937 random(1);
  for (const Schedule& schedule : all_kinds())
    for (const bool lockstep : {false, true}) {
      INFO(schedule.algorithm << " of " << schedule.ranks << ", slices " << schedule.slices);
      const Plan plan = make_plan(schedule, lockstep);
      REQUIRE(is_acyclic(plan));
      const Memory expected = run_by_rounds(schedule);
      for (int i = 0; i < 20; ++i) REQUIRE(run_in_random_order(schedule, plan, random) == expected);
    }
}

TEST_CASE("every transfer has its parts on the lane of its destination, each part once") {
  for (const Schedule& schedule : all_kinds()) {
    const Plan plan = make_plan(schedule);
    std::vector<int> times(plan.parts.size(), 0);
    REQUIRE(plan.lanes == schedule.ranks);
    REQUIRE(plan.lane_starts.size() == static_cast<std::size_t>(schedule.ranks) + 1);
    for (std::uint32_t t = 0; t < schedule.transfers.size(); ++t) {
      const std::uint32_t first = plan.first_part[t], last = plan.last_part[t];
      ++times[first];
      if (last != first) ++times[last];
      for (const std::uint32_t part : {first, last}) {
        REQUIRE(plan.parts[part].transfer == t);
        REQUIRE(plan.parts[part].lane == schedule.transfers[t].dst);
        REQUIRE(part >= plan.lane_starts[static_cast<std::size_t>(plan.parts[part].lane)]);
        REQUIRE(part < plan.lane_starts[static_cast<std::size_t>(plan.parts[part].lane) + 1]);
      }
      REQUIRE(plan.parts[first].kind == (first == last ? PartKind::fused : PartKind::move));
      REQUIRE(plan.parts[last].kind == (first == last ? PartKind::fused : PartKind::finish));
    }
    for (const int count : times) REQUIRE(count == 1);
  }
}

TEST_CASE("dependencies are on other lanes, at most one a lane") {
  for (const Schedule& schedule : all_kinds()) {
    const Plan plan = make_plan(schedule);
    for (std::uint32_t part = 0; part < plan.parts.size(); ++part) {
      std::vector<bool> seen(static_cast<std::size_t>(plan.lanes), false);
      for (const std::uint32_t depends_on : plan.depends_of(part)) {
        const auto lane = static_cast<std::size_t>(plan.parts[depends_on].lane);
        REQUIRE(plan.parts[depends_on].lane != plan.parts[part].lane);
        REQUIRE(!seen[lane]);
        seen[lane] = true;
      }
    }
  }
}

TEST_CASE("a ring of two waits in its second round for the other's first") {
  const Plan plan = make_plan(make_ring({2, 2, 1, {}}));
  REQUIRE(plan.lane_starts == std::vector<std::uint32_t>{0, 2, 4});
  REQUIRE(plan.last_part == std::vector<std::uint32_t>{2, 0, 3, 1});
  REQUIRE(depends_of_transfer(plan, 0).empty());
  REQUIRE(depends_of_transfer(plan, 1).empty());
  REQUIRE(depends_of_transfer(plan, 2) == std::vector<std::uint32_t>{0});
  REQUIRE(depends_of_transfer(plan, 3) == std::vector<std::uint32_t>{2});
}

TEST_CASE("a ring of one has nothing to do") {
  const Plan plan = make_plan(make_ring({1, 5, 3, {}}));
  REQUIRE(plan.parts.empty());
  REQUIRE(plan.lane_starts == std::vector<std::uint32_t>{0, 0});
  REQUIRE(is_acyclic(plan));
}

TEST_CASE("an exchange is staged on both sides, reducing or copying") {
  Schedule schedule = make_exchange(2);
  schedule.transfers[0].action = schedule.transfers[1].action =
      GENERATE(Action::reduce, Action::copy);
  const Plan plan = make_plan(schedule);
  REQUIRE(plan.parts.size() == 4);
  for (std::uint32_t t = 0; t < 2; ++t) {
    REQUIRE(plan.parts[plan.first_part[t]].kind == PartKind::move);
    REQUIRE(plan.depends_of(plan.first_part[t]).empty());
    REQUIRE(depends_of_transfer(plan, t) == std::vector<std::uint32_t>{plan.first_part[1 - t]});
  }
}

TEST_CASE("a star's root takes its ranks one after another, fused") {
  const Plan plan = make_plan(make_star(5));
  for (std::uint32_t t = 0; t < 4; ++t) {
    REQUIRE(plan.first_part[t] == t);
    REQUIRE(plan.last_part[t] == t);
    REQUIRE(plan.uses[t].completes == (t == 3));
    REQUIRE(plan.uses[t].dst_written == (t > 0));
    REQUIRE(!plan.uses[t].src_written);
  }
  for (std::uint32_t t = 4; t < 8; ++t) {
    REQUIRE(depends_of_transfer(plan, t) == std::vector<std::uint32_t>{3});
    REQUIRE(plan.uses[t].src_written);
    REQUIRE(!plan.uses[t].dst_written);
    REQUIRE(!plan.uses[t].completes);
  }
}

TEST_CASE("a ring completes each chunk once, in the last round of the scatter-reduce") {
  const std::int32_t ranks = GENERATE(2, 3, 4, 8);
  const std::int32_t slices = GENERATE(1, 2);
  const Schedule schedule = make_ring({ranks, 64, slices, {}});
  const Plan plan = make_plan(schedule);
  for (std::uint32_t t = 0; t < schedule.transfers.size(); ++t) {
    const std::int32_t round = schedule.transfers[t].round;
    REQUIRE(plan.uses[t].completes == (round == ranks - 2));
    REQUIRE(plan.uses[t].src_written == (round > 0));
    // An all-gather overwrites the sums of the scatter-reduce, but for the chunk that each rank
    // sent first.
    if (round < ranks - 1) REQUIRE(!plan.uses[t].dst_written);
  }
}

TEST_CASE("runs of several cells have a use for each of them") {
  const Schedule schedule = make_halving_doubling_of_four();
  const Plan plan = make_plan(schedule);
  REQUIRE(plan.uses.size() == 4 * (2 + 1 + 1 + 2));
  for (std::uint32_t t = 0; t < schedule.transfers.size(); ++t) {
    REQUIRE(plan.use_starts[t + 1] - plan.use_starts[t] ==
            static_cast<std::uint32_t>(schedule.transfers[t].cell_count));
    for (std::uint32_t use = plan.use_starts[t]; use < plan.use_starts[t + 1]; ++use)
      REQUIRE(plan.uses[use].completes == (schedule.transfers[t].round == 1));
  }
}

TEST_CASE("a lane goes slice by slice, and round by round in lockstep") {
  const Schedule schedule = make_ring({3, 30, 2, {}});
  const auto keys = [&](const Plan& plan) {
    std::vector<std::pair<std::int32_t, std::int32_t>> found;  // slice, round
    for (std::uint32_t part = plan.lane_starts[1]; part < plan.lane_starts[2]; ++part) {
      const Transfer& transfer = schedule.transfers[plan.parts[part].transfer];
      found.emplace_back(transfer.slice, transfer.round);
    }
    return found;
  };
  using Keys = std::vector<std::pair<std::int32_t, std::int32_t>>;
  REQUIRE(keys(make_plan(schedule)) ==
          Keys{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 1}, {1, 2}, {1, 3}});
  REQUIRE(keys(make_plan(schedule, true)) ==
          Keys{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}});
}

TEST_CASE("slices whose order contradicts the rounds are found stuck") {
  // A cell is written in the second round by slice 0, in the first by slice 1 of the same lane.
  Schedule schedule = make_tree_of_four();
  schedule.slices = 2;
  schedule.transfers = {{1, 0, 1, 1, 0, 1, Action::reduce}, {2, 0, 1, 1, 1, 0, Action::reduce}};
  REQUIRE(!is_acyclic(make_plan(schedule)));
  REQUIRE(is_acyclic(make_plan(schedule, true)));
  // Over two lanes: rank 1 passes on in slice 0 what comes in slice 1.
  schedule.transfers = {{0, 1, 0, 2, 0, 1, Action::reduce},
                        {1, 2, 0, 1, 1, 0, Action::reduce},
                        {2, 1, 0, 1, 2, 0, Action::copy}};
  const Plan plan = make_plan(schedule);
  REQUIRE(stuck_part(plan).has_value());
  REQUIRE(plan.parts[*stuck_part(plan)].transfer <= 2);
}
