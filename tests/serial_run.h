// Runs a schedule on one thread and makes its trace, with times that a test chooses: what replay
// shows is known beforehand.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "core/data/operators.h"
#include "core/schedule/plan.h"
#include "core/trace/trace.h"

namespace ringscope {

struct SerialRun {
  Schedule schedule;
  ElementType type = ElementType::i64;
  Operator op = Operator::sum;
  bool lockstep = false;
  Trouble trouble = {};
  std::function<std::int64_t(const Transfer&)> duration = [](const Transfer&) { return 10; };
  // Of element i of a chunk.
  std::function<double(std::int32_t rank, std::int32_t chunk, std::uint64_t i)> value =
      [](std::int32_t rank, std::int32_t chunk, std::uint64_t i) {
        return i == 0 ? (chunk + 1) * std::pow(10.0, rank) : 1;
      };
};

inline std::vector<std::byte> bytes_of_number(ElementType type, double value) {
  return with_type(type, [&]<class T>(std::type_identity<T>) {
    std::vector<std::byte> bytes(sizeof(T));
    T element;
    if constexpr (std::is_same_v<T, bf16>)
      element.bits =
          static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16);
    else
      element = static_cast<T>(value);
    std::memcpy(bytes.data(), &element, sizeof(T));
    return bytes;
  });
}

class SerialRunner {
 public:
  explicit SerialRunner(const SerialRun& run)
      : run_(run),
        plan_(make_plan(run.schedule, run.lockstep)),
        layout_(run.schedule, run.type, kept_for(run.schedule, run.type)) {
    trace_.schedule = run.schedule;
    trace_.run.engine = "test";
    trace_.run.type = run.type;
    trace_.run.op = run.op;
    trace_.run.lockstep = run.lockstep;
    trace_.run.trouble = run.trouble;
    trace_.events.resize(run.schedule.transfers.size());
    trace_.values.kept = layout_.kept;
    trace_.values.landed.resize(layout_.landed_bytes());
    for (std::int32_t rank = 0; rank < run.schedule.ranks; ++rank) fill(rank);
    trace_.values.inputs = kept_of_all();
  }

  Trace run() {
    staging_.resize(run_.schedule.transfers.size());
    landed_.assign(plan_.parts.size(), -1);
    std::vector<std::uint32_t> next(plan_.lane_starts.begin(), plan_.lane_starts.end() - 1);
    for (bool progress = true; progress;) {
      progress = false;
      for (std::size_t lane = 0; lane < next.size(); ++lane)
        while (next[lane] < plan_.lane_starts[lane + 1] && can_start(next[lane])) {
          do_part(next[lane]++);
          progress = true;
        }
    }
    trace_.values.results = kept_of_all();
    for (const std::int64_t landed : landed_)
      trace_.nanoseconds = std::max(trace_.nanoseconds, landed);
    return std::move(trace_);
  }

 private:
  void fill(std::int32_t rank) {
    std::vector<std::byte> buffer;
    for (std::int32_t chunk = 0; chunk < run_.schedule.chunks; ++chunk)
      for (std::uint64_t i = 0; i < chunk_extent(run_.schedule, chunk).count; ++i) {
        const std::vector<std::byte> bytes = bytes_of_number(run_.type, run_.value(rank, chunk, i));
        buffer.insert(buffer.end(), bytes.begin(), bytes.end());
      }
    buffers_.push_back(std::move(buffer));
  }

  std::vector<std::byte> kept_of_all() const {
    std::vector<std::byte> all;
    for (const auto& buffer : buffers_)
      for (std::int32_t cell = 0; cell < cells_per_rank(run_.schedule); ++cell) {
        const std::span<const std::byte> kept = kept_of(buffer, cell);
        all.insert(all.end(), kept.begin(), kept.end());
      }
    return all;
  }
  std::span<const std::byte> kept_of(std::span<const std::byte> buffer, std::int32_t cell) const {
    return buffer.subspan(
        cell_extent(run_.schedule, cell).first * layout_.element_bytes,
        layout_.kept_elements[static_cast<std::size_t>(cell)] * layout_.element_bytes);
  }

  bool is_dead(std::int32_t rank, const Transfer& transfer) const {
    for (const Die& die : run_.trouble.deaths)
      if (die.rank == rank && transfer.round >= die.round) return true;
    return false;
  }

  // Lockstep: all parts of earlier rounds have landed.
  std::int64_t barrier(std::int32_t round) const {
    std::int64_t latest = 0;
    for (std::size_t part = 0; part < plan_.parts.size(); ++part) {
      if (run_.schedule.transfers[plan_.parts[part].transfer].round >= round) continue;
      if (landed_[part] < 0) return -1;
      latest = std::max(latest, landed_[part]);
    }
    return latest;
  }

  bool can_start(std::uint32_t part) const {
    const Transfer& transfer = run_.schedule.transfers[plan_.parts[part].transfer];
    if (is_dead(transfer.src, transfer) || is_dead(transfer.dst, transfer)) return false;
    if (run_.lockstep && barrier(transfer.round) < 0) return false;
    const auto depends = plan_.depends_of(part);
    return std::all_of(depends.begin(), depends.end(),
                       [&](std::uint32_t other) { return landed_[other] >= 0; });
  }

  void do_part(std::uint32_t p) {
    const Part& part = plan_.parts[p];
    const Transfer& transfer = run_.schedule.transfers[part.transfer];
    const bool first = p == plan_.lane_starts[static_cast<std::size_t>(part.lane)];
    const std::int64_t free = first ? 0 : landed_[p - 1];
    std::int64_t begun = free, slept = 0;
    for (const Late& late : run_.trouble.late)
      if (first && late.rank == part.lane) begun = slept = late.nanoseconds;
    for (const std::uint32_t other : plan_.depends_of(p)) begun = std::max(begun, landed_[other]);
    if (run_.lockstep) begun = std::max(begun, barrier(transfer.round));
    for (const Delay& delay : run_.trouble.delays)
      if (part.kind != PartKind::finish && delay.dst == part.lane &&
          (delay.src < 0 || delay.src == transfer.src)) {
        begun += delay.nanoseconds;
        slept += delay.nanoseconds;
      }
    landed_[p] = begun + run_.duration(transfer);
    Event& event = trace_.events[part.transfer];
    if (part.kind != PartKind::finish) {
      event = {free,
               slept,
               begun,
               landed_[p],
               begun,
               landed_[p],
               transfer_bytes(transfer),
               part.lane,
               part.kind == PartKind::fused,
               part.kind == PartKind::fused};
    } else {
      event.reduce_begun = begun;
      event.reduce_landed = landed_[p];
      event.done = 1;
    }
    for (std::int32_t i = 0; i < transfer.cell_count; ++i) do_cell(part, transfer, i);
  }

  std::uint64_t transfer_bytes(const Transfer& transfer) const {
    return transfer_extent(run_.schedule, transfer).count * layout_.element_bytes;
  }

  void do_cell(const Part& part, const Transfer& transfer, std::int32_t i) {
    const std::int32_t cell = transfer.first_cell + i;
    const Extent extent = cell_extent(run_.schedule, cell);
    const auto of = [&](std::int32_t rank) {
      return std::span(buffers_[static_cast<std::size_t>(rank)])
          .subspan(extent.first * layout_.element_bytes, extent.count * layout_.element_bytes);
    };
    const CellUse use = plan_.uses[plan_.use_starts[part.transfer] + static_cast<std::uint32_t>(i)];
    Pass pass;
    pass.op = run_.op;
    pass.ranks = run_.schedule.ranks;
    pass.own_is_input = !use.dst_written;
    pass.received_is_input = !use.src_written;
    pass.completes = use.completes;
    auto& staged = staging_[part.transfer];
    if (part.kind == PartKind::move) {
      staged.emplace_back(of(transfer.src).begin(), of(transfer.src).end());
      return;
    }
    const std::span<std::byte> target = of(transfer.dst);
    std::span<const std::byte> received = of(transfer.src);
    if (part.kind == PartKind::finish) received = staged[static_cast<std::size_t>(i)];
    if (transfer.action == Action::reduce)
      reduce_pass(run_.type, pass, target, target, received);
    else
      copy_pass(run_.type, pass, target, received);
    const auto first = static_cast<std::size_t>(transfer.first_cell);
    const auto kept = kept_of(buffers_[static_cast<std::size_t>(transfer.dst)], cell);
    std::copy(kept.begin(), kept.end(),
              trace_.values.landed.begin() +
                  static_cast<std::ptrdiff_t>(layout_.landed_offsets[part.transfer] +
                                              layout_.cell_offsets[static_cast<std::size_t>(cell)] -
                                              layout_.cell_offsets[first]));
  }

  const SerialRun& run_;
  Plan plan_;
  ValueLayout layout_;
  Trace trace_;
  std::vector<std::vector<std::byte>> buffers_;
  std::vector<std::vector<std::vector<std::byte>>> staging_;  // [transfer][cell of it]
  std::vector<std::int64_t> landed_;                          // [part], -1: not yet
};

inline Trace run_serially(const SerialRun& run) { return SerialRunner(run).run(); }

}  // namespace ringscope
