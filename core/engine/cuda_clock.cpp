#include "core/engine/cuda_clock.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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

// Between two readings a timer that steps by so many nanoseconds has made whole steps.
std::int64_t resolution_of(std::span<const ClockPing> pings) {
  std::uint64_t step = 0;
  for (std::size_t i = 1; i < pings.size(); ++i)
    step = std::gcd(step, pings[i].device - pings[i - 1].device);
  return static_cast<std::int64_t>(std::max<std::uint64_t>(step, 1));
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
  map.resolution = std::gcd(resolution_of(before), resolution_of(after));
  return map;
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
  std::vector<std::uint64_t> times(pings);
  const StreamEnd end(stream_);
  copy_to_host(std::as_writable_bytes(std::span(times)), memory_.data(), stream_);
  cuda_check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  for (std::size_t i = 0; i < all.size(); ++i) all[i].device = times[i];
  return all;
}

}  // namespace ringscope
