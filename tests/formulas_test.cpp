#include "core/schedule/formulas.h"

#include <catch2/catch.hpp>
#include <string>

#include "core/language/language.h"

using namespace ringscope;

namespace {

// A count that every algorithm's chunks divide, and slices do not.
constexpr std::uint64_t even = 33 * 32 * 31 * 30 * 29 * 28;

std::uint64_t count_for(std::int32_t chunks) { return 6 * static_cast<std::uint64_t>(chunks); }

}  // namespace

TEST_CASE("counts are what the formulas say, for any number of ranks") {
  for (const Algorithm& algorithm : algorithms())
    for (std::int32_t ranks = 1; ranks <= 33; ++ranks) {
      INFO(algorithm.name << " of " << ranks);
      const std::uint64_t count = count_for(algorithm.chunks({.ranks = ranks}));
      const Counts counts = counts_of(algorithm.make({.ranks = ranks, .count = count}));
      const Formula formula = formula_of(algorithm.name, ranks).value();
      REQUIRE(counts.rounds == formula.rounds);
      REQUIRE(counts.sent.most == formula.busiest.of(count));
      REQUIRE(counts.received.most == formula.busiest.of(count));
      REQUIRE(counts.busiest_link == formula.link.of(count));
      REQUIRE(counts.total == formula.total.of(count));
    }
}

TEST_CASE("rounds and totals are what the formulas say for any count, slices or not") {
  for (const Algorithm& algorithm : algorithms())
    for (std::int32_t ranks = 1; ranks <= 33; ++ranks) {
      const auto n = static_cast<std::uint64_t>(ranks);
      const Formula formula = formula_of(algorithm.name, ranks).value();
      Schedule schedule = algorithm.make({.ranks = ranks, .count = 0, .slices = 1 + ranks % 3});
      for (const std::uint64_t count :
           {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, n - 1, n, n + 1,
            2 * n - 1, std::uint64_t{101}, std::uint64_t{4095}, std::uint64_t{4096},
            std::uint64_t{4097}}) {
        INFO(algorithm.name << " of " << ranks << ", count " << count);
        schedule.count = count;
        const Counts counts = counts_of(schedule);
        REQUIRE(counts.rounds == formula.rounds);
        REQUIRE(counts.total == formula.total.of(count));
      }
    }
}

TEST_CASE("a hierarchy's counts are what its formula says for unequal groups") {
  using Groups = std::vector<std::int32_t>;
  const Groups groups = GENERATE(Groups{1}, Groups{3, 1}, Groups{1, 1, 1}, Groups{2, 5, 1},
                                 Groups{1, 1, 7}, Groups{8, 8, 8, 8, 1});
  std::int32_t ranks = 0;
  for (const std::int32_t size : groups) ranks += size;
  const std::uint64_t count = count_for(static_cast<std::int32_t>(groups.size()));
  const Counts counts =
      counts_of(make_hierarchical({.ranks = ranks, .count = count, .groups = groups}));
  const Formula formula = formula_of("hierarchical", ranks, groups).value();
  REQUIRE(counts.rounds == formula.rounds);
  REQUIRE(counts.sent.most == formula.busiest.of(count));
  REQUIRE(counts.received.most == formula.busiest.of(count));
  REQUIRE(counts.busiest_link == formula.link.of(count));
  REQUIRE(counts.total == formula.total.of(count));
}

TEST_CASE("the formulas are those of the literature") {
  const auto busiest = [](std::string_view name, std::int32_t ranks) {
    return formula_of(name, ranks).value().busiest.of(even);
  };
  REQUIRE(busiest("ring", 1) == 0);
  REQUIRE(busiest("ring", 4) == even / 4 * 6);
  REQUIRE(busiest("bidirectional", 8) == even / 8 * 14);
  REQUIRE(busiest("parameter-server", 8) == 7 * even);
  REQUIRE(busiest("tree", 2) == even);
  REQUIRE(busiest("tree", 3) == 2 * even);
  REQUIRE(busiest("tree", 4) == 2 * even);
  REQUIRE(busiest("tree", 5) == 3 * even);
  REQUIRE(busiest("double-tree", 2) == even);
  REQUIRE(busiest("double-tree", 3) == 3 * even / 2);
  REQUIRE(busiest("double-tree", 4) == 2 * even);
  REQUIRE(busiest("recursive-doubling", 8) == 3 * even);
  REQUIRE(busiest("recursive-doubling", 9) == 4 * even);
  REQUIRE(busiest("halving-doubling", 8) == even / 4 * 7);
  REQUIRE(busiest("halving-doubling", 9) == even / 4 * 11);
  REQUIRE(busiest("hierarchical", 8) == 4 * even);  // 3K inside, 2(2-1)/2 K outside
  REQUIRE(busiest("all-gather", 4) == even / 4 * 3);
  REQUIRE(formula_of("tree", 31).value().rounds == 8);
  REQUIRE(formula_of("tree", 32).value().rounds == 10);
  REQUIRE(formula_of("double-tree", 32).value().rounds == 10);
  REQUIRE(formula_of("double-tree", 33).value().rounds == 12);
  REQUIRE(formula_of("recursive-doubling", 33).value().rounds == 7);
  REQUIRE(formula_of("halving-doubling", 33).value().rounds == 12);
  REQUIRE_FALSE(formula_of("nccl", 4).has_value());
  REQUIRE_FALSE(formula_of("ring", 0).has_value());
}

TEST_CASE("every algorithm's formula has its source in both languages") {
  for (const Algorithm& algorithm : algorithms())
    for (const std::string_view code : Language::codes()) {
      const Formula formula = formula_of(algorithm.name, 4).value();
      REQUIRE(Language::named(code).has(formula.source));
      if (formula.symbols)
        REQUIRE_FALSE(Language::named(code).text(*formula.symbols).starts_with('['));
      // Whatever letter is written is explained.
      const bool explained = formula.busiest_written.find_first_of("LprGm") == std::string::npos;
      REQUIRE(explained != formula.symbols.has_value());
      if (!formula.document.empty()) REQUIRE(Language::named(code).has(formula.document));
      REQUIRE_FALSE(formula.rounds_written.empty());
      REQUIRE_FALSE(formula.busiest_written.empty());
      REQUIRE_FALSE(formula.link_written.empty());
      REQUIRE_FALSE(formula.total_written.empty());
    }
}

TEST_CASE("the busiest port and link are found, the lowest of equals") {
  const Counts star = counts_of(make_parameter_server({.ranks = 4, .count = 10, .root = 2}));
  REQUIRE(star.busiest_rank == 2);
  REQUIRE(star.busiest_port == Traffic{30, 30});
  REQUIRE(star.sent == Range{10, 30});
  REQUIRE(star.busiest_link == 10);
  REQUIRE(star.busiest_src == 0);
  REQUIRE(star.busiest_dst == 2);
  const Counts tree = counts_of(make_tree({.ranks = 7, .count = 10}));
  REQUIRE(tree.busiest_rank == 1);
  REQUIRE(tree.busiest_port == Traffic{30, 30});
  REQUIRE(tree.received == Range{10, 30});
  const Counts ring = counts_of(make_ring({.ranks = 4, .count = 8}));
  REQUIRE(ring.busiest_rank == 0);
  REQUIRE(ring.busiest_link == 12);
  const Counts alone = counts_of(make_ring({.ranks = 1, .count = 8}));
  REQUIRE(alone.total == 0);
  REQUIRE(alone.busiest_src == -1);
}
