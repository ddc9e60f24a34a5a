// Traces as files (.ring): a fixed header (magic, format version, length, XXH3 of payload and rest
// of header), then a FlatBuffers payload (trace.fbs).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace ringscope {

// The bytes of a .ring file. Throws Error where the trace would take 2 GB or more.
std::vector<std::byte> encode_trace(const Trace& trace);

// `name` is what errors call it. Throws Error with one sentence for whatever is wrong with the
// bytes: empty, foreign, cut off, corrupted, of a newer version, or contradicting itself. Every
// index in it is checked.
Trace decode_trace(std::span<const std::byte> bytes, const std::string& name);

// Writes to a temporary name beside it and renames, so that no half-written file is left. Throws
// Error.
void save_trace(const Trace& trace, const std::string& path);
Trace load_trace(const std::string& path);

}  // namespace ringscope
