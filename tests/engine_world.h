// The buffers of one run of an engine, and what they hold after it.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <span>
#include <utility>
#include <vector>

#include "core/engine/buffers.h"
#include "core/engine/host_engine.h"
#include "core/trace/reference.h"

namespace ringscope {

inline InputSpec inputs_for(const Schedule& schedule, DataKind kind, ElementType type,
                            Operator op) {
  InputSpec spec;
  spec.kind = kind;
  spec.type = type;
  spec.op = op;
  spec.ranks = schedule.ranks;
  spec.count = schedule.count;
  return spec;
}

// The buffers of one run, filled, and what was in them.
class World {
 public:
  World(const Schedule& schedule, const InputSpec& spec, bool lockstep = false,
        bool in_place = false)
      : schedule_(schedule),
        plan_(make_plan(schedule, lockstep)),
        spec_(spec),
        job_(schedule_, plan_) {
    const std::uint64_t bytes = schedule.count * bytes_of(spec.type);
    for (int rank = 0; rank < schedule.ranks; ++rank) {
      inputs_.emplace_back(bytes, 2 * rank);
      fill_input(spec, rank, 0, inputs_.back().bytes());
      if (!in_place) outputs_.emplace_back(bytes, 2 * rank + 1);
    }
    job_.type = spec.type;
    job_.op = spec.op;
    job_.lockstep = lockstep;
    for (const Buffer& buffer : inputs_) job_.inputs.push_back(buffer.bytes());
    for (Buffer& buffer : results()) job_.outputs.push_back(buffer.bytes());
  }

  Job& job() { return job_; }
  const Schedule& schedule() const { return schedule_; }
  const Plan& plan() const { return plan_; }
  std::vector<Buffer>& results() { return outputs_.empty() ? inputs_ : outputs_; }

  Verdict verdict() {
    return judge(schedule_, spec_, [&](int rank, Extent extent, std::span<std::byte> out) {
      const std::size_t bytes = bytes_of(spec_.type);
      const auto from = results()[static_cast<std::size_t>(rank)].bytes().subspan(
          extent.first * bytes, extent.count * bytes);
      std::copy(from.begin(), from.end(), out.begin());
    });
  }

  bool inputs_untouched() const {
    std::vector<std::byte> expected;
    for (std::size_t rank = 0; rank < inputs_.size(); ++rank) {
      const auto found = inputs_[rank].bytes();
      expected.resize(found.size());
      fill_input(spec_, static_cast<int>(rank), 0, expected);
      if (!std::equal(found.begin(), found.end(), expected.begin())) return false;
    }
    return true;
  }

  bool guards_untouched() const {
    const auto untouched = [](const Buffer& buffer) { return buffer.guards_untouched(); };
    return std::all_of(inputs_.begin(), inputs_.end(), untouched) &&
           std::all_of(outputs_.begin(), outputs_.end(), untouched);
  }

 private:
  Schedule schedule_;
  Plan plan_;
  InputSpec spec_;
  std::vector<Buffer> inputs_, outputs_;
  Job job_;
};

inline Trace recorded(World& world, Clock clock, std::chrono::nanoseconds* time = nullptr) {
  Recorder recorder(world.schedule(), world.plan(), world.job().type, clock);
  const std::chrono::nanoseconds took = make_host_engine()->run(world.job(), &recorder);
  if (time != nullptr) *time = took;
  Trace trace;
  std::move(recorder).finish(trace);
  return trace;
}

// Nothing begins before all that it depends on has landed.
inline void require_causal(const World& world, const Trace& trace) {
  const auto landed = [&](std::uint32_t part) {
    const Event& event = trace.events[world.plan().parts[part].transfer];
    return world.plan().parts[part].kind == PartKind::move ? event.move_landed
                                                           : event.reduce_landed;
  };
  for (std::uint32_t p = 0; p < world.plan().parts.size(); ++p) {
    const Event& event = trace.events[world.plan().parts[p].transfer];
    if (!event.done) continue;
    const bool finishes = world.plan().parts[p].kind == PartKind::finish;
    const std::int64_t begun = finishes ? event.reduce_begun : event.move_begun;
    REQUIRE(event.waited_from <= event.move_begun);
    REQUIRE(event.move_begun <= event.move_landed);
    REQUIRE(event.reduce_begun <= event.reduce_landed);
    for (const std::uint32_t other : world.plan().depends_of(p)) REQUIRE(begun >= landed(other));
  }
}

inline Schedule ring(int ranks, std::uint64_t count, int slices = 1) {
  ScheduleRequest request;
  request.ranks = ranks;
  request.count = count;
  request.slices = slices;
  return make_ring(request);
}

}  // namespace ringscope
