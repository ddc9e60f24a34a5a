#include "core/schedule/building.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/error.h"

namespace ringscope {
namespace {

constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();

[[noreturn]] void refuse(std::string id,
                         std::vector<std::pair<std::string, std::string>> arguments) {
  throw Error({std::move(id), std::move(arguments)}, Blame::usage);
}

void check_order(const ScheduleRequest& request) {
  if (request.order.empty()) return;
  const std::string ranks = std::to_string(request.ranks);
  if (request.order.size() != static_cast<std::size_t>(request.ranks))
    refuse("error.order.length",
           {{"given", std::to_string(request.order.size())}, {"ranks", ranks}});
  std::vector<bool> seen(request.order.size(), false);
  for (const std::int32_t rank : request.order) {
    if (rank < 0 || rank >= request.ranks)
      refuse("error.order.no_such_rank", {{"rank", std::to_string(rank)}, {"ranks", ranks}});
    if (seen[static_cast<std::size_t>(rank)])
      refuse("error.order.twice", {{"rank", std::to_string(rank)}});
    seen[static_cast<std::size_t>(rank)] = true;
  }
}

void check_groups(const ScheduleRequest& request) {
  std::int64_t sum = 0;
  for (const std::int32_t size : request.groups) {
    if (size < 1) refuse("error.groups.too_small", {{"size", std::to_string(size)}});
    sum += size;
  }
  if (!request.groups.empty() && sum != request.ranks)
    refuse("error.groups.sum",
           {{"given", std::to_string(sum)}, {"ranks", std::to_string(request.ranks)}});
}

// Refuses what says nothing to the algorithm, and names those to which it would.
void check_unused(const Algorithm& algorithm, std::string_view option, bool given,
                  bool Algorithm::*has) {
  if (!given || algorithm.*has) return;
  std::string known;
  for (const Algorithm& row : algorithms())
    if (row.*has) known += (known.empty() ? "" : ", ") + std::string(row.name);
  refuse("error.option.unused", {{"option", std::string(option)},
                                 {"algorithm", std::string(algorithm.name)},
                                 {"known", known}});
}

}  // namespace

void check_request(const ScheduleRequest& request, std::string_view name) {
  const Algorithm& algorithm = algorithm_named(name);
  if (request.ranks < 1) refuse("error.ranks.too_few", {{"ranks", std::to_string(request.ranks)}});
  if (request.slices < 1)
    refuse("error.slices.too_few", {{"slices", std::to_string(request.slices)}});
  check_unused(algorithm, "order", !request.order.empty(), &Algorithm::has_order);
  check_unused(algorithm, "root", request.root.has_value(), &Algorithm::has_root);
  check_unused(algorithm, "groups", !request.groups.empty(), &Algorithm::has_groups);
  check_order(request);
  if (const std::int32_t root = request.root.value_or(0); root < 0 || root >= request.ranks)
    refuse("error.root.no_such_rank",
           {{"root", std::to_string(root)}, {"ranks", std::to_string(request.ranks)}});
  check_groups(request);
}

Schedule begin_all_reduce(const ScheduleRequest& request, std::string_view algorithm,
                          double moved_chunks) {
  const std::int32_t slices = request.slices;
  const auto refuse_too_large = [&] {
    refuse("error.schedule.too_large", {{"algorithm", std::string(algorithm)},
                                        {"ranks", std::to_string(request.ranks)},
                                        {"slices", std::to_string(slices)},
                                        {"most", std::to_string(most)}});
  };
  if (moved_chunks * slices > most) refuse_too_large();
  Schedule schedule;
  schedule.algorithm = algorithm;
  schedule.ranks = request.ranks;
  schedule.count = request.count;
  schedule.chunks = algorithm_named(algorithm).chunks(request);
  schedule.slices = slices;
  if (std::int64_t{schedule.chunks} * slices > most) refuse_too_large();
  const auto chunks = static_cast<std::size_t>(schedule.chunks);
  schedule.initial.resize(static_cast<std::size_t>(request.ranks) * chunks);
  for (std::size_t i = 0; i < schedule.initial.size(); ++i)
    schedule.initial[i] = static_cast<std::int32_t>(i / chunks);
  schedule.goal.assign(schedule.initial.size(), everyone);
  return schedule;
}

std::int32_t add_phase(Schedule& schedule, std::string id, std::int32_t rounds) {
  const std::int32_t first = rounds_of(schedule);
  if (rounds > 0) schedule.phases.push_back({std::move(id), first, rounds});
  return first;
}

void add_step(Schedule& schedule, std::int32_t round, std::int32_t src, std::int32_t dst,
              std::int32_t first_chunk, std::int32_t chunk_count, Action action, std::int32_t lag) {
  const std::int32_t slices = schedule.slices;
  if (slices == 1) {
    schedule.transfers.push_back({src, dst, first_chunk, chunk_count, round, 0, action});
    return;
  }
  for (std::int32_t chunk = first_chunk; chunk < first_chunk + chunk_count; ++chunk)
    for (std::int32_t slice = 0; slice < slices; ++slice) {
      const std::int32_t turn = slice < slices - lag ? slice + lag : slices - 1;
      schedule.transfers.push_back({src, dst, chunk * slices + slice, 1, round, turn, action});
    }
}

std::vector<std::int32_t> ring_order(const ScheduleRequest& request) {
  return request.order.empty() ? counted_from(0, request.ranks) : request.order;
}

void add_ring_round(Schedule& schedule, std::int32_t round, std::span<const std::int32_t> ring,
                    std::span<const std::int32_t> chunks, std::int32_t step, Action action) {
  const std::size_t size = ring.size();
  for (std::size_t place = 0; place < size; ++place) {
    const std::int32_t chunk = chunks[(place + size - static_cast<std::size_t>(step)) % size];
    add_step(schedule, round, ring[place], ring[(place + 1) % size], chunk, 1, action);
  }
}

std::vector<std::int32_t> counted_from(std::int32_t first, std::int32_t count) {
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  std::rotate(numbers.begin(), numbers.begin() + first % count, numbers.end());
  return numbers;
}

std::vector<std::int32_t> group_sizes(const ScheduleRequest& request) {
  if (!request.groups.empty()) return request.groups;
  std::vector<std::int32_t> sizes;
  for (std::int32_t left = request.ranks; left > 0; left -= sizes.back())
    sizes.push_back(std::min(left, 4));
  return sizes;
}

}  // namespace ringscope
