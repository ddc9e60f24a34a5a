#include "core/engine/host_engine.h"

#include <fmt/format.h>

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

// Where each staged transfer lands in its lane's staging buffer, and how large each lane's is. What
// a lane holds at a time is what it has moved and not yet finished.
std::vector<std::size_t> lay_out_staging(Run& run) {
  const Plan& plan = run.job.plan;
  std::vector<std::size_t> sizes(static_cast<std::size_t>(plan.lanes), 0);
  const auto is_staged = [](const Part& part) { return part.kind != PartKind::fused; };
  if (std::none_of(plan.parts.begin(), plan.parts.end(), is_staged)) return sizes;
  run.staging_begins.resize(run.job.schedule.transfers.size(), 0);
  for (std::size_t lane = 0; lane < sizes.size(); ++lane) {
    std::size_t held = 0;
    std::uint64_t begin = 0;
    for (std::uint32_t p = plan.lane_starts[lane]; p < plan.lane_starts[lane + 1]; ++p) {
      const Part& part = plan.parts[p];
      if (part.kind == PartKind::move) {
        if (held++ == 0) begin = 0;
        run.staging_begins[part.transfer] = begin;
        const Transfer& transfer = run.job.schedule.transfers[part.transfer];
        begin += transfer_extent(run.job.schedule, transfer).count * bytes_of(run.job.type);
        sizes[lane] = std::max(sizes[lane], static_cast<std::size_t>(begin));
      } else if (part.kind == PartKind::finish) {
        --held;
      }
    }
  }
  return sizes;
}

std::string round_of(const Job& job, const Transfer& transfer) {
  return round_name(job.schedule, transfer.round);
}

std::string chunk_of(const Job& job, const Transfer& transfer) {
  return std::to_string(transfer.first_cell / job.schedule.slices);
}

Error died(const Job& job, std::int32_t rank) {
  std::int32_t round = rounds_of(job.schedule);
  for (const Die& die : job.trouble.deaths)
    if (die.rank == rank) round = std::min(round, die.round);
  for (const Transfer& transfer : job.schedule.transfers)
    if (transfer.round >= round && (transfer.src == rank || transfer.dst == rank))
      return Error({"error.run.died",
                    {{"rank", std::to_string(rank)},
                     {"round", round_name(job.schedule, round)},
                     {"chunk", chunk_of(job, transfer)}}});
  return Error({"error.run.cancelled", {}});
}

Error to_error(const Job& job, const Failure& failure) {
  if (failure.kind == Failure::Kind::died) return died(job, failure.rank);
  const Transfer& transfer = job.schedule.transfers[job.plan.parts[failure.part].transfer];
  const std::string rank = std::to_string(failure.rank);
  const std::string round = round_of(job, transfer), chunk = chunk_of(job, transfer);
  if (failure.kind == Failure::Kind::threw)
    return Error(
        {"error.run.threw",
         {{"rank", rank}, {"round", round}, {"chunk", chunk}, {"reason", failure.reason}}});
  const double seconds = std::chrono::duration<double>(job.timeout).count();
  return Error({"error.run.timeout",
                {{"rank", rank},
                 {"round", round},
                 {"chunk", chunk},
                 {"timeout", fmt::format("{:g} s", seconds)}}});
}

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
  const std::vector<std::size_t> staging = lay_out_staging(run);
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
