// Which engines can run here, for the list of the set-up drawer. To ask wakes drivers, which can
// take seconds: so it is done once, on a thread of its own.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "core/engine/engine.h"

namespace ringscope {

// Owned by one thread.
class EngineList {
 public:
  // Asks at once; `wake` is called from the other thread when the answers are there.
  explicit EngineList(std::function<void()> wake);

  bool is_known() const { return known_.load(std::memory_order_acquire); }
  // Why the engine can't run so many ranks; nothing where it can, or while that is not known.
  std::optional<Message> why_not(std::string_view engine, int ranks) const;

 private:
  std::vector<std::unique_ptr<Engine>> engines_;
  std::atomic<bool> known_ = false;
  std::jthread thread_;  // last: it is joined before what it writes to goes
};

}  // namespace ringscope
