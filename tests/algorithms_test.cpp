// Every algorithm of the table, as a schedule: proved on contributor sets, counted, and held
// against what it is said to be.
#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "core/language/language.h"
#include "core/schedule/check.h"
#include "core/schedule/plan.h"
#include "core/schedule/schedule.h"
#include "tests/error_of.h"

using namespace ringscope;

namespace {

const std::vector<std::int32_t> all_ranks{1,  2,  3,  4,  5,  6,  7,  8,  9,  11,
                                          13, 15, 16, 17, 24, 31, 32, 33, 64, 65};

std::vector<std::uint64_t> counts_for(std::int32_t ranks) {
  const auto n = static_cast<std::uint64_t>(ranks);
  return {0, 1, 2, 3, n - 1, n, n + 1, 2 * n - 1, 101, 1009, 4095, 4096, 4097};
}

Schedule make(std::string_view name, ScheduleRequest request) {
  return algorithm_named(name).make(request);
}

std::vector<std::int32_t> backwards(std::int32_t ranks) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(ranks));
  std::iota(order.rbegin(), order.rend(), 0);
  return order;
}

// The request with everything that the algorithm has, other than the default.
ScheduleRequest unusual(const Algorithm& algorithm, std::int32_t ranks, std::int32_t slices) {
  ScheduleRequest request{.ranks = ranks, .count = 1009, .slices = slices};
  if (algorithm.has_order) request.order = backwards(ranks);
  if (algorithm.has_root) request.root = ranks / 2;
  if (algorithm.has_groups)
    for (std::int32_t left = ranks; left > 0; left -= request.groups.back())
      request.groups.push_back(std::min<std::int32_t>(
          left, 1 + static_cast<std::int32_t>(request.groups.size() * 3 % 5)));
  return request;
}

// Who sends to whom in a round, in list order; several chunks or slices once.
using Links = std::vector<std::pair<std::int32_t, std::int32_t>>;
Links links_of(const Schedule& schedule, std::int32_t round, std::int32_t chunk = -1) {
  Links links;
  for (const Transfer& transfer : schedule.transfers) {
    if (transfer.round != round) continue;
    if (chunk >= 0 && transfer.first_cell / schedule.slices != chunk) continue;
    if (links.empty() || links.back() != std::pair(transfer.src, transfer.dst))
      links.emplace_back(transfer.src, transfer.dst);
  }
  return links;
}

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

TEST_CASE(
    "every algorithm does what it claims, for any number of ranks and slices, without a cycle") {
  for (const Algorithm& algorithm : algorithms())
    for (const std::int32_t ranks : all_ranks)
      for (const std::int32_t slices : {1, 2, 3, 8}) {
        INFO(algorithm.name << " of " << ranks << ", slices " << slices);
        const ScheduleRequest usual{.ranks = ranks, .count = 1009, .slices = slices};
        const Schedule schedule = algorithm.make(usual);
        REQUIRE(schedule.algorithm == algorithm.name);
        REQUIRE(schedule.chunks == algorithm.chunks(usual));
        REQUIRE(check(schedule).empty());
        REQUIRE(is_acyclic(make_plan(schedule, true)));
        if (!algorithm.has_order && !algorithm.has_root && !algorithm.has_groups) continue;
        const Schedule other = algorithm.make(unusual(algorithm, ranks, slices));
        REQUIRE(check(other).empty());
        REQUIRE(is_acyclic(make_plan(other, true)));
        REQUIRE(other.order == unusual(algorithm, ranks, slices).order);
      }
}

TEST_CASE("a schedule's transfers are the same for any count, and cut the buffer without a gap") {
  for (const Algorithm& algorithm : algorithms())
    for (const std::int32_t ranks : all_ranks) {
      const Schedule first = algorithm.make({.ranks = ranks, .count = 7, .slices = 2});
      for (const std::uint64_t count : counts_for(ranks)) {
        INFO(algorithm.name << " of " << ranks << ", count " << count);
        Schedule schedule = algorithm.make({.ranks = ranks, .count = count, .slices = 2});
        std::uint64_t next = 0;
        for (std::int32_t cell = 0; cell < cells_per_rank(schedule); ++cell) {
          REQUIRE(cell_extent(schedule, cell).first == next);
          next += cell_extent(schedule, cell).count;
        }
        REQUIRE(next == count);
        REQUIRE(schedule.count == count);
        schedule.count = first.count;
        REQUIRE(schedule == first);
      }
    }
}

TEST_CASE("a cell's slice number never falls from round to round, and is one within a round") {
  for (const Algorithm& algorithm : algorithms())
    for (const std::int32_t ranks : {2, 3, 6, 8, 13})
      for (const std::int32_t slices : {1, 2, 3, 8}) {
        INFO(algorithm.name << " of " << ranks << ", slices " << slices);
        const Schedule schedule = algorithm.make({.ranks = ranks, .count = 99, .slices = slices});
        struct Turn {
          std::int32_t round = -1, slice = 0;
        };
        std::vector<Turn> turns(static_cast<std::size_t>(cells_per_rank(schedule)));
        for (const Transfer& transfer : schedule.transfers)
          for (std::int32_t i = 0; i < transfer.cell_count; ++i) {
            Turn& turn = turns[static_cast<std::size_t>(transfer.first_cell + i)];
            if (turn.round == transfer.round) REQUIRE(turn.slice == transfer.slice);
            REQUIRE(turn.slice <= transfer.slice);
            turn = {transfer.round, transfer.slice};
          }
      }
}

TEST_CASE("with one slice a step is one transfer, with more it is one a chunk and slice") {
  for (const Algorithm& algorithm : algorithms())
    for (const std::int32_t ranks : {2, 3, 6, 8}) {
      INFO(algorithm.name << " of " << ranks);
      const Schedule whole = algorithm.make({.ranks = ranks, .count = 99});
      const Schedule sliced = algorithm.make({.ranks = ranks, .count = 99, .slices = 3});
      std::size_t cells = 0;
      for (const Transfer& transfer : whole.transfers)
        cells += static_cast<std::size_t>(transfer.cell_count);
      REQUIRE(sliced.transfers.size() == 3 * cells);
      REQUIRE(traffic_by_rank(sliced) == traffic_by_rank(whole));
      for (std::int32_t round = 0; round < rounds_of(whole); ++round)
        REQUIRE(links_of(sliced, round) == links_of(whole, round));
    }
}

TEST_CASE("names, titles and phases of algorithms have words in both languages") {
  std::set<std::string_view> names;
  for (const Algorithm& algorithm : algorithms()) {
    REQUIRE(names.insert(algorithm.name).second);
    for (const std::string_view code : Language::codes()) {
      const Language& language = Language::named(code);
      REQUIRE(language.has("algorithm." + std::string(algorithm.name)));
      for (const Phase& phase : algorithm.make({.ranks = 6, .count = 6}).phases)
        REQUIRE(language.has("phase." + phase.id));
    }
  }
}

TEST_CASE("one rank alone has nothing to do in any algorithm") {
  for (const Algorithm& algorithm : algorithms()) {
    const Schedule schedule = algorithm.make({.ranks = 1, .count = 5, .slices = 2});
    REQUIRE(schedule.transfers.empty());
    REQUIRE(rounds_of(schedule) == 0);
  }
}

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

TEST_CASE("groups are fours if not said, and are read off a schedule") {
  using Groups = std::vector<std::int32_t>;
  const auto groups = [](std::int32_t ranks, Groups given = {}) {
    return groups_of(make("hierarchical", {.ranks = ranks, .count = 9, .groups = given}));
  };
  REQUIRE(groups(1) == Groups{1});
  REQUIRE(groups(4) == Groups{4});
  REQUIRE(groups(9) == Groups{4, 4, 1});
  REQUIRE(groups(4, {1, 1, 1, 1}) == Groups{1, 1, 1, 1});
  REQUIRE(groups(5, {1, 3, 1}) == Groups{1, 3, 1});
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

TEST_CASE("the root is read off the schedule, where the algorithm has one") {
  for (const Algorithm& row : algorithms())
    for (const std::int32_t ranks : {1, 2, 3, 8})
      for (const std::uint64_t count : {0u, 1u, 9u})
        for (std::int32_t root = 0; root < ranks; ++root) {
          ScheduleRequest request{.ranks = ranks, .count = count, .slices = 2};
          if (row.has_root) request.root = root;
          INFO(row.name << " of " << ranks << ", root " << root);
          const std::optional<std::int32_t> found = root_of(row.make(request));
          REQUIRE(found.has_value() == row.has_root);
          if (found) REQUIRE(*found == root);
        }
  Schedule foreign = make_reduce({.ranks = 3, .root = 2});
  foreign.algorithm = "of another program";
  REQUIRE(!root_of(foreign));
  REQUIRE(has_operator(foreign));
}

TEST_CASE("a request that makes no sense is refused by name, by every algorithm") {
  // Id and arguments of the error.
  const auto refusal = [](const Algorithm& algorithm, ScheduleRequest request) -> std::string {
    try {
      algorithm.make(request);
    } catch (const Error& error) {
      REQUIRE(error.blame() == Blame::usage);
      REQUIRE(error_of([&] { throw error; }) == error.message().id);
      return error.what();
    }
    return "";
  };
  const std::int32_t most = std::numeric_limits<std::int32_t>::max();
  for (const Algorithm& row : algorithms()) {
    INFO(row.name);
    for (const std::int32_t ranks : {0, -1, std::numeric_limits<std::int32_t>::min()})
      REQUIRE(refusal(row, {.ranks = ranks}) ==
              "error.ranks.too_few ranks=" + std::to_string(ranks));
    REQUIRE(refusal(row, {.ranks = 4, .slices = 0}) == "error.slices.too_few slices=0");
    for (const std::int32_t slices : {most / 2, most})
      REQUIRE(refusal(row, {.ranks = 8, .slices = slices}).starts_with("error.schedule.too_large"));
    const std::string name(row.name);
    if (row.has_order) {
      REQUIRE(refusal(row, {.ranks = 4, .order = {0, 1, 2}}) ==
              "error.order.length given=3 ranks=4");
      REQUIRE(refusal(row, {.ranks = 3, .order = {0, 1, 1}}) == "error.order.twice rank=1");
    } else {
      REQUIRE(refusal(row, {.ranks = 3, .order = {2, 1, 0}}) ==
              "error.option.unused option=order algorithm=" + name +
                  " known=ring, bidirectional, reduce-scatter, all-gather, reduce, broadcast");
    }
    if (row.has_root) {
      for (const std::int32_t root : {-1, 4})
        REQUIRE(refusal(row, {.ranks = 4, .root = root}) ==
                "error.root.no_such_rank root=" + std::to_string(root) + " ranks=4");
    } else {
      for (const std::int32_t root : {0, 1})
        REQUIRE(refusal(row, {.ranks = 4, .root = root}) ==
                "error.option.unused option=root algorithm=" + name +
                    " known=parameter-server, reduce, broadcast");
    }
    if (row.has_groups) {
      REQUIRE(refusal(row, {.ranks = 4, .groups = {3, 2}}) == "error.groups.sum given=5 ranks=4");
      REQUIRE(refusal(row, {.ranks = 4, .groups = {most, most}}).starts_with("error.groups.sum"));
      REQUIRE(refusal(row, {.ranks = 4, .groups = {4, 0}}) == "error.groups.too_small size=0");
    } else {
      REQUIRE(refusal(row, {.ranks = 4, .groups = {3, 1}}) ==
              "error.option.unused option=groups algorithm=" + name + " known=hierarchical");
    }
  }
}
