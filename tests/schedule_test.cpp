#include "core/schedule/schedule.h"

#include <catch2/catch.hpp>

using namespace ringscope;

TEST_CASE("parts of a cut differ by at most one element and leave nothing out") {
  const std::uint64_t count = GENERATE(0u, 1u, 3u, 4u, 5u, 4097u, std::uint64_t{1} << 40);
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
