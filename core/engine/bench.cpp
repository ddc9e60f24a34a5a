#include "core/engine/bench.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "core/engine/buffers.h"
#include "core/engine/engine.h"
#include "core/engine/fill.h"
#include "core/engine/machine.h"

namespace ringscope {
namespace {

using std::chrono::nanoseconds;

nanoseconds median(std::vector<nanoseconds> times) {
  std::sort(times.begin(), times.end());
  return times[(times.size() - 1) / 2];
}

double seconds(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

void report(const BenchRequest& request, double fraction) {
  if (request.stop.stop_requested()) throw Error({"error.run.cancelled", {}});
  if (request.progress) request.progress(fraction);
}

// Everything of one size, buffers and all.
class SizeBench {
 public:
  SizeBench(const BenchRequest& request, Engine& engine, std::uint64_t bytes);

  // Runs each of the things that are measured once, in turn.
  void measure(bool counts);
  void add_to(BenchResult& result) const;

 private:
  Schedule schedule_;
  Plan plan_;
  std::vector<Buffer> inputs_, outputs_;
  Engine& engine_;
  std::vector<nanoseconds> plain_, memcpy_, non_temporal_, bare_, recorded_;
};

SizeBench::SizeBench(const BenchRequest& request, Engine& engine, std::uint64_t bytes)
    : engine_(engine) {
  // Beside the buffers, what schedule, plan and recorder take (as in record()); a ring of one slice
  // has about two transfers a pair of ranks.
  constexpr double bytes_a_transfer = 256;
  require_memory(2.0 * request.ranks * static_cast<double>(bytes) +
                 2.0 * request.ranks * request.ranks * bytes_a_transfer);
  ScheduleRequest asked;
  asked.ranks = request.ranks;
  asked.count = bytes / sizeof(float);
  const auto ranks = static_cast<std::uint64_t>(request.ranks);
  asked.slices = engine.auto_slices(request.ranks, (bytes + ranks - 1) / ranks);
  schedule_ = make_ring(asked);
  plan_ = make_plan(schedule_);
  for (int rank = 0; rank < request.ranks; ++rank) {
    inputs_.emplace_back(asked.count * sizeof(float), 2 * rank);
    outputs_.emplace_back(asked.count * sizeof(float), 2 * rank + 1);
  }
  InputSpec spec;
  spec.kind = DataKind::ramp;
  spec.ranks = request.ranks;
  spec.count = asked.count;
  std::vector<std::span<std::byte>> inputs;
  for (Buffer& buffer : inputs_) inputs.push_back(buffer.bytes());
  fill_inputs(spec, inputs, request.stop, [](double) {});
}

void SizeBench::measure(bool counts) {
  Job job(schedule_, plan_);
  for (const Buffer& buffer : inputs_) job.inputs.push_back(buffer.bytes());
  for (Buffer& buffer : outputs_) job.outputs.push_back(buffer.bytes());
  const CopyTimes copies = measure_copies(job.inputs, job.outputs);
  const nanoseconds bare = engine_.run(job, nullptr);
  Recorder recorder(schedule_, plan_, job.type, Clock::steady);
  const nanoseconds recorded = engine_.run(job, &recorder);
  if (!counts) return;
  plain_.push_back(copies.plain);
  memcpy_.push_back(copies.memcpy);
  non_temporal_.push_back(copies.non_temporal);
  bare_.push_back(bare);
  recorded_.push_back(recorded);
}

void SizeBench::add_to(BenchResult& result) const {
  BenchSize size;
  size.bytes = inputs_.front().bytes().size();
  size.copies = {median(plain_), median(memcpy_), median(non_temporal_)};
  size.events = schedule_.transfers.size();
  for (const bool recording : {false, true}) {
    BenchRow row;
    row.algorithm = schedule_.algorithm;
    row.ranks = schedule_.ranks;
    row.bytes = size.bytes;
    row.recording = recording;
    const nanoseconds time = median(recording ? recorded_ : bare_);
    row.seconds = seconds(time);
    if (time > nanoseconds{0}) {
      row.algbw = static_cast<double>(size.bytes) / row.seconds;
      row.busbw = row.algbw * busbw_factor(schedule_);
      row.limit_share = seconds(size.copies.fastest()) / row.seconds;
    }
    result.rows.push_back(row);
  }
  if (result.rows.back().seconds > 0)
    size.event_share =
        static_cast<double>(size.events) * result.event_seconds / result.rows.back().seconds;
  result.sizes.push_back(size);
}

// What a lane does for an event beside its work: it reads the clock twice and takes it down.
double measure_event_price() {
  ScheduleRequest asked;
  asked.ranks = 2;
  asked.slices = 1 << 12;
  asked.count = std::uint64_t{2 * 1024} << 12;
  const Schedule schedule = make_ring(asked);
  const Plan plan = make_plan(schedule);
  const std::vector<std::byte> buffer(asked.count * sizeof(float));
  double least = std::numeric_limits<double>::max();
  for (int repeat = 0; repeat < 5; ++repeat) {
    Recorder recorder(schedule, plan, ElementType::f32, Clock::steady);
    const auto begin = std::chrono::steady_clock::now();
    LaneClock clock(Clock::steady, begin);
    for (std::uint32_t part = 0; part < plan.parts.size(); ++part) {
      const std::int64_t begun = clock.now();
      recorder.land(part, {begun, 0, begun, clock.now()}, buffer);
    }
    const nanoseconds time = std::chrono::steady_clock::now() - begin;
    least = std::min(least, seconds(time) / static_cast<double>(plan.parts.size()));
  }
  return least;
}

std::vector<std::uint64_t> default_sizes() {
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t bytes = 1 << 10; bytes <= 256 << 20; bytes *= 4) sizes.push_back(bytes);
  return sizes;
}

}  // namespace

BenchResult run_bench(const BenchRequest& request) {
  if (request.ranks < 1)
    throw Error({"error.ranks.too_few", {{"ranks", std::to_string(request.ranks)}}}, Blame::usage);
  if (request.repeats < 1)
    throw Error({"error.repeats.too_few", {{"repeats", std::to_string(request.repeats)}}},
                Blame::usage);
  const std::vector<std::uint64_t> sizes = request.sizes.empty() ? default_sizes() : request.sizes;
  const std::unique_ptr<Engine> engine = make_host_engine();
  BenchResult result;
  result.event_seconds = measure_event_price();
  const double steps = static_cast<double>(sizes.size()) * (request.repeats + 1);
  double step = 0;
  for (const std::uint64_t bytes : sizes) {
    SizeBench bench(request, *engine, bytes);
    for (int repeat = -1; repeat < request.repeats; ++repeat) {  // the first only warms up
      report(request, step++ / steps);
      bench.measure(repeat >= 0);
    }
    bench.add_to(result);
  }
  return result;
}

}  // namespace ringscope
