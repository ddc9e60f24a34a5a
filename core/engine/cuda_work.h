// Puts a job's parts into streams, one a lane, in an order that the schedule allows; what must wait
// for another lane waits for a point of its stream.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/engine/cuda_memory.h"
#include "core/engine/work_order.h"

namespace ringscope {

// Which way data go between any two ranks, [dst][src].
using LinkPaths = std::vector<std::vector<LinkPath>>;
// Asks only for the links of the schedule.
LinkPaths paths_between(const Schedule& schedule, const std::vector<CudaDevice>& ranks,
                        PeerAccess& peers);

using Ranks = std::vector<std::unique_ptr<RankMemory>>;

// What one run has put into the streams.
class CudaWork {
 public:
  // Makes all points, which takes its time. Sleeps end when `halt` is set. Throws Error.
  CudaWork(const Job& job, const WorkOrder& order, const CudaLayout& layout, const LinkPaths& paths,
           const Ranks& ranks, const HostFlag& halt, bool recording);

  // Throws Error that says at which part the driver failed; what was put in before goes on.
  void hand_over_all();

  // The points of a lane that others wait for, in order, by part.
  struct Point {
    std::uint32_t part;
    const StreamPoint* point;
  };
  std::vector<std::vector<Point>> points_by_lane() const;  // [lane]
  // [rank][cell]: whether the output is written when the streams are done.
  const std::vector<std::vector<bool>>& written() const { return written_; }

 private:
  // Cells of a transfer in one pass.
  struct CellPass {
    PassLaunch launch;
    const std::byte* source;  // in the sender's memory
    std::uint64_t bytes;
  };

  const RankMemory& of(std::int32_t rank) const { return *ranks_[static_cast<std::size_t>(rank)]; }
  const Transfer& transfer_of(std::uint32_t part) const {
    return job_.schedule.transfers[job_.plan.parts[part].transfer];
  }
  LinkPath path_of(const Transfer& transfer) const {
    return paths_[static_cast<std::size_t>(transfer.dst)][static_cast<std::size_t>(transfer.src)];
  }
  PartStamp* stamp_of(std::uint32_t part) const;
  PartStamp* stamp_of_lane(std::int32_t lane) const {
    return of(lane).stamp(of(lane).stamp_count() - 1);
  }

  void begin_lane(std::int32_t lane);
  void hand_over(std::size_t step);
  std::vector<CellPass> passes_of(std::uint32_t part) const;
  void move(std::uint32_t part, std::vector<CellPass> passes);
  void move_through_host(std::uint32_t part, const std::vector<CellPass>& passes, std::byte* to);
  void apply(std::uint32_t part, std::vector<CellPass> passes);
  void launch_all(std::uint32_t part, std::vector<CellPass>& passes, bool begins);
  void note_written(const Transfer& transfer);
  void put_sleep(std::int32_t lane, std::int64_t nanoseconds, PartStamp* stamp);
  void put_stamp(std::int32_t lane, std::uint64_t* where);

  const Job& job_;
  const WorkOrder& order_;
  const CudaLayout& layout_;
  const LinkPaths& paths_;
  const Ranks& ranks_;
  const HostFlag& halt_;
  const bool recording_;
  std::vector<std::optional<StreamPoint>> points_;  // [part]: of those that others wait for
  std::vector<std::vector<bool>> written_;
};

}  // namespace ringscope
