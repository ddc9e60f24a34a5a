#include "core/engine/work_order.h"

#include <algorithm>
#include <chrono>

namespace ringscope {
namespace {

std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

class Ordering {
 public:
  explicit Ordering(const Job& job)
      : job_(job),
        plan_(job.plan),
        lanes_(index(plan_.lanes)),
        next_(plan_.lane_starts.begin(), plan_.lane_starts.end() - 1),
        stopped_(lanes_, false),
        known_(lanes_, next_),
        deaths_(deaths_of(job)),
        failures_(lanes_) {
    order_.wait_starts.push_back(0);
    order_.awaited.resize(plan_.parts.size(), 0);
    order_.late.resize(lanes_, 0);
    for (const Late& late : job.trouble.late) order_.late[index(late.rank)] += late.nanoseconds;
    if (!job.trouble.delays.empty()) order_.sleeps.resize(plan_.parts.size(), 0);
    // What an awaited part's lane knew then; for very many lanes that would be too much to keep.
    constexpr std::size_t most = std::size_t{1} << 24;
    if (plan_.parts.size() * lanes_ <= most) knew_.resize(plan_.parts.size());
  }

  WorkOrder run() {
    for (std::size_t lane = 0; lane < lanes_; ++lane) cut_lateness(lane);
    for (bool progress = true; progress;) {
      progress = false;
      for (std::size_t lane = 0; lane < lanes_; ++lane)
        if (can_go_on(lane)) {
          hand_over(lane);
          progress = true;
        }
    }
    for (const Failure& failure : failures_)
      if (failure.kind != Failure::Kind::none &&
          (!order_.failure || failure.kind < order_.failure->kind))
        order_.failure = failure;
    return std::move(order_);
  }

 private:
  const Transfer& transfer_of(std::uint32_t part) const {
    return job_.schedule.transfers[plan_.parts[part].transfer];
  }
  std::int32_t rank_of(std::size_t lane) const { return static_cast<std::int32_t>(lane); }

  // The lane ends before its next part.
  void stop(std::size_t lane, Failure::Kind kind, std::int32_t rank) {
    stopped_[lane] = true;
    failures_[lane] = {kind, next_[lane], rank, {}};
  }

  // What may be slept for.
  std::int64_t cut(std::size_t lane, std::int64_t nanoseconds) {
    if (nanoseconds <= job_.timeout.count()) return nanoseconds;
    stop(lane, Failure::Kind::timed_out, rank_of(lane));
    return job_.timeout.count();
  }

  void cut_lateness(std::size_t lane) {
    if (next_[lane] == plan_.lane_starts[lane + 1]) return;
    order_.late[lane] = cut(lane, order_.late[lane]);
  }

  bool can_go_on(std::size_t lane) {
    if (stopped_[lane] || next_[lane] == plan_.lane_starts[lane + 1]) return false;
    const std::uint32_t part = next_[lane];
    if (!depends_are_handed_over(lane, part)) return false;
    const Transfer& transfer = transfer_of(part);
    for (const std::int32_t rank : {transfer.dst, transfer.src})
      if (deaths_[index(rank)].covers(transfer)) {
        stop(lane, Failure::Kind::died, rank);
        return false;
      }
    if (order_.sleeps.empty() || plan_.parts[part].kind == PartKind::finish) return true;
    std::int64_t delay = 0;
    for (const Delay& one : job_.trouble.delays)
      if (one.dst == transfer.dst && (one.src < 0 || one.src == transfer.src))
        delay += one.nanoseconds;
    order_.sleeps[part] = cut(lane, delay);
    return !stopped_[lane];
  }

  // Fills depends_: what the part waits for on other lanes, one of each at most.
  bool depends_are_handed_over(std::size_t lane, std::uint32_t part) {
    depends_.clear();
    for (const std::uint32_t other : plan_.depends_of(part)) {
      if (other >= next_[index(plan_.parts[other].lane)]) return false;
      depends_.push_back(other);
    }
    return !job_.lockstep || rounds_before_are_handed_over(lane, part);
  }

  // Lockstep: all lanes have come to the end of all rounds before.
  bool rounds_before_are_handed_over(std::size_t lane, std::uint32_t part) {
    const std::int32_t round = transfer_of(part).round;
    for (std::size_t other = 0; other < lanes_; ++other) {
      const std::uint32_t end = next_[other];
      if (end < plan_.lane_starts[other + 1] && transfer_of(end).round < round) return false;
      if (other == lane) continue;
      // The lane's last part of an earlier round: those after it are of this one.
      std::uint32_t last = end;
      while (last > plan_.lane_starts[other] && transfer_of(last - 1).round >= round) --last;
      if (last > plan_.lane_starts[other]) depends_.push_back(last - 1);
    }
    return true;
  }

  bool implied_by(std::uint32_t part, const std::vector<std::uint32_t>& known) const {
    return !known.empty() && part < known[index(plan_.parts[part].lane)];
  }
  const std::vector<std::uint32_t>& knew(std::uint32_t part) const {
    static const std::vector<std::uint32_t> nothing_kept;
    return knew_.empty() ? nothing_kept : knew_[part];
  }

  void hand_over(std::size_t lane) {
    const std::uint32_t part = next_[lane]++;
    for (const std::uint32_t other : depends_) {
      const std::size_t others_lane = index(plan_.parts[other].lane);
      const bool implied = implied_by(other, known_[lane]) ||
                           std::any_of(depends_.begin(), depends_.end(), [&](std::uint32_t third) {
                             // Of two parts of one lane the later implies the earlier.
                             if (plan_.parts[third].lane == plan_.parts[other].lane)
                               return third > other;
                             return implied_by(other, knew(third));
                           });
      if (implied || others_lane == lane) continue;
      if (order_.waits.size() > order_.wait_starts.back() &&
          std::find(order_.waits.begin() + order_.wait_starts.back(), order_.waits.end(), other) !=
              order_.waits.end())
        continue;
      order_.waits.push_back(other);
      order_.awaited[other] = 1;
    }
    for (std::size_t wait = order_.wait_starts.back(); wait < order_.waits.size(); ++wait)
      learn(lane, order_.waits[wait]);
    order_.wait_starts.push_back(static_cast<std::uint32_t>(order_.waits.size()));
    order_.parts.push_back(part);
    known_[lane][lane] = part + 1;
    if (!knew_.empty()) knew_[part] = known_[lane];
  }

  void learn(std::size_t lane, std::uint32_t part) {
    std::vector<std::uint32_t>& known = known_[lane];
    std::uint32_t& of_its_lane = known[index(plan_.parts[part].lane)];
    of_its_lane = std::max(of_its_lane, part + 1);
    const std::vector<std::uint32_t>& more = knew(part);
    for (std::size_t other = 0; other < more.size(); ++other)
      known[other] = std::max(known[other], more[other]);
  }

  const Job& job_;
  const Plan& plan_;
  const std::size_t lanes_;
  std::vector<std::uint32_t> next_;  // [lane]: the first part that is not handed over
  std::vector<bool> stopped_;        // [lane]
  // [lane][other lane]: the first part there that need not be done yet when this lane goes on.
  std::vector<std::vector<std::uint32_t>> known_;
  std::vector<std::vector<std::uint32_t>> knew_;  // [part]: the same, after that part
  std::vector<Death> deaths_;
  std::vector<Failure> failures_;  // [lane]
  std::vector<std::uint32_t> depends_;
  WorkOrder order_;
};

}  // namespace

WorkOrder order_work(const Job& job) { return Ordering(job).run(); }

}  // namespace ringscope
