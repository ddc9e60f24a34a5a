// A record of NCCL's own all-reduce, made with no GPU: values of a run on threads, times by hand.
#pragma once

#include <algorithm>

#include "core/engine/record.h"
#include "core/schedule/opaque.h"
#include "core/trace/reference.h"

namespace ringscope {

struct OpaqueSpec {
  int ranks = 4;
  std::uint64_t count = 16;  // at most 64, so that all of it is kept
  ElementType type = ElementType::f32;
  Operator op = Operator::sum;
};

// Three repeats; the second has the median time, of which rank r took 30.1 us + r * 200 ns.
inline Trace opaque_trace(const OpaqueSpec& spec = {}) {
  RunSettings settings;
  settings.ranks = spec.ranks;
  settings.count = spec.count;
  settings.type = spec.type;
  settings.op = spec.op;
  RunHooks hooks;
  hooks.clock = Clock::lamport;
  Trace trace = record(settings, hooks);
  trace.schedule = make_opaque({.ranks = spec.ranks, .count = spec.count});
  trace.run.engine = "nccl";
  trace.run.repeats = 3;
  trace.events.clear();
  trace.values.landed.clear();
  trace.where.devices.clear();
  trace.opaque = OpaqueRun{"NCCL 2.28.3", {}};
  for (const std::int64_t base : {28'900, 30'100, 35'400})
    for (int rank = 0; rank < spec.ranks; ++rank)
      trace.opaque->rank_times.push_back(base + rank * 200);
  InputSpec inputs;
  inputs.kind = trace.run.data;
  inputs.type = spec.type;
  inputs.op = spec.op;
  inputs.ranks = spec.ranks;
  inputs.count = spec.count;
  const std::size_t bytes = bytes_of(spec.type);
  trace.verdict = judge(trace.schedule, inputs, [&](int rank, Extent extent, auto out) {
    const std::size_t begin = (static_cast<std::size_t>(rank) * spec.count + extent.first) * bytes;
    std::copy_n(trace.values.results.begin() + static_cast<std::ptrdiff_t>(begin), out.size(),
                out.begin());
  });
  trace.nanoseconds = 30'100 + (spec.ranks - 1) * 200;
  for (int rank = 0; rank < spec.ranks; ++rank)
    trace.where.devices.push_back("GPU " + std::to_string(rank) + ": NVIDIA H200");
  return trace;
}

}  // namespace ringscope
