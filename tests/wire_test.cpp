// f32 data sent as f16 or bf16: half the bytes, and what that costs.
#include "core/data/wire.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "core/engine/record.h"
#include "core/trace/trace_file.h"
#include "core/trace/verify.h"
#include "tests/error_of.h"
#include "tests/folder.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

constexpr std::array wires{ElementType::f16, ElementType::bf16};

// Rounded by arithmetic alone: to a multiple of the unit in the last place, ties to even.
double rounded(ElementType wire, double value) {
  const bool half = wire == ElementType::f16;
  const int bits = half ? 11 : 8, lowest = half ? -14 : -126;
  if (value == 0 || !std::isfinite(value)) return value;
  const double unit = std::ldexp(1., std::max(std::ilogb(value), lowest) + 1 - bits);
  const double kept = std::nearbyint(value / unit) * unit;
  const double most = half ? 65504. : 0x1.FEp127;
  return std::abs(kept) > most ? std::copysign(std::numeric_limits<double>::infinity(), value)
                               : kept;
}

double element(ElementType wire, std::span<const std::byte> bytes, std::size_t i) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, bytes.data() + i * sizeof bits, sizeof bits);
  return wire == ElementType::f16 ? static_cast<double>(std::bit_cast<f16>(bits))
                                  : std::bit_cast<float>(std::uint32_t{bits} << 16);
}

RunSettings settings_of(ElementType wire, int ranks, std::uint64_t count,
                        std::string_view algorithm = "ring") {
  RunSettings settings;
  settings.algorithm = algorithm;
  settings.wire = wire;
  settings.ranks = ranks;
  settings.count = count;
  return settings;
}

// The user's own data: what record() would have taken without the wire type.
std::vector<std::vector<double>> user_data(const Trace& trace) {
  const Schedule& schedule = trace.schedule;
  InputSpec spec{.kind = trace.run.data,
                 .type = trace.run.type,
                 .op = trace.run.op,
                 .ranks = schedule.ranks,
                 .count = schedule.count,
                 .seed = trace.run.seed,
                 .array = nullptr,
                 .user_type = trace.run.user_type};
  std::vector<std::vector<double>> data;
  std::vector<float> values(schedule.count);
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    fill_unrounded(spec, rank, 0, std::as_writable_bytes(std::span(values)));
    data.emplace_back(values.begin(), values.end());
  }
  return data;
}

void write_f32(const std::string& path, int ranks, const std::vector<float>& values) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" +
                       std::to_string(ranks) + ", " +
                       std::to_string(values.size() / static_cast<std::size_t>(ranks)) + "), }";
  header.resize(117, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  file << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << header;
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(float)));
}

std::uint64_t bytes_sent(const Trace& trace) {
  std::uint64_t bytes = 0;
  for (const Event& event : trace.events) bytes += event.bytes;
  return bytes;
}

}  // namespace

TEST_CASE("rounding is to the nearest, ties to even, and too large is infinite") {
  const auto round_one = [](ElementType wire, float value) {
    std::array<std::byte, 2> bits;
    round_to_wire(wire, std::span(&value, 1), bits);
    return element(wire, bits, 0);
  };
  for (const ElementType wire : wires) {
    for (const float value : {0.f, -0.f, 1.f, -1.f, 0.1f, 1.f / 3, 65504.f, 1e-7f, 6e-8f, 1e-40f,
                              1.00390625f, 1.01171875f, 2049.f, 2051.f, 3e38f, 123456.f}) {
      INFO(name_of(wire) << " of " << value);
      REQUIRE(round_one(wire, value) == rounded(wire, value));
      REQUIRE(std::signbit(round_one(wire, value)) == std::signbit(value));
      REQUIRE(rounds_to_infinity(wire, value) == std::isinf(rounded(wire, value)));
    }
    REQUIRE(std::isnan(round_one(wire, std::nanf("1"))));
    REQUIRE(std::isinf(round_one(wire, std::numeric_limits<float>::infinity())));
    REQUIRE_FALSE(rounds_to_infinity(wire, std::numeric_limits<float>::infinity()));
  }
  REQUIRE(round_one(ElementType::f16, 65519.99f) == 65504);
  REQUIRE_FALSE(rounds_to_infinity(ElementType::f16, 65519.99f));
  REQUIRE(rounds_to_infinity(ElementType::f16, 65520.f));
  REQUIRE_FALSE(rounds_to_infinity(ElementType::bf16, 0x1.FEp127f));
  REQUIRE(rounds_to_infinity(ElementType::bf16, 0x1.FFp127f));
}

TEST_CASE("half the bytes are sent, and bandwidth counts the user's") {
  for (const Algorithm& algorithm : algorithms()) {
    RunSettings settings = settings_of(ElementType::bf16, 4, 1000, algorithm.name);
    const Trace sent_small = record(settings);
    settings.wire.reset();
    const Trace whole = record(settings);
    INFO(algorithm.name);
    REQUIRE(2 * bytes_sent(sent_small) == bytes_sent(whole));
    REQUIRE(user_bytes(sent_small) == 4000);
    REQUIRE(buffer_bytes(sent_small) == 2000);
    REQUIRE(algbw(sent_small) == Approx(4000 * 1e9 / static_cast<double>(sent_small.nanoseconds)));
  }
}

TEST_CASE("the result is bit for bit that of the rounded data, for every operator") {
  for (const ElementType wire : wires)
    for (std::size_t op = 0; op < operator_names.size(); ++op)
      for (const std::string_view algorithm : {"ring", "tree", "recursive-doubling"}) {
        RunSettings settings = settings_of(wire, 4, 37, algorithm);
        settings.op = static_cast<Operator>(op);
        settings.data = DataKind::random;
        settings.slices = 2;
        const Trace trace = record(settings);
        INFO(name_of(wire) << " " << operator_names[op] << " " << algorithm);
        REQUIRE(trace.verdict.outcome == Verdict::Outcome::verified);
        REQUIRE(trace.run.type == wire);
        REQUIRE(trace.run.user_type == ElementType::f32);
        const auto data = user_data(trace);
        const Trace again =
            run_serially({.schedule = trace.schedule,
                          .type = wire,
                          .op = trace.run.op,
                          .value = [&](std::int32_t rank, std::int32_t chunk, std::uint64_t i) {
                            const std::uint64_t at = chunk_extent(trace.schedule, chunk).first + i;
                            return rounded(wire, data[static_cast<std::size_t>(rank)][at]);
                          }});
        REQUIRE(trace.values.inputs == again.values.inputs);
        REQUIRE(trace.values.results == again.values.results);
      }
}

TEST_CASE("the error against full precision is that of the data before they were rounded") {
  for (const ElementType wire : wires)
    for (const int ranks : {1, 2, 5}) {
      RunSettings settings = settings_of(wire, ranks, 50);
      settings.data = DataKind::random;
      const Trace trace = record(settings);
      const auto data = user_data(trace);
      double error = 0, relative = 0, largest = 0;
      for (std::size_t i = 0; i < 50; ++i) {
        double sum = 0;
        for (const std::vector<double>& rank : data) sum += rank[i];
        const double off = std::abs(element(wire, trace.values.results, i) - sum);
        error = std::max(error, off);
        relative = std::max(relative, off / std::abs(sum));
        largest = std::max(largest, std::abs(sum));
      }
      INFO(name_of(wire) << ", " << ranks);
      REQUIRE(error > 0);
      REQUIRE(trace.wire_cost);
      REQUIRE(trace.wire_cost->elements == 50);
      REQUIRE(trace.wire_cost->largest_error == Approx(error));
      REQUIRE(trace.wire_cost->largest_relative_error == Approx(relative));
      REQUIRE(trace.wire_cost->largest_result == Approx(largest));
      REQUIRE(trace.wire_cost->inputs_overflowed == 0);
      REQUIRE(trace.wire_cost->results_overflowed == 0);
    }
}

TEST_CASE("what fits the wire type costs nothing, and is what is taken where nothing is said") {
  for (const Operator op : {Operator::sum, Operator::max}) {
    RunSettings settings = settings_of(ElementType::f16, 3, 7);
    settings.op = op;
    const Trace trace = record(settings);
    REQUIRE(trace.wire_cost->largest_error == 0);
    REQUIRE(trace.verdict.exact);
    REQUIRE((trace.run.data == DataKind::digits) == (op == Operator::sum));
  }
  REQUIRE(record(settings_of(ElementType::f16, 4, 7)).run.data == DataKind::ramp);
  REQUIRE(record(settings_of(ElementType::bf16, 3, 7)).run.data == DataKind::ramp);
  RunSettings exact = settings_of(ElementType::bf16, 6, 100);
  exact.data = DataKind::exact;
  REQUIRE(record(exact).wire_cost->largest_error == 0);
}

TEST_CASE("what overflows in rounding or in the sum is counted") {
  const Folder folder("wire");
  const std::string path = folder.file("large.npy");
  // Per rank: rounds to infinity; just not; overflows in the sum; fits; no number at all.
  write_f32(path, 2,
            {70000.f, 65519.f, 40000.f, 30000.f, std::nanf(""),  //
             1.f, -1000.f, 40000.f, 30000.f, 1.f});
  RunSettings settings;
  settings.input_file = path;
  settings.wire = ElementType::f16;
  const Trace trace = record(settings);
  REQUIRE(trace.verdict.outcome == Verdict::Outcome::verified);
  REQUIRE(trace.wire_cost->inputs_overflowed == 1);
  REQUIRE(trace.wire_cost->results_overflowed == 2);
  REQUIRE(trace.wire_cost->largest_result == 64519);
  REQUIRE(trace.wire_cost->elements == 5);
  settings.wire = ElementType::bf16;
  const Trace wide = record(settings);
  REQUIRE(wide.wire_cost->inputs_overflowed == 0);
  REQUIRE(wide.wire_cost->results_overflowed == 0);
  REQUIRE(wide.wire_cost->largest_error > 0);
}

TEST_CASE("no elements, one element and one rank are fine") {
  for (const ElementType wire : wires)
    for (const int ranks : {1, 3})
      for (const std::uint64_t count : {0u, 1u}) {
        const Trace trace = record(settings_of(wire, ranks, count));
        REQUIRE(trace.verdict.outcome == Verdict::Outcome::verified);
        REQUIRE(trace.wire_cost->elements == count);
      }
}

TEST_CASE("files keep the user's type and the cost, and verify holds them against the values") {
  for (const ElementType wire : wires)
    for (const std::uint64_t count : {std::uint64_t{40}, std::uint64_t{4000}}) {
      RunSettings settings = settings_of(wire, 4, count);
      settings.data = DataKind::random;
      const Trace trace = record(settings);
      Trace loaded = decode_trace(encode_trace(trace), "trace");
      REQUIRE(loaded == trace);
      REQUIRE(verify(loaded).wrong.empty());
      loaded.wire_cost->largest_error /= 1e6;
      const Verification wrong = verify(loaded);
      REQUIRE(wrong.wrong.size() == 1);
      REQUIRE(wrong.wrong[0].id == "verify.wire_cost_wrong");
    }
}

TEST_CASE("a file that says nonsense about a wire type is refused") {
  const Trace good = record(settings_of(ElementType::f16, 2, 4));
  const auto refused = [&](auto change) {
    Trace trace = good;
    change(trace);
    return error_of([&] { encode_trace(trace); });
  };
  REQUIRE(refused([](Trace&) {}) == "");
  REQUIRE(refused([](Trace& trace) { trace.run.user_type = ElementType::i32; }) ==
          "error.file.not_sound");
  REQUIRE(refused([](Trace& trace) { trace.run.user_type.reset(); }) == "error.file.not_sound");
  REQUIRE(refused([](Trace& trace) { trace.wire_cost.reset(); }) == "error.file.not_sound");
  REQUIRE(refused([](Trace& trace) { trace.wire_cost->largest_error = std::nan(""); }) ==
          "error.file.not_sound");
}

TEST_CASE("only f32 data are sent as another type, and only as f16 or bf16") {
  const auto refusal = [](auto change) {
    RunSettings settings = settings_of(ElementType::f16, 4, 4);
    change(settings);
    return error_of([&] { record(settings); });
  };
  for (const ElementTypeRow& row : element_types) {
    INFO(row.name);
    REQUIRE(refusal([&](RunSettings& settings) { settings.type = row.type; }) ==
            (row.type == ElementType::f32 ? "" : "error.wire.type"));
    REQUIRE(refusal([&](RunSettings& settings) { settings.wire = row.type; }) ==
            (is_wire_type(row.type) ? "" : "error.wire.unknown"));
  }
}

TEST_CASE("a run that stopped has no cost") {
  RunSettings settings = settings_of(ElementType::f16, 4, 4);
  settings.deaths = {"2@1.2"};
  const Trace trace = record(settings);
  REQUIRE(trace.stopped);
  REQUIRE_FALSE(trace.wire_cost);
  REQUIRE(decode_trace(encode_trace(trace), "trace") == trace);
}
