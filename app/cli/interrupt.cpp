#include "app/cli/interrupt.h"

#include <unistd.h>

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
    constexpr timespec moment{0, 50'000'000};
    while (!done.stop_requested()) {
      const int signal = sigtimedwait(&signals, nullptr, &moment);
      if (signal < 0) continue;
      if (!stop_.request_stop()) _exit(128 + signal);
    }
  });
}

Interrupt::~Interrupt() {
  waiter_.request_stop();
  waiter_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace ringscope
