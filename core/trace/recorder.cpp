#include "core/trace/recorder.h"

#include <cstring>
#include <utility>

namespace ringscope {

Recorder::Recorder(const Schedule& schedule, const Plan& plan, ElementType type, Clock clock)
    : schedule_(schedule),
      plan_(plan),
      clock_(clock),
      layout_(schedule, type, kept_for(schedule, type)),
      slot_of_part_(plan.parts.size()),
      events_(schedule.transfers.size()),
      landed_(layout_.landed_bytes()),
      inputs_(static_cast<std::size_t>(schedule.ranks) * layout_.rank_bytes()),
      results_(inputs_.size()) {
  const auto cells = static_cast<std::size_t>(cells_per_rank(schedule));
  cell_begins_.reserve(cells);
  for (std::size_t cell = 0; cell < cells; ++cell)
    cell_begins_.push_back(cell_extent(schedule, static_cast<std::int32_t>(cell)).first *
                           layout_.element_bytes);

  landed_begins_.reserve(events_.size());
  std::uint64_t landed_begin = 0;
  std::uint32_t slot = 0;
  for (std::uint32_t p = 0; p < plan.parts.size(); ++p) {
    const Part& part = plan.parts[p];
    if (part.kind == PartKind::finish) {
      slot_of_part_[p] = slot_of_part_[plan.first_part[part.transfer]];
      continue;
    }
    Event& event = events_[slot];
    event.lane = part.lane;
    event.fused = part.kind == PartKind::fused ? 1 : 0;
    event.bytes =
        transfer_extent(schedule, schedule.transfers[part.transfer]).count * layout_.element_bytes;
    landed_begins_.push_back(landed_begin);
    landed_begin +=
        layout_.landed_offsets[part.transfer + 1] - layout_.landed_offsets[part.transfer];
    slot_of_part_[p] = slot++;
  }
}

bool Recorder::take_down(std::uint32_t part, const PartTimes& times) {
  Event& event = events_[slot_of_part_[part]];
  const PartKind kind = plan_.parts[part].kind;
  if (kind != PartKind::finish) {
    event.waited_from = times.waited_from;
    event.delayed = times.delayed;
    event.move_begun = times.begun;
    event.move_landed = times.landed;
  }
  if (kind == PartKind::move) return false;
  event.reduce_begun = times.begun;
  event.reduce_landed = times.landed;
  event.done = 1;
  return true;
}

void Recorder::land(std::uint32_t part, const PartTimes& times, std::span<const std::byte> buffer) {
  if (take_down(part, times)) keep_landed(part, buffer);
}

void Recorder::land_kept(std::uint32_t part, const PartTimes& times,
                         std::span<const std::byte> kept) {
  if (take_down(part, times) && !kept.empty())
    std::memcpy(landed_.data() + landed_begins_[slot_of_part_[part]], kept.data(), kept.size());
}

void Recorder::keep_landed(std::uint32_t part, std::span<const std::byte> buffer) {
  if (layout_.kept == Kept::ends_only) return;
  const Transfer& transfer = schedule_.transfers[plan_.parts[part].transfer];
  const auto first = static_cast<std::size_t>(transfer.first_cell);
  std::byte* to = landed_.data() + landed_begins_[slot_of_part_[part]];
  for (std::size_t cell = first; cell < first + static_cast<std::size_t>(transfer.cell_count);
       ++cell) {
    const std::size_t bytes = layout_.kept_elements[cell] * layout_.element_bytes;
    if (bytes == 0) continue;
    std::memcpy(to, buffer.data() + cell_begins_[cell], bytes);
    to += bytes;
  }
}

void Recorder::keep_rank(std::vector<std::byte>& kept, int rank,
                         std::span<const std::byte> buffer) const {
  std::byte* const to = kept.data() + static_cast<std::size_t>(rank) * layout_.rank_bytes();
  for (std::size_t cell = 0; cell < cell_begins_.size(); ++cell) {
    const std::size_t bytes = layout_.kept_elements[cell] * layout_.element_bytes;
    if (bytes > 0)
      std::memcpy(to + layout_.cell_offsets[cell], buffer.data() + cell_begins_[cell], bytes);
  }
}

void Recorder::keep_input(int rank, std::span<const std::byte> buffer) {
  keep_rank(inputs_, rank, buffer);
}

void Recorder::keep_result(int rank, std::span<const std::byte> buffer) {
  keep_rank(results_, rank, buffer);
}

void Recorder::finish(Trace& trace) && {
  const std::size_t transfers = events_.size();
  trace.events.resize(transfers);
  trace.values.kept = layout_.kept;
  trace.values.inputs = std::move(inputs_);
  trace.values.results = std::move(results_);
  trace.where.links = std::move(links_);
  trace.where.clock = clock_facts_;
  trace.opaque = std::move(opaque_);
  trace.values.landed.resize(landed_.size());
  for (std::size_t t = 0; t < transfers; ++t) {
    const std::uint32_t slot = slot_of_part_[plan_.first_part[t]];
    trace.events[t] = events_[slot];
    const std::uint64_t begin = layout_.landed_offsets[t];
    const std::uint64_t bytes = layout_.landed_offsets[t + 1] - begin;
    if (bytes > 0)
      std::memcpy(trace.values.landed.data() + begin, landed_.data() + landed_begins_[slot], bytes);
  }
}

std::uint64_t Recorder::bytes(const Schedule& schedule, const Plan& plan, ElementType type) {
  const ValueLayout layout(schedule, type, kept_for(schedule, type));
  return plan.parts.size() * sizeof(std::uint32_t) +
         schedule.transfers.size() * (sizeof(Event) + sizeof(std::uint64_t)) +
         layout.landed_bytes() +
         2 * static_cast<std::uint64_t>(schedule.ranks) * layout.rank_bytes();
}

}  // namespace ringscope
