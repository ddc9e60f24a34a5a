#include "core/trace/trace.h"

#include <algorithm>
#include <span>

namespace ringscope {
namespace {

constexpr std::uint64_t most_whole = 64;         // elements of a cell that is kept whole
constexpr std::uint64_t most_bytes = 64u << 20;  // of all values of a trace

std::uint64_t elements_kept(std::uint64_t elements, Kept kept) {
  switch (kept) {
    case Kept::whole: return elements;
    case Kept::first_eight: return std::min<std::uint64_t>(elements, 8);
    case Kept::first_one:
    case Kept::ends_only: break;
  }
  return std::min<std::uint64_t>(elements, 1);
}

// Both cuts give sizes that differ by at most one: the largest cell is the one rounded up twice.
std::uint64_t largest_cell(const Schedule& schedule) {
  const auto rounded_up = [](std::uint64_t count, std::int32_t parts) {
    const auto n = static_cast<std::uint64_t>(parts);
    return count / n + (count % n != 0);
  };
  return rounded_up(rounded_up(schedule.count, schedule.chunks), schedule.slices);
}

std::uint64_t bytes_of_values(const Schedule& schedule, ElementType type, Kept kept) {
  const ValueLayout layout(schedule, type, kept);
  return 2 * static_cast<std::uint64_t>(schedule.ranks) * layout.rank_bytes() +
         layout.landed_bytes();
}

enum class Collective { all_reduce, reduce_scatter, all_gather, reduce, broadcast, other };

// Read off who holds a term of each chunk at the start, and who must hold its goal at the end.
Collective collective_of(const Schedule& schedule) {
  const auto chunks = static_cast<std::size_t>(schedule.chunks);
  const auto ranks = static_cast<std::size_t>(schedule.ranks);
  std::vector<std::size_t> holders(chunks), holder(chunks), wanters(chunks), wanter(chunks);
  for (std::size_t i = 0; i < ranks * chunks; ++i) {
    const std::size_t rank = i / chunks, chunk = i % chunks;
    if (schedule.initial[i] != nothing) {
      ++holders[chunk];
      holder[chunk] = rank;
    }
    if (schedule.goal[i] != do_not_care) {
      ++wanters[chunk];
      wanter[chunk] = rank;
    }
  }
  const auto all = [](const std::vector<std::size_t>& list, std::size_t value) {
    return std::ranges::count(list, value) == static_cast<std::ptrdiff_t>(list.size());
  };
  const auto same = [&](const std::vector<std::size_t>& list) { return all(list, list.front()); };
  if (all(holders, ranks) && all(wanters, ranks)) return Collective::all_reduce;
  if (all(holders, ranks) && all(wanters, 1))
    return same(wanter) ? Collective::reduce : Collective::reduce_scatter;
  if (all(holders, 1) && all(wanters, ranks))
    return same(holder) ? Collective::broadcast : Collective::all_gather;
  return Collective::other;
}

}  // namespace

std::vector<std::int64_t> repeat_times(const OpaqueRun& run, std::int32_t ranks) {
  const auto n = static_cast<std::size_t>(ranks);
  std::vector<std::int64_t> times;
  for (std::size_t begin = 0; begin + n <= run.rank_times.size(); begin += n)
    times.push_back(std::ranges::max(std::span(run.rank_times).subspan(begin, n)));
  return times;
}

Trouble trouble_that_happened(const Trace& trace) {
  Trouble happened = trace.run.trouble;
  if (!trace.stopped) return happened;
  // Who slept, and landed something afterwards.
  const auto slept = [&](std::int32_t src, std::int32_t dst) {
    const std::size_t count = std::min(trace.events.size(), trace.schedule.transfers.size());
    for (std::size_t i = 0; i < count; ++i) {
      const Transfer& transfer = trace.schedule.transfers[i];
      if (trace.events[i].done != 0 && trace.events[i].delayed > 0 && transfer.dst == dst &&
          (src < 0 || transfer.src == src))
        return true;
    }
    return false;
  };
  std::erase_if(happened.late, [&](const Late& late) { return !slept(-1, late.rank); });
  std::erase_if(happened.delays, [&](const Delay& delay) { return !slept(delay.src, delay.dst); });
  // Of several deaths the message names the one that stopped the run.
  std::erase_if(happened.deaths, [&](const Die& death) {
    const auto& said = trace.stopped->arguments;
    const std::pair<std::string, std::string> rank{"rank", std::to_string(death.rank)};
    return trace.stopped->id != "error.run.died" ||
           std::find(said.begin(), said.end(), rank) == said.end();
  });
  return happened;
}

ValueLayout::ValueLayout(const Schedule& schedule, ElementType type, Kept kept_)
    : kept(kept_), element_bytes(bytes_of(type)) {
  const auto cells = static_cast<std::size_t>(cells_per_rank(schedule));
  kept_elements.resize(cells);
  cell_offsets.assign(cells + 1, 0);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const std::uint64_t elements = cell_extent(schedule, static_cast<std::int32_t>(cell)).count;
    kept_elements[cell] = static_cast<std::uint32_t>(elements_kept(elements, kept));
    cell_offsets[cell + 1] = cell_offsets[cell] + kept_elements[cell] * element_bytes;
  }
  landed_offsets.assign(schedule.transfers.size() + 1, 0);
  if (kept == Kept::ends_only) return;
  for (std::size_t i = 0; i < schedule.transfers.size(); ++i) {
    const auto first = static_cast<std::size_t>(schedule.transfers[i].first_cell);
    const auto count = static_cast<std::size_t>(schedule.transfers[i].cell_count);
    landed_offsets[i + 1] = landed_offsets[i] + cell_offsets[first + count] - cell_offsets[first];
  }
}

Kept kept_for(const Schedule& schedule, ElementType type) {
  const Kept most = largest_cell(schedule) <= most_whole ? Kept::whole : Kept::first_eight;
  for (const Kept kept : {most, Kept::first_one})
    if (bytes_of_values(schedule, type, kept) <= most_bytes) return kept;
  return Kept::ends_only;
}

std::uint64_t buffer_bytes(const Trace& trace) {
  return trace.schedule.count * bytes_of(trace.run.type);
}

std::uint64_t user_bytes(const Trace& trace) {
  return trace.schedule.count * bytes_of(trace.run.user_type.value_or(trace.run.type));
}

double algbw(const Trace& trace) {
  if (trace.nanoseconds <= 0) return 0;
  return static_cast<double>(user_bytes(trace)) * 1e9 / static_cast<double>(trace.nanoseconds);
}

double busbw(const Trace& trace) { return algbw(trace) * busbw_factor(trace.schedule); }

double busbw_factor(const Schedule& schedule) {
  const double n = schedule.ranks;
  if (schedule.ranks == 1) return 0;
  switch (collective_of(schedule)) {
    case Collective::all_reduce: return 2 * (n - 1) / n;
    case Collective::reduce_scatter:
    case Collective::all_gather: return (n - 1) / n;
    case Collective::reduce:
    case Collective::broadcast:
    case Collective::other: break;
  }
  return 1;
}

}  // namespace ringscope
