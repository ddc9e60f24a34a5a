// A trace made by hand for tests, the same at any time and on any machine: a ring's schedule, times
// that follow the rounds, values that follow their places. Its values are no sums.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/trace/trace.h"

namespace ringscope {

inline std::vector<std::byte> counting_bytes(std::uint64_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(7 * i + 3);
  return bytes;
}

inline Trace sample_trace(const ScheduleRequest& request, ElementType type = ElementType::f32) {
  Trace trace;
  trace.schedule = make_ring(request);
  trace.run.engine = "host";
  trace.run.type = type;
  trace.run.data = DataKind::ramp;
  trace.where = {"0.1.0",    "lecture",     "A processor",  2,  "Debian GNU/Linux 12",
                 "g++ 12.2", 1'700'000'000, {"CPU thread"}, {}, {}};
  for (const Transfer& transfer : trace.schedule.transfers) {
    const std::int64_t begun = 1000 * transfer.round + 10 * transfer.dst + 5;
    const std::uint64_t bytes = transfer_extent(trace.schedule, transfer).count * bytes_of(type);
    trace.events.push_back(
        {begun - 5, 0, begun, begun + 500, begun, begun + 500, bytes, transfer.dst, 1, 1});
    trace.nanoseconds = std::max(trace.nanoseconds, begun + 500);
  }
  trace.values.kept = kept_for(trace.schedule, type);
  const ValueLayout layout(trace.schedule, type, trace.values.kept);
  const auto ranks = static_cast<std::uint64_t>(request.ranks);
  trace.values.inputs = counting_bytes(ranks * layout.rank_bytes());
  trace.values.results = counting_bytes(ranks * layout.rank_bytes());
  trace.values.landed = counting_bytes(layout.landed_bytes());
  trace.verdict.outcome = Verdict::Outcome::verified;
  trace.verdict.elements = ranks * request.count;
  trace.verdict.ranks_agree = true;
  return trace;
}

// With something in every field.
inline Trace full_trace() {
  Trace trace = sample_trace({3, 10, 2, {2, 0, 1}}, ElementType::f16);
  trace.run.op = Operator::avg;
  trace.run.data = DataKind::file;
  trace.run.data_version = 7;
  trace.run.seed = 0xFEDCBA9876543210;
  trace.run.input_file = "梯度.npy";
  trace.run.in_place = true;
  trace.run.lockstep = true;
  trace.run.repeats = 5;
  trace.run.trouble = {{{2, 120'000}, {0, 1}}, {{-1, 2, 5'000'000}, {1, 2, 7}}, {{2, 1}}};
  trace.run.pace = {500'000'000, 5'000};
  trace.run.pace_reached = 499'999'999;
  trace.where.devices = {"NVIDIA H200, part 0", "NVIDIA H200, part 1", "CPU thread"};
  trace.where.links = {{1, 0, LinkPath::peer}, {2, 1, LinkPath::through_host}};
  trace.where.clock = {32, 2'100};
  trace.events.front() = {1, 2, 3, 4, 5, 6, 7, 1, 0, 1};
  trace.events.back() = {0, 0, 0, 0, 0, 0, 0, 2, 0, 0};
  trace.verdict = {Verdict::Outcome::failed,
                   30,
                   true,
                   true,
                   0.1,
                   2.5,
                   11,
                   12,
                   13,
                   Message{"verdict.wrong", {{"rank", "1"}, {"wanted", "-0"}}}};
  trace.stopped = Message{"error.run.died", {{"rank", "2"}, {"round", "1.2"}}};
  return trace;
}

}  // namespace ringscope
