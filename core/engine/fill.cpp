#include "core/engine/fill.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "core/engine/machine.h"

namespace ringscope {

void fill_inputs(const InputSpec& spec, std::span<const std::span<std::byte>> inputs,
                 std::stop_token stop, const std::function<void(double)>& progress) {
  constexpr std::uint64_t block = 1 << 20;  // elements
  const std::uint64_t blocks_of_rank = spec.count / block + (spec.count % block != 0 ? 1 : 0);
  const std::uint64_t blocks = blocks_of_rank * inputs.size();
  const std::size_t bytes = bytes_of(spec.type);
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> failed{false};
  const auto take_one = [&] {
    const std::uint64_t taken = next.fetch_add(1, std::memory_order_relaxed);
    if (taken >= blocks || failed || stop.stop_requested()) return false;
    const std::uint64_t first = taken % blocks_of_rank * block;
    const std::uint64_t count = std::min(block, spec.count - first);
    const auto rank = static_cast<std::size_t>(taken / blocks_of_rank);
    fill_input(spec, static_cast<int>(rank), first,
               inputs[rank].subspan(first * bytes, count * bytes));
    return true;
  };

  const auto helpers = std::min<std::uint64_t>(static_cast<std::uint64_t>(usable_cores()), blocks);
  std::vector<std::exception_ptr> faults(helpers);
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t i = 1; i < helpers; ++i)
      threads.emplace_back([&, i] {
        try {
          while (take_one()) {
          }
        } catch (...) {
          faults[i] = std::current_exception();
          failed = true;
        }
      });
    try {
      do {
        progress(blocks == 0
                     ? 1.0
                     : std::min(1.0, static_cast<double>(next) / static_cast<double>(blocks)));
      } while (take_one());
    } catch (...) {
      failed = true;
      throw;
    }
  }
  for (const std::exception_ptr& fault : faults)
    if (fault) std::rethrow_exception(fault);
}

}  // namespace ringscope
