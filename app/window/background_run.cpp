#include "app/window/background_run.h"

#include <new>

namespace ringscope {
namespace {

// Where each stage begins on the progress bar.
double begin_of(RunStage stage) {
  switch (stage) {
    case RunStage::preparing: return 0;
    case RunStage::filling: return 0.1;
    case RunStage::warming_up: return 0.3;
    case RunStage::running: return 0.4;
    case RunStage::verifying: return 0.7;
  }
  return 0;
}
double end_of(RunStage stage) {
  return stage == RunStage::verifying
             ? 1
             : begin_of(static_cast<RunStage>(static_cast<int>(stage) + 1));
}

}  // namespace

BackgroundRun::BackgroundRun(std::vector<RunSettings> runs, std::function<void()> wake)
    : runs_(std::move(runs)),
      thread_([this, wake = std::move(wake)](const std::stop_token& stop) { work(stop, wake); }) {}

void BackgroundRun::work(const std::stop_token& stop, const std::function<void()>& wake) {
  RunHooks hooks;
  hooks.stop = stop;
  hooks.progress = [&](RunStage stage, double fraction) {
    const double of_run = begin_of(stage) + fraction * (end_of(stage) - begin_of(stage));
    stage_ = stage;
    fraction_ = (static_cast<double>(run_) + of_run) / static_cast<double>(runs_.size());
    if (wake) wake();
  };
  try {
    std::vector<Trace> traces;
    for (run_ = 0; run_ < runs_.size(); ++run_) traces.push_back(record(runs_[run_], hooks));
    outcome_ = std::move(traces);
  } catch (const Error& error) {
    outcome_ = error.message();
  } catch (const std::bad_alloc&) {
    outcome_ = Message{"error.window.memory", {}};
  }
  done_.store(true, std::memory_order_release);
  if (wake) wake();
}

BackgroundRun::Outcome BackgroundRun::take() {
  thread_.join();
  return std::move(outcome_);
}

}  // namespace ringscope
