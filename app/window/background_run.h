// Calls of record(), one after the other on a thread of their own, so that the window stays alive.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <variant>
#include <vector>

#include "core/engine/record.h"

namespace ringscope {

// Owned by one thread; only the functions marked so touch what the run's thread writes.
class BackgroundRun {
 public:
  using Outcome = std::variant<std::vector<Trace>, Message>;

  // Starts at once; the first that fails is the last. `wake` is called from the run's thread
  // whenever there is something new to show.
  BackgroundRun(std::vector<RunSettings> runs, std::function<void()> wake);
  // Cancels and waits.
  ~BackgroundRun() = default;

  void cancel() { thread_.request_stop(); }
  bool done() const { return done_.load(std::memory_order_acquire); }
  // 0..1 over all stages of all runs, the stage, and which of the runs (from 0).
  double fraction() const { return fraction_.load(std::memory_order_relaxed); }
  RunStage stage() const { return stage_.load(std::memory_order_relaxed); }
  std::size_t run() const { return run_.load(std::memory_order_relaxed); }
  std::size_t runs() const { return runs_.size(); }
  // Once, after done(): a trace a run, or why there is none.
  Outcome take();

 private:
  void work(const std::stop_token& stop, const std::function<void()>& wake);

  const std::vector<RunSettings> runs_;
  std::atomic<bool> done_ = false;
  std::atomic<double> fraction_ = 0;
  std::atomic<RunStage> stage_ = RunStage::preparing;
  std::atomic<std::size_t> run_ = 0;
  Outcome outcome_;
  std::jthread thread_;  // last: it is joined before what it writes to goes
};

}  // namespace ringscope
