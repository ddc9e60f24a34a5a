// What a run of elements must come to, from the inputs alone, and how far off a result may be. It
// shares no code with the operators of the engines. (DESIGN, 'Verdict'.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/data/inputs.h"
#include "core/schedule/schedule.h"

namespace ringscope {

// What the elements hold.
struct Terms {
  std::span<const std::int32_t> contributors;  // ranks; one alone: its bits as they are
  std::int32_t depth = 0;                      // additions on the longest path to the result
  // Nobody knows how they were added: a mean may have been scaled before it was, which rounds.
  bool unseen = false;
};

// Made once a thread and used for run after run.
struct Expectation {
  std::size_t count = 0;
  bool bitwise = false;
  std::vector<std::byte> bits;  // where bitwise: the elements as they must lie in memory
  // Else value + rest is wanted, by at most `bound` off. A value that is not finite is compared by
  // its class. An infinite bound lets anything pass.
  std::vector<double> value, rest, bound;
  std::uint64_t wrapped = 0, overflowed = 0, underflowed = 0;  // of these elements

  std::vector<double> size, least;       // sums of sizes; products of the large and small factors
  std::vector<__int128> exact;           // of integers; of products only till it leaves 64 bits
  std::vector<std::uint64_t> remainder;  // modulo 2^64
  std::vector<std::byte> input;          // one rank's
};

// Elements of a rank: rank, extent, room for them (as in memory).
using ElementReader = std::function<void(int rank, Extent extent, std::span<std::byte> out)>;

// Computes what elements `extent` of the result must be. `read` gives the inputs; `inputs` says of
// what type, kind and operator they are.
void expect(const InputSpec& inputs, const ElementReader& read, const Terms& terms, Extent extent,
            Expectation& expectation);

struct Comparison {
  std::optional<std::size_t> first_wrong;
  double largest_error = 0;            // where not bitwise
  double largest_error_in_bounds = 0;  // |error| / bound
};
Comparison compare(const Expectation& expectation, ElementType type,
                   std::span<const std::byte> got);

}  // namespace ringscope
