#include "app/window/engine_list.h"

namespace ringscope {

EngineList::EngineList(std::function<void()> wake)
    : thread_([this, wake = std::move(wake)] {
        for (const EngineRow& row : engines()) engines_.push_back(make_engine(row.name));
        known_.store(true, std::memory_order_release);
        if (wake) wake();
      }) {}

std::optional<Message> EngineList::why_not(std::string_view engine, int ranks) const {
  if (!is_known()) return std::nullopt;
  for (const auto& one : engines_)
    if (one->name() == engine)
      if (Availability can = one->availability(ranks); !can.ok) return std::move(can.why);
  return std::nullopt;
}

}  // namespace ringscope
