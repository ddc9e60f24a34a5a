// Ctrl-C as a wish to stop, which the work looks at when it can.
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace ringscope {

// While one lives, the first SIGINT or SIGTERM only asks to stop, and the next ends the process.
// Made before any other thread is started, so that the signals reach its own thread only.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();

  std::stop_token token() const { return stop_.get_token(); }

 private:
  sigset_t before_;
  std::stop_source stop_;
  std::jthread waiter_;
};

}  // namespace ringscope
