#include "core/engine/lane.h"

#include <sys/prctl.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <thread>
#include <utility>

#include "core/engine/machine.h"

namespace ringscope {

using std::chrono::nanoseconds;

namespace {

std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

// Lets the system wake this thread as soon as it can, rather than together with others.
void wake_on_time() { prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); }

}  // namespace

Run::Run(const Job& the_job, Recorder* the_recorder, const HostPasses& the_passes,
         std::vector<int> the_cores)
    : job(the_job),
      recorder(the_recorder),
      passes(the_passes),
      cores(std::move(the_cores)),
      more_lanes_than_cores(static_cast<std::size_t>(the_job.plan.lanes) > cores.size()),
      cell_begins(cell_bytes_of(the_job)),
      deaths(deaths_of(the_job)),
      staging(lay_out_staging(the_job)),
      untouched(untouched_of(the_job)),
      progress(the_job.plan),
      rounds(the_job.plan.lanes),
      exit(the_job.plan.lanes),
      ports(the_job.pace.bytes_per_second > 0 ? std::optional(plan_ports(the_job)) : std::nullopt) {
}

Lane::Lane(Run& run, std::int32_t rank, std::size_t staging_bytes)
    : run_(run), rank_(rank), staging_(staging_bytes) {
  for (const Delay& delay : run.job.trouble.delays)
    if (delay.dst == rank) delays_.push_back(delay);
}

void Lane::work() {
  const Plan& plan = run_.job.plan;
  const std::uint32_t end = plan.lane_starts[index(rank_) + 1];
  std::uint32_t part = plan.lane_starts[index(rank_)];
  try {
    choose_core();
    if (run_.ports) wake_on_time();
    wait_for_start();
    if (copy_untouched()) {
      while (part < end && do_part(part)) ++part;
      if (part == end && run_.job.lockstep) meet_until(rounds_of(run_.job.schedule) - 1);
    }
  } catch (const std::exception& fault) {
    failure_ = {Failure::Kind::threw, part, rank_, fault.what()};
    run_.halted.store(true, std::memory_order_relaxed);
  }
  if (part < end) run_.rounds.leave(round_);
  run_.progress.end(rank_);
  run_.exit.leave();
}

// Where lanes must share cores, each core gets as many, ranks of neighbouring numbers: left to
// itself, the system puts three on one core and one on another. Where there are enough, or lanes
// mostly sleep, it knows better.
void Lane::choose_core() {
  if (!run_.more_lanes_than_cores || run_.ports) return;
  const std::size_t core =
      index(rank_) * run_.cores.size() / static_cast<std::size_t>(run_.job.plan.lanes);
  stay_on_core(run_.cores[core]);
}

// The last lane to be ready sets the start for all.
void Lane::wait_for_start() {
  if (run_.ready.fetch_add(1, std::memory_order_acq_rel) + 1 == run_.job.plan.lanes) {
    run_.start = Backoff::Clock::now();
    run_.started.store(true, std::memory_order_release);
  } else {
    while (!run_.started.load(std::memory_order_acquire) && !run_.halted) std::this_thread::yield();
  }
  clock_ = LaneClock(run_.recorder != nullptr ? run_.recorder->clock() : Clock::steady, run_.start);
}

bool Lane::copy_untouched() {
  for (const Late& late : run_.job.trouble.late)
    if (late.rank == rank_ && !sleep(nanoseconds(late.nanoseconds))) return false;
  for (const std::int32_t cell : run_.untouched[index(rank_)]) {
    const std::uint64_t begin = run_.cell_begins[index(cell)];
    const std::uint64_t bytes = run_.cell_begins[index(cell) + 1] - begin;
    if (bytes == 0) continue;
    std::memcpy(run_.job.outputs[index(rank_)].data() + begin,
                run_.job.inputs[index(rank_)].data() + begin, bytes);
    last_landed_ = clock_.now();
  }
  return !run_.halted.load(std::memory_order_relaxed);
}

// False where the lane must stop.
bool Lane::do_part(std::uint32_t p) {
  const Plan& plan = run_.job.plan;
  const Part& part = plan.parts[p];
  const Transfer& transfer = run_.job.schedule.transfers[part.transfer];
  const std::int64_t waited_from = last_landed_;
  if (run_.job.lockstep && !meet_until(transfer.round)) return false;
  for (const std::int32_t rank : {transfer.dst, transfer.src}) {
    if (!is_dead(rank, transfer)) continue;
    failure_ = {Failure::Kind::died, p, rank, {}};
    return false;
  }
  for (const std::uint32_t awaited : plan.depends_of(p))
    if (!wait_for(awaited)) return false;
  if (run_.halted.load(std::memory_order_relaxed)) return false;
  if (!delays_.empty() && part.kind != PartKind::finish && !sleep(delay_of(transfer))) return false;
  const bool paced = run_.ports && part.kind != PartKind::finish;
  if (paced && !sleep_until(run_.ports->begins[p])) return false;

  Recorder* const recorder = run_.recorder;
  const std::int64_t begun = recorder != nullptr ? clock_.now() : 0;
  if (part.kind == PartKind::move)
    move_to_staging(part.transfer);
  else
    apply(part.transfer, part.kind == PartKind::finish);
  if (paced && !sleep_until(run_.ports->ends[p])) return false;
  if (run_.ports) real_end_ = since_start();
  // Read before it is published, so that nobody who depends on it can have begun earlier.
  if (recorder != nullptr || p + 1 == plan.lane_starts[index(rank_) + 1])
    last_landed_ = clock_.now();
  if (recorder != nullptr) {
    recorder->land(p, {waited_from, slept_, begun, last_landed_}, run_.job.outputs[index(rank_)]);
    if (part.kind != PartKind::finish) slept_ = 0;
  }
  run_.progress.publish(p);
  return true;
}

// Lockstep: arrives at the end of every round before that one, and waits there for all others.
bool Lane::meet_until(std::int32_t round) {
  for (; round_ < round; ++round_) {
    run_.rounds.arrive(round_, last_landed_);
    Backoff backoff(run_.more_lanes_than_cores);
    seen_total_ = 0;
    seen_at_ = {};
    while (!run_.rounds.complete(round_)) {
      const bool hopeless = run_.rounds.hopeless(round_);
      if (run_.rounds.complete(round_)) break;
      if (hopeless || run_.halted.load(std::memory_order_relaxed)) return false;
      // On paced ports all others meet it before this lane's next part begins.
      const std::uint32_t next = run_.progress.next(rank_),
                          end = static_cast<std::uint32_t>(run_.job.plan.parts.size());
      const std::int64_t wake = run_.ports && next < end ? run_.ports->begins[next] : 0;
      if (timed_out(pause(backoff, wake), end)) return false;
    }
    clock_.raise_above(run_.rounds.latest(round_));
  }
  return true;
}

bool Lane::wait_for(std::uint32_t awaited) {
  if (!run_.progress.done(awaited)) {
    const std::int32_t lane = run_.job.plan.parts[awaited].lane;
    Backoff backoff(run_.more_lanes_than_cores);
    seen_total_ = 0;
    seen_at_ = {};
    while (!run_.progress.done(awaited)) {
      // Read first: what a lane did before it ended counts.
      const bool ended = run_.progress.ended(lane);
      if (run_.progress.done(awaited)) break;
      if (ended || run_.halted.load(std::memory_order_relaxed)) return false;
      const std::int64_t wake = run_.ports ? run_.ports->ends[awaited] : 0;
      if (timed_out(pause(backoff, wake), awaited)) return false;
    }
  }
  if (run_.recorder != nullptr && run_.recorder->clock() == Clock::lamport) {
    const Event& event = run_.recorder->event(awaited);
    const bool moved_only = run_.job.plan.parts[awaited].kind == PartKind::move;
    clock_.raise_above(moved_only ? event.move_landed : event.reduce_landed);
  }
  return true;
}

// Waits a little for another lane; where ports are paced, that is of no use before `wake`, in
// nanoseconds from the start.
nanoseconds Lane::pause(Backoff& backoff, std::int64_t wake) const {
  return run_.ports ? backoff.sleep(run_.start + nanoseconds(wake)) : backoff.pause();
}

std::int64_t Lane::since_start() const {
  return nanoseconds(Backoff::Clock::now() - run_.start).count();
}

// The others see that this lane is well.
bool Lane::sleep_until(std::int64_t wake) {
  constexpr std::int64_t nap = 2'000'000;  // nanoseconds
  for (std::int64_t now = since_start(); now < wake; now = since_start()) {
    if (run_.halted.load(std::memory_order_relaxed)) return false;
    run_.progress.beat(rank_);
    std::this_thread::sleep_until(run_.start + nanoseconds(std::min(wake, now + nap)));
  }
  return true;
}

// On purpose. A rank that sleeps longer than the timeout is stopped as one that stalls.
bool Lane::sleep(nanoseconds time) {
  if (time <= nanoseconds{0}) return true;
  const Backoff::Clock::time_point begun = Backoff::Clock::now();
  const Backoff::Clock::time_point end = begun + std::min(time, run_.job.timeout);
  constexpr auto nap = std::chrono::milliseconds(2);
  for (auto now = begun; now < end; now = Backoff::Clock::now()) {
    if (run_.halted.load(std::memory_order_relaxed)) return false;
    std::this_thread::sleep_for(std::min<nanoseconds>(end - now, nap));
  }
  if (time > run_.job.timeout) {
    failure_ = {Failure::Kind::timed_out, run_.progress.next(rank_), rank_, {}};
    run_.halted.store(true, std::memory_order_relaxed);
    return false;
  }
  clock_.pass(time.count());
  const bool steady = run_.recorder == nullptr || run_.recorder->clock() == Clock::steady;
  slept_ += (steady ? nanoseconds(Backoff::Clock::now() - begun) : time).count();
  return true;
}

nanoseconds Lane::delay_of(const Transfer& transfer) const {
  nanoseconds delay{0};
  for (const Delay& one : delays_)
    if (one.src < 0 || one.src == transfer.src) delay += nanoseconds(one.nanoseconds);
  return delay;
}

bool Lane::is_dead(std::int32_t rank, const Transfer& transfer) const {
  return run_.deaths[index(rank)].covers(transfer);
}

// Whether nobody has done anything for the whole timeout, `waited` into a wait for that part.
bool Lane::timed_out(nanoseconds waited, std::uint32_t awaited) {
  // A look at all lanes is dear, so that a short wait takes none.
  constexpr nanoseconds short_wait = std::chrono::milliseconds(1);
  const nanoseconds patience =
      seen_total_ == 0 ? std::min(run_.job.timeout / 2, short_wait) : run_.job.timeout;
  if (waited - seen_at_ < patience) return false;
  const std::uint64_t total = run_.progress.total() + 1;
  if (total != seen_total_) {
    seen_total_ = total;
    seen_at_ = waited;
    return false;
  }
  const std::uint32_t part = stalled_part(awaited);
  failure_ = {Failure::Kind::timed_out, part, run_.job.plan.parts[part].lane, {}};
  run_.halted.store(true, std::memory_order_relaxed);
  return true;
}

// Who is to blame: from the part that is awaited (or, past the last part, from the lane that is
// furthest behind) along what each waits for, to one that waits for nobody.
std::uint32_t Lane::stalled_part(std::uint32_t awaited) const {
  const Plan& plan = run_.job.plan;
  const auto lane_is_at = [&](std::int32_t lane) { return run_.progress.next(lane); };
  std::uint32_t at = awaited;
  if (awaited == plan.parts.size()) {
    std::int32_t lowest = std::numeric_limits<std::int32_t>::max();
    for (std::int32_t lane = 0; lane < plan.lanes; ++lane) {
      const std::uint32_t part = lane_is_at(lane);
      if (part == plan.lane_starts[index(lane) + 1]) continue;
      const std::int32_t round = run_.job.schedule.transfers[plan.parts[part].transfer].round;
      if (round >= lowest) continue;
      lowest = round;
      at = part;
    }
    if (at == awaited) return plan.lane_starts[index(rank_)];
  }
  for (bool waits = true; waits;) {
    at = std::min(lane_is_at(plan.parts[at].lane), at);
    waits = false;
    for (const std::uint32_t other : plan.depends_of(at)) {
      if (run_.progress.done(other)) continue;
      at = other;
      waits = true;
      break;
    }
  }
  return at;
}

void Lane::move_to_staging(std::uint32_t t) {
  const Transfer& transfer = run_.job.schedule.transfers[t];
  const std::uint32_t first_use = run_.job.plan.use_starts[t];
  std::byte* to = staging_.data() + run_.staging.begins[t];
  for (std::int32_t i = 0; i < transfer.cell_count; ++i) {
    const std::size_t cell = index(transfer.first_cell + i);
    const std::uint64_t bytes = run_.cell_begins[cell + 1] - run_.cell_begins[cell];
    if (bytes == 0) continue;
    const bool written = run_.job.plan.uses[first_use + index(i)].src_written;
    const std::byte* const from = written ? run_.job.outputs[index(transfer.src)].data()
                                          : run_.job.inputs[index(transfer.src)].data();
    std::memcpy(to, from + run_.cell_begins[cell], bytes);
    to += bytes;
  }
}

// Reduces or copies the cells of a transfer, as few passes as their uses allow.
void Lane::apply(std::uint32_t t, bool from_staging) {
  const Job& job = run_.job;
  const Transfer& transfer = job.schedule.transfers[t];
  const std::uint64_t transfer_begin = run_.cell_begins[index(transfer.first_cell)];
  for_each_cell_run(job, run_.cell_begins, t, [&](const CellRun& cells) {
    const auto [begin, bytes, use] = cells;
    const std::span<std::byte> dst = job.outputs[index(transfer.dst)].subspan(begin, bytes);
    const std::span<const std::byte> own =
        use.dst_written ? dst : job.inputs[index(transfer.dst)].subspan(begin, bytes);
    std::span<const std::byte> received =
        (use.src_written ? std::span<const std::byte>(job.outputs[index(transfer.src)])
                         : job.inputs[index(transfer.src)])
            .subspan(begin, bytes);
    if (from_staging)
      received =
          std::span(staging_).subspan(run_.staging.begins[t] + (begin - transfer_begin), bytes);
    const Pass pass = pass_of(job, use);
    if (transfer.action == Action::reduce)
      run_.passes.reduce(job.type, pass, dst, own, received);
    else
      run_.passes.copy(job.type, pass, dst, received);
  });
}

}  // namespace ringscope
