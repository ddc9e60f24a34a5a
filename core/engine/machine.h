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

// Everything but the devices and the time.
Provenance provenance();

}  // namespace ringscope
