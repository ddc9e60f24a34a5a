#include "core/schedule/plan.h"

#include <algorithm>
#include <limits>

namespace ringscope {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// Where a rank's cell stands in lists over the cells of all ranks.
class CellIndex {
 public:
  explicit CellIndex(const Schedule& schedule)
      : cells_(static_cast<std::size_t>(cells_per_rank(schedule))),
        size_(cells_ * static_cast<std::size_t>(schedule.ranks)) {}

  std::size_t size() const { return size_; }
  std::size_t operator()(std::int32_t rank, std::int32_t cell) const {
    return static_cast<std::size_t>(rank) * cells_ + static_cast<std::size_t>(cell);
  }

 private:
  std::size_t cells_;
  std::size_t size_;
};

// Calls body(begin, end) for the transfers of each round, in order.
template <class Body>
void for_each_round(const Schedule& schedule, Body&& body) {
  const auto count = static_cast<std::uint32_t>(schedule.transfers.size());
  for (std::uint32_t begin = 0, end = 0; begin < count; begin = end) {
    while (end < count && schedule.transfers[end].round == schedule.transfers[begin].round) ++end;
    body(begin, end);
  }
}

std::vector<std::uint32_t> make_use_starts(const Schedule& schedule) {
  std::vector<std::uint32_t> starts(1, 0);
  starts.reserve(schedule.transfers.size() + 1);
  for (const Transfer& transfer : schedule.transfers)
    starts.push_back(starts.back() + static_cast<std::uint32_t>(transfer.cell_count));
  return starts;
}

// [transfer]: whether another transfer of its round reads one of its destination cells.
std::vector<std::uint8_t> find_staged(const Schedule& schedule) {
  const CellIndex index(schedule);
  std::vector<std::uint8_t> staged(schedule.transfers.size(), 0);
  std::vector<std::int32_t> last_read(index.size(), -1);  // the round in which a cell was last read
  for_each_round(schedule, [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t t = begin; t < end; ++t) {
      const Transfer& transfer = schedule.transfers[t];
      const std::size_t first = index(transfer.src, transfer.first_cell);
      for (std::size_t i = 0; i < static_cast<std::size_t>(transfer.cell_count); ++i)
        last_read[first + i] = transfer.round;
    }
    for (std::uint32_t t = begin; t < end; ++t) {
      const Transfer& transfer = schedule.transfers[t];
      const std::size_t first = index(transfer.dst, transfer.first_cell);
      for (std::size_t i = 0; i < static_cast<std::size_t>(transfer.cell_count); ++i)
        if (last_read[first + i] == transfer.round) staged[t] = 1;
    }
  });
  return staged;
}

// The transfers stably sorted by slice; they come sorted by round, so that is the order of every
// lane.
std::vector<std::uint32_t> by_slice(const Schedule& schedule) {
  std::vector<std::uint32_t> starts(static_cast<std::size_t>(schedule.slices) + 1, 0);
  for (const Transfer& transfer : schedule.transfers)
    ++starts[static_cast<std::size_t>(transfer.slice) + 1];
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  std::vector<std::uint32_t> order(schedule.transfers.size());
  for (std::uint32_t t = 0; t < order.size(); ++t)
    order[starts[static_cast<std::size_t>(schedule.transfers[t].slice)]++] = t;
  return order;
}

// Stably sorted by round again: by round, then slice.
std::vector<std::uint32_t> by_round(const Schedule& schedule,
                                    const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> starts = round_starts(schedule);
  std::vector<std::uint32_t> result(order.size());
  for (const std::uint32_t t : order)
    result[starts[static_cast<std::size_t>(schedule.transfers[t].round)]++] = t;
  return result;
}

// Fills parts, lane_starts, first_part and last_part.
void place_parts(const Schedule& schedule, const std::vector<std::uint8_t>& staged, bool lockstep,
                 Plan& plan) {
  const std::vector<Transfer>& transfers = schedule.transfers;
  plan.lanes = schedule.ranks;
  plan.lane_starts.assign(static_cast<std::size_t>(schedule.ranks) + 1, 0);
  for (std::size_t t = 0; t < transfers.size(); ++t)
    plan.lane_starts[static_cast<std::size_t>(transfers[t].dst) + 1] += 1u + staged[t];
  for (std::size_t i = 1; i < plan.lane_starts.size(); ++i)
    plan.lane_starts[i] += plan.lane_starts[i - 1];
  plan.parts.resize(plan.lane_starts.back());
  plan.first_part.resize(transfers.size());
  plan.last_part.resize(transfers.size());

  std::vector<std::uint32_t> next(plan.lane_starts.begin(), plan.lane_starts.end() - 1);
  const auto place = [&](std::uint32_t t, PartKind kind) {
    const std::int32_t lane = transfers[t].dst;
    const std::uint32_t part = next[static_cast<std::size_t>(lane)]++;
    plan.parts[part] = {t, lane, kind};
    return part;
  };
  std::vector<std::uint32_t> order = by_slice(schedule);
  if (lockstep && schedule.slices > 1) order = by_round(schedule, order);
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    const Transfer& first = transfers[order[begin]];
    for (; end < order.size() && transfers[order[end]].round == first.round &&
           transfers[order[end]].slice == first.slice;
         ++end)
      if (staged[order[end]]) plan.first_part[order[end]] = place(order[end], PartKind::move);
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t t = order[i];
      plan.last_part[t] = place(t, staged[t] ? PartKind::finish : PartKind::fused);
      if (!staged[t]) plan.first_part[t] = plan.last_part[t];
    }
  }
}

// [chunk]: how many different contributors it has over all ranks at the start.
std::vector<std::uint32_t> count_contributors(const Schedule& schedule) {
  const auto chunks = static_cast<std::size_t>(schedule.chunks);
  std::vector<std::uint32_t> counts(chunks, 0);
  std::vector<std::int64_t> last_seen(static_cast<std::size_t>(schedule.ranks), -1);
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    for (std::size_t i = chunk; i < schedule.initial.size(); i += chunks) {
      if (schedule.initial[i] == nothing) continue;
      std::int64_t& seen = last_seen[static_cast<std::size_t>(schedule.initial[i])];
      if (seen != static_cast<std::int64_t>(chunk)) ++counts[chunk];
      seen = static_cast<std::int64_t>(chunk);
    }
  return counts;
}

// Walks the schedule as it means it: in each round first all sources are read, then the
// destinations are written in list order. What a part must wait for falls out of who touched its
// cells last.
class Derivation {
 public:
  Derivation(const Schedule& schedule, Plan& plan)
      : schedule_(schedule), plan_(plan), index_(schedule), cells_(index_.size()) {
    contributors_ = count_contributors(schedule);
    for (std::int32_t rank = 0; rank < schedule.ranks; ++rank)
      for (std::int32_t cell = 0; cell < cells_per_rank(schedule); ++cell) {
        const std::int32_t chunk = cell / schedule.slices;
        const std::size_t i =
            static_cast<std::size_t>(rank) * contributors_.size() + static_cast<std::size_t>(chunk);
        cells_[index_(rank, cell)].holds = schedule.initial[i] == nothing ? 0 : 1;
      }
    plan.uses.resize(plan.use_starts.back());
    readers_.resize(plan.use_starts.back());
    edges_.reserve(2 * std::size_t{plan.use_starts.back()});
  }

  void run() {
    for_each_round(schedule_, [&](std::uint32_t begin, std::uint32_t end) {
      carried_.resize(plan_.use_starts[end] - plan_.use_starts[begin]);
      for (std::uint32_t t = begin; t < end; ++t) read(t, plan_.use_starts[begin]);
      for (std::uint32_t t = begin; t < end; ++t) write(t, plan_.use_starts[begin]);
    });
    store_edges();
    keep_latest_of_each_lane();
  }

 private:
  struct Cell {
    std::uint32_t writer = none;  // the part that wrote it last
    std::uint32_t reader = none;  // the last of those that have read it since, in readers_
    std::uint32_t holds = 0;      // contributors
  };
  struct Reader {
    std::uint32_t part;
    std::uint32_t next;  // the one before it, in readers_
  };
  struct Edge {
    std::uint32_t part;
    std::uint32_t depends_on;
  };

  void read(std::uint32_t t, std::uint32_t round_use) {
    const Transfer& transfer = schedule_.transfers[t];
    const std::uint32_t part = plan_.first_part[t];
    std::size_t at = index_(transfer.src, transfer.first_cell);
    for (std::uint32_t use = plan_.use_starts[t]; use < plan_.use_starts[t + 1]; ++use, ++at) {
      Cell& cell = cells_[at];
      plan_.uses[use].src_written = cell.writer != none;
      if (cell.writer != none) edges_.push_back({part, cell.writer});
      readers_[use] = {part, cell.reader};
      cell.reader = use;
      carried_[use - round_use] = cell.holds;
    }
  }

  void write(std::uint32_t t, std::uint32_t round_use) {
    const Transfer& transfer = schedule_.transfers[t];
    const std::uint32_t part = plan_.last_part[t];
    std::size_t at = index_(transfer.dst, transfer.first_cell);
    std::int32_t number = transfer.first_cell;
    for (std::uint32_t use = plan_.use_starts[t]; use < plan_.use_starts[t + 1];
         ++use, ++at, ++number) {
      Cell& cell = cells_[at];
      plan_.uses[use].dst_written = cell.writer != none;
      // All writers of a cell are on its rank's lane, so lane order sees to them, unless it
      // contradicts the rounds; then the dependency is kept, and makes a cycle.
      if (cell.writer != none && cell.writer > part) edges_.push_back({part, cell.writer});
      for (std::uint32_t i = cell.reader; i != none; i = readers_[i].next)
        edges_.push_back({part, readers_[i].part});
      cell.writer = part;
      cell.reader = none;

      const std::uint32_t all = contributors_[static_cast<std::size_t>(number / schedule_.slices)];
      const std::uint32_t carried = carried_[use - round_use];
      const std::uint32_t before = cell.holds;
      // Held below overflow where the schedule counts contributors many times.
      cell.holds = transfer.action == Action::copy ? carried : std::min(before + carried, all + 1);
      plan_.uses[use].completes =
          transfer.action == Action::reduce && before < all && cell.holds == all;
    }
  }

  void store_edges() {
    plan_.depends_starts.assign(plan_.parts.size() + 1, 0);
    for (const Edge& edge : edges_) ++plan_.depends_starts[edge.part + 1];
    for (std::size_t i = 1; i < plan_.depends_starts.size(); ++i)
      plan_.depends_starts[i] += plan_.depends_starts[i - 1];
    plan_.depends.resize(edges_.size());
    std::vector<std::uint32_t> next(plan_.depends_starts.begin(), plan_.depends_starts.end() - 1);
    for (const Edge& edge : edges_) plan_.depends[next[edge.part]++] = edge.depends_on;
  }

  // Parts are numbered lane after lane, so among sorted dependencies each lane's last is its
  // latest.
  void keep_latest_of_each_lane() {
    std::vector<std::uint32_t>& depends = plan_.depends;
    std::uint32_t kept = 0, begin = 0;
    for (std::size_t part = 0; part < plan_.parts.size(); ++part) {
      const std::uint32_t end = plan_.depends_starts[part + 1];
      if (end - begin > 1) std::sort(depends.begin() + begin, depends.begin() + end);
      for (std::uint32_t i = begin; i < end; ++i) {
        const bool latest =
            i + 1 == end || plan_.parts[depends[i]].lane != plan_.parts[depends[i + 1]].lane;
        if (latest) depends[kept++] = depends[i];
      }
      plan_.depends_starts[part + 1] = kept;
      begin = end;
    }
    depends.resize(kept);
  }

  const Schedule& schedule_;
  Plan& plan_;
  CellIndex index_;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> contributors_;  // [chunk]
  std::vector<Reader> readers_;              // [use]
  std::vector<std::uint32_t> carried_;       // contributors, [use of the round]
  std::vector<Edge> edges_;
};

}  // namespace

Plan make_plan(const Schedule& schedule, bool lockstep) {
  Plan plan;
  plan.use_starts = make_use_starts(schedule);
  place_parts(schedule, find_staged(schedule), lockstep, plan);
  Derivation(schedule, plan).run();
  return plan;
}

std::optional<std::uint32_t> stuck_part(const Plan& plan) {
  // Every lane runs as far as it can; a lane that can't go on stands in the list of the part that
  // it waits for, and goes on when that is done. What has not been done in the end never will be.
  const auto lanes = static_cast<std::size_t>(plan.lanes);
  std::vector<std::uint32_t> next(plan.lane_starts.begin(), plan.lane_starts.end() - 1);
  std::vector<std::uint32_t> waiting(plan.parts.size(), none);  // [part]: a lane that waits for it
  std::vector<std::uint32_t> also_waiting(lanes, none);  // [lane]: another that waits for the same
  std::vector<std::uint32_t> satisfied(lanes, 0);        // [lane]: dependencies of its next part
  std::vector<std::uint32_t> running(lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane)
    running[lane] = static_cast<std::uint32_t>(lanes - 1 - lane);

  const auto is_done = [&](std::uint32_t part) {
    return part < next[static_cast<std::size_t>(plan.parts[part].lane)];
  };
  while (!running.empty()) {
    const std::uint32_t lane = running.back();
    running.pop_back();
    while (next[lane] < plan.lane_starts[lane + 1]) {
      const std::uint32_t part = next[lane];
      const auto depends = plan.depends_of(part);
      while (satisfied[lane] < depends.size() && is_done(depends[satisfied[lane]]))
        ++satisfied[lane];
      if (satisfied[lane] < depends.size()) {
        const std::uint32_t blocker = depends[satisfied[lane]];
        also_waiting[lane] = waiting[blocker];
        waiting[blocker] = lane;
        break;
      }
      ++next[lane];
      satisfied[lane] = 0;
      for (std::uint32_t other = waiting[part]; other != none;) {
        const std::uint32_t following = also_waiting[other];
        running.push_back(other);
        other = following;
      }
    }
  }
  std::optional<std::uint32_t> stuck;
  for (std::size_t lane = 0; lane < lanes; ++lane)
    if (next[lane] < plan.lane_starts[lane + 1] &&
        (!stuck || plan.parts[next[lane]].transfer < plan.parts[*stuck].transfer))
      stuck = next[lane];
  return stuck;
}

bool is_acyclic(const Plan& plan) { return !stuck_part(plan).has_value(); }

}  // namespace ringscope
