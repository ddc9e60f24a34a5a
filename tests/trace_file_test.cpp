#include "core/trace/trace_file.h"

#include <sys/mman.h>

#include <bit>
#include <catch2/catch.hpp>
#include <cstring>
#include <limits>
#include <random>

#include "core/trace/trace_format.h"
#include "tests/error_of.h"
#include "tests/folder.h"
#include "tests/sample_trace.h"

using namespace ringscope;
using Bytes = std::vector<std::byte>;

namespace {

std::string error_of_decoding(std::span<const std::byte> bytes) {
  return error_of([&] { decode_trace(bytes, "a.ring"); });
}

void renew_hash(Bytes& bytes) {
  FileHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  header.hash = file_hash(header, std::span(bytes).subspan(sizeof(header)));
  std::memcpy(bytes.data(), &header, sizeof(header));
}

void flip(Bytes& bytes, std::size_t bit) { bytes[bit / 8] ^= std::byte{1} << (bit % 8); }

const std::string golden = SOURCE_DIR "/tests/golden/ring-3.ring";

}  // namespace

TEST_CASE("a trace comes back from its bytes as it was") {
  SECTION("with something in every field") {
    const Trace trace = full_trace();
    REQUIRE(decode_trace(encode_trace(trace), "a.ring") == trace);
  }
  SECTION("of any size") {
    const std::int32_t ranks = GENERATE(1, 2, 5, 16);
    const std::uint64_t count = GENERATE(0u, 1u, 7u, 1000u);
    const std::int32_t slices = GENERATE(1, 3);
    const Trace trace = sample_trace({ranks, count, slices, {}});
    REQUIRE(decode_trace(encode_trace(trace), "a.ring") == trace);
  }
  SECTION("of any type and operator") {
    for (const ElementTypeRow& row : element_types) {
      Trace trace = sample_trace({4, 9, 1, {}}, row.type);
      trace.run.op =
          GENERATE(Operator::sum, Operator::avg, Operator::prod, Operator::min, Operator::max);
      REQUIRE(decode_trace(encode_trace(trace), "a.ring") == trace);
    }
  }
  SECTION("with nothing in it") {
    const Trace trace = sample_trace({1, 0, 1, {}});
    REQUIRE(trace.events.empty());
    REQUIRE(decode_trace(encode_trace(trace), "a.ring") == trace);
  }
  SECTION("with more elements than 32 bits can count") {
    const Trace trace = sample_trace({4, std::uint64_t{1} << 40, 1, {}});
    REQUIRE(decode_trace(encode_trace(trace), "a.ring") == trace);
  }
}

TEST_CASE("the doubles of a verdict keep their bits") {
  Trace trace = full_trace();
  const double number = GENERATE(0.0, -0.0, 5e-324, std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::quiet_NaN());
  trace.verdict.largest_error = number;
  const Trace read = decode_trace(encode_trace(trace), "a.ring");
  REQUIRE(std::bit_cast<std::uint64_t>(read.verdict.largest_error) ==
          std::bit_cast<std::uint64_t>(number));
}

TEST_CASE("the same trace gives the same bytes, wherever they are read from") {
  const Trace trace = full_trace();
  const Bytes bytes = encode_trace(trace);
  REQUIRE(encode_trace(trace) == bytes);
  const std::size_t shift = GENERATE(range<std::size_t>(0, 16));
  Bytes shifted(bytes.size() + shift);
  std::ranges::copy(bytes, shifted.begin() + static_cast<std::ptrdiff_t>(shift));
  REQUIRE(decode_trace(std::span(shifted).subspan(shift), "a.ring") == trace);
}

TEST_CASE("the numbers in the file never change") {
  REQUIRE(static_cast<int>(Action::reduce) == 0);
  REQUIRE(static_cast<int>(Action::copy) == 1);
  REQUIRE(static_cast<int>(ElementType::f16) == 0);
  REQUIRE(static_cast<int>(ElementType::bf16) == 1);
  REQUIRE(static_cast<int>(ElementType::f32) == 2);
  REQUIRE(static_cast<int>(ElementType::f64) == 3);
  REQUIRE(static_cast<int>(ElementType::i8) == 4);
  REQUIRE(static_cast<int>(ElementType::u8) == 5);
  REQUIRE(static_cast<int>(ElementType::i32) == 6);
  REQUIRE(static_cast<int>(ElementType::i64) == 7);
  REQUIRE(static_cast<int>(Operator::sum) == 0);
  REQUIRE(static_cast<int>(Operator::avg) == 1);
  REQUIRE(static_cast<int>(Operator::prod) == 2);
  REQUIRE(static_cast<int>(Operator::min) == 3);
  REQUIRE(static_cast<int>(Operator::max) == 4);
  REQUIRE(static_cast<int>(DataKind::digits) == 0);
  REQUIRE(static_cast<int>(DataKind::ramp) == 1);
  REQUIRE(static_cast<int>(DataKind::random) == 2);
  REQUIRE(static_cast<int>(DataKind::exact) == 3);
  REQUIRE(static_cast<int>(DataKind::file) == 4);
  REQUIRE(static_cast<int>(Kept::whole) == 0);
  REQUIRE(static_cast<int>(Kept::first_eight) == 1);
  REQUIRE(static_cast<int>(Kept::first_one) == 2);
  REQUIRE(static_cast<int>(Kept::ends_only) == 3);
  REQUIRE(static_cast<int>(Verdict::Outcome::verified) == 0);
  REQUIRE(static_cast<int>(Verdict::Outcome::failed) == 1);
  REQUIRE(static_cast<int>(Verdict::Outcome::not_checked) == 2);
  REQUIRE(static_cast<int>(LinkPath::same_device) == 0);
  REQUIRE(static_cast<int>(LinkPath::peer) == 1);
  REQUIRE(static_cast<int>(LinkPath::through_host) == 2);
}

TEST_CASE("a file of this format's first day opens, and what came later is not in it") {
  Trace first_day = full_trace();
  first_day.run.pace = {};
  first_day.run.pace_reached = 0;
  first_day.where.links.clear();
  first_day.where.clock = {};
  const Trace trace = load_trace(golden);
  REQUIRE(trace == first_day);
  REQUIRE(decode_trace(encode_trace(trace), "a.ring") == trace);
}

TEST_CASE("a trace that is cut off at any byte is said to be so") {
  const Bytes bytes = encode_trace(sample_trace({3, 3, 1, {}}));
  REQUIRE(error_of_decoding({}) == "error.file.empty");
  for (std::size_t size = 1; size < bytes.size(); ++size)
    REQUIRE(error_of_decoding(std::span(bytes).first(size)) == "error.file.truncated");
  REQUIRE(error_of_decoding(bytes) == "");
}

TEST_CASE("every flipped bit is noticed") {
  const Bytes bytes = encode_trace(sample_trace({3, 3, 1, {}}));
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    Bytes flipped = bytes;
    flip(flipped, bit);
    const std::string error = error_of_decoding(flipped);
    if (bit < 8 * 8)
      REQUIRE(error == "error.file.foreign");
    else if (bit >= 8 * 16 && bit < 8 * 24)  // the length
      REQUIRE((error == "error.file.truncated" || error == "error.file.corrupted"));
    else
      REQUIRE(error == "error.file.corrupted");
  }
}

TEST_CASE("a header that was changed together with its checksum is still not believed") {
  const Bytes bytes = encode_trace(sample_trace({3, 3, 1, {}}));
  for (std::size_t bit = 0; bit < 8 * 24; ++bit) {
    Bytes flipped = bytes;
    flip(flipped, bit);
    renew_hash(flipped);
    const std::string error = error_of_decoding(flipped);
    if (bit < 8 * 8)
      REQUIRE(error == "error.file.foreign");
    else if (bit < 8 * 16)
      REQUIRE(error == "error.file.version");
    else
      REQUIRE((error == "error.file.truncated" || error == "error.file.corrupted"));
  }
}

TEST_CASE("bytes behind the end are no part of a trace") {
  Bytes bytes = encode_trace(full_trace());
  bytes.push_back(std::byte{0});
  REQUIRE(error_of_decoding(bytes) == "error.file.corrupted");
}

TEST_CASE("what is no trace is said to be foreign") {
  std::mt19937_64 random(1);
  Bytes garbage(GENERATE(1u, 7u, 8u, 31u, 32u, 33u, 4096u));
  for (int i = 0; i < 100; ++i) {
    for (std::byte& byte : garbage) byte = static_cast<std::byte>(random());
    garbage[0] = std::byte{'P'};
    REQUIRE(error_of_decoding(garbage) == "error.file.foreign");
  }
}

TEST_CASE("garbage under a good header is refused") {
  std::mt19937_64 random(2);
  for (int i = 0; i < 2000; ++i) {
    Bytes bytes(sizeof(FileHeader) + random() % 200);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    const FileHeader header{file_magic, file_version, bytes.size() - sizeof(FileHeader), 0};
    std::memcpy(bytes.data(), &header, sizeof(header));
    renew_hash(bytes);
    REQUIRE(error_of_decoding(bytes) == "error.file.contradicts");
  }
}

TEST_CASE("a newer format is named") {
  Bytes bytes = encode_trace(full_trace());
  bytes[8] = std::byte{2};
  renew_hash(bytes);
  REQUIRE_THROWS_WITH(decode_trace(bytes, "a.ring"),
                      "error.file.version file=a.ring version=2 known=1");
}

TEST_CASE("a file of 2 GB or more is neither made nor read") {
  constexpr std::size_t size = std::size_t{1} << 31;
  REQUIRE(error_of([] { refuse_two_gigabytes(size - 1, "a.ring"); }) == "");
  REQUIRE(error_of([] { refuse_two_gigabytes(size, "a.ring"); }) == "error.file.too_large");
  // Of these pages only the first one is ever touched.
  void* const pages = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(pages != MAP_FAILED);
  const FileHeader header{file_magic, file_version, size - sizeof(FileHeader), 0};
  std::memcpy(pages, &header, sizeof(header));
  const std::string error =
      error_of_decoding(std::span(static_cast<const std::byte*>(pages), size));
  munmap(pages, size);
  REQUIRE(error == "error.file.too_large");
}

TEST_CASE("what a file takes is known before it is made") {
  for (const Trace& trace : {full_trace(), sample_trace({1, 0, 1, {}}),
                             sample_trace({16, 1000, 3, {}}), sample_trace({2, 7, 1, {}})}) {
    const std::uint64_t size = encode_trace(trace).size();
    REQUIRE(file_bytes_at_most(trace) >= size);
    REQUIRE(file_bytes_at_most(trace) < size + 2048);
  }
}

TEST_CASE("1,024 ranks' two million transfers pass the verifier") {
  const Trace trace = sample_trace({1024, 1024, 1, {}});
  REQUIRE(trace.schedule.transfers.size() == 2'095'104);
  REQUIRE(decode_trace(encode_trace(trace), "a.ring") == trace);
}

TEST_CASE("texts that no screen can show are not read") {
  const Bytes bytes = encode_trace(full_trace());
  const std::string_view whole(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string place =
      GENERATE("host", "lecture", "梯度", "scatter", "H200", "1.2", "verdict");
  Bytes spoilt = bytes;
  spoilt[whole.find(place)] = std::byte{0xFF};
  renew_hash(spoilt);
  REQUIRE(error_of_decoding(spoilt) == "error.file.contradicts");
}
