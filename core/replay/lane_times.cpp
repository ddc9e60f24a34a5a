#include "core/replay/lane_times.h"

#include <algorithm>

namespace ringscope {

bool LaneTimes::done(std::uint32_t part) const {
  if (plan_.parts[part].transfer >= trace_.events.size()) return false;
  // Of a transfer that was not finished the move may still have been done.
  return event(part).done != 0 ||
         (plan_.parts[part].kind == PartKind::move && event(part).move_landed > 0);
}

std::int64_t LaneTimes::begun(std::uint32_t part) const {
  const bool finish = plan_.parts[part].kind == PartKind::finish;
  return std::clamp<std::int64_t>(finish ? event(part).reduce_begun : event(part).move_begun, 0,
                                  end());
}

std::int64_t LaneTimes::landed(std::uint32_t part) const {
  const bool move = plan_.parts[part].kind == PartKind::move;
  return std::clamp<std::int64_t>(move ? event(part).move_landed : event(part).reduce_landed,
                                  begun(part), end());
}

namespace {

// What the rank was asked to sleep before a transfer.
std::int64_t delay_of(const Trouble& trouble, const Transfer& transfer) {
  std::int64_t nanoseconds = 0;
  for (const Delay& delay : trouble.delays)
    if (delay.dst == transfer.dst && (delay.src < 0 || delay.src == transfer.src))
      nanoseconds += delay.nanoseconds;
  return nanoseconds;
}

}  // namespace

// The first part's `delayed` holds the lateness too, as long as it really was.
std::int64_t LaneTimes::late(std::int32_t rank) const {
  std::int64_t asked = 0;
  for (const Late& late : trace_.run.trouble.late)
    if (late.rank == rank) asked += late.nanoseconds;
  const std::uint32_t first = plan_.lane_starts[static_cast<std::size_t>(rank)];
  const bool has_part = first < plan_.lane_starts[static_cast<std::size_t>(rank) + 1];
  if (asked == 0) return 0;
  if (!has_part || !done(first)) return std::min(asked, end());
  const bool both = delay_of(trace_.run.trouble, transfer_of(first)) > 0;
  const std::int64_t slept = event(first).delayed;
  return std::clamp<std::int64_t>(both ? std::min(asked, slept) : slept, 0, begun(first));
}

std::int64_t LaneTimes::ready(std::int32_t rank) const {
  const std::uint32_t first = plan_.lane_starts[static_cast<std::size_t>(rank)];
  const bool has_part = first < plan_.lane_starts[static_cast<std::size_t>(rank) + 1];
  if (!has_part || !done(first)) return late(rank);
  return std::clamp(event(first).waited_from, late(rank), begun(first));
}

std::int64_t LaneTimes::delayed(std::uint32_t part) const {
  if (plan_.parts[part].kind == PartKind::finish) return 0;
  const std::int64_t slept = event(part).delayed;
  return std::max<std::int64_t>(0, is_first(part) ? slept - late(rank_of(part)) : slept);
}

template <class Body>
void LaneTimes::for_each_awaited(std::uint32_t part, Body&& body) const {
  for (const std::uint32_t other : plan_.depends_of(part)) body(other);
  const auto add = [&](const std::vector<std::uint32_t>& list, std::size_t at) {
    if (at < list.size() && list[at] != no_part && rank_of(list[at]) != rank_of(part))
      body(list[at]);
  };
  add(spent_.barriers, static_cast<std::size_t>(transfer_of(part).round));
  add(spent_.port_before, part);
}

std::uint32_t LaneTimes::awaited(std::uint32_t part) const {
  std::uint32_t latest = no_part;
  for_each_awaited(part, [&](std::uint32_t other) {
    if (done(other) && (latest == no_part || landed(other) > landed(latest))) latest = other;
  });
  return latest;
}

std::uint32_t LaneTimes::cause(std::uint32_t part) const {
  const std::uint32_t other = awaited(part);
  if (is_first(part)) return other;
  const std::uint32_t own = part - 1;
  return other == no_part || (done(own) && landed(own) >= landed(other)) ? own : other;
}

std::uint32_t LaneTimes::missing(std::uint32_t part) const {
  std::uint32_t found = no_part;
  for_each_awaited(part, [&](std::uint32_t other) {
    if (found == no_part && !done(other)) found = other;
  });
  return found;
}

std::vector<bool> ranks_that_copy(const Trace& trace) {
  const Schedule& schedule = trace.schedule;
  const auto ranks = static_cast<std::size_t>(schedule.ranks);
  std::vector<bool> copies(ranks, false);
  if (trace.run.in_place) return copies;
  const auto cells = static_cast<std::size_t>(cells_per_rank(schedule));
  std::vector<bool> written(ranks * cells, false);
  for (const Transfer& transfer : schedule.transfers)
    for (std::int32_t i = 0; i < transfer.cell_count; ++i)
      written[static_cast<std::size_t>(transfer.dst) * cells +
              static_cast<std::size_t>(transfer.first_cell + i)] = true;
  for (std::size_t at = 0; at < written.size(); ++at)
    if (!written[at] &&
        schedule.goal[at / static_cast<std::size_t>(schedule.slices)] != do_not_care)
      copies[at / cells] = true;
  return copies;
}

}  // namespace ringscope
