// Fills the ranks' inputs, by all cores.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>

#include "core/data/inputs.h"

namespace ringscope {

// inputs[rank] is the whole buffer of that rank. `progress` (0..1) is called from the calling
// thread. Returns early when stopped. What fill_input() throws comes out of here.
void fill_inputs(const InputSpec& spec, std::span<const std::span<std::byte>> inputs,
                 std::stop_token stop, const std::function<void(double)>& progress);

}  // namespace ringscope
