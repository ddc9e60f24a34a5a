// Every algorithm of the table, as a schedule: proved on contributor sets, counted, and held
// against what it is said to be.
#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <set>
#include <string>

#include "core/language/language.h"
#include "core/schedule/check.h"
#include "core/schedule/plan.h"
#include "core/schedule/schedule.h"
#include "tests/error_of.h"
#include "tests/made_schedules.h"

using namespace ringscope;

namespace {

std::vector<std::uint64_t> counts_for(std::int32_t ranks) {
  const auto n = static_cast<std::uint64_t>(ranks);
  return {0, 1, 2, 3, n - 1, n, n + 1, 2 * n - 1, 101, 1009, 4095, 4096, 4097};
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
