// One call of record() on a thread of its own, so that the window stays alive.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <variant>

#include "core/engine/record.h"

namespace ringscope {

// Owned by one thread; only the functions marked so touch what the run's thread writes.
class BackgroundRun {
 public:
  // Starts at once. `wake` is called from the run's thread whenever there is something new to show.
  BackgroundRun(RunSettings settings, std::function<void()> wake);
  // Cancels and waits.
  ~BackgroundRun() = default;

  void cancel() { thread_.request_stop(); }
  bool done() const { return done_.load(std::memory_order_acquire); }
  // 0..1 over all stages, and the stage.
  double fraction() const { return fraction_.load(std::memory_order_relaxed); }
  RunStage stage() const { return stage_.load(std::memory_order_relaxed); }
  // Once, after done(): the trace, or why there is none.
  std::variant<Trace, Message> take();

 private:
  void work(const RunSettings& settings, const std::stop_token& stop,
            const std::function<void()>& wake);

  std::atomic<bool> done_ = false;
  std::atomic<double> fraction_ = 0;
  std::atomic<RunStage> stage_ = RunStage::preparing;
  std::variant<Trace, Message> outcome_;
  std::jthread thread_;  // last: it is joined before what it writes to goes
};

}  // namespace ringscope
