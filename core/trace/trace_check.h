// What makes a decoded trace safe to work with, whatever was in the file: every index, count, enum
// and size is what the rest of the program takes for granted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/trace/trace.h"

namespace ringscope {

// The first place that contradicts the rest, such as 'schedule.transfers[17].round'; nothing where
// the trace is sound. Sound is not right: a schedule that fails the contributor check, or events
// that contradict it, are opened and shown as wrong. `payload_bytes` bounds what the trace may make
// others allocate. Texts are looked at where they are read (plain_text.h).
std::optional<std::string> contradiction(const Trace& trace, std::uint64_t payload_bytes);

}  // namespace ringscope
