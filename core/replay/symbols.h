// Symbols as the documents write them: 'b0+a0', 'min(a0,b0)', '(a0+b0+c0+d0)/4'.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/data/element.h"

namespace ringscope {

// Whether terms are added up; by the other operators they are combined.
constexpr bool adds(Operator op) { return op == Operator::sum || op == Operator::avg; }

// 'b3' is rank 1's term of chunk 3; above 26 ranks every term is 'g27.3'.
std::string term(std::int32_t rank, std::int32_t chunk, std::int32_t ranks);

// The contributors of a chunk under the operator: sum 'b0+a0', prod 'b0*a0', min 'min(b0,a0)'; avg
// is the sum, and '(a0+b0+c0+d0)/4' where it is complete. No contributor: ''.
std::string symbol(std::span<const std::int32_t> contributors, std::int32_t chunk,
                   std::int32_t ranks, Operator op, bool complete);

}  // namespace ringscope
