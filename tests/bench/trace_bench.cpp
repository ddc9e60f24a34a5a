// Prints what the trace of a ring of 1,024 ranks costs: its file, opening it, and seeking in it.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <optional>

#include "core/replay/replay.h"
#include "core/trace/trace_file.h"
#include "tests/sample_trace.h"

using namespace ringscope;

namespace {

// Prints the milliseconds that the body takes, by the clock and of the processor.
template <class Body>
void timed(const char* what, Body&& body) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t processor_start = std::clock();
  body();
  const std::clock_t processor_end = std::clock();
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  const double processor = 1e3 * static_cast<double>(processor_end - processor_start);
  std::printf("%-28s %9.2f ms  (processor %9.2f ms)\n", what, spent.count(),
              processor / CLOCKS_PER_SEC);
}

}  // namespace

int main(int argument_count, char** arguments) {
  const std::int32_t ranks = argument_count > 1 ? std::atoi(arguments[1]) : 1024;
  const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                     ("trace_bench-" + std::to_string(getpid()) + ".ring");
  {
    const Trace made = sample_trace({ranks, static_cast<std::uint64_t>(ranks), 1, {}});
    timed("save", [&] { save_trace(made, path); });
  }
  std::printf("%-28s %9ju bytes\n", "file", std::filesystem::file_size(path));
  for (int i = 0; i < 3; ++i) {
    Trace trace;
    std::optional<Replay> replay;
    timed("load", [&] { trace = load_trace(path); });
    timed("make the replay", [&] { replay.emplace(trace); });
    for (const int part : {4, 2, 1})
      timed("seek", [&] { replay->at({replay->rounds() / part, 1}); });
  }
  std::filesystem::remove(path);
}
