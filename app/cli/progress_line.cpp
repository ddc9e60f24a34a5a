#include "app/cli/progress_line.h"

#include <unistd.h>

#include <cstdio>

namespace ringscope {

ProgressLine::ProgressLine(const Language& language)
    : language_(language),
      terminal_(isatty(STDERR_FILENO) == 1),
      next_(std::chrono::steady_clock::now() + std::chrono::seconds(1)) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

void ProgressLine::show(std::string_view id, double fraction) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  shown_ = true;
  std::fprintf(stderr, "\r\x1b[K%s %.0f %%", language_.text(id).c_str(), 100 * fraction);
}

}  // namespace ringscope
