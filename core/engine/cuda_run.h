// One job on GPUs: its memory, the wait for its end, and the times and elements that it took down.
#pragma once

#include <chrono>
#include <vector>

#include "core/engine/cuda_clock.h"
#include "core/engine/cuda_work.h"
#include "core/trace/recorder.h"

namespace ringscope {

class CudaRun {
 public:
  // ranks[rank] is its device. Takes all memory that the run needs, after asking whether it can be
  // had. Throws Error.
  CudaRun(const Job& job, const std::vector<CudaDevice>& ranks, PeerAccess& peers,
          Recorder* recorder);

  void upload();
  // From the moment at which the host begins to hand over work to the last landing. May be called
  // again, without an upload where not in place. Throws Error; what was done till then is recorded.
  std::chrono::nanoseconds execute();
  // What was written on the devices, to the job's outputs. Throws Error.
  void download();

 private:
  void reset();
  std::vector<std::vector<ClockPing>> ping();
  void wait(const CudaWork& work);
  void give_up();
  std::chrono::nanoseconds take_down(const std::vector<std::vector<ClockPing>>& before,
                                     const std::vector<std::vector<ClockPing>>& after,
                                     std::int64_t start);

  const Job& job_;
  Recorder* const recorder_;
  LinkPaths paths_;
  CudaLayout layout_;
  WorkOrder order_;
  HostFlag halt_;
  Ranks ranks_;
  std::vector<std::size_t> clock_of_rank_;  // into the pingers
  std::vector<ClockPinger> pingers_;        // one a device
  std::int64_t resolution_ = 0;             // of the coarsest device's timer, nanoseconds
  std::vector<std::vector<bool>> written_;  // [rank][cell]: by the last execution
  bool hangs_ = false;                      // a device does not end its work
};

}  // namespace ringscope
