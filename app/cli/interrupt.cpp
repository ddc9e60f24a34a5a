#include "app/cli/interrupt.h"

#include <unistd.h>

#include <chrono>
#include <ctime>

namespace ringscope {
namespace {

sigset_t stopping_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

}  // namespace

Interrupt::Interrupt() {
  const sigset_t signals = stopping_signals();
  pthread_sigmask(SIG_BLOCK, &signals, &before_);
  waiter_ = std::jthread([this, signals](const std::stop_token& done) {
    // A second signal right behind the first is taken as the same: who stops a group of processes
    // may reach one twice.
    constexpr std::chrono::milliseconds moment(500);
    std::chrono::steady_clock::time_point asked{};
    while (!done.stop_requested()) {
      constexpr timespec patience{0, 50'000'000};
      const int signal = sigtimedwait(&signals, nullptr, &patience);
      if (signal < 0) continue;
      const auto now = std::chrono::steady_clock::now();
      if (stop_.request_stop())
        asked = now;
      else if (now > asked + moment)
        _exit(128 + signal);
    }
  });
}

Interrupt::~Interrupt() {
  waiter_.request_stop();
  waiter_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace ringscope
