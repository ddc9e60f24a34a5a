// What this machine is and has, as far as a run is concerned.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace ringscope {

// Cores that this process may use, by their numbers; at least one.
std::vector<int> usable_core_numbers();
int usable_cores();

// Keeps the calling thread on that core. Only a wish: where the system refuses, nothing happens.
void stay_on_core(int number);

// Bytes that can still be had: the least of what the system has available, the control group's
// limit and the process's own.
std::uint64_t available_memory();

// Throws Error, with the figures, where that many bytes can't be had; `advice` is the id of its
// text. In floating point: what a user asks for may be beyond 64 bits.
void require_memory(double bytes, std::string_view advice = "error.memory.too_little");

// Everything but the devices and the time.
Provenance provenance();

}  // namespace ringscope
