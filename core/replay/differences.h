// In which elements, and by how many units in the last place, the results of two runs on the same
// data differ: the order of additions is all that two algorithms have to differ in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/trace/trace.h"

namespace ringscope {

// One element that is not the same to the bit.
struct ElementDifference {
  std::int32_t rank = 0;
  std::uint64_t element = 0;  // of the rank's buffer
  std::uint64_t bits_a = 0;   // of the element type, in the lowest bits
  std::uint64_t bits_b = 0;
  std::uint64_t ulps = 0;

  bool operator==(const ElementDifference&) const = default;
};

struct Differences {
  std::uint64_t compared = 0;      // elements, over all ranks
  std::uint64_t differing = 0;     // those that are not the same to the bit
  std::uint64_t not_a_number = 0;  // of them those where one is NaN and the other is not
  std::uint64_t largest_ulps = 0;  // of all others
  std::optional<ElementDifference> first = {};    // lowest rank, then lowest element
  std::optional<ElementDifference> largest = {};  // the first of those of largest_ulps; nothing
                                                  // where that is 0

  bool operator==(const Differences&) const = default;
};

// How many numbers of the type lie from one to the other: the next one is 1 away, -0 and +0 are 0,
// from the largest finite number to infinity it is 1. Integers: |a - b|. Nothing where one is NaN
// and the other is not; two NaN are 0.
std::optional<std::uint64_t> ulps_between(ElementType type, std::uint64_t bits_a,
                                          std::uint64_t bits_b);

// Adds elements [first, first + a.size() / bytes_of(type)) of a rank to what was compared. Sizes
// are equal. In ascending order of rank and element, or `first` is not the first one.
void add_differences(ElementType type, std::int32_t rank, std::uint64_t first,
                     std::span<const std::byte> a, std::span<const std::byte> b,
                     Differences& differences);

// Throws Error unless both ran on the same data: ranks, count, type, operator, generator or file,
// and, as far as both have kept them, the inputs bit for bit.
void require_same_data(const Trace& a, const Trace& b);

// The results of those elements that both traces have kept and that have the same goal in both.
// Throws Error where the data differ, or a run stopped before its end.
Differences differences_of(const Trace& a, const Trace& b);

}  // namespace ringscope
