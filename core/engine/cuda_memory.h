// Where the data of a run lie on the devices: each rank's buffers, staging, stamps and kept
// elements.
#pragma once

#include <cstdint>
#include <vector>

#include "core/engine/cuda_api.h"
#include "core/engine/cuda_devices.h"
#include "core/engine/cuda_kernels.h"
#include "core/engine/job_layout.h"

namespace ringscope {

// Which cells' elements a record keeps when a part has landed, and where they go.
struct KeptLayout {
  // From a trace's own layout. Nothing is kept where `recording` is false.
  KeptLayout(const Job& job, bool recording);

  struct Cell {
    std::uint64_t begin;  // bytes into the output
    std::uint64_t to;     // bytes into the lane's kept elements
    std::uint64_t bytes;
  };
  std::vector<Cell> cells;             // part after part
  std::vector<std::uint32_t> starts;   // parts + 1: into cells
  std::vector<std::uint64_t> begins;   // [part]: into the lane's kept elements
  std::vector<std::uint64_t> bytes;    // [part]
  std::vector<std::uint64_t> of_lane;  // [lane]: bytes in all
};

// What is laid out once for all ranks.
struct CudaLayout {
  CudaLayout(const Job& job, const std::vector<CudaDevice>& ranks,
             const std::vector<std::vector<LinkPath>>& paths, bool recording);

  // Staged data lie as far behind a boundary as their cells do in a buffer, so that passes go by
  // whole vectors.
  static constexpr std::uint64_t alignment = 256;

  std::uint64_t buffer_bytes;
  std::vector<std::vector<std::int32_t>> untouched;  // [rank] cells
  std::vector<bool> in_place;                        // [rank]
  std::vector<std::uint64_t> cell_bytes;             // [cells + 1]
  StagingLayout staging;
  std::vector<std::uint64_t> landing;  // [lane]: bytes of the largest fused transfer that comes
                                       // through the host, which lands there first
  KeptLayout kept;

  // Of a rank, all together.
  std::uint64_t bytes_of_rank(const Job& job, std::int32_t rank, bool recording) const;
};

// Throws Error, with the figures, where a device has not as much to give.
void require_device_memory(const Job& job, const CudaLayout& layout,
                           const std::vector<CudaDevice>& ranks, bool recording);

// What one rank has on its device. The last stamp is the lane's own: it slept before all parts, and
// was done with what is no part.
struct RankMemory {
  RankMemory(const Job& job, const CudaLayout& layout, const CudaDevice& device, std::int32_t rank,
             bool recording);

  std::byte* in() const { return input.data(); }
  std::byte* out() const { return output.data() != nullptr ? output.data() : input.data(); }
  PartStamp* stamp(std::size_t part_of_lane) const {
    return reinterpret_cast<PartStamp*>(stamps.data()) + part_of_lane;
  }
  std::size_t stamp_count() const { return stamps.bytes() / sizeof(PartStamp); }
  void abandon();

  CudaDevice device;
  Stream stream;
  DeviceMemory input, output;  // in place there is no output
  DeviceMemory staging, landing;
  DeviceMemory stamps, ticket;
  DeviceMemory kept, kept_cells;
};

}  // namespace ringscope
