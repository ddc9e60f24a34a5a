#include "core/replay/contradictions.h"

#include <algorithm>
#include <limits>

#include "core/schedule/check.h"

namespace ringscope {
namespace {

constexpr std::size_t most_schedule_problems = 4;
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

class Search {
 public:
  Search(const Trace& trace, const Plan& plan, std::span<const std::int64_t> landings)
      : trace_(trace),
        plan_(plan),
        landings_(landings),
        schedule_(trace.schedule),
        layout_(trace.schedule, trace.run.type, trace.values.kept) {}

  std::vector<Message> run() {
    for (const Problem& problem : check(schedule_, plan_, most_schedule_problems))
      found_.push_back(describe(schedule_, problem));
    if (trace_.events.size() != schedule_.transfers.size()) {
      found_.push_back({"contradiction.events",
                        {{"events", std::to_string(trace_.events.size())},
                         {"transfers", std::to_string(schedule_.transfers.size())}}});
      return found_;
    }
    for (std::uint32_t t = 0; t < trace_.events.size(); ++t) {
      const Event& event = trace_.events[t];
      if (event.done == 0) continue;
      check_event(t);
      check_order(t, plan_.first_part[t], event.move_begun);
      check_order(t, plan_.last_part[t], event.reduce_begun);
    }
    if (values_fit()) check_values();
    return found_;
  }

 private:
  // Only the first of a kind is told.
  bool is_told(const char* id) const {
    return std::any_of(found_.begin(), found_.end(),
                       [&](const Message& message) { return message.id == id; });
  }
  void tell(const char* id, std::uint32_t t) {
    if (is_told(id)) return;
    const Transfer& transfer = schedule_.transfers[t];
    found_.push_back({id,
                      {{"transfer", std::to_string(t)},
                       {"round", round_name(schedule_, transfer.round)},
                       {"src", std::to_string(transfer.src)},
                       {"dst", std::to_string(transfer.dst)},
                       {"chunk", std::to_string(transfer.first_cell / schedule_.slices)}}});
  }

  void check_event(std::uint32_t t) {
    const Event& event = trace_.events[t];
    const bool fused = plan_.first_part[t] == plan_.last_part[t];
    const bool ordered =
        event.waited_from >= 0 && event.delayed >= 0 && event.move_begun >= event.waited_from &&
        event.move_landed >= event.move_begun && event.reduce_landed >= event.reduce_begun &&
        (fused ? event.reduce_begun == event.move_begun && event.reduce_landed == event.move_landed
               : event.reduce_begun >= event.move_landed);
    if (!ordered) tell("contradiction.times", t);
    if (event.reduce_landed > trace_.nanoseconds) tell("contradiction.end", t);
    if (event.lane != schedule_.transfers[t].dst || (event.fused != 0) != fused)
      tell("contradiction.lane", t);
  }

  void check_order(std::uint32_t t, std::uint32_t part, std::int64_t begun) {
    const auto must_come_after = [&](std::uint32_t other) {
      const std::int64_t landed = landings_[other];
      // Clocks of several devices agree only so far.
      if (landed != never && begun >= landed - trace_.where.clock.tolerance()) return;
      tell(landed == never ? "contradiction.missing" : "contradiction.order", t);
    };
    for (const std::uint32_t other : plan_.depends_of(part)) must_come_after(other);
    if (part > plan_.lane_starts[static_cast<std::size_t>(schedule_.transfers[t].dst)])
      must_come_after(part - 1);
  }

  bool values_fit() {
    const std::uint64_t ends = layout_.rank_bytes() * static_cast<std::uint64_t>(schedule_.ranks);
    const Values& values = trace_.values;
    if (values.inputs.size() == ends && values.results.size() == ends &&
        values.landed.size() == layout_.landed_bytes())
      return true;
    found_.push_back({"contradiction.values", {}});
    return false;
  }

  // The kept bytes of a transfer's i-th cell after it has landed.
  std::span<const std::byte> landed_bytes(std::uint32_t t, std::int32_t cell) const {
    const auto first = static_cast<std::size_t>(schedule_.transfers[t].first_cell);
    const auto at = static_cast<std::size_t>(cell);
    return std::span(trace_.values.landed)
        .subspan(layout_.landed_offsets[t] + layout_.cell_offsets[at] - layout_.cell_offsets[first],
                 layout_.cell_offsets[at + 1] - layout_.cell_offsets[at]);
  }
  std::span<const std::byte> end_bytes(const std::vector<std::byte>& ends, std::int32_t rank,
                                       std::int32_t cell) const {
    const auto at = static_cast<std::size_t>(cell);
    return std::span(ends).subspan(
        static_cast<std::size_t>(rank) * layout_.rank_bytes() + layout_.cell_offsets[at],
        layout_.cell_offsets[at + 1] - layout_.cell_offsets[at]);
  }

  // A copy leaves what its source held, and the last value of a cell is its result.
  void check_values() {
    if (trace_.values.kept == Kept::ends_only) return;
    const std::int32_t cells = cells_per_rank(schedule_);
    const auto place = [&](std::int32_t rank, std::int32_t cell) {
      return static_cast<std::size_t>(rank) * static_cast<std::size_t>(cells) +
             static_cast<std::size_t>(cell);
    };
    std::vector<std::int32_t> writers(
        static_cast<std::size_t>(schedule_.ranks) * static_cast<std::size_t>(cells), -1);
    const std::vector<std::uint32_t> starts = round_starts(schedule_);
    for (std::size_t round = 0; round + 1 < starts.size(); ++round) {
      for_each_cell(starts[round], starts[round + 1], [&](std::uint32_t t, std::int32_t cell) {
        const Transfer& transfer = schedule_.transfers[t];
        if (transfer.action == Action::copy)
          check_copy(t, cell, writers[place(transfer.src, cell)]);
      });
      for_each_cell(starts[round], starts[round + 1], [&](std::uint32_t t, std::int32_t cell) {
        writers[place(schedule_.transfers[t].dst, cell)] = static_cast<std::int32_t>(t);
      });
    }
    for (std::int32_t rank = 0; rank < schedule_.ranks; ++rank)
      for (std::int32_t cell = 0; cell < cells; ++cell) {
        const std::int32_t writer = writers[place(rank, cell)];
        if (writer < 0 || trace_.stopped) continue;
        const auto t = static_cast<std::uint32_t>(writer);
        if (!std::ranges::equal(landed_bytes(t, cell),
                                end_bytes(trace_.values.results, rank, cell)))
          tell("contradiction.result", t);
      }
  }

  // Of the transfers that were done.
  template <class Body>
  void for_each_cell(std::uint32_t begin, std::uint32_t end, Body&& body) const {
    for (std::uint32_t t = begin; t < end; ++t) {
      if (trace_.events[t].done == 0) continue;
      const Transfer& transfer = schedule_.transfers[t];
      for (std::int32_t i = 0; i < transfer.cell_count; ++i) body(t, transfer.first_cell + i);
    }
  }

  void check_copy(std::uint32_t t, std::int32_t cell, std::int32_t writer) {
    const std::int32_t src = schedule_.transfers[t].src;
    // A mean's inputs are scaled as they are copied.
    if (writer < 0 && trace_.run.op == Operator::avg && !is_integer(trace_.run.type)) return;
    const auto source = writer < 0 ? end_bytes(trace_.values.inputs, src, cell)
                                   : landed_bytes(static_cast<std::uint32_t>(writer), cell);
    if (!std::ranges::equal(landed_bytes(t, cell), source)) tell("contradiction.copy", t);
  }

  const Trace& trace_;
  const Plan& plan_;
  std::span<const std::int64_t> landings_;
  const Schedule& schedule_;
  ValueLayout layout_;
  std::vector<Message> found_;
};

}  // namespace

std::vector<Message> find_contradictions(const Trace& trace, const Plan& plan,
                                         std::span<const std::int64_t> landings) {
  if (trace.opaque) return {};  // it claims nothing that the rest could contradict
  return Search(trace, plan, landings).run();
}

}  // namespace ringscope
