// What this machine is and has, as far as a run is concerned.
#pragma once

#include <cstdint>

#include "core/trace/trace.h"

namespace ringscope {

// Cores that this process may use; at least 1.
int usable_cores();

// Bytes that can still be had: the least of what the system has available, the control group's
// limit and the process's own.
std::uint64_t available_memory();

// Throws Error, with the figures, where that many bytes can't be had. In floating point: what a
// user asks for may be beyond 64 bits.
void require_memory(double bytes);

// Everything but the devices and the time.
Provenance provenance();

}  // namespace ringscope
