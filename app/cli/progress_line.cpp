#include "app/cli/progress_line.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace ringscope {

ProgressLine::ProgressLine(const Language& language) : language_(language) {
  if (isatty(STDERR_FILENO) != 1) return;
  printer_ = std::jthread([this](const std::stop_token& end) {
    const auto begin = std::chrono::steady_clock::now();
    const auto never = [] { return false; };
    std::unique_lock lock(mutex_);
    ended_.wait_for(lock, end, std::chrono::seconds(1), never);
    while (!end.stop_requested()) {
      const auto passed = std::chrono::steady_clock::now() - begin;
      print(static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(passed).count()));
      ended_.wait_for(lock, end, std::chrono::milliseconds(200), never);
      std::fputs("\r\x1b[K", stderr);
    }
  });
}

void ProgressLine::show(const std::string& id, double fraction, const std::string& subject) {
  const std::scoped_lock lock(mutex_);
  id_ = id;
  fraction_ = fraction;
  subject_ = subject;
}

void ProgressLine::print(int seconds) {
  if (id_.empty()) return;
  const std::string what = (subject_.empty() ? "" : subject_ + ": ") + language_.text(id_);
  if (fraction_ > 0)
    std::fprintf(stderr, "%s %.0f %%, %d s", what.c_str(), 100 * fraction_, seconds);
  else
    std::fprintf(stderr, "%s, %d s", what.c_str(), seconds);
}

}  // namespace ringscope
