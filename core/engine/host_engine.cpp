#include "core/engine/host_engine.h"

#include <algorithm>
#include <stop_token>
#include <system_error>
#include <thread>

#include "core/engine/lane.h"
#include "core/engine/machine.h"

namespace ringscope {
namespace {

using std::chrono::nanoseconds;

// Chunks up to this size are one slice; larger ones are cut into slices of about it, so that a
// slice stays in a core's cache while it goes through its rounds.
constexpr std::uint64_t slice_bytes = 256 * 1024;

class HostEngine : public Engine {
 public:
  explicit HostEngine(const HostPasses& passes) : passes_(passes) {}

  std::string_view name() const override { return "host"; }
  Availability availability(int) const override { return {}; }
  int auto_slices(int, std::uint64_t chunk_bytes) const override {
    return static_cast<int>(
        std::max<std::uint64_t>((chunk_bytes + slice_bytes - 1) / slice_bytes, 1));
  }
  std::vector<std::string> devices(int) const override { return {"CPU thread"}; }
  nanoseconds run(const Job& job, Recorder* recorder) override;

 private:
  HostPasses passes_;
};

nanoseconds HostEngine::run(const Job& job, Recorder* recorder) {
  Run run(job, recorder, passes_, usable_core_numbers());
  const std::vector<std::size_t>& staging = run.staging.sizes;
  std::vector<Lane> lanes;
  lanes.reserve(staging.size());
  for (std::size_t rank = 0; rank < staging.size(); ++rank)
    lanes.emplace_back(run, static_cast<std::int32_t>(rank), staging[rank]);
  {
    const std::stop_callback cancel(job.stop,
                                    [&run] { run.halted.store(true, std::memory_order_relaxed); });
    std::vector<std::jthread> threads;
    threads.reserve(lanes.size());
    try {
      for (Lane& lane : lanes) threads.emplace_back([&lane] { lane.work(); });
    } catch (const std::system_error&) {
      run.halted.store(true, std::memory_order_relaxed);
      run.exit.open();
      throw Error({"error.run.threads", {{"ranks", std::to_string(lanes.size())}}});
    }
  }
  // Of several failures the graver one is the reason; of equals, that of the lowest rank.
  const Lane* failed = nullptr;
  for (const Lane& lane : lanes) {
    const Failure::Kind kind = lane.failure().kind;
    if (kind == Failure::Kind::none) continue;
    if (failed == nullptr || kind < failed->failure().kind) failed = &lane;
  }
  if (job.stop.stop_requested() && run.halted) throw Error({"error.run.cancelled", {}});
  if (failed != nullptr) throw to_error(job, failed->failure());
  std::int64_t last = 0, real = 0;
  for (const Lane& lane : lanes) {
    last = std::max(last, lane.finished_at());
    real = std::max(real, lane.real_end());
  }
  if (run.ports && recorder != nullptr)
    recorder->keep_pace_share(pace_share(run.ports->last, real));
  return nanoseconds(last);
}

}  // namespace

std::unique_ptr<Engine> make_host_engine(const HostPasses& passes) {
  return std::make_unique<HostEngine>(passes);
}

std::unique_ptr<Engine> make_host_engine() { return make_host_engine(HostPasses{}); }

}  // namespace ringscope
