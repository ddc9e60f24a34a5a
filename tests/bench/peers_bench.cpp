// Holds our all-reduces against Open MPI's and Gloo's, size by size in one session, the ring and
// whichever is fastest: peers_bench [REPEATS [BYTES...]]. Which peers there are is decided at
// build: MPI_PEER and GLOO_PEER are the commands that run them.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/bench.h"

namespace {

constexpr int ranks = 4;

// The seconds that a peer's command prints for that size; 0 where it fails.
double seconds_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
  unsigned long long bytes = 0;
  double seconds = 0;
  if (!output || std::fscanf(output.get(), "%llu %lf", &bytes, &seconds) != 2) return 0;
  return seconds;
}

// How many times as long as ours theirs takes: the fastest, and the ring.
void compare(const char* name, double theirs, double fastest, double ring) {
  if (theirs > 0)
    std::printf("  %s %.1f us = %.2f x fastest, %.2f x ring", name, theirs * 1e6, theirs / fastest,
                theirs / ring);
  else
    std::printf("  %s failed", name);
}

// With recording on. The parts of an all-reduce are none.
std::vector<ringscope::BenchRow> measure(std::uint64_t bytes, int repeats) {
  ringscope::BenchRequest request;
  request.algorithms = {"ring",        "bidirectional",      "parameter-server", "tree",
                        "double-tree", "recursive-doubling", "halving-doubling", "hierarchical"};
  request.ranks = ranks;
  request.sizes = {bytes};
  request.repeats = repeats;
  std::vector<ringscope::BenchRow> rows = ringscope::run_bench(request).rows;
  std::erase_if(rows, [](const ringscope::BenchRow& row) { return !row.recording; });
  return rows;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const int repeats = argument_count > 1 ? std::atoi(arguments[1]) : 7;
  std::vector<std::uint64_t> sizes;
  for (int i = 2; i < argument_count; ++i)
    sizes.push_back(std::strtoull(arguments[i], nullptr, 10));
  if (sizes.empty()) sizes = {1 << 10, 64 << 10, 1 << 20, 16 << 20, 64 << 20, 256 << 20};
  for (const std::uint64_t bytes : sizes) {
    const std::vector<ringscope::BenchRow> rows = measure(bytes, repeats);
    const auto faster = [](const ringscope::BenchRow& one, const ringscope::BenchRow& other) {
      return one.seconds < other.seconds;
    };
    const ringscope::BenchRow& fastest = *std::min_element(rows.begin(), rows.end(), faster);
    const ringscope::BenchRow& ring = rows.front();
    std::printf("%12llu B  %s %.1f us, %.1f %% of the limit; ring %.1f us, %.1f %%",
                static_cast<unsigned long long>(bytes), fastest.algorithm.c_str(),
                fastest.seconds * 1e6, fastest.limit_share * 100, ring.seconds * 1e6,
                ring.limit_share * 100);
    [[maybe_unused]] const std::string rest =
        ' ' + std::to_string(repeats) + ' ' + std::to_string(bytes);
#ifdef MPI_PEER
    compare("Open MPI", seconds_of(MPI_PEER + rest), fastest.seconds, ring.seconds);
#endif
#ifdef GLOO_PEER
    compare("Gloo", seconds_of(GLOO_PEER + rest), fastest.seconds, ring.seconds);
#endif
    std::printf("\n");
    std::fflush(stdout);
  }
  return 0;
}
