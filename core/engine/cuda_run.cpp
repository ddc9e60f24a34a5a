#include "core/engine/cuda_run.h"

#include <algorithm>
#include <exception>
#include <thread>

#include "core/engine/cuda_times.h"
#include "core/engine/progress.h"

namespace ringscope {
namespace {

using std::chrono::nanoseconds;

std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

std::vector<DeviceLink> links_of(const Schedule& schedule, const LinkPaths& paths) {
  std::vector<DeviceLink> links;
  for (const Transfer& transfer : schedule.transfers)
    links.push_back({transfer.src, transfer.dst, paths[index(transfer.dst)][index(transfer.src)]});
  const auto by_ranks = [](const DeviceLink& a, const DeviceLink& b) {
    return std::pair(a.src, a.dst) < std::pair(b.src, b.dst);
  };
  std::sort(links.begin(), links.end(), by_ranks);
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

}  // namespace

CudaRun::CudaRun(const Job& job, const std::vector<CudaDevice>& ranks, PeerAccess& peers,
                 Recorder* recorder)
    : job_(job),
      recorder_(recorder),
      paths_(paths_between(job.schedule, ranks, peers)),
      layout_(job, ranks, paths_, recorder != nullptr),
      order_(order_work(job)),
      halt_(ranks.front().number) {
  require_device_memory(job, layout_, ranks, recorder != nullptr);
  std::vector<int> devices;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    ranks_.push_back(std::make_unique<RankMemory>(
        job, layout_, ranks[rank], static_cast<std::int32_t>(rank), recorder != nullptr));
    const auto known = std::find(devices.begin(), devices.end(), ranks[rank].number);
    clock_of_rank_.push_back(static_cast<std::size_t>(known - devices.begin()));
    if (known != devices.end()) continue;
    devices.push_back(ranks[rank].number);
    pingers_.emplace_back(ranks[rank].number, ranks_.back()->stream.get());
    // A kernel is loaded when it is first launched, which may wait for all that runs: not in a run.
    cuda_check(launch_sleep({}, ranks_.back()->stream.get()), "cudaLaunchKernel");
    resolution_ = std::max(resolution_, pingers_.back().resolution());
  }
  if (recorder != nullptr) recorder->keep_links(links_of(job.schedule, paths_));
}

void CudaRun::upload() {
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    cuda_use(ranks_[rank]->device.number);
    copy_to_device(ranks_[rank]->in(), job_.inputs[rank], ranks_[rank]->stream.get());
  }
  for (const auto& rank : ranks_) rank->stream.synchronize();
}

nanoseconds CudaRun::execute() {
  reset();
  // Even while the host waits for room in a stream.
  const std::stop_callback cancels(job_.stop, [this] { halt_.set(1); });
  const std::vector<std::vector<ClockPing>> before = ping();
  CudaWork work(job_, order_, layout_, paths_, ranks_, halt_, recorder_ != nullptr);
  const std::int64_t start = host_now();
  // The first thing that fails is what is told; what was done till then is taken down all the same,
  // as far as the driver still answers.
  std::exception_ptr fault;
  const auto try_to = [&](auto&& body) {
    try {
      body();
    } catch (const Error&) {
      if (!fault) fault = std::current_exception();
      halt_.set(1);
    }
  };
  try_to([&] { work.hand_over_all(); });
  try_to([&] { wait(work); });
  written_ = work.written();
  nanoseconds time{0};
  if (!hangs_) try_to([&] { time = take_down(before, ping(), start); });
  if (job_.stop.stop_requested()) throw Error({"error.run.cancelled", {}});
  if (fault) std::rethrow_exception(fault);
  if (order_.failure) throw to_error(job_, *order_.failure);
  return time;
}

// In place all that a rank has is its result.
void CudaRun::download() {
  if (hangs_) return;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    const RankMemory& rank = *ranks_[r];
    cuda_use(rank.device.number);
    const auto is_result = [&](std::size_t cell) {
      return layout_.in_place[r] || written_[r][cell];
    };
    const std::size_t cells = written_.empty() ? 0 : written_[r].size();
    for (std::size_t cell = 0, end = 0; cell < cells; cell = end) {
      for (end = cell + 1; end < cells && is_result(end) == is_result(cell);) ++end;
      if (!is_result(cell)) continue;
      const std::uint64_t begin = layout_.cell_bytes[cell];
      copy_to_host(job_.outputs[r].subspan(begin, layout_.cell_bytes[end] - begin),
                   rank.out() + begin, rank.stream.get());
    }
  }
  for (const auto& rank : ranks_) rank->stream.synchronize();
}

void CudaRun::reset() {
  halt_.set(0);
  for (const auto& rank : ranks_) {
    cuda_use(rank->device.number);
    cuda_check(cudaMemsetAsync(rank->stamps.data(), 0xFF, rank->stamps.bytes(), rank->stream.get()),
               "cudaMemsetAsync");
    if (rank->kept.bytes() > 0)
      cuda_check(cudaMemsetAsync(rank->kept.data(), 0, rank->kept.bytes(), rank->stream.get()),
                 "cudaMemsetAsync");
    cuda_check(cudaMemsetAsync(rank->ticket.data(), 0, rank->ticket.bytes(), rank->stream.get()),
               "cudaMemsetAsync");
  }
  for (const auto& rank : ranks_) rank->stream.synchronize();
}

std::vector<std::vector<ClockPing>> CudaRun::ping() {
  std::vector<std::vector<ClockPing>> pings;
  for (ClockPinger& pinger : pingers_) pings.push_back(pinger.ping());
  return pings;
}

// Till all streams are idle. Where nothing at all is done for the timeout and the longest sleep,
// the run is given up, and the lane that is furthest behind is named.
void CudaRun::wait(const CudaWork& work) {
  std::int64_t longest_sleep = 0;
  for (const std::int64_t sleep : order_.late) longest_sleep = std::max(longest_sleep, sleep);
  for (const std::int64_t sleep : order_.sleeps) longest_sleep = std::max(longest_sleep, sleep);
  const nanoseconds patience = job_.timeout + nanoseconds(longest_sleep);
  const auto points = work.points_by_lane();
  std::vector<std::size_t> reached(ranks_.size(), 0);
  std::vector<bool> idle(ranks_.size(), false);
  Backoff backoff(false);
  for (std::size_t busy = ranks_.size(); busy > 0;) {
    bool progress = false;
    for (std::size_t lane = 0; lane < ranks_.size(); ++lane) {
      if (idle[lane]) continue;
      while (reached[lane] < points[lane].size() &&
             points[lane][reached[lane]].point->is_reached()) {
        ++reached[lane];
        progress = true;
      }
      if (!ranks_[lane]->stream.is_idle()) continue;
      idle[lane] = progress = true;
      --busy;
    }
    if (busy == 0) return;
    if (progress) backoff = Backoff(false);
    if (backoff.pause() < patience) continue;
    halt_.set(1);
    const auto lane =
        static_cast<std::size_t>(std::find(idle.begin(), idle.end(), false) - idle.begin());
    const std::uint32_t part = reached[lane] < points[lane].size()
                                   ? points[lane][reached[lane]].part
                                   : job_.plan.lane_starts[lane + 1] - 1;
    give_up();
    throw to_error(job_, {Failure::Kind::timed_out, part, static_cast<std::int32_t>(lane), {}});
  }
}

// Sleeps have been ended; what still runs then hangs, and its memory can't be taken from it.
void CudaRun::give_up() {
  Backoff backoff(false);
  const auto all_idle = [&] {
    return std::all_of(ranks_.begin(), ranks_.end(),
                       [](const auto& rank) { return rank->stream.is_idle(); });
  };
  while (!all_idle()) {
    if (backoff.pause() < job_.timeout) continue;
    hangs_ = true;
    for (const auto& rank : ranks_) rank->abandon();
    for (ClockPinger& pinger : pingers_) pinger.abandon();
    halt_.abandon();
    return;
  }
}

nanoseconds CudaRun::take_down(const std::vector<std::vector<ClockPing>>& before,
                               const std::vector<std::vector<ClockPing>>& after,
                               std::int64_t start) {
  std::vector<ClockMap> maps, of_lanes;
  for (std::size_t device = 0; device < before.size(); ++device)
    maps.push_back(map_clock(before[device], after[device], start));
  std::vector<LaneRecord> lanes;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    lanes.push_back(read_lane(*ranks_[rank]));
    of_lanes.push_back(maps[clock_of_rank_[rank]]);
  }
  if (recorder_ != nullptr) recorder_->keep_clock(clock_facts(maps, resolution_));
  return record_lanes(job_, layout_.kept, lanes, of_lanes, recorder_);
}

}  // namespace ringscope
