// What each algorithm is: who sends what to whom, as it is drawn in books.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>

#include "core/schedule/check.h"
#include "core/schedule/plan.h"
#include "tests/made_schedules.h"

using namespace ringscope;

namespace {

// Parents of the tree over which a chunk is reduced; -1 at the root.
std::vector<std::int32_t> parents_of(const Schedule& schedule, std::int32_t chunk) {
  std::vector<std::int32_t> parents(static_cast<std::size_t>(schedule.ranks), -1);
  for (const Transfer& transfer : schedule.transfers)
    if (transfer.action == Action::reduce && transfer.first_cell / schedule.slices == chunk)
      parents[static_cast<std::size_t>(transfer.src)] = transfer.dst;
  return parents;
}

std::set<std::int32_t> leaves_of(const std::vector<std::int32_t>& parents) {
  std::set<std::int32_t> leaves;
  for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(parents.size()); ++rank)
    if (std::count(parents.begin(), parents.end(), rank) == 0) leaves.insert(rank);
  return leaves;
}

// The time that the plan takes where every lane takes 1 to receive a whole buffer, and nothing else
// costs anything.
double time_of(const Schedule& schedule, const Plan& plan) {
  std::vector<double> ends(plan.parts.size(), -1);
  std::vector<double> times(static_cast<std::size_t>(plan.lanes), 0);
  std::vector<std::uint32_t> next(plan.lane_starts.begin(), plan.lane_starts.end() - 1);
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t lane = 0; lane < next.size(); ++lane)
      while (next[lane] < plan.lane_starts[lane + 1]) {
        double begin = times[lane];
        bool ready = true;
        for (const std::uint32_t part : plan.depends_of(next[lane])) {
          ready = ready && ends[part] >= 0;
          begin = std::max(begin, ends[part]);
        }
        if (!ready) break;
        const Part& part = plan.parts[next[lane]];
        const double cells = schedule.transfers[part.transfer].cell_count;
        const bool moves = part.kind != PartKind::finish;
        times[lane] = begin + (moves ? cells / cells_per_rank(schedule) : 0);
        ends[next[lane]++] = times[lane];
        progress = true;
      }
  }
  return *std::max_element(times.begin(), times.end());
}

double time_of(std::string_view name, std::int32_t ranks, std::int32_t slices) {
  const Schedule schedule = make(name, {.ranks = ranks, .count = 1, .slices = slices});
  return time_of(schedule, make_plan(schedule));
}

}  // namespace

TEST_CASE("a bidirectional ring sends half each way at the same time") {
  const std::int32_t ranks = GENERATE(3, 4, 5, 8);
  const Schedule schedule =
      make("bidirectional", {.ranks = ranks, .count = 2 * static_cast<std::uint64_t>(ranks)});
  for (std::int32_t round = 0; round < rounds_of(schedule); ++round) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::uint64_t> links;
    for (const Transfer& transfer : schedule.transfers)
      if (transfer.round == round)
        links[{transfer.src, transfer.dst}] += transfer_extent(schedule, transfer).count;
    REQUIRE(links.size() == static_cast<std::size_t>(2 * ranks));
    for (const auto& [link, elements] : links) {
      REQUIRE(elements == 1);
      REQUIRE(((link.first + 1) % ranks == link.second || (link.second + 1) % ranks == link.first));
    }
  }
}

TEST_CASE("chunk N+j of a bidirectional ring starts in place j and ends one place after it") {
  const std::vector<std::int32_t> order{2, 0, 3, 1};
  const Schedule schedule = make("bidirectional", {.ranks = 4, .count = 8, .order = order});
  for (const Transfer& transfer : schedule.transfers) {
    const auto place = [&](std::int32_t j) { return order[static_cast<std::size_t>((j + 4) % 4)]; };
    const std::int32_t chunk = transfer.first_cell, start = chunk % 4;
    const std::int32_t end = chunk < 4 ? start - 1 : start + 1;
    if (transfer.round == 0) REQUIRE(transfer.src == place(start));
    if (transfer.round == 2) REQUIRE(transfer.dst == place(end));
    if (transfer.round == 3) REQUIRE(transfer.src == place(end));
  }
}

TEST_CASE("a parameter server adds all ranks in their order and sends the sum to all") {
  const std::int32_t root = GENERATE(0, 2, 4);
  const Schedule schedule = make("parameter-server", {.ranks = 5, .count = 5, .root = root});
  Links in, out;
  for (std::int32_t rank = 0; rank < 5; ++rank) {
    if (rank == root) continue;
    in.emplace_back(rank, root);
    out.emplace_back(root, rank);
  }
  REQUIRE(rounds_of(schedule) == 2);
  REQUIRE(links_of(schedule, 0) == in);
  REQUIRE(links_of(schedule, 1) == out);
  REQUIRE(algorithm_named("parameter-server").one_slice);
}

TEST_CASE("a tree of seven goes up level by level and down the same links") {
  const Schedule schedule = make("tree", {.ranks = 7, .count = 7, .slices = 2});
  REQUIRE(rounds_of(schedule) == 4);
  REQUIRE(links_of(schedule, 0) == Links{{3, 1}, {4, 1}, {5, 2}, {6, 2}});
  REQUIRE(links_of(schedule, 1) == Links{{1, 0}, {2, 0}});
  REQUIRE(links_of(schedule, 2) == Links{{0, 1}, {0, 2}});
  REQUIRE(links_of(schedule, 3) == Links{{1, 3}, {1, 4}, {2, 5}, {2, 6}});
}

TEST_CASE("a double tree is the one that NCCL builds") {
  // The pictures in NCCL's graph/trees.cc, as parents by rank.
  using Parents = std::vector<std::int32_t>;
  const Schedule of_14 = make("double-tree", {.ranks = 14, .count = 14});
  REQUIRE(parents_of(of_14, 0) == Parents{-1, 2, 4, 2, 8, 6, 4, 6, 0, 10, 12, 10, 8, 12});
  const Schedule of_12 = make("double-tree", {.ranks = 12, .count = 12});
  REQUIRE(parents_of(of_12, 0) == Parents{-1, 2, 4, 2, 8, 6, 4, 6, 0, 10, 8, 10});
  REQUIRE(parents_of(of_12, 1) == Parents{1, 3, 1, 11, 5, 7, 5, 3, 9, 7, 9, -1});
  const Schedule of_13 = make("double-tree", {.ranks = 13, .count = 13});
  REQUIRE(parents_of(of_13, 0) == Parents{-1, 2, 4, 2, 8, 6, 4, 6, 0, 10, 12, 10, 8});
  REQUIRE(parents_of(of_13, 1) == Parents{9, -1, 3, 5, 3, 9, 7, 5, 7, 1, 11, 0, 11});
}

TEST_CASE("of an even number every rank is a leaf of one of two trees, of an odd all but rank 0") {
  for (const std::int32_t ranks : all_ranks) {
    if (ranks < 2) continue;
    INFO(ranks);
    const Schedule schedule = make("double-tree", {.ranks = ranks, .count = 64});
    std::set<std::int32_t> leaves = leaves_of(parents_of(schedule, 0));
    leaves.merge(leaves_of(parents_of(schedule, 1)));
    std::set<std::int32_t> expected;
    for (std::int32_t rank = ranks % 2; rank < ranks; ++rank) expected.insert(rank);
    REQUIRE(leaves == expected);
  }
}

TEST_CASE("recursive doubling goes through the dimensions of a hypercube") {
  const Schedule schedule = make("recursive-doubling", {.ranks = 8, .count = 8});
  REQUIRE(rounds_of(schedule) == 3);
  for (const Transfer& transfer : schedule.transfers) {
    REQUIRE(transfer.dst == (transfer.src ^ (1 << transfer.round)));
    REQUIRE(transfer.action == Action::reduce);
  }
  for (const Part& part : make_plan(schedule).parts) REQUIRE(part.kind != PartKind::fused);
}

TEST_CASE("ranks beyond a power of two fold in first and out last") {
  const std::string_view name = GENERATE("recursive-doubling", "halving-doubling");
  const Schedule schedule = make(name, {.ranks = 6, .count = 12});
  const std::int32_t last = rounds_of(schedule) - 1;
  REQUIRE(schedule.phases.front().id == "fold-in");
  REQUIRE(schedule.phases.back().id == "fold-out");
  REQUIRE(links_of(schedule, 0) == Links{{0, 1}, {2, 3}});
  REQUIRE(links_of(schedule, last) == Links{{1, 0}, {3, 2}});
  for (const Transfer& transfer : schedule.transfers)
    if (transfer.round > 0 && transfer.round < last)
      for (const std::int32_t rank : {transfer.src, transfer.dst})
        REQUIRE((rank == 1 || rank == 3 || rank == 4 || rank == 5));
  REQUIRE(make(name, {.ranks = 8, .count = 8}).phases.front().id != "fold-in");
}

TEST_CASE("halving-doubling sends one run a round, half as long each time, and back") {
  const Schedule schedule = make("halving-doubling", {.ranks = 16, .count = 16});
  const std::vector<std::int32_t> sizes{8, 4, 2, 1, 1, 2, 4, 8};
  REQUIRE(schedule.transfers.size() == 16 * sizes.size());
  for (const Transfer& transfer : schedule.transfers) {
    const auto round = static_cast<std::size_t>(transfer.round);
    REQUIRE(transfer.cell_count == sizes[round]);
    REQUIRE(transfer.first_cell % sizes[round] == 0);
    REQUIRE((transfer.src ^ transfer.dst) == sizes[round]);
    const std::int32_t keeper = round < 4 ? transfer.dst : transfer.src;
    REQUIRE(transfer.first_cell / sizes[round] == keeper / sizes[round]);
  }
}

TEST_CASE("only the leaders of a hierarchy talk from group to group") {
  const Schedule schedule = make("hierarchical", {.ranks = 6, .count = 6, .groups = {3, 1, 2}});
  REQUIRE(schedule.chunks == 3);
  REQUIRE(rounds_of(schedule) == 6);
  REQUIRE(links_of(schedule, 0) == Links{{1, 0}, {2, 0}, {5, 4}});
  for (std::int32_t round = 1; round <= 4; ++round)
    REQUIRE(links_of(schedule, round) == Links{{0, 3}, {3, 4}, {4, 0}});
  REQUIRE(links_of(schedule, 5) == Links{{0, 1}, {0, 2}, {4, 5}});
  REQUIRE(groups_of(schedule) == std::vector<std::int32_t>{3, 1, 2});
}

TEST_CASE("a reduce-scatter leaves chunk r at rank r, and an all-gather takes it from there") {
  const std::int32_t ranks = GENERATE(1, 2, 3, 4, 7, 16);
  const ScheduleRequest request{
      .ranks = ranks, .count = 50, .slices = 2, .order = backwards(ranks)};
  const Schedule scatter = make("reduce-scatter", request), gather = make("all-gather", request);
  for (std::int32_t rank = 0; rank < ranks; ++rank)
    for (std::int32_t chunk = 0; chunk < ranks; ++chunk) {
      const auto i = static_cast<std::size_t>(rank * ranks + chunk);
      REQUIRE(scatter.initial[i] == rank);
      REQUIRE(scatter.goal[i] == (rank == chunk ? everyone : do_not_care));
      REQUIRE(gather.initial[i] == (rank == chunk ? rank : nothing));
      REQUIRE(gather.goal[i] == everyone);
    }
  // One after the other they are an all-reduce, with the traffic of the ring.
  Schedule both = scatter;
  both.goal = gather.goal;
  for (Phase phase : gather.phases) {
    phase.first_round += ranks - 1;
    both.phases.push_back(phase);
  }
  for (Transfer transfer : gather.transfers) {
    transfer.round += ranks - 1;
    both.transfers.push_back(transfer);
  }
  REQUIRE(check(both).empty());
  std::uint64_t sent = 0;
  for (const Traffic& rank : traffic_by_rank(both)) sent += rank.sent;
  REQUIRE(sent == 2 * static_cast<std::uint64_t>(ranks - 1) * 50);
}

TEST_CASE("a reduce ends at its root, a broadcast begins there, both along the ring") {
  const ScheduleRequest request{.ranks = 4, .count = 4, .order = {0, 2, 1, 3}, .root = 1};
  const Schedule reduce = make("reduce", request), broadcast = make("broadcast", request);
  const Links up{{3, 0}, {0, 2}, {2, 1}}, down{{1, 3}, {3, 0}, {0, 2}};
  for (std::int32_t round = 0; round < 3; ++round) {
    REQUIRE(links_of(reduce, round) == Links{up[static_cast<std::size_t>(round)]});
    REQUIRE(links_of(broadcast, round) == Links{down[static_cast<std::size_t>(round)]});
  }
  REQUIRE(reduce.goal == std::vector<std::int32_t>{-2, everyone, -2, -2});
  REQUIRE(broadcast.initial == std::vector<std::int32_t>{nothing, 1, nothing, nothing});
}

TEST_CASE("slices take the depth out of the time of trees and chains") {
  // In buffers received one after the other (FACTS, 3): a parent takes its two children in turn, so
  // a full binary tree takes 2 log2 N up and log2 N down; with slices it takes 3, a double tree 2.
  REQUIRE(time_of("tree", 15, 1) == Approx(9));
  REQUIRE(time_of("tree", 15, 64) < 3.1);
  REQUIRE(time_of("tree", 31, 64) < 3.2);
  REQUIRE(time_of("double-tree", 15, 1) > 5);
  REQUIRE(time_of("double-tree", 15, 64) < 2.1);
  REQUIRE(time_of("double-tree", 31, 64) < 2.2);
  REQUIRE(time_of("broadcast", 16, 1) == Approx(15));
  REQUIRE(time_of("broadcast", 16, 64) < 1.3);
  REQUIRE(time_of("reduce", 16, 64) < 1.3);
  REQUIRE(time_of("ring", 16, 8) == Approx(1.875));
  REQUIRE(time_of("halving-doubling", 16, 8) == Approx(1.875));
}
