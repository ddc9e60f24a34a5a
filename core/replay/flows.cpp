#include "core/replay/flows.h"

#include <utility>

namespace ringscope {
namespace {

bool has_landed(const Trace& trace, std::size_t t, const ReplayState& state) {
  if (t >= trace.events.size() || trace.events[t].done == 0) return false;
  if (state.measured) return trace.events[t].reduce_landed <= state.nanoseconds;
  const bool landed = beat_of(state.cursor) == Beat::after;
  return trace.schedule.transfers[t].round < state.cursor.round - (landed ? 0 : 1);
}

// [transfer]: how far it is on its way; -1 where it is not.
std::vector<double> fractions_of(const Schedule& schedule, const ReplayState& state) {
  std::vector<double> fractions(schedule.transfers.size(), -1);
  for (const Motion& motion : state.moving) fractions[motion.transfer] = motion.fraction;
  return fractions;
}

// A link for every pair of ranks.
class LinkTable {
 public:
  explicit LinkTable(std::int32_t ranks) : ranks_(ranks) {
    if (ranks > most_linked_ranks) return;
    links_.resize(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks),
                  {.src = -1, .dst = -1, .flow = {}, .head = -1});
  }
  // Null where there are too many ranks.
  LinkFlow* find(const Transfer& transfer) {
    if (links_.empty()) return nullptr;
    LinkFlow& link = links_[static_cast<std::size_t>(transfer.src * ranks_ + transfer.dst)];
    link.src = transfer.src, link.dst = transfer.dst;
    return &link;
  }
  std::vector<LinkFlow> used() && {
    std::erase_if(links_, [](const LinkFlow& link) { return link.src < 0; });
    return std::move(links_);
  }

 private:
  std::int32_t ranks_;
  std::vector<LinkFlow> links_;
};

}  // namespace

Flows flows_of(const Replay& replay, const ReplayState& state) {
  const Trace& trace = replay.trace();
  const Schedule& schedule = trace.schedule;
  const std::vector<std::uint64_t> begins = cell_begins(schedule);
  const std::vector<double> fractions = fractions_of(schedule, state);
  const std::uint64_t element = bytes_of(trace.run.type);
  Flows flows;
  flows.in.resize(static_cast<std::size_t>(schedule.ranks));
  flows.out.resize(static_cast<std::size_t>(schedule.ranks));
  LinkTable links(schedule.ranks);
  for (std::size_t t = 0; t < schedule.transfers.size(); ++t) {
    const Transfer& transfer = schedule.transfers[t];
    const auto first = static_cast<std::size_t>(transfer.first_cell);
    const std::uint64_t bytes =
        element * (begins[first + static_cast<std::size_t>(transfer.cell_count)] - begins[first]);
    const bool landed = has_landed(trace, t, state);
    const bool moving = fractions[t] >= 0 && !landed;
    const auto add = [&](Flow& flow) {
      flow.total += bytes;
      if (transfer.action == Action::reduce) flow.added += bytes;
      if (landed) flow.landed += bytes;
      if (moving) flow.moving += static_cast<double>(bytes) * fractions[t];
    };
    add(flows.in[static_cast<std::size_t>(transfer.dst)]);
    add(flows.out[static_cast<std::size_t>(transfer.src)]);
    if (LinkFlow* const link = links.find(transfer)) {
      add(link->flow);
      if (moving && link->head < 0) link->head = fractions[t];
    }
  }
  flows.links = std::move(links).used();
  return flows;
}

}  // namespace ringscope
