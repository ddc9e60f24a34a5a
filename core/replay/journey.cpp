#include "core/replay/journey.h"

#include <algorithm>

namespace ringscope {
namespace {

std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

class Walk {
 public:
  Walk(const Trace& trace, std::int32_t chunk)
      : trace_(trace), now_(index(trace.schedule.ranks), -1) {
    const Schedule& schedule = trace.schedule;
    journey_.chunk = chunk;
    journey_.cell = chunk * schedule.slices;
    while (journey_.cell + 1 < (chunk + 1) * schedule.slices &&
           cell_extent(schedule, journey_.cell).count == 0)
      ++journey_.cell;
    for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) journey_.all += starts_with(rank);
  }

  Journey run() {
    const std::vector<Transfer>& transfers = trace_.schedule.transfers;
    std::vector<std::uint32_t> round;  // the transfers of the cell in one round
    for (std::uint32_t t = 0; t < transfers.size() && t < trace_.events.size(); ++t) {
      const Transfer& transfer = transfers[t];
      if (!round.empty() && transfers[round[0]].round != transfer.round) land(round);
      const std::int32_t behind = journey_.cell - transfer.first_cell;
      if (behind >= 0 && behind < transfer.cell_count && trace_.events[t].done != 0)
        round.push_back(t);
    }
    land(round);
    if (journey_.stations.empty())
      for (std::int32_t rank = 0; rank < trace_.schedule.ranks; ++rank)
        if (starts_with(rank)) start(rank, 0);
    journey_.columns = std::max(column_, 0) + 1;
    return std::move(journey_);
  }

 private:
  bool starts_with(std::int32_t rank) const {
    const Schedule& schedule = trace_.schedule;
    return schedule.initial[index(rank) * index(schedule.chunks) + index(journey_.chunk)] !=
           nothing;
  }

  std::int32_t add(Station station) {
    journey_.stations.push_back(std::move(station));
    return static_cast<std::int32_t>(journey_.stations.size()) - 1;
  }

  void start(std::int32_t rank, std::int32_t column) {
    now_[index(rank)] = add({rank, -1, column, {}, {}, -1, 1, false});
  }

  // Sources are read as they were before the round.
  void land(std::vector<std::uint32_t>& round) {
    if (round.empty()) return;
    ++column_;
    const auto transfer_of = [&](std::uint32_t t) -> const Transfer& {
      return trace_.schedule.transfers[t];
    };
    std::vector<std::int32_t> sources;
    for (const std::uint32_t t : round) {
      const std::int32_t src = transfer_of(t).src;
      if (now_[index(src)] < 0 && starts_with(src)) start(src, column_ - 1);
      sources.push_back(now_[index(src)]);
    }
    for (std::size_t i = 0; i < round.size(); ++i) {
      if (sources[i] < 0) continue;
      const Transfer& transfer = transfer_of(round[i]);
      std::int32_t& now = now_[index(transfer.dst)];
      const bool copies = transfer.action == Action::copy;
      if (now < 0 || journey_.stations[index(now)].round != transfer.round) {
        Station station{transfer.dst, transfer.round, column_, {}, {}, -1, 0, copies};
        if (!copies) {
          station.before = now;
          station.terms = now >= 0 ? journey_.stations[index(now)].terms
                                   : static_cast<std::int32_t>(starts_with(transfer.dst));
        }
        now = add(std::move(station));
      }
      Station& station = journey_.stations[index(now)];
      station.arrivals.push_back(round[i]);
      station.from.push_back(sources[i]);
      station.copied = copies;
      const std::int32_t carried = journey_.stations[index(sources[i])].terms;
      station.terms = copies ? carried : station.terms + carried;
    }
    round.clear();
  }

  const Trace& trace_;
  std::vector<std::int32_t> now_;  // [rank]: its latest station; -1: none yet
  std::int32_t column_ = 0;
  Journey journey_;
};

}  // namespace

Journey journey_of(const Trace& trace, std::int32_t chunk) { return Walk(trace, chunk).run(); }

std::int32_t completion_of(const Journey& journey) {
  if (journey.all < 2) return -1;
  for (std::size_t i = 0; i < journey.stations.size(); ++i)
    if (journey.stations[i].terms == journey.all) return static_cast<std::int32_t>(i);
  return -1;
}

}  // namespace ringscope
