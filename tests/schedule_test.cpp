#include "core/schedule/schedule.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "core/error.h"
#include "core/schedule/check.h"

using namespace ringscope;

namespace {

Schedule ring(std::int32_t ranks, std::uint64_t count, std::int32_t slices = 1,
              std::vector<std::int32_t> order = {}) {
  return make_ring({ranks, count, slices, std::move(order)});
}

// The id of the error that is thrown for wrong usage; '' where none is.
template <class Body>
std::string refusal(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    REQUIRE(error.blame() == Blame::usage);
    return error.what();
  }
  return "";
}

std::uint64_t elements_of_chunk(const Schedule& schedule, std::int32_t chunk) {
  return chunk_extent(schedule, chunk % schedule.chunks).count;
}

}  // namespace

TEST_CASE("parts of a cut differ by at most one element and leave nothing out") {
  const std::uint64_t count = GENERATE(0u, 1u, 3u, 4u, 5u, 4097u, std::uint64_t{1} << 40, ~0ull);
  const std::int32_t parts = GENERATE(1, 2, 4, 7, 1024);
  std::uint64_t next = 0;
  for (std::int32_t j = 0; j < parts; ++j) {
    const Extent extent = cut(count, parts, j);
    REQUIRE(extent.first == next);
    REQUIRE(extent.count >= count / static_cast<std::uint64_t>(parts));
    REQUIRE(extent.count <= count / static_cast<std::uint64_t>(parts) + 1);
    next = extent.first + extent.count;
  }
  REQUIRE(next == count);
}

TEST_CASE("cells tile their chunk, chunks the buffer, and a transfer's run all of its cells") {
  const std::uint64_t count = GENERATE(0u, 1u, 5u, 100u, (std::uint64_t{1} << 33) + 3);
  const Schedule schedule = ring(4, count, GENERATE(1, 2, 3));
  std::uint64_t next = 0;
  for (std::int32_t cell = 0; cell < cells_per_rank(schedule); ++cell) {
    REQUIRE(cell_extent(schedule, cell).first == next);
    if (cell % schedule.slices == 0)
      REQUIRE(chunk_extent(schedule, cell / schedule.slices).first == next);
    next += cell_extent(schedule, cell).count;
  }
  REQUIRE(next == count);
  Transfer whole = schedule.transfers[0];
  whole.first_cell = 0;
  whole.cell_count = cells_per_rank(schedule);
  REQUIRE(transfer_extent(schedule, whole) == Extent{0, count});
}

TEST_CASE("a ring has 2(N-1) rounds of N steps, each to the next in its order") {
  const std::int32_t ranks = GENERATE(1, 2, 3, 4, 8, 33);
  const std::int32_t slices = GENERATE(1, 3);
  std::vector<std::int32_t> order(static_cast<std::size_t>(ranks));
  std::iota(order.rbegin(), order.rend(), 0);
  const Schedule schedule = ring(ranks, 1000, slices, order);
  REQUIRE(rounds_of(schedule) == 2 * (ranks - 1));
  REQUIRE(cells_per_rank(schedule) == ranks * slices);
  REQUIRE(schedule.transfers.size() ==
          static_cast<std::size_t>(2 * (ranks - 1) * ranks) * static_cast<std::size_t>(slices));
  const std::vector<std::uint32_t> starts = round_starts(schedule);
  REQUIRE(starts.size() == static_cast<std::size_t>(2 * (ranks - 1)) + 1);
  for (std::size_t round = 0; round + 1 < starts.size(); ++round)
    REQUIRE(starts[round + 1] - starts[round] == static_cast<std::uint32_t>(ranks * slices));
  for (const Transfer& transfer : schedule.transfers) {
    REQUIRE(transfer.dst == (transfer.src + ranks - 1) % ranks);
    REQUIRE(transfer.cell_count == 1);
    REQUIRE(transfer.slice == transfer.first_cell % slices);
    REQUIRE(transfer.action == (transfer.round < ranks - 1 ? Action::reduce : Action::copy));
  }
  REQUIRE(check(schedule).empty());
}

TEST_CASE("a ring is right for any count, order and number of slices") {
  const std::int32_t ranks = GENERATE(1, 2, 3, 4, 8, 33);
  const std::uint64_t count = GENERATE(0u, 1u, 2u, 31u, 1000u, (std::uint64_t{1} << 33) + 5);
  const std::int32_t slices = GENERATE(1, 2, 5);
  std::vector<std::int32_t> order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), 0);
  std::rotate(order.begin(), order.begin() + ranks / 2, order.end());
  std::reverse(order.begin(), order.begin() + ranks / 2);
  REQUIRE(check(ring(ranks, count, slices, order)).empty());
  REQUIRE(ring(ranks, count, slices, order).order == order);
}

TEST_CASE("chunk j starts in place j and ends complete one place before it") {
  const std::int32_t ranks = GENERATE(2, 3, 4, 8, 33);
  std::vector<std::int32_t> order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order.front(), order.back());
  const Schedule schedule = ring(ranks, 99, 1, order);
  for (const Transfer& transfer : schedule.transfers) {
    const std::int32_t chunk = transfer.first_cell;
    const auto place = [&](std::int32_t j) {
      return order[static_cast<std::size_t>((j + ranks) % ranks)];
    };
    if (transfer.round == 0) REQUIRE(transfer.src == place(chunk));
    if (transfer.round == ranks - 2) REQUIRE(transfer.dst == place(chunk - 1));
    if (transfer.round == ranks - 1) REQUIRE(transfer.src == place(chunk - 1));
  }
}

TEST_CASE("every rank of a ring sends 2(N-1)/N of the data, all together 2(N-1) times it") {
  const std::int32_t ranks = GENERATE(1, 2, 3, 4, 8, 33);
  const std::uint64_t count = GENERATE(0u, 1u, 7u, 1000u, 33u * 24u, (std::uint64_t{1} << 33) + 5);
  const Schedule schedule = ring(ranks, count, GENERATE(1, 4));
  const std::vector<Traffic> traffic = traffic_by_rank(schedule);
  const auto n = static_cast<std::uint64_t>(ranks);
  std::uint64_t sent = 0, received = 0;
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    const Traffic& own = traffic[static_cast<std::size_t>(rank)];
    sent += own.sent;
    received += own.received;
    if (count % n == 0)
      REQUIRE(own == Traffic{2 * (n - 1) * (count / n), 2 * (n - 1) * (count / n)});
    // The uneven row: all chunks twice but for the two that the rank does not send or receive.
    if (ranks == 1) continue;
    REQUIRE(own.sent == 2 * count - elements_of_chunk(schedule, rank + 1) -
                            elements_of_chunk(schedule, rank + 2));
    REQUIRE(own.received ==
            2 * count - elements_of_chunk(schedule, rank) - elements_of_chunk(schedule, rank + 1));
  }
  REQUIRE(sent == 2 * (n - 1) * count);
  REQUIRE(received == sent);
}

TEST_CASE("one rank alone has two phases of no round, and nothing to send") {
  const Schedule schedule = ring(1, 5, 2);
  REQUIRE(schedule.transfers.empty());
  REQUIRE(rounds_of(schedule) == 0);
  REQUIRE(round_starts(schedule) == std::vector<std::uint32_t>{0});
  REQUIRE(round_named(schedule, "0") == -1);
  REQUIRE(round_name(schedule, -1) == "0");
  REQUIRE(traffic_by_rank(schedule) == std::vector<Traffic>{{0, 0}});
}

TEST_CASE("an order that is no permutation of the ranks is refused by name") {
  REQUIRE(refusal([] { ring(4, 4, 1, {0, 1, 2}); }) == "error.order.length given=3 ranks=4");
  REQUIRE(refusal([] { ring(4, 4, 1, {0, 1, 2, 3, 3}); }) == "error.order.length given=5 ranks=4");
  REQUIRE(refusal([] {
            ring(4, 4, 1, {0, 1, 2, 4});
          }) == "error.order.no_such_rank rank=4 ranks=4");
  REQUIRE(refusal([] {
            ring(4, 4, 1, {0, 1, -2, 3});
          }) == "error.order.no_such_rank rank=-2 ranks=4");
  REQUIRE(refusal([] { ring(4, 4, 1, {0, 2, 2, 3}); }) == "error.order.twice rank=2");
}

TEST_CASE("a request that makes no sense is refused by name") {
  REQUIRE(refusal([] { ring(0, 4); }) == "error.ranks.too_few ranks=0");
  REQUIRE(refusal([] { ring(-1, 4); }) == "error.ranks.too_few ranks=-1");
  REQUIRE(refusal([] { ring(4, 4, 0); }) == "error.slices.too_few slices=0");
  REQUIRE(refusal([] { ring(40000, 4); }).starts_with("error.schedule.too_large"));
  REQUIRE(refusal([] { ring(1, 4, 2147483647); }) == "");
  REQUIRE(refusal([] { ring(2147483647, 4, 2147483647); }).starts_with("error.schedule.too_large"));
}

TEST_CASE("rounds are named by phase and round, both from 1, and 0 is the start") {
  const Schedule schedule = ring(4, 4);
  const std::vector<std::string> names{"0", "1.1", "1.2", "1.3", "2.1", "2.2", "2.3"};
  for (std::int32_t round = -1; round < rounds_of(schedule); ++round) {
    REQUIRE(round_name(schedule, round) == names[static_cast<std::size_t>(round + 1)]);
    REQUIRE(round_named(schedule, names[static_cast<std::size_t>(round + 1)]) == round);
  }
  REQUIRE(phase_of(schedule, 2) == 0);
  REQUIRE(phase_of(schedule, 3) == 1);
  for (const std::string name : {"", "1", "1.", ".1", "1.0", "1.4", "3.1", "0.1", "1.1x", "-1.1",
                                 "1.1.1", "99999999999.1", " 1.1", "all"})
    REQUIRE(refusal([&] { round_named(schedule, name); }) ==
            "error.round.unknown round=" + name + " known=0, 1.1..1.3, 2.1..2.3");
}

TEST_CASE("the table of algorithms is asked by name") {
  const Algorithm& row = algorithm_named("ring");
  REQUIRE(row.make({3, 6, 1, {}}) == ring(3, 6));
  REQUIRE(row.chunks({.ranks = 3}) == 3);
  REQUIRE(refusal([] { algorithm_named("Ring"); }) ==
          "error.algorithm.unknown name=Ring known=ring, bidirectional, parameter-server, tree, "
          "double-tree, recursive-doubling, halving-doubling, hierarchical, reduce-scatter, "
          "all-gather, reduce, broadcast");
  for (const Algorithm& algorithm : algorithms())
    for (const std::int32_t ranks : {1, 2, 4, 8}) {
      const Schedule schedule = algorithm.make({ranks, 64, 1, {}});
      REQUIRE(schedule.algorithm == algorithm.name);
      REQUIRE(schedule.chunks == algorithm.chunks({.ranks = ranks}));
      REQUIRE(check(schedule).empty());
    }
}
