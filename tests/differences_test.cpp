#include "core/replay/differences.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/engine/record.h"
#include "tests/error_of.h"

using namespace ringscope;

namespace {

std::uint64_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
std::optional<std::uint64_t> ulps(float a, float b) {
  return ulps_between(ElementType::f32, bits(a), bits(b));
}

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

Trace recorded(const std::string& algorithm, int ranks, std::uint64_t count,
               ElementType type = ElementType::f32, DataKind data = DataKind::random,
               std::uint64_t seed = 1, int slices = 1) {
  RunSettings settings;
  settings.algorithm = algorithm;
  settings.ranks = ranks;
  settings.count = count;
  settings.type = type;
  settings.data = data;
  settings.seed = seed;
  settings.slices = slices;
  return record(settings);
}

// As plainly as it can be said, where everything was kept.
Differences counted(const Trace& a, const Trace& b) {
  Differences result;
  const std::size_t bytes = bytes_of(a.run.type);
  for (std::size_t at = 0; at < a.values.results.size(); at += bytes) {
    ++result.compared;
    result.differing += std::memcmp(&a.values.results[at], &b.values.results[at], bytes) != 0;
  }
  return result;
}

}  // namespace

TEST_CASE("numbers lie as many units in the last place apart as there are numbers between them") {
  CHECK(ulps(1, 1) == 0u);
  CHECK(ulps(1, std::nextafter(1.0f, 2.0f)) == 1u);
  CHECK(ulps(std::nextafter(1.0f, 2.0f), 1) == 1u);
  CHECK(ulps(1, 2) == 1u << 23);
  CHECK(ulps(0.0f, -0.0f) == 0u);
  CHECK(ulps(std::numeric_limits<float>::denorm_min(), -std::numeric_limits<float>::denorm_min()) ==
        2u);
  CHECK(ulps(std::numeric_limits<float>::max(), infinity) == 1u);
  CHECK(ulps(-infinity, infinity) == 2u * 0x7f800000u);
  CHECK(ulps(no_number, no_number) == 0u);
  CHECK_FALSE(ulps(no_number, 1).has_value());
  CHECK_FALSE(ulps(infinity, no_number).has_value());
}

TEST_CASE("units in the last place hold for every element type") {
  CHECK(ulps_between(ElementType::f16, 0x3c00, 0x3c01) == 1u);   // 1 and the next
  CHECK(ulps_between(ElementType::f16, 0x7c00, 0x7bff) == 1u);   // infinity and the largest
  CHECK_FALSE(ulps_between(ElementType::f16, 0x7e00, 0x3c00));   // NaN and 1
  CHECK(ulps_between(ElementType::bf16, 0x3f80, 0x3f83) == 3u);  // 1 and three on
  CHECK(ulps_between(ElementType::bf16, 0x7f80, 0x7f7f) == 1u);  // infinity and the largest
  CHECK_FALSE(ulps_between(ElementType::bf16, 0x7fc0, 0x7f80));  // NaN and infinity
  CHECK(ulps_between(ElementType::bf16, 0x7fc0, 0xffc0) == 0u);  // NaN and NaN
  CHECK(ulps_between(ElementType::f64, 0x3ff0000000000000, 0x3ff0000000000002) == 2u);
  CHECK(ulps_between(ElementType::f64, 0xfff0000000000000, 0x7ff0000000000000) ==
        2 * 0x7ff0000000000000u);
  CHECK(ulps_between(ElementType::i8, 0x80, 0x7f) == 255u);  // -128 and 127
  CHECK(ulps_between(ElementType::u8, 0x80, 0x7f) == 1u);
  CHECK(ulps_between(ElementType::i32, 0xffffffff, 1) == 2u);
  CHECK(ulps_between(ElementType::i64, 0x8000000000000000, 0x7fffffffffffffff) ==
        std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("elements are counted, and the first and the farthest are named") {
  std::vector<float> a(3000, 1.5f), b = a;
  const auto compare = [&](std::int32_t rank, std::uint64_t first, Differences& differences) {
    add_differences(ElementType::f32, rank, first, std::as_bytes(std::span(a)),
                    std::as_bytes(std::span(b)), differences);
  };
  Differences same;
  compare(0, 0, same);
  CHECK(same == Differences{.compared = 3000});

  b[17] = std::nextafter(a[17], 2.0f);
  b[2000] = std::nextafter(std::nextafter(a[2000], 0.0f), 0.0f);
  b[2001] = no_number;
  b[2002] = std::nextafter(std::nextafter(a[2002], 2.0f), 2.0f);
  a[2999] = 0.0f, b[2999] = -0.0f;
  Differences differences;
  compare(0, 100, differences);
  compare(1, 100, differences);
  CHECK(differences.compared == 6000);
  CHECK(differences.differing == 10);
  CHECK(differences.not_a_number == 2);
  CHECK(differences.largest_ulps == 2);
  CHECK(differences.first == ElementDifference{0, 117, bits(1.5f), bits(b[17]), 1});
  CHECK(differences.largest == ElementDifference{0, 2100, bits(1.5f), bits(b[2000]), 2});
}

TEST_CASE("no elements differ in nothing") {
  Differences differences;
  add_differences(ElementType::f16, 0, 0, {}, {}, differences);
  CHECK(differences == Differences{});
  for (const std::uint64_t count : {0u, 1u})
    CHECK(differences_of(recorded("ring", 1, count), recorded("tree", 1, count)) ==
          Differences{.compared = count});
}

TEST_CASE("a run does not differ from its repetition") {
  const Differences differences =
      differences_of(recorded("ring", 4, 250), recorded("ring", 4, 250));
  CHECK(differences == Differences{.compared = 1000});
}

TEST_CASE("ring and tree add in another order, and the bits that differ are found") {
  const ElementType type = GENERATE(ElementType::f16, ElementType::bf16, ElementType::f32);
  // Cells of up to 64 elements: everything is kept.
  const Trace ring = recorded("ring", 8, 480, type);
  const Trace tree = recorded("tree", 8, 480, type, DataKind::random, 1, 8);
  const Differences differences = differences_of(ring, tree);
  const Differences plain = counted(ring, tree);
  CHECK(differences.compared == 8 * 480);
  CHECK(differences.compared == plain.compared);
  CHECK(differences.differing == plain.differing);
  CHECK(differences.differing > 0);
  CHECK(differences.differing % 8 == 0);  // all ranks agree
  CHECK(differences.largest_ulps >= 1);
  CHECK(differences.first->rank == 0);
  CHECK(differences.largest->ulps == differences.largest_ulps);
}

TEST_CASE("exact data come out the same whatever the order") {
  const Differences differences =
      differences_of(recorded("ring", 5, 100, ElementType::f32, DataKind::exact),
                     recorded("double-tree", 5, 100, ElementType::f32, DataKind::exact, 1, 2));
  CHECK(differences == Differences{.compared = 500});
}

TEST_CASE("what only one of the records has kept is not compared, and that is said") {
  // The ring's 4 cells and the tree's 1 keep their first 8 elements: those of the first are in
  // both.
  const Differences first =
      differences_of(recorded("ring", 4, 1000), recorded("recursive-doubling", 4, 1000));
  CHECK(first.compared == 4 * 8);
  // Two slices of 500: that of the ring's third chunk begins with the tree's second.
  const Differences second =
      differences_of(recorded("ring", 4, 1000),
                     recorded("tree", 4, 1000, ElementType::f32, DataKind::random, 1, 2));
  CHECK(second.compared == 4 * 16);
}

TEST_CASE("of the parts of an all-reduce what has the same goal is compared") {
  // Rank r ends with chunk r.
  const Trace whole = recorded("ring", 4, 40), part = recorded("reduce-scatter", 4, 40);
  CHECK(differences_of(whole, part).compared == 40);
  CHECK(differences_of(part, whole).compared == 40);
}

TEST_CASE("what is made of other terms is not compared") {
  // A broadcast ends with its root's data, an all-gather with a chunk of each rank's.
  const Trace sum = recorded("ring", 4, 40);
  for (const char* const copying : {"broadcast", "all-gather"}) {
    CHECK(differences_of(sum, recorded(copying, 4, 40)).compared == 0);
    CHECK(differences_of(recorded(copying, 4, 40), sum).compared == 0);
    CHECK(differences_of(recorded(copying, 4, 40), recorded(copying, 4, 40)).compared == 160);
  }
}

TEST_CASE("runs on other data are not compared") {
  const Trace trace = recorded("ring", 4, 40);
  const auto error_with = [&](const Trace& other) {
    return error_of([&] { differences_of(trace, other); });
  };
  CHECK(error_with(recorded("tree", 3, 40)) == "error.differences.ranks");
  CHECK(error_with(recorded("tree", 4, 41)) == "error.differences.count");
  CHECK(error_with(recorded("tree", 4, 40, ElementType::f64)) == "error.differences.type");
  CHECK(error_with(recorded("tree", 4, 40, ElementType::f32, DataKind::random, 2)) ==
        "error.differences.data");
  CHECK(error_with(recorded("tree", 4, 40, ElementType::f32, DataKind::ramp)) ==
        "error.differences.data");
  Trace mean = trace;
  mean.run.op = Operator::avg;
  CHECK(error_with(mean) == "error.differences.op");
  Trace touched = trace;
  touched.values.inputs[4 * (2 * 40 + 7)] ^= std::byte{1};
  CHECK(error_with(touched) == "error.differences.inputs");
  Trace stopped = trace;
  stopped.stopped = Message{"error.run.cancelled", {}};
  CHECK(error_with(stopped) == "error.differences.stopped");
}
