// The CUDA engine: each rank is a stream on a GPU, its own where there are enough; data go from GPU
// memory to GPU memory, and the host only hands over work.
#include <fmt/format.h>

#include <algorithm>

#include "core/engine/cuda_run.h"

namespace ringscope {
namespace {

using std::chrono::nanoseconds;

// Chunks up to this size are one slice. Slices let a chunk be passed on before it has wholly come,
// but each costs the host a wait, a launch and a point in every round, about 5 us a GPU: the host
// would be the bottleneck if a GPU were done sooner. A pass over 16 MiB takes 10 us within a memory
// of 4 TB/s and 40 us over a link of 400 GB/s, as long as it takes to hand work to eight GPUs.
constexpr std::uint64_t slice_bytes = 16 << 20;

class CudaEngine : public Engine {
 public:
  explicit CudaEngine(const EngineRequest& request)
      : request_(request), machine_(find_cuda_devices()) {}

  std::string_view name() const override { return "cuda"; }
  Availability availability(int) const override { return machine_.availability; }
  int auto_slices(int ranks, std::uint64_t chunk_bytes) const override {
    // Within one device its memory is the bottleneck, and other lanes keep it busy.
    const std::vector<CudaDevice> of_ranks = placed(ranks);
    if (std::all_of(of_ranks.begin(), of_ranks.end(), [&](const CudaDevice& device) {
          return device.number == of_ranks.front().number;
        }))
      return 1;
    return static_cast<int>(
        std::max<std::uint64_t>((chunk_bytes + slice_bytes - 1) / slice_bytes, 1));
  }
  std::vector<std::string> devices(int ranks) const override {
    std::vector<std::string> names;
    for (const CudaDevice& device : placed(ranks))
      names.push_back(fmt::format("GPU {}: {}", device.number, device.name));
    return names;
  }
  nanoseconds run(const Job& job, Recorder* recorder) override {
    if (!machine_.availability.ok) throw Error(machine_.availability.why);
    CudaRun run(job, placed(job.schedule.ranks), peers_, recorder);
    run.upload();
    try {
      const nanoseconds time = run.execute();
      run.download();
      return time;
    } catch (const Error&) {
      // What was done is a part of the record; a driver that has failed may refuse.
      try {
        run.download();
      } catch (const Error&) {
      }
      throw;
    }
  }

 private:
  // [rank]; empty where there is no device.
  std::vector<CudaDevice> placed(int ranks) const {
    std::vector<CudaDevice> all;
    if (machine_.devices.empty()) return all;
    for (const int device :
         devices_of_ranks(ranks, static_cast<int>(machine_.devices.size()), request_.devices))
      all.push_back(machine_.devices[static_cast<std::size_t>(device)]);
    return all;
  }

  EngineRequest request_;
  CudaMachine machine_;
  PeerAccess peers_;
};

}  // namespace

std::unique_ptr<Engine> make_cuda_engine(const EngineRequest& request) {
  return std::make_unique<CudaEngine>(request);
}

}  // namespace ringscope
