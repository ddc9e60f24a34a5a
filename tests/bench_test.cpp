#include "core/engine/bench.h"

#include <catch2/catch.hpp>

#include "core/schedule/schedule.h"
#include "tests/error_of.h"

using namespace ringscope;

TEST_CASE("the bench gives each algorithm and size with recording off and on, beside the limit") {
  BenchRequest request;
  request.algorithms = {"ring", "tree"};
  request.sizes = {0, 1024, 100'000};
  request.repeats = 3;
  double last = 0;
  request.progress = [&](double fraction) {
    REQUIRE(fraction >= last);
    REQUIRE(fraction < 1);
    last = fraction;
  };
  const BenchResult result = run_bench(request);
  REQUIRE(result.rows.size() == 12);
  REQUIRE(result.sizes.size() == 3);
  REQUIRE(result.event_seconds > 0);
  REQUIRE(result.event_seconds < 1e-3);
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const BenchRow& row = result.rows[i];
    REQUIRE(row.algorithm == request.algorithms[i / 2 % 2]);
    REQUIRE(row.ranks == 4);
    REQUIRE(row.bytes == request.sizes[i / 4]);
    REQUIRE(row.recording == (i % 2 == 1));
    REQUIRE(row.seconds > 0);
    REQUIRE(row.algbw == Approx(static_cast<double>(row.bytes) / row.seconds));
    REQUIRE(row.busbw == Approx(row.algbw * 1.5));
    REQUIRE((row.limit_share > 0) == (row.bytes > 0));
    REQUIRE(row.events == (row.algorithm == "ring" ? 24u : 6u));
    REQUIRE((row.event_share > 0) == row.recording);
  }
  for (const BenchSize& size : result.sizes) {
    REQUIRE(size.copies.fastest() <= size.copies.plain);
    REQUIRE(size.copies.fastest() <= size.copies.memcpy);
    REQUIRE(size.copies.fastest() <= size.copies.non_temporal);
  }
}

TEST_CASE("all algorithms are the whole table, and one rank has no share of a limit") {
  BenchRequest request;
  request.algorithms = {"all"};
  request.sizes = {1024};
  request.repeats = 1;
  request.ranks = 1;
  const BenchResult alone = run_bench(request);
  REQUIRE(alone.rows.size() == 2 * algorithms().size());
  for (const BenchRow& row : alone.rows) {
    REQUIRE(row.limit_share == 0);
    REQUIRE(row.busbw == 0);
  }
  request.ranks = 3;
  const BenchResult three = run_bench(request);
  for (std::size_t i = 0; i < three.rows.size(); ++i) {
    REQUIRE(three.rows[i].algorithm == algorithms()[i / 2].name);
    REQUIRE(three.rows[i].limit_share > 0);
    REQUIRE(three.rows[i].busbw > 0);
  }
}

TEST_CASE("a bench that makes no sense is refused, and one can be cancelled") {
  BenchRequest request;
  request.sizes = {1024};
  request.ranks = 0;
  REQUIRE(error_of([&] { run_bench(request); }) == "error.ranks.too_few");
  request.ranks = 2;
  request.repeats = 0;
  REQUIRE(error_of([&] { run_bench(request); }) == "error.repeats.too_few");
  request.repeats = 1;
  request.sizes = {std::uint64_t{1} << 50};
  REQUIRE(error_of([&] { run_bench(request); }) == "error.bench.memory");
  request.sizes = {3};
  REQUIRE(error_of([&] { run_bench(request); }) == "error.bench.size");
  request.algorithms = {"star"};
  request.sizes = {1024};
  REQUIRE(error_of([&] { run_bench(request); }) == "error.algorithm.unknown");
  request.algorithms = {"ring"};
  std::stop_source source;
  source.request_stop();
  request.sizes = {1024};
  request.stop = source.get_token();
  REQUIRE(error_of([&] { run_bench(request); }) == "error.run.cancelled");
}

TEST_CASE("every way of copying copies all bytes") {
  for (const std::size_t bytes : {0u, 1u, 63u, 64u, 1000u, 100'003u}) {
    std::vector<std::byte> source(bytes), destination(bytes + 1, std::byte{9});
    for (std::size_t i = 0; i < bytes; ++i) source[i] = static_cast<std::byte>(i * 7 + 1);
    const std::span<const std::byte> from = source;
    const std::span<std::byte> to = std::span(destination).first(bytes);
    const CopyTimes times = measure_copies({&from, 1}, {&to, 1});
    REQUIRE(times.fastest() >= std::chrono::nanoseconds{0});
    REQUIRE(std::equal(from.begin(), from.end(), to.begin()));
    REQUIRE(destination.back() == std::byte{9});
  }
}
