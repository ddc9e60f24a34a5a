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

BackgroundRun::BackgroundRun(RunSettings settings, std::function<void()> wake)
    : thread_([this, settings = std::move(settings), wake = std::move(wake)](
                  const std::stop_token& stop) { work(settings, stop, wake); }) {}

void BackgroundRun::work(const RunSettings& settings, const std::stop_token& stop,
                         const std::function<void()>& wake) {
  RunHooks hooks;
  hooks.stop = stop;
  hooks.progress = [&](RunStage stage, double fraction) {
    stage_ = stage;
    fraction_ = begin_of(stage) + fraction * (end_of(stage) - begin_of(stage));
    if (wake) wake();
  };
  try {
    outcome_ = record(settings, hooks);
  } catch (const Error& error) {
    outcome_ = error.message();
  } catch (const std::bad_alloc&) {
    outcome_ = Message{"error.window.memory", {}};
  }
  done_.store(true, std::memory_order_release);
  if (wake) wake();
}

std::variant<Trace, Message> BackgroundRun::take() {
  thread_.join();
  return std::move(outcome_);
}

}  // namespace ringscope
