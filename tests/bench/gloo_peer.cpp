// Gloo's ring all-reduce of f32 sums, out of place, a thread per rank over its TCP transport:
// gloo_peer RANKS REPEATS BYTES... prints 'bytes seconds' (the median of the slowest rank's times)
// a line.
#include <gloo/allreduce.h>
#include <gloo/barrier.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/hash_store.h>
#include <gloo/transport/tcp/device.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace {

using Seconds = std::chrono::duration<double>;

void all_reduce(const std::shared_ptr<gloo::Context>& context, std::vector<float>& input,
                std::vector<float>& output) {
  gloo::AllreduceOptions options(context);
  options.setAlgorithm(gloo::AllreduceOptions::Algorithm::RING);
  options.setInput(input.data(), input.size());
  options.setOutput(output.data(), output.size());
  using Sum = void (*)(void*, const void*, const void*, std::size_t);
  options.setReduceFunction(static_cast<Sum>(&gloo::sum<float>));
  gloo::allreduce(options);
}

// One rank; its times of each repeat.
std::vector<double> run_rank(const std::shared_ptr<gloo::Context>& context, std::size_t count,
                             int repeats) {
  std::vector<float> input(count, static_cast<float>(context->rank)), output(count);
  std::vector<double> times;
  for (int repeat = 0; repeat <= repeats; ++repeat) {  // the first only warms up
    gloo::BarrierOptions barrier(context);
    gloo::barrier(barrier);
    const auto begin = std::chrono::steady_clock::now();
    all_reduce(context, input, output);
    if (repeat > 0) times.push_back(Seconds(std::chrono::steady_clock::now() - begin).count());
  }
  return times;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const int ranks = std::atoi(arguments[1]), repeats = std::atoi(arguments[2]);
  gloo::rendezvous::HashStore store;
  std::vector<std::vector<std::vector<double>>> times(static_cast<std::size_t>(ranks));
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank)
      threads.emplace_back([&, rank] {
        const auto context = std::make_shared<gloo::rendezvous::Context>(rank, ranks);
        std::shared_ptr<gloo::transport::Device> device =
            gloo::transport::tcp::CreateDevice("127.0.0.1");
        context->connectFullMesh(store, device);
        for (int i = 3; i < argument_count; ++i)
          times[static_cast<std::size_t>(rank)].push_back(
              run_rank(context, static_cast<std::size_t>(std::atoll(arguments[i])) / sizeof(float),
                       repeats));
      });
  }
  for (int i = 3; i < argument_count; ++i) {
    std::vector<double> slowest(static_cast<std::size_t>(repeats), 0);
    for (const auto& of_rank : times)
      for (std::size_t repeat = 0; repeat < slowest.size(); ++repeat)
        slowest[repeat] =
            std::max(slowest[repeat], of_rank[static_cast<std::size_t>(i - 3)][repeat]);
    std::sort(slowest.begin(), slowest.end());
    std::printf("%s %.9f\n", arguments[i], slowest[(slowest.size() - 1) / 2]);
  }
  return 0;
}
