#include "core/engine/cuda_times.h"

#include <algorithm>

namespace ringscope {
namespace {

std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

// Turns the lanes' stamps into times from the common start.
class LaneTimes {
 public:
  LaneTimes(const Job& job, const std::vector<LaneRecord>& lanes,
            const std::vector<ClockMap>& clocks)
      : plan_(job.plan), lanes_(lanes), clocks_(clocks) {}

  const PartStamp& stamp(std::uint32_t part) const {
    const std::int32_t lane = plan_.parts[part].lane;
    return lanes_[index(lane)].stamps[part - plan_.lane_starts[index(lane)]];
  }
  static bool has_landed(const PartStamp& stamp) {
    return stamp.begun != PartStamp::unset && stamp.landed != PartStamp::unset;
  }
  // Nothing is before the start, whatever the two clocks make of it.
  std::int64_t time(std::int32_t lane, std::uint64_t device) const {
    return std::max<std::int64_t>(clocks_[index(lane)].host_time(device), 0);
  }
  static std::int64_t slept(const PartStamp& stamp) {
    if (stamp.slept_from == PartStamp::unset || stamp.slept_to == PartStamp::unset) return 0;
    return static_cast<std::int64_t>(stamp.slept_to - stamp.slept_from);
  }

  // Of a part that has landed; `free` is when its lane was done with the one before.
  PartTimes times(std::uint32_t part, std::int64_t free) const {
    const std::int32_t lane = plan_.parts[part].lane;
    const PartStamp& stamps = stamp(part);
    PartTimes times;
    times.begun = time(lane, stamps.begun);
    times.landed = time(lane, stamps.landed);
    times.waited_from = std::min(free, times.begun);
    times.delayed = slept(stamps);
    if (part == plan_.lane_starts[index(lane)])
      times.delayed += slept(lanes_[index(lane)].stamps.back());
    return times;
  }

 private:
  const Plan& plan_;
  const std::vector<LaneRecord>& lanes_;
  const std::vector<ClockMap>& clocks_;
};

}  // namespace

LaneRecord read_lane(const RankMemory& rank) {
  cuda_use(rank.device.number);
  LaneRecord record;
  record.stamps.resize(rank.stamp_count());
  record.kept.resize(rank.kept.bytes());
  const StreamEnd end(rank.stream.get());
  copy_to_host(std::as_writable_bytes(std::span(record.stamps)), rank.stamps.data(),
               rank.stream.get());
  copy_to_host(record.kept, rank.kept.data(), rank.stream.get());
  rank.stream.synchronize();
  return record;
}

std::chrono::nanoseconds record_lanes(const Job& job, const KeptLayout& kept,
                                      const std::vector<LaneRecord>& lanes,
                                      const std::vector<ClockMap>& clocks, Recorder* recorder) {
  const LaneTimes times(job, lanes, clocks);
  std::int64_t last = 0;
  for (std::int32_t lane = 0; lane < job.plan.lanes; ++lane) {
    const PartStamp& own = lanes[index(lane)].stamps.back();
    if (own.landed != PartStamp::unset) last = std::max(last, times.time(lane, own.landed));
    if (recorder == nullptr) continue;
    std::int64_t free = 0;
    const std::uint32_t end = job.plan.lane_starts[index(lane) + 1];
    for (std::uint32_t part = job.plan.lane_starts[index(lane)]; part < end; ++part) {
      if (!LaneTimes::has_landed(times.stamp(part))) break;
      const PartTimes when = times.times(part, free);
      recorder->land_kept(
          part, when,
          std::span(lanes[index(lane)].kept).subspan(kept.begins[part], kept.bytes[part]));
      free = when.landed;
      last = std::max(last, free);
    }
  }
  return std::chrono::nanoseconds(last);
}

ClockFacts clock_facts(std::span<const ClockMap> devices, std::int64_t resolution) {
  ClockFacts facts;
  facts.resolution = resolution;
  std::int64_t widest = 0, next = 0;
  for (const ClockMap& map : devices) {
    next = std::max(next, std::min(widest, map.uncertainty));
    widest = std::max(widest, map.uncertainty);
  }
  // One device's timer needs no other to put its own parts in order.
  if (devices.size() > 1) facts.uncertainty = widest + next;
  return facts;
}

}  // namespace ringscope
