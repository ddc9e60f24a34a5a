// What a schedule moves, counted, and what the literature says it should: held against each other
// by the tests, and shown side by side.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/error.h"
#include "core/schedule/schedule.h"

namespace ringscope {

// From the least to the most of all ranks, in elements.
struct Range {
  std::uint64_t least = 0;
  std::uint64_t most = 0;

  bool operator==(const Range&) const = default;
};

// Elements that a schedule moves, or bytes that a run of it moved.
struct Counts {
  std::int32_t rounds = 0;
  Range sent;      // by a rank
  Range received;  // by a rank
  std::uint64_t total = 0;
  std::int32_t busiest_rank = 0;  // most in and out together; of several the lowest
  Traffic busiest_port;           // out of it and into it
  std::int32_t busiest_src = -1;  // the directed link that carries most; of several the lowest;
  std::int32_t busiest_dst = -1;  // -1: no link is used
  std::uint64_t busiest_link = 0;

  bool operator==(const Counts&) const = default;
};
// In elements.
Counts counts_of(const Schedule& schedule);
// In the unit of moved: [transfer].
Counts counts_of(const Schedule& schedule, std::span<const std::uint64_t> moved);

// An exact fraction of K, the whole buffer of one rank (in the parts, too, as nccl-tests counts).
struct Share {
  std::uint64_t numerator = 0;
  std::uint64_t denominator = 1;

  // Of so many bytes or elements; K must be small enough for the product to fit 64 bits, and the
  // result is rounded down where the denominator does not divide it.
  std::uint64_t of(std::uint64_t k) const { return k * numerator / denominator; }
  bool operator==(const Share&) const = default;
};

// What holds for chunks of equal size; rounds and total always.
struct Formula {
  std::int32_t rounds = 0;
  Share busiest;  // what the busiest rank sends, and what the busiest receives
  Share link;     // what the busiest link carries, in one direction
  Share total;
  // The same as they are written, in no language: '2(N-1)', '2(N-1)/N K', '2(N-1) K'.
  std::string_view rounds_written;
  std::string_view busiest_written;
  std::string_view link_written;
  std::string_view total_written;
  std::optional<Message> symbols;  // what is in them besides N and K, and how much it is
  std::string_view source;         // a text's id
  std::string_view
      document;  // the id of a text: what a popular article says, and what that is; or ''
};

// Of an algorithm of the table; `groups` are the sizes of the hierarchical one's (empty: fours, the
// last smaller; groups_of() reads them off a schedule). Nothing for a name that is not in the
// table.
std::optional<Formula> formula_of(std::string_view algorithm, std::int32_t ranks,
                                  std::span<const std::int32_t> groups = {});

}  // namespace ringscope
