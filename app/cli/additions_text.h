// The order of additions of a chunk as text; `ringscope show --additions` prints it. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "app/cli/output.h"
#include "core/language/language.h"
#include "core/replay/replay.h"

namespace ringscope {

// A line for each rank that holds a sum: 'GPU0: (d0+(c0+(b0+a0))) = 1111'. Beneath, each addition
// of the first of them with its numbers and, where the exact sum lies elsewhere, by how much it was
// rounded.
std::string additions_text(const Replay& replay, std::int32_t chunk, const Language& language);

// {chunk, sums: [rank] text or null}
Json additions_json(const Replay& replay, std::int32_t chunk);

}  // namespace ringscope
