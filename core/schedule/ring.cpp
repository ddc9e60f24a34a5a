// The ring all-reduce (Patarasuk and Yuan, JPDC 2009). The ranks stand in a ring; with N = 4 in the
// order 0, 1, 2, 3:
//
//   GPU 0 ──> GPU 1     scatter-reduce, N-1 rounds: in round s (from 0) the rank in place p passes
//     ^         │       chunk p-s on, and its neighbour adds it. Chunk j starts in place j and ends
//     │         v       complete in place j-1.
//   GPU 3 <── GPU 2     all-gather, N-1 rounds: the rank in place p passes chunk p+1-s on, and its
//                       neighbour overwrites its own. Places and chunks are counted modulo N.
//
// Every rank sends 2(N-1)/N of its buffer in 2(N-1) rounds.
#include <limits>
#include <numeric>

#include "core/error.h"
#include "core/schedule/schedule.h"

namespace ringscope {
namespace {

// The order that was asked for, or 0, 1, 2, ...; throws where it is not a permutation of the ranks.
std::vector<std::int32_t> ring_order(const ScheduleRequest& request) {
  std::vector<std::int32_t> order = request.order;
  if (order.empty()) {
    order.resize(static_cast<std::size_t>(request.ranks));
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  const std::string ranks = std::to_string(request.ranks);
  if (order.size() != static_cast<std::size_t>(request.ranks))
    throw Error({"error.order.length", {{"given", std::to_string(order.size())}, {"ranks", ranks}}},
                Blame::usage);
  std::vector<bool> seen(order.size(), false);
  for (const std::int32_t rank : order) {
    if (rank < 0 || rank >= request.ranks)
      throw Error({"error.order.no_such_rank", {{"rank", std::to_string(rank)}, {"ranks", ranks}}},
                  Blame::usage);
    if (seen[static_cast<std::size_t>(rank)])
      throw Error({"error.order.twice", {{"rank", std::to_string(rank)}}}, Blame::usage);
    seen[static_cast<std::size_t>(rank)] = true;
  }
  return order;
}

void check_request(const ScheduleRequest& request) {
  if (request.ranks < 1)
    throw Error({"error.ranks.too_few", {{"ranks", std::to_string(request.ranks)}}}, Blame::usage);
  if (request.slices < 1)
    throw Error({"error.slices.too_few", {{"slices", std::to_string(request.slices)}}},
                Blame::usage);
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const std::int64_t cells = std::int64_t{request.ranks} * request.slices;
  if (cells > most || 2 * std::int64_t{request.ranks - 1} > most / cells)
    throw Error({"error.schedule.too_large",
                 {{"ranks", std::to_string(request.ranks)},
                  {"slices", std::to_string(request.slices)},
                  {"most", std::to_string(most)}}},
                Blame::usage);
}

}  // namespace

Schedule make_ring(const ScheduleRequest& request) {
  check_request(request);
  const std::int32_t n = request.ranks;
  const std::int32_t steps = n - 1;
  const auto cells = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);

  Schedule schedule;
  schedule.algorithm = "ring";
  schedule.ranks = schedule.chunks = n;
  schedule.count = request.count;
  schedule.slices = request.slices;
  schedule.order = ring_order(request);
  schedule.phases = {{"scatter-reduce", 0, steps}, {"all-gather", steps, steps}};
  schedule.initial.resize(cells);
  for (std::size_t i = 0; i < cells; ++i)
    schedule.initial[i] = static_cast<std::int32_t>(i / static_cast<std::size_t>(n));
  schedule.goal.assign(cells, everyone);

  schedule.transfers.reserve(2 * static_cast<std::size_t>(steps) * static_cast<std::size_t>(n) *
                             static_cast<std::size_t>(request.slices));
  const auto pass_on = [&](std::int32_t round, std::int32_t place, std::int32_t chunk,
                           Action action) {
    const auto at = static_cast<std::size_t>(place);
    const std::int32_t src = schedule.order[at];
    const std::int32_t dst = schedule.order[(at + 1) % schedule.order.size()];
    for (std::int32_t slice = 0; slice < request.slices; ++slice)
      schedule.transfers.push_back(
          {src, dst, chunk * request.slices + slice, 1, round, slice, action});
  };
  for (std::int32_t step = 0; step < steps; ++step)
    for (std::int32_t place = 0; place < n; ++place)
      pass_on(step, place, (place - step + n) % n, Action::reduce);
  for (std::int32_t step = 0; step < steps; ++step)
    for (std::int32_t place = 0; place < n; ++place)
      pass_on(steps + step, place, (place + 1 - step + n) % n, Action::copy);
  return schedule;
}

}  // namespace ringscope
