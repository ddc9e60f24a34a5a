// Prints what a ring of 1,024 ranks (2,095,104 transfers) costs before and after a run, in one
// process on one core.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "core/schedule/check.h"
#include "core/schedule/plan.h"
#include "core/schedule/schedule.h"

using namespace ringscope;

namespace {

// Prints the milliseconds that the body takes and hands on its result.
template <class Body>
auto timed(const char* what, Body&& body) {
  const auto start = std::chrono::steady_clock::now();
  auto result = body();
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  std::printf("%-28s %9.2f ms\n", what, spent.count());
  return result;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const std::int32_t ranks = argument_count > 1 ? std::atoi(arguments[1]) : 1024;
  const Schedule schedule = timed("build the schedule", [&] {
    return make_ring({ranks, static_cast<std::uint64_t>(ranks), 1, {}});
  });
  std::printf("%-28s %9zu\n", "transfers", schedule.transfers.size());
  const Plan plan = timed("plan", [&] { return make_plan(schedule); });
  timed("is it acyclic", [&] { return is_acyclic(plan); });
  timed("check with the plan", [&] { return check(schedule, plan); });
}
