// What the operators do to the bits, the same for every engine, and bitwise commutative, so that
// all ranks agree bitwise in every algorithm (DESIGN, 'Operators'): a NaN result is one canonical
// quiet NaN; min and max propagate NaN and take -0 < +0; f16 and bf16 compute in f32 and round
// once; integers wrap modulo 2^bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/data/element.h"

namespace ringscope {

// What one pass over elements does besides the operator itself. Only avg looks at more than `op`.
struct Pass {
  Operator op = Operator::sum;
  int ranks = 1;              // N, the divisor of avg
  bool own_is_input = false;  // the receiver's operand is a cell that no transfer has written yet
  bool received_is_input = false;  // the same of the sender's
  bool completes = false;  // the result holds every contributor: avg is finished in this pass
  bool stream = false;     // write past the caches where the processor can: for what is large and
                           // will not be read again soon. The same bits; done when the pass returns
};

// dst[i] = own[i] op received[i]. All three hold dst.size() / bytes_of(type) elements; dst may be
// own (never received), no other overlap. Any alignment.
void reduce_pass(ElementType type, const Pass& pass, std::span<std::byte> dst,
                 std::span<const std::byte> own, std::span<const std::byte> received);

// dst[i] = received[i]; for floating avg scaled where received_is_input. (N = 1 or a cell copied
// with every contributor is finished already.)
void copy_pass(ElementType type, const Pass& pass, std::span<std::byte> dst,
               std::span<const std::byte> received);

// 2^k, k = ceil(log2 N): views show floating avg times this for written cells that lack
// contributors.
double avg_scale(int ranks);

}  // namespace ringscope
