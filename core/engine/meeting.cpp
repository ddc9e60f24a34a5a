#include "core/engine/meeting.h"

namespace ringscope {

void Meeting::arrive(std::int32_t round, std::int64_t time) {
  std::atomic<std::int64_t>& latest = latest_[static_cast<std::size_t>(round % 2)];
  std::int64_t seen = latest.load(std::memory_order_relaxed);
  while (seen < time && !latest.compare_exchange_weak(seen, time, std::memory_order_relaxed)) {
  }
  arrived_.fetch_add(1, std::memory_order_acq_rel);
}

bool Meeting::complete(std::int32_t round) const {
  return arrived_.load(std::memory_order_acquire) >= lanes_ * (std::int64_t{round} + 1);
}

void Meeting::leave(std::int32_t round) {
  std::int32_t seen = first_left_.load(std::memory_order_relaxed);
  while (seen > round &&
         !first_left_.compare_exchange_weak(seen, round, std::memory_order_release)) {
  }
}

bool Meeting::hopeless(std::int32_t round) const {
  return first_left_.load(std::memory_order_acquire) <= round;
}

std::int64_t Meeting::latest(std::int32_t round) const {
  return latest_[static_cast<std::size_t>(round % 2)].load(std::memory_order_relaxed);
}

}  // namespace ringscope
