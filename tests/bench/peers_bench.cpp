// Holds our ring against Open MPI's and Gloo's all-reduce, size by size in one session: peers_bench
// [REPEATS [BYTES...]]. Which peers there are is decided at build: MPI_PEER and GLOO_PEER are the
// commands that run them.
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

void compare(const char* name, double theirs, double ours) {
  if (theirs > 0)
    std::printf("  %s %9.3f ms, ratio %5.2f", name, theirs * 1e3, theirs / ours);
  else
    std::printf("  %s failed", name);
}

}  // namespace

int main(int argument_count, char** arguments) {
  const int repeats = argument_count > 1 ? std::atoi(arguments[1]) : 7;
  std::vector<std::uint64_t> sizes;
  for (int i = 2; i < argument_count; ++i)
    sizes.push_back(std::strtoull(arguments[i], nullptr, 10));
  if (sizes.empty()) sizes = {1 << 10, 64 << 10, 1 << 20, 16 << 20, 64 << 20, 256 << 20};
  for (const std::uint64_t bytes : sizes) {
    ringscope::BenchRequest request;
    request.ranks = ranks;
    request.sizes = {bytes};
    request.repeats = repeats;
    const ringscope::BenchRow row = ringscope::run_bench(request).rows.back();
    std::printf("%12llu B  ours %9.3f ms, %4.1f %% of the limit",
                static_cast<unsigned long long>(bytes), row.seconds * 1e3, row.limit_share * 100);
    [[maybe_unused]] const std::string rest =
        ' ' + std::to_string(repeats) + ' ' + std::to_string(bytes);
#ifdef MPI_PEER
    compare("Open MPI", seconds_of(MPI_PEER + rest), row.seconds);
#endif
#ifdef GLOO_PEER
    compare("Gloo", seconds_of(GLOO_PEER + rest), row.seconds);
#endif
    std::printf("\n");
    std::fflush(stdout);
  }
  return 0;
}
