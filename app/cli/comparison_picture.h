// The picture of a comparison, for `picture` and `compare`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/figure/figure.h"
#include "core/figure/theme.h"
#include "core/language/language.h"
#include "core/replay/replay.h"

namespace ringscope {

// One moment on either clock.
struct Moment {
  bool measured = false;
  std::int64_t nanoseconds = 0;  // where measured
  Cursor cursor;                 // else; rounds are counted over all phases
};
// The most rounds that one of them has, over all phases.
std::int32_t most_rounds(std::span<const Trace* const> traces);
// '3': one of those, or 0, the start. Throws Error (usage).
std::int32_t compared_round(std::span<const Trace* const> traces, std::string_view text);

// '30.1ms' where `time` is not empty, else round '3' with the share of it that has passed. Throws
// Error (usage).
Moment moment_of(std::span<const Trace* const> traces, std::string_view time,
                 std::string_view round, double fraction);

// Throws Error (usage) unless so many runs can be drawn side by side.
void require_stages(std::size_t runs);

// A PNG of two or three runs. Throws Error (usage) unless their data are the same.
void write_comparison(std::span<const Trace* const> traces, const Moment& moment,
                      const Theme& theme, Size size, double text_scale, const Language& language,
                      const std::string& path);

}  // namespace ringscope
