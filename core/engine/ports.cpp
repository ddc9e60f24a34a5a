#include "core/engine/ports.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "core/engine/trouble.h"
#include "core/error.h"

namespace ringscope {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
};
constexpr std::array<Unit, 8> units{{{"B/s", 1},
                                     {"kB/s", 1e3},
                                     {"MB/s", 1e6},
                                     {"GB/s", 1e9},
                                     {"TB/s", 1e12},
                                     {"KiB/s", 0x1p10},
                                     {"MiB/s", 0x1p20},
                                     {"GiB/s", 0x1p30}}};
constexpr double fastest = 1e15;  // bytes per second: far beyond any machine
// Nanoseconds, 104 days and 73 years: what would take longer never ends in anybody's time, and so
// no sum overflows.
constexpr double longest = 0x1p53;
constexpr std::int64_t end_of_time = std::int64_t{1} << 61;

}  // namespace

std::uint64_t parse_rate(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  const std::string_view name(rest, static_cast<std::size_t>(end - rest));
  if (fault == std::errc{})
    for (const Unit& unit : units) {
      const double rate = std::round(number * unit.bytes);
      if (unit.name == name && rate >= 1 && rate <= fastest)
        return static_cast<std::uint64_t>(rate);
    }
  throw Error({"error.port.rate", {{"text", std::string(text)}}}, Blame::usage);
}

Pace parse_pace(const std::string& port, const std::string& latency) {
  if (port.empty() && !latency.empty()) throw Error({"error.port.latency", {}}, Blame::usage);
  if (port.empty()) return {};
  return {parse_rate(port), latency.empty() ? 0 : parse_duration(latency).count()};
}

std::int64_t service_time(const Pace& pace, std::uint64_t bytes) {
  const double moving =
      std::ceil(static_cast<double>(bytes) * 1e9 / static_cast<double>(pace.bytes_per_second));
  return static_cast<std::int64_t>(std::min(static_cast<double>(pace.latency) + moving, longest));
}

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// Made-up time goes from event to event. At each moment first all that ends then lands, and
// whatever may begin by that asks for its port; then every port that is free takes its first.
class Planning {
 public:
  explicit Planning(const Job& job)
      : job_(job),
        schedule_(job.schedule),
        plan_(job.plan),
        lanes_(static_cast<std::size_t>(plan_.lanes)),
        ports_(lanes_.size()),
        waiting_(plan_.parts.size(), none),
        left_of_round_(static_cast<std::size_t>(rounds_of(schedule_)), 0) {
    times_.begins.resize(plan_.parts.size());
    times_.ends.resize(plan_.parts.size());
    for (const Part& part : plan_.parts) ++left_of_round_[round_of(part)];
  }

  PortTimes run() {
    for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) {
      lanes_[lane].next = plan_.lane_starts[lane];
      std::int64_t late = 0;
      for (const Late& one : job_.trouble.late)
        if (one.rank == static_cast<std::int32_t>(lane)) late += one.nanoseconds;
      events_.push({late, lane});
    }
    while (!events_.empty()) {
      now_ = events_.top().time;
      while (!events_.empty() && events_.top().time == now_) {
        active_.push_back(events_.top().lane);
        events_.pop();
      }
      settle();
      for (const std::uint32_t port : asked_) serve(port);
      asked_.clear();
    }
    return std::move(times_);
  }

 private:
  enum class Doing : std::uint8_t { looking, sleeping, asking, moving };
  struct Lane {
    std::uint32_t next = 0;           // its part
    std::uint32_t satisfied = 0;      // how many of its dependencies have landed
    std::uint32_t also_waits = none;  // another lane that waits for the same part
    Doing doing = Doing::looking;
  };
  struct Event {
    std::int64_t time;
    std::uint32_t lane;
    bool operator>(const Event& other) const {
      return std::pair(time, lane) > std::pair(other.time, other.lane);
    }
  };
  struct Ask {
    std::int64_t ready;
    std::uint32_t transfer;
    std::uint32_t lane;
    bool operator>(const Ask& other) const {
      return std::pair(ready, transfer) > std::pair(other.ready, other.transfer);
    }
  };
  template <class Item>
  using Earliest = std::priority_queue<Item, std::vector<Item>, std::greater<>>;
  struct Port {
    std::int64_t free = 0;
    Earliest<Ask> asks;
  };

  std::size_t round_of(const Part& part) const {
    return static_cast<std::size_t>(schedule_.transfers[part.transfer].round);
  }

  void settle() {
    while (!active_.empty()) {
      const std::uint32_t lane = active_.back();
      active_.pop_back();
      while (step(lane)) {
      }
    }
  }

  // False where the lane can't go on now.
  bool step(std::uint32_t number) {
    Lane& lane = lanes_[number];
    if (lane.doing == Doing::moving) return land(number);
    if (lane.next == plan_.lane_starts[number + 1]) return false;
    const Part& part = plan_.parts[lane.next];
    if (lane.doing == Doing::looking) {
      if (!may_begin(number)) return false;
      if (part.kind == PartKind::finish) {
        times_.begins[lane.next] = now_;
        return land(number);
      }
      if (const std::int64_t delay = delay_of(part.transfer); delay > 0) {
        lane.doing = Doing::sleeping;
        events_.push({std::min(now_ + delay, end_of_time), number});
        return false;
      }
    }
    lane.doing = Doing::asking;
    const auto src = static_cast<std::uint32_t>(schedule_.transfers[part.transfer].src);
    ports_[src].asks.push({now_, part.transfer, number});
    asked_.push_back(src);
    return false;
  }

  bool may_begin(std::uint32_t number) {
    Lane& lane = lanes_[number];
    if (job_.lockstep && round_of(plan_.parts[lane.next]) > open_round()) {
      before_round_.push_back(number);
      return false;
    }
    const auto depends = plan_.depends_of(lane.next);
    for (; lane.satisfied < depends.size(); ++lane.satisfied) {
      const std::uint32_t awaited = depends[lane.satisfied];
      if (awaited < lanes_[static_cast<std::size_t>(plan_.parts[awaited].lane)].next) continue;
      lane.also_waits = std::exchange(waiting_[awaited], number);
      return false;
    }
    return true;
  }

  std::size_t open_round() {
    while (open_round_ < left_of_round_.size() && left_of_round_[open_round_] == 0) ++open_round_;
    return open_round_;
  }

  bool land(std::uint32_t number) {
    Lane& lane = lanes_[number];
    const std::uint32_t part = lane.next++;
    lane.satisfied = 0;
    lane.doing = Doing::looking;
    times_.ends[part] = now_;
    times_.last = std::max(times_.last, now_);
    if (plan_.parts[part].kind != PartKind::finish) {
      const auto src = schedule_.transfers[plan_.parts[part].transfer].src;
      asked_.push_back(static_cast<std::uint32_t>(src));
    }
    for (std::uint32_t other = std::exchange(waiting_[part], none); other != none;
         other = lanes_[other].also_waits)
      active_.push_back(other);
    if (--left_of_round_[round_of(plan_.parts[part])] == 0 && job_.lockstep) {
      active_.insert(active_.end(), before_round_.begin(), before_round_.end());
      before_round_.clear();
    }
    return true;
  }

  void serve(std::uint32_t number) {
    Port& port = ports_[number];
    if (port.asks.empty() || port.free > now_) return;
    const Ask ask = port.asks.top();
    port.asks.pop();
    const std::uint32_t part = lanes_[ask.lane].next;
    const std::uint64_t elements =
        transfer_extent(schedule_, schedule_.transfers[ask.transfer]).count;
    port.free =
        std::min(now_ + service_time(job_.pace, elements * bytes_of(job_.type)), end_of_time);
    times_.begins[part] = now_;
    lanes_[ask.lane].doing = Doing::moving;
    events_.push({port.free, ask.lane});
  }

  std::int64_t delay_of(std::uint32_t t) const {
    const Transfer& transfer = schedule_.transfers[t];
    std::int64_t delay = 0;
    for (const Delay& one : job_.trouble.delays)
      if (one.dst == transfer.dst && (one.src < 0 || one.src == transfer.src))
        delay += one.nanoseconds;
    return delay;
  }

  const Job& job_;
  const Schedule& schedule_;
  const Plan& plan_;
  std::vector<Lane> lanes_;
  std::vector<Port> ports_;                   // [rank]: out
  std::vector<std::uint32_t> waiting_;        // [part]: a lane that waits for it
  std::vector<std::uint32_t> left_of_round_;  // [round]: parts that have not landed
  std::size_t open_round_ = 0;
  std::vector<std::uint32_t> before_round_;  // lanes that wait for a round to open
  std::vector<std::uint32_t> active_;        // lanes that may go on now
  std::vector<std::uint32_t> asked_;         // ports that may serve now
  Earliest<Event> events_;
  std::int64_t now_ = 0;
  PortTimes times_;
};

}  // namespace

PortTimes plan_ports(const Job& job) { return Planning(job).run(); }

double pace_share(std::int64_t planned, std::int64_t real) {
  constexpr double tolerance = 1.03;
  const bool kept = static_cast<double>(real) <= tolerance * static_cast<double>(planned);
  // Where nothing went through a port there was no pace to keep.
  if (kept || planned == 0) return 1;
  return static_cast<double>(planned) / static_cast<double>(real);
}

}  // namespace ringscope
