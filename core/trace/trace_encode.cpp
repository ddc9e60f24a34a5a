// A trace as bytes.
#include <algorithm>

#include "core/error.h"
#include "core/trace/atomic_file.h"
#include "core/trace/plain_text.h"
#include "core/trace/trace_check.h"
#include "core/trace/trace_file.h"
#include "core/trace/trace_format.h"
#include "trace_generated.h"

namespace ringscope {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

Offset<flatbuffers::String> text(FlatBufferBuilder& builder, const std::string& value) {
  return builder.CreateString(plain_text(value));
}

Offset<flatbuffers::Vector<std::uint8_t>> bytes(FlatBufferBuilder& builder,
                                                const std::vector<std::byte>& value) {
  return builder.CreateVector(reinterpret_cast<const std::uint8_t*>(value.data()), value.size());
}

Offset<file::Message> message(FlatBufferBuilder& builder, const std::optional<Message>& value) {
  if (!value) return {};
  std::vector<Offset<file::Argument>> arguments;
  for (const auto& [name, argument] : value->arguments) {
    const auto name_at = text(builder, name);
    arguments.push_back(file::CreateArgument(builder, name_at, text(builder, argument)));
  }
  const auto arguments_at = builder.CreateVector(arguments);
  return file::CreateMessage(builder, text(builder, value->id), arguments_at);
}

// A vector of structs: `convert` makes the file's struct of each item.
template <class Struct, class Item, class Convert>
Offset<flatbuffers::Vector<const Struct*>> structs(FlatBufferBuilder& builder,
                                                   const std::vector<Item>& items,
                                                   const Convert& convert) {
  return builder.CreateVectorOfStructs<Struct>(
      items.size(), [&](std::size_t i, Struct* at) { *at = convert(items[i]); });
}

Offset<file::Schedule> schedule(FlatBufferBuilder& builder, const Schedule& value) {
  std::vector<Offset<file::Phase>> phases;
  for (const Phase& phase : value.phases) {
    const auto id = text(builder, phase.id);
    phases.push_back(file::CreatePhase(builder, id, phase.first_round, phase.round_count));
  }
  const auto transfers = structs<file::Transfer>(builder, value.transfers, [](const Transfer& row) {
    return file::Transfer(row.src, row.dst, row.first_cell, row.cell_count, row.round, row.slice,
                          static_cast<std::uint8_t>(row.action));
  });
  const auto goal = builder.CreateVector(value.goal);
  const auto initial = builder.CreateVector(value.initial);
  const auto phases_at = builder.CreateVector(phases);
  const auto order = builder.CreateVector(value.order);
  const auto algorithm = text(builder, value.algorithm);
  return file::CreateSchedule(builder, algorithm, value.ranks, value.count, value.chunks,
                              value.slices, order, phases_at, initial, goal, transfers);
}

Offset<file::RunFacts> run(FlatBufferBuilder& builder, const RunFacts& value) {
  const auto late = structs<file::Late>(builder, value.trouble.late, [](const Late& row) {
    return file::Late(row.rank, row.nanoseconds);
  });
  const auto delays = structs<file::Delay>(builder, value.trouble.delays, [](const Delay& row) {
    return file::Delay(row.src, row.dst, row.nanoseconds);
  });
  const auto deaths = structs<file::Die>(
      builder, value.trouble.deaths, [](const Die& row) { return file::Die(row.rank, row.round); });
  const auto engine = text(builder, value.engine);
  const auto input_file = text(builder, value.input_file);
  flatbuffers::Optional<std::uint8_t> user_type;
  if (value.user_type) user_type = static_cast<std::uint8_t>(*value.user_type);
  return file::CreateRunFacts(
      builder, engine, static_cast<std::uint8_t>(value.type), static_cast<std::uint8_t>(value.op),
      static_cast<std::uint8_t>(value.data), value.data_version, value.seed, input_file,
      value.in_place, value.lockstep, value.repeats, late, delays, deaths,
      value.pace.bytes_per_second, value.pace.latency, value.pace_reached, user_type);
}

Offset<file::Provenance> provenance(FlatBufferBuilder& builder, const Provenance& value) {
  std::vector<Offset<flatbuffers::String>> devices;
  for (const std::string& device : value.devices) devices.push_back(text(builder, device));
  const auto devices_at = builder.CreateVector(devices);
  const auto links = structs<file::Link>(builder, value.links, [](const DeviceLink& row) {
    return file::Link(row.src, row.dst, static_cast<std::uint8_t>(row.path));
  });
  const auto program_version = text(builder, value.program_version);
  const auto host = text(builder, value.host);
  const auto processor = text(builder, value.processor);
  const auto system = text(builder, value.system);
  const auto compiler = text(builder, value.compiler);
  return file::CreateProvenance(builder, program_version, host, processor, value.cores, system,
                                compiler, value.recorded_at, devices_at, links,
                                value.clock.resolution, value.clock.uncertainty);
}

Offset<flatbuffers::Vector<const file::Event*>> events(FlatBufferBuilder& builder,
                                                       const std::vector<Event>& value) {
  return structs<file::Event>(builder, value, [](const Event& row) {
    return file::Event(row.waited_from, row.delayed, row.move_begun, row.move_landed,
                       row.reduce_begun, row.reduce_landed, row.bytes, row.lane, row.fused,
                       row.done);
  });
}

Offset<file::Values> values(FlatBufferBuilder& builder, const Values& value) {
  const auto inputs = bytes(builder, value.inputs);
  const auto results = bytes(builder, value.results);
  const auto landed = bytes(builder, value.landed);
  return file::CreateValues(builder, static_cast<std::uint8_t>(value.kept), inputs, results,
                            landed);
}

Offset<file::Verdict> verdict(FlatBufferBuilder& builder, const Verdict& value) {
  const auto failure = message(builder, value.failure);
  return file::CreateVerdict(builder, static_cast<std::uint8_t>(value.outcome), value.elements,
                             value.ranks_agree, value.exact, value.largest_error,
                             value.largest_error_in_bounds, value.wrapped, value.overflowed,
                             value.underflowed, failure);
}

Offset<file::WireCost> wire_cost(FlatBufferBuilder& builder, const std::optional<WireCost>& value) {
  if (!value) return {};
  return file::CreateWireCost(builder, value->elements, value->largest_error,
                              value->largest_relative_error, value->largest_result,
                              value->inputs_overflowed, value->results_overflowed);
}

Offset<file::Opaque> opaque(FlatBufferBuilder& builder, const std::optional<OpaqueRun>& value) {
  if (!value) return {};
  const auto library = text(builder, value->library);
  return file::CreateOpaque(builder, library, builder.CreateVector(value->rank_times));
}

Offset<file::Trace> root(FlatBufferBuilder& builder, const Trace& trace) {
  const auto schedule_at = schedule(builder, trace.schedule);
  const auto run_at = run(builder, trace.run);
  const auto where = provenance(builder, trace.where);
  const auto events_at = events(builder, trace.events);
  const auto values_at = values(builder, trace.values);
  const auto verdict_at = verdict(builder, trace.verdict);
  const auto stopped = message(builder, trace.stopped);
  const auto wire_cost_at = wire_cost(builder, trace.wire_cost);
  const auto opaque_at = opaque(builder, trace.opaque);
  return file::CreateTrace(builder, schedule_at, run_at, where, events_at, trace.nanoseconds,
                           values_at, verdict_at, stopped, wire_cost_at, opaque_at);
}

// The header and the payload of a trace's file. `name` is what an error calls it.
struct Encoded {
  Encoded(const Trace& trace, const std::string& name) {
    const std::uint64_t most = file_bytes_at_most(trace);
    refuse_two_gigabytes(most, name);
    FlatBufferBuilder builder(most);
    builder.ForceDefaults(true);  // -0 would be taken for the default 0, and left out
    builder.Finish(root(builder, trace));
    buffer = builder.Release();
    if (const auto place = contradiction(trace, buffer.size()))
      throw Error({"error.file.not_sound", {{"file", name}, {"place", *place}}});
    header.length = buffer.size();
    header.hash = file_hash(header, payload());
  }

  std::span<const std::byte> payload() const {
    return std::as_bytes(std::span(buffer.data(), buffer.size()));
  }

  FileHeader header;
  flatbuffers::DetachedBuffer buffer;
};

}  // namespace

std::vector<std::byte> encode_trace(const Trace& trace) {
  const Encoded encoded(trace, "trace");
  const auto header = std::as_bytes(std::span(&encoded.header, 1));
  std::vector<std::byte> bytes(header.size() + encoded.payload().size());
  std::ranges::copy(encoded.payload(), std::ranges::copy(header, bytes.begin()).out);
  return bytes;
}

void save_trace(const Trace& trace, const std::string& path) {
  const Encoded encoded(trace, path);
  write_file(path, {std::as_bytes(std::span(&encoded.header, 1)), encoded.payload()});
}

}  // namespace ringscope
