#include "app/window/background_export.h"

#include <new>

#include "app/window/session.h"

namespace ringscope {

BackgroundExport::BackgroundExport(std::vector<std::shared_ptr<const OpenTrace>> shown,
                                   const Language& language, DeckSettings settings,
                                   std::function<void()> wake)
    : shown_(std::move(shown)),
      language_(language),
      settings_(std::move(settings)),
      wake_(std::move(wake)),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

void BackgroundExport::work(const std::stop_token& stop) {
  DeckHooks hooks;
  hooks.stop = stop;
  hooks.progress = [&](double share) {
    fraction_ = share;
    if (wake_) wake_();
  };
  try {
    const Fonts fonts;  // one a thread
    std::vector<const Replay*> replays;
    for (const auto& open : shown_) replays.push_back(&open->replay);
    outcome_ = export_deck(replays, fonts, language_, settings_, hooks);
  } catch (const Error& error) {
    outcome_ = error.message();
  } catch (const std::bad_alloc&) {
    outcome_ = Message{"error.window.memory", {}};
  }
  done_.store(true, std::memory_order_release);
  if (wake_) wake_();
}

std::variant<DeckResult, Message> BackgroundExport::take() {
  thread_.join();
  return std::move(outcome_);
}

}  // namespace ringscope
