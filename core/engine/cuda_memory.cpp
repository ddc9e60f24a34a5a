#include "core/engine/cuda_memory.h"

#include <algorithm>
#include <map>

#include "core/trace/trace.h"

namespace ringscope {
namespace {

std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

std::size_t stamps_of(const Job& job, std::int32_t rank, bool recording) {
  const auto parts = job.plan.lane_starts[index(rank) + 1] - job.plan.lane_starts[index(rank)];
  return (recording ? parts : 0) + 1;
}

}  // namespace

KeptLayout::KeptLayout(const Job& job, bool recording)
    : starts(1, 0), of_lane(index(job.plan.lanes), 0) {
  const Plan& plan = job.plan;
  begins.resize(plan.parts.size(), 0);
  bytes.resize(plan.parts.size(), 0);
  const ValueLayout layout(job.schedule, job.type, kept_for(job.schedule, job.type));
  const std::vector<std::uint64_t> cell_bytes = cell_bytes_of(job);
  const bool keeps = recording && layout.kept != Kept::ends_only;
  for (std::uint32_t p = 0; p < plan.parts.size(); ++p) {
    const Part& part = plan.parts[p];
    std::uint64_t& end = of_lane[index(part.lane)];
    begins[p] = end;
    const Transfer& transfer = job.schedule.transfers[part.transfer];
    for (std::int32_t i = 0; keeps && part.kind != PartKind::move && i < transfer.cell_count; ++i) {
      const std::size_t cell = index(transfer.first_cell + i);
      const std::uint64_t size = layout.kept_elements[cell] * layout.element_bytes;
      if (size == 0) continue;
      cells.push_back({cell_bytes[cell], end, size});
      end += size;
    }
    bytes[p] = end - begins[p];
    starts.push_back(static_cast<std::uint32_t>(cells.size()));
  }
}

CudaLayout::CudaLayout(const Job& job, const std::vector<CudaDevice>& ranks,
                       const std::vector<std::vector<LinkPath>>& paths, bool recording)
    : buffer_bytes(job.schedule.count * bytes_of(job.type)),
      untouched(untouched_of(job)),
      cell_bytes(cell_bytes_of(job)),
      staging(lay_out_staging(job, alignment)),
      landing(ranks.size(), 0),
      kept(job, recording) {
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    in_place.push_back(job.inputs[rank].data() == job.outputs[rank].data());
  for (const Part& part : job.plan.parts) {
    const Transfer& transfer = job.schedule.transfers[part.transfer];
    if (part.kind != PartKind::fused ||
        paths[index(transfer.dst)][index(transfer.src)] != LinkPath::through_host)
      continue;
    const Extent extent = transfer_extent(job.schedule, transfer);
    std::uint64_t& bytes = landing[index(part.lane)];
    if (extent.count > 0)
      bytes = std::max(
          bytes, extent.first * bytes_of(job.type) % alignment + extent.count * bytes_of(job.type));
  }
}

std::uint64_t CudaLayout::bytes_of_rank(const Job& job, std::int32_t rank, bool recording) const {
  const std::size_t lane = index(rank);
  const std::uint32_t first = job.plan.lane_starts[lane], end = job.plan.lane_starts[lane + 1];
  return buffer_bytes * (in_place[lane] ? 1 : 2) + staging.sizes[lane] + landing[lane] +
         stamps_of(job, rank, recording) * sizeof(PartStamp) + sizeof(std::uint32_t) +
         kept.of_lane[lane] + (kept.starts[end] - kept.starts[first]) * sizeof(KeptCell);
}

void require_device_memory(const Job& job, const CudaLayout& layout,
                           const std::vector<CudaDevice>& ranks, bool recording) {
  std::map<int, std::uint64_t> needed;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    needed[ranks[rank].number] +=
        layout.bytes_of_rank(job, static_cast<std::int32_t>(rank), recording);
  for (const auto& [device, bytes] : needed) require_free_memory(device, bytes);
}

RankMemory::RankMemory(const Job& job, const CudaLayout& layout, const CudaDevice& the_device,
                       std::int32_t rank, bool recording)
    : device(the_device),
      stream(the_device.number),
      input(device.number, layout.buffer_bytes),
      output(device.number, layout.in_place[index(rank)] ? 0 : layout.buffer_bytes),
      staging(device.number, layout.staging.sizes[index(rank)]),
      landing(device.number, layout.landing[index(rank)]),
      stamps(device.number, stamps_of(job, rank, recording) * sizeof(PartStamp)),
      ticket(device.number, sizeof(std::uint32_t)),
      kept(device.number, layout.kept.of_lane[index(rank)]) {
  const std::uint32_t first = layout.kept.starts[job.plan.lane_starts[index(rank)]];
  const std::uint32_t end = layout.kept.starts[job.plan.lane_starts[index(rank) + 1]];
  std::vector<KeptCell> cells;
  for (std::uint32_t i = first; i < end; ++i) {
    const KeptLayout::Cell& cell = layout.kept.cells[i];
    cells.push_back({out() + cell.begin, kept.data() + cell.to, cell.bytes});
  }
  const auto bytes = std::as_bytes(std::span(cells));
  kept_cells = DeviceMemory(device.number, bytes.size());
  const StreamEnd copied(stream.get());
  copy_to_device(kept_cells.data(), bytes, stream.get());
  cuda_check(cudaMemsetAsync(ticket.data(), 0, ticket.bytes(), stream.get()), "cudaMemsetAsync");
  stream.synchronize();
}

void RankMemory::abandon() {
  for (DeviceMemory* const memory :
       {&input, &output, &staging, &landing, &stamps, &ticket, &kept, &kept_cells})
    memory->abandon();
}

}  // namespace ringscope
