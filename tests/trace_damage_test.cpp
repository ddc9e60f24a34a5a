// Files that were damaged on purpose, with a checksum that is right again: each is refused in a
// sentence, or opens as a trace with which nothing in the program can crash.
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "core/replay/replay.h"
#include "core/schedule/check.h"
#include "core/trace/trace_file.h"
#include "core/trace/trace_format.h"
#include "core/trace/verify.h"
#include "tests/error_of.h"
#include "tests/sample_trace.h"

using namespace ringscope;
using Bytes = std::vector<std::byte>;

namespace {

void renew_hash(Bytes& bytes) {
  FileHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  header.hash = file_hash(header, std::span(bytes).subspan(sizeof(header)));
  std::memcpy(bytes.data(), &header, sizeof(header));
}

void look_at(const Replay& replay, const ReplayState& state) {
  const Schedule& schedule = replay.trace().schedule;
  for (std::int32_t rank = 0; rank < std::min(schedule.ranks, 4); ++rank)
    for (std::int32_t chunk = 0; chunk < std::min(schedule.chunks, 4); ++chunk) {
      const CellView cell = replay.cell(state, rank, chunk);
      if (cell.value) text_of(*cell.value, replay.trace().run.type);
    }
  replay.sent(state);
}

void use(const Replay& replay) {
  for (std::int32_t round = 0; round <= std::min(replay.rounds(), 6); ++round)
    for (const double fraction : {0.0, 0.5, 1.0}) look_at(replay, replay.at({round, fraction}));
  const std::int64_t end = replay.trace().nanoseconds;
  for (const std::int64_t time : {std::int64_t{-1}, end / 3, end, end * 2})
    look_at(replay, replay.at_time(time));
  const auto transfers = static_cast<std::uint32_t>(replay.trace().schedule.transfers.size());
  for (std::uint32_t transfer = 0; transfer < std::min(transfers, 8u); ++transfer) {
    replay.carried(transfer), replay.carried_value(transfer);
    replay.before(transfer), replay.before_value(transfer);
    replay.after(transfer), replay.after_value(transfer);
  }
}

// What the rest of the program does with a trace, one after the other.
void use(const Trace& trace) {
  const Schedule& schedule = trace.schedule;
  const Replay replay(trace);
  use(replay);
  for (const Problem& problem : check(schedule, replay.plan(), 4)) describe(schedule, problem);
  verify(trace);
  traffic_by_rank(schedule);
  for (std::int32_t round = 0; round < std::min(rounds_of(schedule), 100); ++round)
    REQUIRE(round_named(schedule, round_name(schedule, round)) == round);
  REQUIRE(busbw(trace) >= 0);
}

struct Tally {
  int refused = 0;
  int opened = 0;

  void open(Bytes& bytes) {
    renew_hash(bytes);
    const std::string error = error_of([&] {
      const Trace trace = decode_trace(bytes, "a.ring");
      ++opened;
      use(trace);
      REQUIRE(decode_trace(encode_trace(trace), "a.ring").schedule == trace.schedule);
    });
    if (error.empty()) return;
    REQUIRE(error == "error.file.contradicts");
    ++refused;
  }
};

const std::array<Trace, 3>& traces() {
  static const std::array<Trace, 3> all{full_trace(), sample_trace({4, 4, 1, {}}),
                                        sample_trace({1, 3, 1, {}})};
  return all;
}

}  // namespace

TEST_CASE("any one bit of a payload may be wrong") {
  const Bytes bytes = encode_trace(traces()[GENERATE(0u, 1u, 2u)]);
  Tally tally;
  // A prime step visits bits of all places and all bytes.
  for (std::size_t bit = 8 * sizeof(FileHeader); bit < 8 * bytes.size(); bit += 7) {
    Bytes damaged = bytes;
    damaged[bit / 8] ^= std::byte{1} << (bit % 8);
    tally.open(damaged);
  }
  CHECK(tally.refused > 100);
  CHECK(tally.opened > 100);
}

TEST_CASE("any number in a payload may be an extreme one") {
  const Bytes bytes = encode_trace(traces()[GENERATE(0u, 1u, 2u)]);
  Tally tally;
  for (const std::uint64_t number :
       {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}, std::uint64_t{1} << 63,
        (std::uint64_t{1} << 63) - 1, std::uint64_t{0x7FFFFFFF}, std::uint64_t{0x80000000},
        std::uint64_t{1} << 20, std::uint64_t{1} << 53})
    for (std::size_t size : {4u, 8u})
      for (std::size_t at = sizeof(FileHeader); at + size <= bytes.size(); at += size) {
        Bytes damaged = bytes;
        std::memcpy(&damaged[at], &number, size);
        tally.open(damaged);
      }
  CHECK(tally.refused > 100);
  CHECK(tally.opened > 100);
}

TEST_CASE("several places of a payload may be wrong together") {
  std::mt19937_64 random(4);
  Tally tally;
  for (int i = 0; i < 20'000; ++i) {
    Bytes damaged = encode_trace(traces()[random() % 3]);
    const std::size_t payload = damaged.size() - sizeof(FileHeader);
    for (std::uint64_t places = 1 + random() % 4; places > 0; --places) {
      const std::size_t at = sizeof(FileHeader) + random() % payload;
      // Small numbers are the ones that are taken for sizes and indices.
      damaged[at] = static_cast<std::byte>(random() % 2 == 0 ? random() : random() % 5);
    }
    tally.open(damaged);
  }
  CHECK(tally.refused > 1000);
  CHECK(tally.opened > 1000);
}
