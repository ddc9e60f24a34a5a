#include "core/engine/cuda_clock.h"

#include <algorithm>
#include <cmath>

#include "core/engine/cuda_kernels.h"

namespace ringscope {
namespace {

const ClockPing& closest(std::span<const ClockPing> pings) {
  return *std::min_element(pings.begin(), pings.end(), [](const ClockPing& a, const ClockPing& b) {
    return a.after - a.before < b.after - b.before;
  });
}

double middle(const ClockPing& ping, std::int64_t origin) {
  return (static_cast<double>(ping.before - origin) + static_cast<double>(ping.after - origin)) / 2;
}

}  // namespace

std::int64_t host_now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::int64_t ClockMap::host_time(std::uint64_t device) const {
  // The difference is taken first: the timer's own numbers are too large for a double.
  const auto since = static_cast<std::int64_t>(device - device_begin);
  return std::llround(host_begin + static_cast<double>(since) * rate);
}

ClockMap map_clock(std::span<const ClockPing> before, std::span<const ClockPing> after,
                   std::int64_t origin) {
  const ClockPing &first = closest(before), &last = closest(after);
  ClockMap map;
  map.device_begin = first.device;
  map.host_begin = middle(first, origin);
  if (last.device > first.device)
    map.rate =
        (middle(last, origin) - map.host_begin) / static_cast<double>(last.device - first.device);
  map.uncertainty = (std::max(first.after - first.before, last.after - last.before) + 1) / 2;
  return map;
}

std::int64_t step_of(std::span<const std::uint64_t> times) {
  std::vector<std::uint64_t> steps;
  for (std::size_t i = 1; i < times.size(); ++i)
    if (times[i] > times[i - 1]) steps.push_back(times[i] - times[i - 1]);
  if (steps.empty()) return 1;
  std::sort(steps.begin(), steps.end());
  return static_cast<std::int64_t>(steps[(steps.size() - 1) * 9 / 10]);
}

ClockPinger::ClockPinger(int device, cudaStream_t stream)
    : device_(device), stream_(stream), memory_(device, pings * sizeof(std::uint64_t)) {}

std::vector<ClockPing> ClockPinger::ping() {
  cuda_use(device_);
  std::vector<ClockPing> all(pings);
  auto* const slots = reinterpret_cast<std::uint64_t*>(memory_.data());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].before = host_now();
    cuda_check(launch_stamp({slots + i}, stream_), "cudaLaunchKernel");
    cuda_check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    all[i].after = host_now();
  }
  const std::vector<std::uint64_t> times = read_slots();
  for (std::size_t i = 0; i < all.size(); ++i) all[i].device = times[i];
  return all;
}

std::int64_t ClockPinger::resolution() {
  cuda_use(device_);
  cuda_check(launch_timer_steps({reinterpret_cast<std::uint64_t*>(memory_.data()), pings}, stream_),
             "cudaLaunchKernel");
  return step_of(read_slots());
}

std::vector<std::uint64_t> ClockPinger::read_slots() {
  std::vector<std::uint64_t> times(pings);
  const StreamEnd end(stream_);
  copy_to_host(std::as_writable_bytes(std::span(times)), memory_.data(), stream_);
  cuda_check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  return times;
}

}  // namespace ringscope
