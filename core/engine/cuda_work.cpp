#include "core/engine/cuda_work.h"

#include <string>
#include <utility>

namespace ringscope {
namespace {

std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

void launched(cudaError_t result) { cuda_check(result, "cudaLaunchKernel"); }

}  // namespace

LinkPaths paths_between(const Schedule& schedule, const std::vector<CudaDevice>& ranks,
                        PeerAccess& peers) {
  LinkPaths paths(ranks.size(), std::vector<LinkPath>(ranks.size(), LinkPath::same_device));
  std::vector<bool> asked(ranks.size() * ranks.size(), false);
  for (const Transfer& transfer : schedule.transfers) {
    const std::size_t dst = index(transfer.dst), src = index(transfer.src);
    if (asked[dst * ranks.size() + src]) continue;
    asked[dst * ranks.size() + src] = true;
    paths[dst][src] = peers.path(ranks[dst].number, ranks[src].number);
  }
  return paths;
}

CudaWork::CudaWork(const Job& job, const WorkOrder& order, const CudaLayout& layout,
                   const LinkPaths& paths, const Ranks& ranks, const HostFlag& halt, bool recording)
    : job_(job),
      order_(order),
      layout_(layout),
      paths_(paths),
      ranks_(ranks),
      halt_(halt),
      recording_(recording),
      points_(job.plan.parts.size()),
      written_(ranks.size(), std::vector<bool>(index(cells_per_rank(job.schedule)), false)) {
  for (const std::uint32_t part : order.parts) {
    if (!order.awaited[part]) continue;
    cuda_use(of(job.plan.parts[part].lane).device.number);
    points_[part].emplace();
  }
}

void CudaWork::hand_over_all() {
  for (std::int32_t lane = 0; lane < job_.plan.lanes; ++lane) begin_lane(lane);
  for (std::size_t step = 0; step < order_.parts.size(); ++step) {
    const std::uint32_t part = order_.parts[step];
    try {
      hand_over(step);
    } catch (const Error& error) {
      auto arguments = error.message().arguments;
      const Transfer& transfer = transfer_of(part);
      arguments.insert(arguments.end(),
                       {{"rank", std::to_string(transfer.dst)},
                        {"round", round_name(job_.schedule, transfer.round)},
                        {"chunk", std::to_string(transfer.first_cell / job_.schedule.slices)}});
      throw Error({"error.cuda.part", std::move(arguments)});
    }
  }
  // Without a record the end of each lane is all that is noted.
  for (std::int32_t lane = 0; lane < job_.plan.lanes && !recording_; ++lane)
    if (job_.plan.lane_starts[index(lane)] < job_.plan.lane_starts[index(lane) + 1])
      put_stamp(lane, &stamp_of_lane(lane)->landed);
}

std::vector<std::vector<CudaWork::Point>> CudaWork::points_by_lane() const {
  std::vector<std::vector<Point>> points(ranks_.size());
  for (std::uint32_t part = 0; part < points_.size(); ++part)
    if (points_[part] && points_[part]->is_set())
      points[index(job_.plan.parts[part].lane)].push_back({part, &*points_[part]});
  return points;
}

PartStamp* CudaWork::stamp_of(std::uint32_t part) const {
  const std::int32_t lane = job_.plan.parts[part].lane;
  return recording_ ? of(lane).stamp(part - job_.plan.lane_starts[index(lane)]) : nullptr;
}

// A late rank sleeps; then it copies what no transfer brings it.
void CudaWork::begin_lane(std::int32_t lane) {
  const RankMemory& rank = of(lane);
  cuda_use(rank.device.number);
  put_sleep(lane, order_.late[index(lane)], recording_ ? stamp_of_lane(lane) : nullptr);
  bool copied = false;
  for (const std::int32_t cell : layout_.untouched[index(lane)]) {
    const std::uint64_t begin = layout_.cell_bytes[index(cell)];
    const std::uint64_t bytes = layout_.cell_bytes[index(cell) + 1] - begin;
    if (bytes == 0) continue;
    cuda_check(cudaMemcpyAsync(rank.out() + begin, rank.in() + begin, bytes,
                               cudaMemcpyDeviceToDevice, rank.stream.get()),
               "cudaMemcpyAsync");
    written_[index(lane)][index(cell)] = true;
    copied = true;
  }
  if (copied) put_stamp(lane, &stamp_of_lane(lane)->landed);
}

void CudaWork::hand_over(std::size_t step) {
  const std::uint32_t part = order_.parts[step];
  const Part& what = job_.plan.parts[part];
  const RankMemory& rank = of(what.lane);
  cuda_use(rank.device.number);
  for (const std::uint32_t other : order_.waits_of(step))
    points_[other]->hold_up(rank.stream.get());
  if (!order_.sleeps.empty()) put_sleep(what.lane, order_.sleeps[part], stamp_of(part));
  if (what.kind == PartKind::move)
    move(part, passes_of(part));
  else
    apply(part, passes_of(part));
  if (points_[part]) points_[part]->set(rank.stream.get());
}

// As few as the uses of its cells allow; launches without what they take down.
std::vector<CudaWork::CellPass> CudaWork::passes_of(std::uint32_t part) const {
  const std::uint32_t t = job_.plan.parts[part].transfer;
  const Transfer& transfer = job_.schedule.transfers[t];
  const RankMemory &dst = of(transfer.dst), &src = of(transfer.src);
  std::vector<CellPass> passes;
  for_each_cell_run(job_, layout_.cell_bytes, t, [&](const CellRun& cells) {
    CellPass pass;
    pass.source = (cells.use.src_written ? src.out() : src.in()) + cells.begin;
    pass.bytes = cells.bytes;
    pass.launch.pass = pass_of(job_, cells.use);
    pass.launch.reduces = transfer.action == Action::reduce;
    pass.launch.dst = dst.out() + cells.begin;
    pass.launch.own = (cells.use.dst_written ? dst.out() : dst.in()) + cells.begin;
    pass.launch.received = pass.source;
    pass.launch.count = cells.bytes / bytes_of(job_.type);
    passes.push_back(pass);
  });
  return passes;
}

// Into staging, as it is in the sender's memory.
void CudaWork::move(std::uint32_t part, std::vector<CellPass> passes) {
  const Transfer& transfer = transfer_of(part);
  std::byte* to = of(transfer.dst).staging.data();
  if (to != nullptr) to += layout_.staging.begins[job_.plan.parts[part].transfer];
  if (path_of(transfer) == LinkPath::through_host) return move_through_host(part, passes, to);
  for (CellPass& pass : passes) {
    pass.launch.pass = Pass{};
    pass.launch.reduces = false;
    pass.launch.dst = to;
    pass.launch.own = nullptr;
    to += pass.bytes;
  }
  launch_all(part, passes, true);
}

void CudaWork::move_through_host(std::uint32_t part, const std::vector<CellPass>& passes,
                                 std::byte* to) {
  const Transfer& transfer = transfer_of(part);
  const RankMemory &dst = of(transfer.dst), &src = of(transfer.src);
  PartStamp* const stamp = stamp_of(part);
  if (stamp != nullptr) put_stamp(transfer.dst, &stamp->begun);
  for (const CellPass& pass : passes) {
    cuda_check(cudaMemcpyPeerAsync(to, dst.device.number, pass.source, src.device.number,
                                   pass.bytes, dst.stream.get()),
               "cudaMemcpyPeerAsync");
    to += pass.bytes;
  }
  // A fused part has landed only when it is reduced too.
  if (stamp != nullptr && job_.plan.parts[part].kind == PartKind::move)
    put_stamp(transfer.dst, &stamp->landed);
}

void CudaWork::apply(std::uint32_t part, std::vector<CellPass> passes) {
  const Transfer& transfer = transfer_of(part);
  const RankMemory& dst = of(transfer.dst);
  const bool lands_first =
      job_.plan.parts[part].kind == PartKind::fused && path_of(transfer) == LinkPath::through_host;
  const std::byte* received = nullptr;
  if (lands_first && !passes.empty()) {
    // As far behind a boundary as the cells are in a buffer.
    std::byte* const landing =
        dst.landing.data() +
        static_cast<std::uint64_t>(passes.front().launch.dst - dst.out()) % CudaLayout::alignment;
    move_through_host(part, passes, landing);
    received = landing;
  } else if (job_.plan.parts[part].kind == PartKind::finish && !passes.empty()) {
    received = dst.staging.data() + layout_.staging.begins[job_.plan.parts[part].transfer];
  }
  for (CellPass& pass : passes) {
    if (received == nullptr) break;
    pass.launch.received = received;
    received += pass.bytes;
  }
  launch_all(part, passes, !(lands_first && !passes.empty()));
  note_written(transfer);
}

// The kernels of a part; where it is recorded, the first notes its begin, unless something before
// them has, the last its end, and each the elements to be kept of its cells.
void CudaWork::launch_all(std::uint32_t part, std::vector<CellPass>& passes, bool begins) {
  const RankMemory& rank = of(job_.plan.parts[part].lane);
  if (passes.empty() && recording_) passes.push_back({});
  const KeptLayout& kept = layout_.kept;
  const std::uint32_t first_of_lane =
      kept.starts[job_.plan.lane_starts[index(job_.plan.parts[part].lane)]];
  std::uint32_t cell = kept.starts[part];
  for (CellPass& pass : passes) {
    if (recording_) {
      PassRecord& record = pass.launch.record;
      record.stamp = stamp_of(part);
      record.ticket = reinterpret_cast<std::uint32_t*>(rank.ticket.data());
      record.first = begins && &pass == &passes.front();
      record.last = &pass == &passes.back();
      record.kept =
          reinterpret_cast<const KeptCell*>(rank.kept_cells.data()) + (cell - first_of_lane);
      const std::byte* const end = pass.launch.dst + pass.bytes;
      while (cell < kept.starts[part + 1] && rank.out() + kept.cells[cell].begin < end) {
        ++record.kept_count;
        ++cell;
      }
    }
    launched(launch_pass(job_.type, pass.launch, rank.device.multiprocessors, rank.stream.get()));
  }
}

void CudaWork::note_written(const Transfer& transfer) {
  for (std::int32_t i = 0; i < transfer.cell_count; ++i)
    written_[index(transfer.dst)][index(transfer.first_cell + i)] = true;
}

void CudaWork::put_sleep(std::int32_t lane, std::int64_t nanoseconds, PartStamp* stamp) {
  if (nanoseconds <= 0) return;
  SleepLaunch launch;
  launch.nanoseconds = static_cast<std::uint64_t>(nanoseconds);
  launch.halt = halt_.address();
  if (stamp != nullptr) {
    launch.from = &stamp->slept_from;
    launch.to = &stamp->slept_to;
  }
  launched(launch_sleep(launch, of(lane).stream.get()));
}

void CudaWork::put_stamp(std::int32_t lane, std::uint64_t* where) {
  cuda_use(of(lane).device.number);
  launched(launch_stamp({where}, of(lane).stream.get()));
}

}  // namespace ringscope
