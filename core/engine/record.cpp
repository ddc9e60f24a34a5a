#include "core/engine/record.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <memory>
#include <numeric>

#include "core/engine/buffers.h"
#include "core/engine/engine.h"
#include "core/engine/fill.h"
#include "core/engine/machine.h"
#include "core/engine/ports.h"
#include "core/engine/trouble.h"
#include "core/schedule/check.h"
#include "core/schedule/opaque.h"
#include "core/trace/reference.h"
#include "core/trace/wire_cost.h"

namespace ringscope {
namespace {

using std::chrono::nanoseconds;

// All that is decided before memory is taken.
struct Preparation {
  std::unique_ptr<Engine> engine;
  std::vector<std::string> devices;
  InputSpec inputs;
  Schedule schedule;
  Plan plan;
  Trouble trouble;
  Pace pace;
};

void report(const RunHooks& hooks, RunStage stage, double fraction) {
  if (hooks.stop.stop_requested()) throw Error({"error.run.cancelled", {}});
  if (hooks.progress) hooks.progress(stage, fraction);
}

// What says nothing to an algorithm is refused by its schedule; the operator is not in it.
void check_operator(const RunSettings& settings) {
  if (!settings.op || algorithm_named(settings.algorithm).has_operator) return;
  throw Error({"error.op.unused", {{"algorithm", settings.algorithm}}}, Blame::usage);
}

void check_settings(const RunSettings& settings) {
  check_operator(settings);
  if (settings.ranks && *settings.ranks < 1)
    throw Error({"error.ranks.too_few", {{"ranks", std::to_string(*settings.ranks)}}},
                Blame::usage);
  if (settings.repeats < 1)
    throw Error({"error.repeats.too_few", {{"repeats", std::to_string(settings.repeats)}}},
                Blame::usage);
  if (settings.timeout <= nanoseconds{0})
    throw Error({"error.timeout.too_short", {}}, Blame::usage);
}

// The user's data are of that type, and sent as they are or as a wire type.
void set_type(InputSpec& spec, ElementType type, const std::optional<ElementType>& wire) {
  spec.type = wire.value_or(type);
  if (wire) spec.user_type = type;
}

InputSpec choose_inputs(const RunSettings& settings) {
  InputSpec spec;
  spec.op = settings.op.value_or(Operator::sum);
  spec.seed = settings.seed;
  if (!settings.input_file.empty()) {
    spec.kind = DataKind::file;
    spec.array = std::make_shared<NumpyArray>(
        read_numpy(settings.input_file, settings.type == ElementType::bf16));
    set_type(spec, settings.type.value_or(spec.array->type), settings.wire);
    spec.ranks = settings.ranks.value_or(spec.array->ranks);
    spec.count = spec.array->count;
    if (settings.count && *settings.count != spec.count)
      throw Error({"error.input.count",
                   {{"file", settings.input_file},
                    {"has", std::to_string(spec.count)},
                    {"asked", std::to_string(*settings.count)}}},
                  Blame::usage);
  } else {
    set_type(spec, settings.type.value_or(ElementType::f32), settings.wire);
    spec.ranks = settings.ranks.value_or(4);
    spec.count = settings.count.value_or(static_cast<std::uint64_t>(spec.ranks));
    spec.kind = settings.data.value_or(default_data(spec.type, spec.op, spec.ranks));
    if (spec.kind == DataKind::file) throw Error({"error.input.no_file", {}}, Blame::usage);
  }
  check_inputs(spec);
  return spec;
}

double bytes_of_buffers(const RunSettings& settings, const InputSpec& inputs) {
  const double bytes =
      static_cast<double>(inputs.count) * static_cast<double>(bytes_of(inputs.type));
  return bytes * inputs.ranks * (settings.in_place ? 1 : 2);
}

Schedule make_schedule(const RunSettings& settings, const InputSpec& inputs, const Engine& engine) {
  const double buffers = bytes_of_buffers(settings, inputs);
  require_memory(buffers);
  if (!engine.shows_transfers()) return make_opaque({.ranks = inputs.ranks, .count = inputs.count});
  const Algorithm& algorithm = algorithm_named(settings.algorithm);
  ScheduleRequest request{.ranks = inputs.ranks,
                          .count = inputs.count,
                          .order = settings.order,
                          .root = settings.root,
                          .groups = settings.groups};
  const std::int32_t chunks = algorithm.chunks(request);
  request.slices = settings.slices.value_or(choose_slices(engine, algorithm, request, inputs.type));
  // A schedule writes a cell about twice; a transfer takes so many bytes in schedule, plan and
  // check, and so many in each recorder and the trace.
  constexpr double planned = 160, recorded = 96;
  const double transfers = 2.0 * inputs.ranks * chunks * std::max(request.slices, 1);
  require_memory(buffers + transfers * (planned + recorded * (1.0 + settings.repeats)));
  return algorithm.make(request);
}

// What is said of transfers says nothing to an engine that does not show them.
void refuse_what_is_not_seen(const RunSettings& settings) {
  const RunSettings silent;
  const std::array<std::pair<const char*, bool>, 9> said{
      {{"--algorithm", settings.algorithm != silent.algorithm},
       {"--slices", settings.slices.has_value()},
       {"--order", !settings.order.empty()},
       {"--root", settings.root.has_value()},
       {"--groups", !settings.groups.empty()},
       {"--lockstep", settings.lockstep},
       {"--late", !settings.late.empty()},
       {"--delay", !settings.delays.empty()},
       {"--die", !settings.deaths.empty()}}};
  for (const auto& [option, is_said] : said)
    if (is_said)
      throw Error({"error.opaque.unused", {{"option", option}, {"engine", settings.engine}}},
                  Blame::usage);
}

Preparation prepare(const RunSettings& settings) {
  check_settings(settings);
  Preparation ready;
  ready.pace = parse_pace(settings.port, settings.latency);
  ready.engine = make_engine(settings.engine, {settings.devices, ready.pace.bytes_per_second > 0});
  ready.inputs = choose_inputs(settings);
  if (const Availability availability = ready.engine->availability(ready.inputs.ranks);
      !availability.ok)
    throw Error(availability.why);
  if (!ready.engine->shows_transfers()) refuse_what_is_not_seen(settings);
  ready.devices = ready.engine->devices(ready.inputs.ranks);
  ready.schedule = make_schedule(settings, ready.inputs, *ready.engine);
  ready.trouble = parse_trouble(ready.schedule, settings.late, settings.delays, settings.deaths);
  ready.plan = make_plan(ready.schedule, settings.lockstep);
  const std::vector<Problem> problems = check(ready.schedule, ready.plan, 1);
  if (!problems.empty() && !is_opaque(ready.schedule))
    throw Error(describe(ready.schedule, problems.front()));
  // Staging takes at most another buffer a rank.
  const bool staged = ready.plan.parts.size() > ready.schedule.transfers.size();
  require_memory(
      bytes_of_buffers(settings, ready.inputs) * (staged ? 2 : 1) +
      static_cast<double>(settings.repeats) *
          static_cast<double>(Recorder::bytes(ready.schedule, ready.plan, ready.inputs.type)));
  return ready;
}

// The buffers of all ranks; in place a rank has one for both.
struct Buffers {
  std::vector<Buffer> inputs;
  std::vector<Buffer> outputs;  // empty in place

  // To take much memory takes long, so `hooks` may cancel it.
  Buffers(int ranks, std::uint64_t bytes, bool in_place, const RunHooks& hooks) {
    for (int rank = 0; rank < ranks; ++rank) {
      report(hooks, RunStage::preparing, static_cast<double>(rank) / ranks);
      inputs.emplace_back(bytes, 2 * rank);
      if (!in_place) outputs.emplace_back(bytes, 2 * rank + 1);
    }
  }
  std::vector<Buffer>& results() { return outputs.empty() ? inputs : outputs; }
};

Job make_job(const RunSettings& settings, const RunHooks& hooks, const Preparation& ready,
             Buffers& buffers) {
  Job job(ready.schedule, ready.plan);
  job.type = ready.inputs.type;
  job.op = ready.inputs.op;
  job.lockstep = settings.lockstep;
  job.timeout = settings.timeout;
  job.stop = hooks.stop;
  for (const Buffer& buffer : buffers.inputs) job.inputs.push_back(buffer.bytes());
  for (Buffer& buffer : buffers.results()) job.outputs.push_back(buffer.bytes());
  return job;
}

std::uint64_t hash_of(const std::vector<Buffer>& buffers) {
  std::uint64_t hash = 0;
  for (const Buffer& buffer : buffers)
    hash = XXH3_64bits_withSeed(buffer.bytes().data(), buffer.bytes().size(), hash);
  return hash;
}

// One run that was timed, or that stopped half-way.
struct Attempt {
  explicit Attempt(Recorder&& empty) : recorder(std::move(empty)) {}

  Recorder recorder;
  nanoseconds time{0};
  std::optional<Message> stopped;
  std::uint64_t hash = 0;  // of all results
};

class Session {
 public:
  Session(const RunSettings& settings, const RunHooks& hooks)
      : settings_(settings),
        hooks_(hooks),
        ready_(prepare(settings)),
        buffers_(ready_.inputs.ranks, ready_.inputs.count * bytes_of(ready_.inputs.type),
                 settings.in_place, hooks) {}

  Trace run();

 private:
  void fill();
  void warm_up();
  Attempt attempt();
  ElementReader results_reader();
  Verdict verdict(const Attempt& kept, const Attempt& last);
  RunFacts facts(const Attempt& kept) const;

  const RunSettings& settings_;
  const RunHooks& hooks_;
  Preparation ready_;
  Buffers buffers_;
  bool filled_ = false;
};

// In place a run overwrites its inputs, so that each needs them anew.
void Session::fill() {
  if (filled_ && !settings_.in_place) return;
  std::vector<std::span<std::byte>> inputs;
  for (Buffer& buffer : buffers_.inputs) inputs.push_back(buffer.bytes());
  fill_inputs(ready_.inputs, inputs, hooks_.stop,
              [&](double fraction) { report(hooks_, RunStage::filling, fraction); });
  filled_ = true;
}

void Session::warm_up() {
  fill();
  report(hooks_, RunStage::warming_up, 0);
  Job job = make_job(settings_, hooks_, ready_, buffers_);
  job.timeout = std::max<nanoseconds>(job.timeout, std::chrono::seconds(10));
  ready_.engine->run(job, nullptr);
}

Attempt Session::attempt() {
  fill();
  Attempt attempt(Recorder(ready_.schedule, ready_.plan, ready_.inputs.type, hooks_.clock));
  for (int rank = 0; rank < ready_.inputs.ranks; ++rank)
    attempt.recorder.keep_input(rank, buffers_.inputs[static_cast<std::size_t>(rank)].bytes());
  Job job = make_job(settings_, hooks_, ready_, buffers_);
  job.trouble = ready_.trouble;
  job.pace = ready_.pace;
  try {
    attempt.time = ready_.engine->run(job, &attempt.recorder);
  } catch (const Error& error) {
    // Of a run that shows no transfers there is no part to keep.
    if (error.message().id == "error.run.cancelled" || is_opaque(ready_.schedule)) throw;
    attempt.stopped = error.message();
  }
  for (int rank = 0; rank < ready_.inputs.ranks; ++rank)
    attempt.recorder.keep_result(rank, buffers_.results()[static_cast<std::size_t>(rank)].bytes());
  if (settings_.repeats > 1) attempt.hash = hash_of(buffers_.results());
  return attempt;
}

ElementReader Session::results_reader() {
  return [this](int rank, Extent extent, std::span<std::byte> out) {
    const std::size_t bytes = bytes_of(ready_.inputs.type);
    const auto from = buffers_.results()[static_cast<std::size_t>(rank)].bytes().subspan(
        extent.first * bytes, extent.count * bytes);
    std::copy(from.begin(), from.end(), out.begin());
  };
}

// The results in memory are those of the last run; the kept one's are held against them.
Verdict Session::verdict(const Attempt& kept, const Attempt& last) {
  Verdict verdict = judge(ready_.schedule, ready_.inputs, results_reader());
  const auto fail = [&](Message message) {
    verdict.outcome = Verdict::Outcome::failed;
    if (!verdict.failure) verdict.failure = std::move(message);
  };
  if (kept.hash != last.hash) fail({"verdict.repeats_differ", {}});
  for (const auto* buffers : {&buffers_.inputs, &buffers_.outputs})
    for (std::size_t rank = 0; rank < buffers->size(); ++rank)
      if (!(*buffers)[rank].guards_untouched())
        fail({"verdict.guards", {{"rank", std::to_string(rank)}}});
  return verdict;
}

RunFacts Session::facts(const Attempt& kept) const {
  RunFacts facts;
  facts.engine = ready_.engine->name();
  facts.type = ready_.inputs.type;
  facts.user_type = ready_.inputs.user_type;
  facts.op = ready_.inputs.op;
  facts.data = ready_.inputs.kind;
  facts.seed = settings_.seed;
  const auto slash = settings_.input_file.find_last_of('/');
  facts.input_file =
      slash == std::string::npos ? settings_.input_file : settings_.input_file.substr(slash + 1);
  facts.in_place = settings_.in_place;
  facts.lockstep = settings_.lockstep;
  facts.repeats = settings_.repeats;
  facts.trouble = ready_.trouble;
  facts.pace = ready_.pace;
  facts.pace_reached = static_cast<std::uint64_t>(static_cast<double>(facts.pace.bytes_per_second) *
                                                  kept.recorder.pace_share());
  return facts;
}

// The lower median, so that it is the time of a run that there was.
std::size_t median_of(const std::vector<Attempt>& attempts) {
  std::vector<std::size_t> by_time(attempts.size());
  std::iota(by_time.begin(), by_time.end(), std::size_t{0});
  std::sort(by_time.begin(), by_time.end(),
            [&](std::size_t a, std::size_t b) { return attempts[a].time < attempts[b].time; });
  return by_time[(by_time.size() - 1) / 2];
}

Trace Session::run() {
  warm_up();
  std::vector<Attempt> attempts;
  for (int repeat = 0; repeat < settings_.repeats; ++repeat) {
    report(hooks_, RunStage::running, static_cast<double>(repeat) / settings_.repeats);
    attempts.push_back(attempt());
    if (attempts.back().stopped) break;
  }
  const bool stopped = attempts.back().stopped.has_value();
  Attempt& kept = stopped ? attempts.back() : attempts[median_of(attempts)];
  report(hooks_, RunStage::verifying, 0);
  Trace trace;
  trace.run = facts(kept);
  trace.run.repeats = static_cast<std::int32_t>(attempts.size());  // fewer where one stopped
  trace.where = provenance();
  trace.where.devices = ready_.devices;
  if (hooks_.clock == Clock::steady) trace.where.recorded_at = std::time(nullptr);
  trace.stopped = kept.stopped;
  if (!stopped) trace.verdict = verdict(kept, attempts.back());
  for (int rank = 0; rank < ready_.inputs.ranks && hooks_.result && !stopped; ++rank)
    hooks_.result(ready_.schedule, rank,
                  buffers_.results()[static_cast<std::size_t>(rank)].bytes());
  if (!stopped && ready_.inputs.user_type)
    trace.wire_cost = wire_cost(ready_.schedule, ready_.inputs, {}, results_reader());
  trace.nanoseconds = kept.time.count();
  std::vector<std::int64_t> rank_times;
  for (const Attempt& each : attempts)
    if (const auto& opaque = each.recorder.opaque())
      rank_times.insert(rank_times.end(), opaque->rank_times.begin(), opaque->rank_times.end());
  std::move(kept.recorder).finish(trace);
  if (trace.opaque) trace.opaque->rank_times = std::move(rank_times);
  if (stopped)
    for (const Event& event : trace.events)
      if (event.done) trace.nanoseconds = std::max(trace.nanoseconds, event.reduce_landed);
  trace.schedule = std::move(ready_.schedule);
  return trace;
}

}  // namespace

std::optional<Message> why_not(const RunSettings& settings) {
  check_settings(settings);
  const auto engine = make_engine(settings.engine, {settings.devices, !settings.port.empty()});
  const Availability availability = engine->availability(choose_inputs(settings).ranks);
  if (availability.ok) return std::nullopt;
  return availability.why;
}

Trace record(const RunSettings& settings, const RunHooks& hooks) {
  report(hooks, RunStage::preparing, 0);
  try {
    return Session(settings, hooks).run();
  } catch (const std::bad_alloc&) {
    throw Error({"error.memory.refused", {}});
  }
}

}  // namespace ringscope
