#include "core/export/trace_tables.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/replay/symbols.h"

namespace ringscope {
namespace {

using Json = nlohmann::ordered_json;

struct Row {
  const Transfer& transfer;
  const Event& event;
  std::uint32_t number;
  std::int32_t chunk;  // its first
};

template <class Visit>
void for_each_row(const Trace& trace, Visit&& visit) {
  const Schedule& schedule = trace.schedule;
  for (std::uint32_t i = 0; i < schedule.transfers.size(); ++i) {
    const Transfer& transfer = schedule.transfers[i];
    visit(Row{transfer, trace.events[i], i, transfer.first_cell / schedule.slices});
  }
}

std::string contributors_of(const Trace& trace, const std::vector<std::int32_t>& contributors,
                            std::int32_t chunk) {
  return symbol(contributors, chunk, trace.schedule.ranks, trace.run.op, false);
}

std::string value_of(const Trace& trace, const std::optional<Number>& value) {
  return value ? text_of(*value, trace.run.type) : "";
}

// Symbols such as 'min(a0,b0)' hold commas.
std::string quoted(const std::string& field) {
  return field.find(',') == std::string::npos ? field : '"' + field + '"';
}

double microseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1000; }

Json bar(const std::string& name, const char* category, std::int32_t rank, std::int64_t from,
         std::int64_t to) {
  return {{"name", name},
          {"cat", category},
          {"ph", "X"},
          {"pid", 0},
          {"tid", rank},
          {"ts", microseconds(from)},
          {"dur", microseconds(to - from)}};
}

// What Perfetto calls a lane, or the whole, and where it stands.
Json fact(const char* name, std::int32_t rank, Json facts) {
  return {{"name", name}, {"ph", "M"}, {"pid", 0}, {"tid", rank}, {"args", std::move(facts)}};
}

// Of a run that shows no transfers all that is known: how long each rank took, in each repeat.
std::string opaque_csv(const Trace& trace) {
  std::string text = "repeat,rank,elements,bytes,time_ns\n";
  const auto ranks = static_cast<std::size_t>(trace.schedule.ranks);
  for (std::size_t i = 0; i < trace.opaque->rank_times.size(); ++i)
    text += fmt::format("{},{},{},{},{}\n", i / ranks, i % ranks, trace.schedule.count,
                        buffer_bytes(trace), trace.opaque->rank_times[i]);
  return text;
}

// The repeats one after the other, as no record says how far apart they were.
template <class Add>
void add_opaque_bars(const Trace& trace, const Add& add) {
  const std::vector<std::int64_t> repeats = repeat_times(*trace.opaque, trace.schedule.ranks);
  std::int64_t begun = 0;
  for (std::size_t repeat = 0, i = 0; repeat < repeats.size(); begun += repeats[repeat++])
    for (std::int32_t rank = 0; rank < trace.schedule.ranks; ++rank, ++i) {
      Json whole = bar(fmt::format("{}: all-reduce, repeat {}", trace.opaque->library, repeat),
                       "all-reduce", rank, begun, begun + trace.opaque->rank_times[i]);
      whole["args"] = {{"bytes", buffer_bytes(trace)},
                       {"not_recorded", "chunks, transfers, and what was between the repeats"}};
      add(whole);
    }
}

}  // namespace

std::string csv_of(const Replay& replay) {
  const Trace& trace = replay.trace();
  if (trace.opaque) return opaque_csv(trace);
  const Schedule& schedule = trace.schedule;
  std::string text =
      "transfer,round,phase,src,dst,action,first_chunk,last_chunk,slice,first_element,elements,"
      "bytes,lane,done,fused,waited_from_ns,delayed_ns,move_begun_ns,move_landed_ns,"
      "reduce_begun_ns,reduce_landed_ns,carried,carried_value,before,before_value,after,"
      "after_value\n";
  for_each_row(trace, [&](const Row& row) {
    const auto& [transfer, event, number, chunk] = row;
    const Extent extent = transfer_extent(schedule, transfer);
    const std::int32_t last = transfer.first_cell + transfer.cell_count - 1;
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},", number, round_name(schedule, transfer.round),
        schedule.phases[static_cast<std::size_t>(phase_of(schedule, transfer.round))].id,
        transfer.src, transfer.dst, transfer.action == Action::copy ? "copy" : "reduce", chunk,
        last / schedule.slices, transfer.first_cell % schedule.slices, extent.first, extent.count,
        extent.count * bytes_of(trace.run.type));
    if (event.done == 0) {
      text += ",0,,,,,,,,,,,,,\n";
      return;
    }
    text += fmt::format("{},1,{},{},{},{},{},{},{},", event.lane, event.fused, event.waited_from,
                        event.delayed, event.move_begun, event.move_landed, event.reduce_begun,
                        event.reduce_landed);
    const bool copy = transfer.action == Action::copy;
    text += fmt::format("{},{},{},{},{},{}\n",
                        quoted(contributors_of(trace, replay.carried(number), chunk)),
                        value_of(trace, replay.carried_value(number)),
                        quoted(contributors_of(trace, replay.before(number), chunk)),
                        value_of(trace, copy ? std::nullopt : replay.before_value(number)),
                        quoted(contributors_of(trace, replay.after(number), chunk)),
                        value_of(trace, replay.after_value(number)));
  });
  return text;
}

std::string chrome_trace_of(const Replay& replay) {
  const Trace& trace = replay.trace();
  const Schedule& schedule = trace.schedule;
  std::string text = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  bool first = true;
  const auto add = [&](const Json& event) {
    if (!first) text += ",\n";
    first = false;
    text += event.dump();
  };
  add(fact("process_name", 0, {{"name", "Ringscope: " + schedule.algorithm}}));
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    add(fact("thread_name", rank, {{"name", "GPU " + std::to_string(rank)}}));
    add(fact("thread_sort_index", rank, {{"sort_index", rank}}));
  }
  if (trace.opaque) add_opaque_bars(trace, add);
  for_each_row(trace, [&](const Row& row) {
    const auto& [transfer, event, number, chunk] = row;
    if (event.done == 0) return;
    const std::string round = round_name(schedule, transfer.round);
    const std::int64_t ready = event.waited_from;
    if (event.move_begun - event.delayed > ready)
      add(bar("waits for GPU " + std::to_string(transfer.src), "wait", transfer.dst, ready,
              event.move_begun - event.delayed));
    if (event.delayed > 0)
      add(bar("delayed on purpose", "delay", transfer.dst, event.move_begun - event.delayed,
              event.move_begun));
    const bool copy = transfer.action == Action::copy;
    Json move = bar(fmt::format("{} chunk {} from GPU {}", round, chunk, transfer.src),
                    copy || event.fused == 0 ? "move" : "move and reduce", transfer.dst,
                    event.move_begun, event.move_landed);
    move["args"] = {{"transfer", number},
                    {"slice", transfer.first_cell % schedule.slices},
                    {"bytes", event.bytes},
                    {"carried", contributors_of(trace, replay.carried(number), chunk)}};
    add(move);
    if (event.fused == 0 && event.reduce_landed > event.reduce_begun)
      add(bar(fmt::format("{} chunk {}, {}", round, chunk, copy ? "copied" : "reduced"),
              copy ? "move" : "reduce", transfer.dst, event.reduce_begun, event.reduce_landed));
  });
  return text + "\n]}\n";
}

}  // namespace ringscope
