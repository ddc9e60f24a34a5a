#include "core/trace/trace.h"

#include <catch2/catch.hpp>

using namespace ringscope;

namespace {

Trace trace_of(Schedule schedule, std::int64_t nanoseconds, ElementType type = ElementType::f32) {
  Trace trace;
  trace.schedule = std::move(schedule);
  trace.run.type = type;
  trace.nanoseconds = nanoseconds;
  return trace;
}

std::uint64_t bytes_kept(const Schedule& schedule, ElementType type, Kept kept) {
  const ValueLayout layout(schedule, type, kept);
  return 2 * static_cast<std::uint64_t>(schedule.ranks) * layout.rank_bytes() +
         layout.landed_bytes();
}

// One transfer of all cells from rank 0 to each other rank: a schedule whose kept bytes are easy to
// choose.
Schedule star(std::int32_t ranks, std::int32_t cells, std::uint64_t count) {
  Schedule schedule;
  schedule.algorithm = "star";
  schedule.ranks = ranks;
  schedule.chunks = cells;
  schedule.count = count;
  schedule.phases = {{"broadcast", 0, 1}};
  const auto places = static_cast<std::size_t>(ranks) * static_cast<std::size_t>(cells);
  schedule.initial.assign(places, nothing);
  for (std::int32_t i = 0; i < cells; ++i) schedule.initial[static_cast<std::size_t>(i)] = 0;
  schedule.goal.assign(places, everyone);
  for (std::int32_t rank = 1; rank < ranks; ++rank)
    schedule.transfers.push_back({0, rank, 0, cells, 0, 0, Action::copy});
  return schedule;
}

}  // namespace

TEST_CASE("the layout of values follows the cells, one after the other") {
  const std::int32_t ranks = GENERATE(1, 2, 4, 7);
  const std::uint64_t count = GENERATE(0u, 1u, 3u, 10u, 1000u);
  const std::int32_t slices = GENERATE(1, 3);
  const Kept kept = GENERATE(Kept::whole, Kept::first_eight, Kept::first_one);
  const Schedule schedule = make_ring({ranks, count, slices, {}});
  const ValueLayout layout(schedule, ElementType::i32, kept);
  REQUIRE(layout.element_bytes == 4);
  REQUIRE(layout.kept_elements.size() == static_cast<std::size_t>(cells_per_rank(schedule)));
  std::uint64_t next = 0;
  const std::uint64_t most = kept == Kept::whole ? count : kept == Kept::first_eight ? 8 : 1;
  for (std::int32_t cell = 0; cell < cells_per_rank(schedule); ++cell) {
    const auto at = static_cast<std::size_t>(cell);
    REQUIRE(layout.kept_elements[at] == std::min(cell_extent(schedule, cell).count, most));
    REQUIRE(layout.cell_offsets[at] == next);
    next += 4 * layout.kept_elements[at];
  }
  REQUIRE(layout.rank_bytes() == next);
  next = 0;
  for (std::size_t i = 0; i < schedule.transfers.size(); ++i) {
    REQUIRE(layout.landed_offsets[i] == next);
    next += 4 * layout.kept_elements[static_cast<std::size_t>(schedule.transfers[i].first_cell)];
  }
  REQUIRE(layout.landed_bytes() == next);
}

TEST_CASE("a transfer of several cells has room for the kept elements of each") {
  const Schedule schedule = star(3, 5, 23);
  const ValueLayout layout(schedule, ElementType::f64, Kept::whole);
  REQUIRE(layout.rank_bytes() == 23 * 8);
  REQUIRE(layout.landed_offsets == std::vector<std::uint64_t>{0, 23 * 8, 2 * 23 * 8});
}

TEST_CASE("where only the ends are kept no transfer has a value") {
  const Schedule schedule = make_ring({4, 100, 1, {}});
  const ValueLayout layout(schedule, ElementType::f32, Kept::ends_only);
  REQUIRE(layout.rank_bytes() == 4 * 4);
  REQUIRE(layout.landed_bytes() == 0);
  REQUIRE(layout.landed_offsets.size() == schedule.transfers.size() + 1);
}

TEST_CASE("cells of up to 64 elements are kept whole, larger ones by their first eight") {
  REQUIRE(kept_for(make_ring({4, 0, 1, {}}), ElementType::f32) == Kept::whole);
  REQUIRE(kept_for(make_ring({1, 64, 1, {}}), ElementType::f32) == Kept::whole);
  REQUIRE(kept_for(make_ring({1, 65, 1, {}}), ElementType::f32) == Kept::first_eight);
  REQUIRE(kept_for(make_ring({4, 256, 1, {}}), ElementType::f32) == Kept::whole);
  REQUIRE(kept_for(make_ring({4, 257, 1, {}}), ElementType::f32) == Kept::first_eight);
  REQUIRE(kept_for(make_ring({4, 512, 2, {}}), ElementType::f32) == Kept::whole);
  REQUIRE(kept_for(make_ring({4, 513, 2, {}}), ElementType::f32) == Kept::first_eight);
  const std::uint64_t huge = std::uint64_t{1} << 40;
  REQUIRE(kept_for(make_ring({4, huge, 1, {}}), ElementType::f64) == Kept::first_eight);
}

TEST_CASE("64 MiB of values are kept, and not a byte more") {
  constexpr std::uint64_t most = 64u << 20;
  SECTION("whole, then the first of each cell") {
    // 2 ranks, 5 shares of the buffer: two inputs, two results, one landing. 5 does not divide
    // 64 MiB.
    const std::uint64_t fits = most / 5;
    const auto cells = static_cast<std::int32_t>(fits / 64 + 1);
    REQUIRE(bytes_kept(star(2, cells, fits), ElementType::u8, Kept::whole) == most - most % 5);
    REQUIRE(kept_for(star(2, cells, fits), ElementType::u8) == Kept::whole);
    REQUIRE(kept_for(star(2, cells, fits + 1), ElementType::u8) == Kept::first_one);
  }
  SECTION("the first eight, then the first") {
    // 8 bytes a cell, five times: 64 MiB hold 1677721 such cells.
    const std::int32_t cells = 1677721;
    const std::uint64_t count = 65 * std::uint64_t{cells};
    REQUIRE(kept_for(star(2, cells, count), ElementType::u8) == Kept::first_eight);
    REQUIRE(kept_for(star(2, cells + 1, count + 65), ElementType::u8) == Kept::first_one);
  }
  SECTION("exactly 64 MiB still fit; the first, then inputs and results only") {
    // 8 shares (three inputs, three results, two landings) of 2^20 elements of 8 bytes.
    const std::int32_t cells = 1 << 20;
    REQUIRE(bytes_kept(star(3, cells, 1 << 20), ElementType::f64, Kept::first_one) == most);
    REQUIRE(kept_for(star(3, cells, 1 << 20), ElementType::f64) == Kept::whole);
    REQUIRE(kept_for(star(3, cells, 1 << 21), ElementType::f64) == Kept::first_one);
    REQUIRE(kept_for(star(3, cells + 1, (1 << 20) + 1), ElementType::f64) == Kept::ends_only);
  }
}

TEST_CASE("bandwidths are 0 where there is nothing to divide") {
  REQUIRE(algbw(trace_of(make_ring({4, 0, 1, {}}), 1000)) == 0);
  REQUIRE(algbw(trace_of(make_ring({4, 16, 1, {}}), 0)) == 0);
  REQUIRE(busbw(trace_of(make_ring({4, 0, 1, {}}), 0)) == 0);
  const Trace alone = trace_of(make_ring({1, 16, 1, {}}), 100);
  REQUIRE(algbw(alone) == 64 * 1e9 / 100);
  REQUIRE(busbw(alone) == 0);
}

TEST_CASE("algbw is the user's bytes by the time, busbw that times the collective's factor") {
  const Trace trace = trace_of(make_ring({4, 1024, 1, {}}), 2000, ElementType::f64);
  REQUIRE(buffer_bytes(trace) == 8192);
  REQUIRE(algbw(trace) == Approx(8192 / 2e-6));
  REQUIRE(busbw(trace) == Approx(8192 / 2e-6 * 1.5));
}

TEST_CASE("the factor of busbw is the collective's, as nccl-tests defines it") {
  const std::int32_t n = GENERATE(2, 4, 5);
  const auto ranks = static_cast<std::size_t>(n);
  Schedule schedule = make_ring({n, 20, 1, {}});
  const double shares = double(n - 1) / n;
  REQUIRE(busbw_factor(schedule) == 2 * (n - 1) / double(n));
  SECTION("reduce-scatter: each chunk is wanted by another rank") {
    schedule.goal.assign(ranks * ranks, do_not_care);
    for (std::size_t i = 0; i < ranks; ++i) schedule.goal[i * ranks + i] = everyone;
    REQUIRE(busbw_factor(schedule) == shares);
  }
  SECTION("all-gather: each chunk is held by another rank") {
    schedule.initial.assign(ranks * ranks, nothing);
    for (std::size_t i = 0; i < ranks; ++i)
      schedule.initial[i * ranks + i] = static_cast<std::int32_t>(i);
    REQUIRE(busbw_factor(schedule) == shares);
  }
  SECTION("reduce: one rank wants all chunks") {
    for (std::size_t i = ranks; i < ranks * ranks; ++i) schedule.goal[i] = do_not_care;
    REQUIRE(busbw_factor(schedule) == 1);
  }
  SECTION("broadcast: one rank holds all chunks") { REQUIRE(busbw_factor(star(n, 3, 9)) == 1); }
}
