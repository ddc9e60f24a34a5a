#include "core/engine/bench.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <string_view>

#include "core/engine/buffers.h"
#include "core/engine/engine.h"
#include "core/engine/fill.h"
#include "core/engine/machine.h"
#include "core/schedule/opaque.h"

namespace ringscope {
namespace {

using std::chrono::nanoseconds;

nanoseconds median(std::vector<nanoseconds> times) {
  std::sort(times.begin(), times.end());
  return times[(times.size() - 1) / 2];
}

constexpr std::string_view too_little_memory = "error.bench.memory";

double seconds(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

void report(const BenchRequest& request, double fraction) {
  if (request.stop.stop_requested()) throw Error({"error.run.cancelled", {}});
  if (request.progress) request.progress(fraction);
}

// One algorithm at one size.
struct Contestant {
  Schedule schedule;
  Plan plan;
  std::vector<nanoseconds> bare, recorded;
};

// Everything of one size, buffers and all.
class SizeBench {
 public:
  SizeBench(const BenchRequest& request, Engine& engine, std::uint64_t bytes);

  // Runs each of the things that are measured once, in turn.
  void measure(bool counts);
  void add_to(BenchResult& result) const;

 private:
  void add_contestant(const std::string& algorithm, const ScheduleRequest& asked);

  std::vector<Contestant> contestants_;
  std::vector<Buffer> inputs_, outputs_;
  Engine& engine_;
  bool is_host_;
  std::vector<nanoseconds> plain_, memcpy_, non_temporal_;
};

SizeBench::SizeBench(const BenchRequest& request, Engine& engine, std::uint64_t bytes)
    : engine_(engine), is_host_(engine.name() == "host") {
  const double buffers = 2.0 * request.ranks * static_cast<double>(bytes);
  require_memory(buffers, too_little_memory);
  const ScheduleRequest asked{.ranks = request.ranks, .count = bytes / sizeof(float)};
  for (const std::string& algorithm : request.algorithms) add_contestant(algorithm, asked);
  // Staging takes at most another buffer a rank.
  require_memory(1.5 * buffers, too_little_memory);
  for (int rank = 0; rank < request.ranks; ++rank) {
    inputs_.emplace_back(bytes, 2 * rank);
    outputs_.emplace_back(bytes, 2 * rank + 1);
  }
  InputSpec spec;
  spec.kind = DataKind::ramp;
  spec.ranks = request.ranks;
  spec.count = asked.count;
  std::vector<std::span<std::byte>> inputs;
  for (Buffer& buffer : inputs_) inputs.push_back(buffer.bytes());
  fill_inputs(spec, inputs, request.stop, [](double) {});
}

void SizeBench::add_contestant(const std::string& name, const ScheduleRequest& asked) {
  if (!engine_.shows_transfers()) {
    Contestant& added = contestants_.emplace_back();
    added.schedule = make_opaque(asked);
    added.plan = make_plan(added.schedule);
    return;
  }
  const Algorithm& algorithm = algorithm_named(name);
  ScheduleRequest request = asked;
  request.slices = choose_slices(engine_, algorithm, request, ElementType::f32);
  // What schedule, plan and recorder take (as in record()).
  constexpr double bytes_a_transfer = 256;
  require_memory(2.0 * asked.ranks * algorithm.chunks(request) * request.slices * bytes_a_transfer,
                 too_little_memory);
  Contestant& added = contestants_.emplace_back();
  added.schedule = algorithm.make(request);
  added.plan = make_plan(added.schedule);
}

void SizeBench::measure(bool counts) {
  std::vector<std::span<const std::byte>> inputs;
  std::vector<std::span<std::byte>> outputs;
  for (const Buffer& buffer : inputs_) inputs.push_back(buffer.bytes());
  for (Buffer& buffer : outputs_) outputs.push_back(buffer.bytes());
  const CopyTimes copies = is_host_ ? measure_copies(inputs, outputs) : CopyTimes{};
  if (counts && is_host_) {
    plain_.push_back(copies.plain);
    memcpy_.push_back(copies.memcpy);
    non_temporal_.push_back(copies.non_temporal);
  }
  for (Contestant& contestant : contestants_) {
    Job job(contestant.schedule, contestant.plan);
    job.inputs = inputs;
    job.outputs = outputs;
    const nanoseconds bare = engine_.run(job, nullptr);
    if (counts) contestant.bare.push_back(bare);
    if (!engine_.shows_transfers()) continue;
    Recorder recorder(contestant.schedule, contestant.plan, job.type, Clock::steady);
    const nanoseconds recorded = engine_.run(job, &recorder);
    if (counts) contestant.recorded.push_back(recorded);
  }
}

void SizeBench::add_to(BenchResult& result) const {
  BenchSize size;
  size.bytes = inputs_.front().bytes().size();
  if (is_host_) size.copies = {median(plain_), median(memcpy_), median(non_temporal_)};
  for (const Contestant& contestant : contestants_)
    for (const bool recording : {false, true}) {
      if (recording && contestant.recorded.empty()) continue;
      BenchRow row;
      row.algorithm = contestant.schedule.algorithm;
      row.ranks = contestant.schedule.ranks;
      row.bytes = size.bytes;
      row.recording = recording;
      row.seconds = seconds(median(recording ? contestant.recorded : contestant.bare));
      row.events = contestant.schedule.transfers.size();
      if (row.seconds > 0) {
        row.algbw = static_cast<double>(size.bytes) / row.seconds;
        row.busbw = row.algbw * busbw_factor(contestant.schedule);
        if (is_host_ && size.bytes > 0 && row.events > 0)
          row.limit_share = seconds(size.copies.fastest()) / row.seconds;
        if (recording)
          row.event_share = static_cast<double>(row.events) * result.event_seconds / row.seconds;
      }
      result.rows.push_back(row);
    }
  if (is_host_) result.sizes.push_back(size);
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

std::vector<std::string> all_algorithms() {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) names.emplace_back(algorithm.name);
  return names;
}

std::vector<std::uint64_t> default_sizes() {
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t bytes = 1 << 10; bytes <= 256 << 20; bytes *= 4) sizes.push_back(bytes);
  return sizes;
}

// What is asked for, with nothing left open. Throws Error (usage) where it makes no sense.
BenchRequest complete(BenchRequest request) {
  if (request.ranks < 1)
    throw Error({"error.ranks.too_few", {{"ranks", std::to_string(request.ranks)}}}, Blame::usage);
  if (request.repeats < 1)
    throw Error({"error.repeats.too_few", {{"repeats", std::to_string(request.repeats)}}},
                Blame::usage);
  if (request.sizes.empty()) request.sizes = default_sizes();
  for (const std::uint64_t bytes : request.sizes)
    if (bytes % sizeof(float) != 0)
      throw Error({"error.bench.size", {{"bytes", std::to_string(bytes)}}}, Blame::usage);
  if (std::ranges::find(request.algorithms, "all") != request.algorithms.end())
    request.algorithms = all_algorithms();
  for (const std::string& name : request.algorithms) algorithm_named(name);
  return request;
}

}  // namespace

BenchResult run_bench(const BenchRequest& asked) {
  BenchRequest request = complete(asked);
  const std::unique_ptr<Engine> engine = make_engine(request.engine, {request.devices, false});
  if (const Availability can = engine->availability(request.ranks); !can.ok) throw Error(can.why);
  engine->devices(request.ranks);  // refuses a list of devices that is not theirs
  if (!engine->shows_transfers()) {
    if (request.algorithms != BenchRequest{}.algorithms)
      throw Error({"error.opaque.unused", {{"option", "--algorithms"}, {"engine", request.engine}}},
                  Blame::usage);
    request.algorithms = {std::string(opaque_algorithm)};  // it runs its own
  }
  BenchResult result;
  if (engine->name() == "host") result.event_seconds = measure_event_price();
  const double steps = static_cast<double>(request.sizes.size()) * (request.repeats + 1);
  double step = 0;
  try {
    for (const std::uint64_t bytes : request.sizes) {
      SizeBench bench(request, *engine, bytes);
      for (int repeat = -1; repeat < request.repeats; ++repeat) {  // the first only warms up
        report(request, step++ / steps);
        bench.measure(repeat >= 0);
      }
      bench.add_to(result);
    }
  } catch (const std::bad_alloc&) {
    throw Error({"error.bench.memory_refused", {}});
  }
  return result;
}

}  // namespace ringscope
