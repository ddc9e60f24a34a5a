// In which order a chunk was really added up: the tree of all its additions, rank by rank, as the
// schedule orders them and the record says that they happened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/replay/replay.h"

namespace ringscope {

// A term, or the sum of two.
struct AdditionNode {
  std::int32_t rank;           // whose term it is; of a sum, where it was added
  std::int32_t transfer = -1;  // that added it; of a term, that first copied it (a mean scales it
                               // then), or -1
  std::int32_t left = -1;      // the receiver's own operand; -1: a term
  std::int32_t right = -1;     // what it received
  std::int32_t terms = 1;

  bool is_term() const { return left < 0; }
  bool operator==(const AdditionNode&) const = default;
};

struct Additions {
  std::int32_t chunk = 0;
  std::int32_t cell = 0;              // of its slices the first that is not empty
  std::vector<AdditionNode> nodes;    // operands before sums
  std::vector<std::int32_t> of_rank;  // [rank]: the node that it ends with; -1: holds nothing
};

// Of what happened. One pass over the transfers; at most `ranks` terms and one node a reduction.
Additions additions_of(const Trace& trace, std::int32_t chunk);

// The nodes that a node is made of, with it, operands before sums, the receiver's first.
std::vector<std::int32_t> made_of(const Additions& additions, std::int32_t node);

// '((a0+b0)+(c0+d0))', a pair of brackets an addition; 'min(a0,b0)'; of a mean the complete sum
// '((a0+b0))/2'. A term: 'a0'.
std::string bracketed(const Additions& additions, std::int32_t node, const Schedule& schedule,
                      Operator op);

// The kept elements of a rank's cell as `transfer` left them in memory, or of its input for -1;
// empty where they were not kept.
std::vector<std::byte> kept_bytes(const Trace& trace, const ValueLayout& layout, std::int32_t rank,
                                  std::int32_t cell, std::int32_t transfer);
// The same of a node.
std::vector<std::byte> kept_bytes(const Trace& trace, const ValueLayout& layout,
                                  const Additions& additions, std::int32_t node);
// The first of them as a number; a mean that is not complete as the sum that it stands for.
std::optional<Number> number_of(const Trace& trace, const std::vector<std::byte>& kept,
                                std::int32_t transfer, std::int32_t terms);

// The same sum in the order of ranks, (((a0+b0)+c0)+d0), in the same element type: what another
// order gives. Of the kept elements; empty where none were kept or a rank has no term.
std::vector<std::byte> in_rank_order(const Trace& trace, const ValueLayout& layout,
                                     const Additions& additions);

// By how much a floating sum was rounded: what is in memory less the exact sum of its operands,
// both as they were in memory. Nothing for integers, for other operators, where one of them is not
// finite.
std::optional<double> rounding_of(ElementType type, Operator op, const std::byte* left,
                                  const std::byte* right, const std::byte* sum);

}  // namespace ringscope
