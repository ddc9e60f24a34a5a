#include "core/replay/differences.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace ringscope {
namespace {

template <class T>
T from_bits(std::uint64_t bits) {
  if constexpr (sizeof(T) == 1) return std::bit_cast<T>(static_cast<std::uint8_t>(bits));
  if constexpr (sizeof(T) == 2) return std::bit_cast<T>(static_cast<std::uint16_t>(bits));
  if constexpr (sizeof(T) == 4) return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
  if constexpr (sizeof(T) == 8) return std::bit_cast<T>(bits);
}

template <class T>
bool is_nan(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, bf16>)
    return (bits & 0x7fffu) > 0x7f80u;
  else
    return std::isnan(static_cast<double>(from_bits<T>(bits)));
}

// Numbers of the type in order, neighbours one apart: sign and magnitude as one whole number.
std::int64_t place_in_order(std::uint64_t bits, std::size_t bytes) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1);
  const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

// |a - b| without overflow.
std::uint64_t distance(std::int64_t a, std::int64_t b) {
  const auto high = static_cast<std::uint64_t>(std::max(a, b));
  return high - static_cast<std::uint64_t>(std::min(a, b));
}

std::uint64_t bits_at(ElementType type, const std::byte* element) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t bits = 0;
  std::memcpy(&bits, element, bytes_of(type));
  return bits;
}

// The elements of one rank that a trace has kept: runs from cell to cell, ascending.
struct KeptRun {
  Extent elements;
  std::uint64_t offset;  // of the first, in bytes into one rank's part of inputs or results
  std::int32_t chunk;
};

class KeptRuns {
 public:
  explicit KeptRuns(const Trace& trace)
      : trace_(trace), layout_(trace.schedule, trace.run.type, trace.values.kept) {
    for (std::size_t cell = 0; cell < layout_.kept_elements.size(); ++cell) {
      const auto number = static_cast<std::int32_t>(cell);
      if (layout_.kept_elements[cell] > 0)
        runs_.push_back({{cell_extent(trace.schedule, number).first, layout_.kept_elements[cell]},
                         layout_.cell_offsets[cell],
                         number / trace.schedule.slices});
    }
  }

  std::size_t size() const { return runs_.size(); }
  const KeptRun& operator[](std::size_t run) const { return runs_[run]; }
  std::int32_t goal(std::int32_t rank, std::size_t run) const {
    return trace_.schedule
        .goal[static_cast<std::size_t>(rank * trace_.schedule.chunks + runs_[run].chunk)];
  }
  // Whether the rank begins with the chunk of the run.
  bool begins_with(std::int32_t rank, std::size_t run) const {
    return trace_.schedule.initial[static_cast<std::size_t>(rank * trace_.schedule.chunks +
                                                            runs_[run].chunk)] != nothing;
  }
  std::span<const std::byte> of(const std::vector<std::byte>& values, std::int32_t rank,
                                std::size_t run, const Extent& elements) const {
    const std::uint64_t skipped = elements.first - runs_[run].elements.first;
    return std::span(values).subspan(static_cast<std::uint64_t>(rank) * layout_.rank_bytes() +
                                         runs_[run].offset + skipped * layout_.element_bytes,
                                     elements.count * layout_.element_bytes);
  }

 private:
  const Trace& trace_;
  ValueLayout layout_;
  std::vector<KeptRun> runs_;
};

// Calls body(run of a, run of b, elements) for each run of elements that both have kept, ascending.
template <class Body>
void for_each_common(const KeptRuns& a, const KeptRuns& b, Body body) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Extent& one = a[i].elements;
    const Extent& other = b[j].elements;
    const std::uint64_t one_end = one.first + one.count, other_end = other.first + other.count;
    const std::uint64_t first = std::max(one.first, other.first);
    const std::uint64_t end = std::min(one_end, other_end);
    if (first < end) body(i, j, Extent{first, end - first});
    i += one_end <= other_end;
    j += other_end <= one_end;
  }
}

void require_equal(const char* id, const std::string& a, const std::string& b) {
  if (a != b) throw Error({id, {{"a", a}, {"b", b}}}, Blame::usage);
}

// What decides the inputs besides ranks, count, type and operator.
std::string data_of(const RunFacts& run) {
  std::string text(name_of(run.data));
  if (run.data == DataKind::random || run.data == DataKind::exact)
    text += ' ' + std::to_string(run.seed);
  if (run.data == DataKind::file) return text + ' ' + run.input_file;
  return run.data_version == generator_version ? text
                                               : text + " v" + std::to_string(run.data_version);
}

void require_same_inputs(const Trace& a, const Trace& b, const KeptRuns& kept_a,
                         const KeptRuns& kept_b) {
  for (std::int32_t rank = 0; rank < a.schedule.ranks; ++rank)
    for_each_common(kept_a, kept_b, [&](std::size_t i, std::size_t j, const Extent& elements) {
      const auto one = kept_a.of(a.values.inputs, rank, i, elements);
      const auto other = kept_b.of(b.values.inputs, rank, j, elements);
      if (std::memcmp(one.data(), other.data(), one.size()) == 0) return;
      const auto differs = std::mismatch(one.begin(), one.end(), other.begin()).first - one.begin();
      const std::uint64_t element =
          elements.first + static_cast<std::uint64_t>(differs) / bytes_of(a.run.type);
      throw Error({"error.differences.inputs",
                   {{"rank", std::to_string(rank)}, {"element", std::to_string(element)}}},
                  Blame::usage);
    });
}

// Whether a cell of the chunk that holds everyone's holds the same ranks' in both.
bool same_terms(const KeptRuns& kept_a, std::size_t i, const KeptRuns& kept_b, std::size_t j,
                std::int32_t ranks) {
  for (std::int32_t rank = 0; rank < ranks; ++rank)
    if (kept_a.begins_with(rank, i) != kept_b.begins_with(rank, j)) return false;
  return true;
}

}  // namespace

std::optional<std::uint64_t> ulps_between(ElementType type, std::uint64_t bits_a,
                                          std::uint64_t bits_b) {
  return with_type(type, [&]<class T>(std::type_identity<T>) -> std::optional<std::uint64_t> {
    if constexpr (std::is_integral_v<T>) {
      return distance(from_bits<T>(bits_a), from_bits<T>(bits_b));
    } else {
      if (is_nan<T>(bits_a) != is_nan<T>(bits_b)) return std::nullopt;
      if (is_nan<T>(bits_a)) return 0;
      return distance(place_in_order(bits_a, sizeof(T)), place_in_order(bits_b, sizeof(T)));
    }
  });
}

void add_differences(ElementType type, std::int32_t rank, std::uint64_t first,
                     std::span<const std::byte> a, std::span<const std::byte> b,
                     Differences& differences) {
  const std::size_t bytes = bytes_of(type);
  differences.compared += a.size() / bytes;
  // Mostly all is the same: whole runs are compared at once.
  constexpr std::size_t block = 4096;
  for (std::size_t begin = 0; begin < a.size(); begin += block) {
    const std::size_t end = std::min(a.size(), begin + block);
    if (std::memcmp(&a[begin], &b[begin], end - begin) == 0) continue;
    for (std::size_t at = begin; at < end; at += bytes) {
      ElementDifference found{rank, first + at / bytes, bits_at(type, &a[at]),
                              bits_at(type, &b[at])};
      if (found.bits_a == found.bits_b) continue;
      const std::optional<std::uint64_t> ulps = ulps_between(type, found.bits_a, found.bits_b);
      found.ulps = ulps.value_or(0);
      ++differences.differing;
      differences.not_a_number += !ulps;
      if (!differences.first) differences.first = found;
      if (found.ulps <= differences.largest_ulps) continue;
      differences.largest_ulps = found.ulps;
      differences.largest = found;
    }
  }
}

void require_same_data(const Trace& a, const Trace& b) {
  require_equal("error.differences.ranks", std::to_string(a.schedule.ranks),
                std::to_string(b.schedule.ranks));
  require_equal("error.differences.count", std::to_string(a.schedule.count),
                std::to_string(b.schedule.count));
  require_equal("error.differences.type", std::string(name_of(a.run.type)),
                std::string(name_of(b.run.type)));
  if (has_operator(a.schedule) && has_operator(b.schedule))  // nothing to one that only copies
    require_equal("error.differences.op", std::string(name_of(a.run.op)),
                  std::string(name_of(b.run.op)));
  require_equal("error.differences.data", data_of(a.run), data_of(b.run));
  require_same_inputs(a, b, KeptRuns(a), KeptRuns(b));
}

Differences differences_of(const Trace& a, const Trace& b) {
  require_same_data(a, b);
  if (a.stopped || b.stopped) throw Error({"error.differences.stopped", {}});
  const KeptRuns kept_a(a), kept_b(b);
  Differences differences;
  for (std::int32_t rank = 0; rank < a.schedule.ranks; ++rank)
    for_each_common(kept_a, kept_b, [&](std::size_t i, std::size_t j, const Extent& elements) {
      const std::int32_t goal = kept_a.goal(rank, i);
      if (goal == do_not_care || goal != kept_b.goal(rank, j)) return;
      if (goal == everyone && !same_terms(kept_a, i, kept_b, j, a.schedule.ranks)) return;
      add_differences(a.run.type, rank, elements.first,
                      kept_a.of(a.values.results, rank, i, elements),
                      kept_b.of(b.values.results, rank, j, elements), differences);
    });
  return differences;
}

}  // namespace ringscope
