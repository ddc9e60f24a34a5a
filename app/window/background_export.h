// One call of export_deck() on a thread of its own, so that the window stays alive.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <variant>
#include <vector>

#include "core/export/deck.h"

namespace ringscope {

struct OpenTrace;

class BackgroundExport {
 public:
  // Starts at once, and keeps what it exports open. `wake` is called from the other thread whenever
  // there is something new to show.
  BackgroundExport(std::vector<std::shared_ptr<const OpenTrace>> shown, const Language& language,
                   DeckSettings settings, std::function<void()> wake);
  // Cancels and waits.
  ~BackgroundExport() = default;

  void cancel() { thread_.request_stop(); }
  bool done() const { return done_.load(std::memory_order_acquire); }
  double fraction() const { return fraction_.load(std::memory_order_relaxed); }
  const std::string& folder() const { return settings_.folder; }
  // Once, after done(): what was written, or why not.
  std::variant<DeckResult, Message> take();

 private:
  void work(const std::stop_token& stop);

  const std::vector<std::shared_ptr<const OpenTrace>> shown_;
  const Language& language_;
  const DeckSettings settings_;
  const std::function<void()> wake_;
  std::atomic<bool> done_ = false;
  std::atomic<double> fraction_ = 0;
  std::variant<DeckResult, Message> outcome_;
  std::jthread thread_;  // last: it is joined before what it writes to goes
};

}  // namespace ringscope
