#include "app/cli/show_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/cli/columns.h"
#include "core/replay/symbols.h"
#include "core/schedule/schedule.h"

namespace ringscope {
namespace {

// All transfers of a round that take the same run of chunks from one rank to another: the slices of
// one step.
struct Step {
  std::uint32_t first;  // transfer of the first slice that is not empty; it stands for all
  std::int32_t src, dst;
  std::int32_t first_chunk, last_chunk;
  std::uint64_t elements;  // of that slice
  Action action;
  bool done;  // all slices
};

std::vector<Step> steps_of_round(const Replay& replay, std::int32_t round) {
  const Trace& trace = replay.trace();
  const std::int32_t slices = trace.schedule.slices;
  std::vector<Step> steps;
  if (round < 1) return steps;
  for (const std::uint32_t index : replay.transfers_of_round(round - 1)) {
    const Transfer& transfer = trace.schedule.transfers[index];
    const std::int32_t first = transfer.first_cell / slices;
    const std::int32_t last = (transfer.first_cell + transfer.cell_count - 1) / slices;
    const bool done = trace.events[index].done != 0;
    if (continues_step(trace.schedule, index)) {
      steps.back().last_chunk = std::max(steps.back().last_chunk, last);
      if (steps.back().elements == 0) {
        steps.back().first = index;
        steps.back().elements = transfer_extent(trace.schedule, transfer).count;
      }
      steps.back().done = steps.back().done && done;
    } else {
      steps.push_back({index, transfer.src, transfer.dst, first, last,
                       transfer_extent(trace.schedule, transfer).count, transfer.action, done});
    }
  }
  return steps;
}

bool copies_only(const Schedule& schedule, std::int32_t round) {
  if (round < 1) return false;
  const std::int32_t phase = phase_of(schedule, round - 1);
  return std::none_of(
      schedule.transfers.begin(), schedule.transfers.end(), [&](const Transfer& transfer) {
        return transfer.action == Action::reduce && phase_of(schedule, transfer.round) == phase;
      });
}

std::string symbol_of(const Replay& replay, const CellView& cell, std::int32_t chunk) {
  return symbol(cell.contributors, chunk, replay.trace().schedule.ranks, replay.trace().run.op,
                cell.holding == Holding::complete);
}

std::string number_of(const Replay& replay, const std::optional<Number>& value) {
  return value ? text_of(*value, replay.trace().run.type) : "-";
}

// A negative number as an operand stands in brackets.
std::string operand(const std::string& number) {
  return number.starts_with('-') && number.size() > 1 ? '(' + number + ')' : number;
}

// What a reduction does in the signs of its operator: own {} received, result.
struct Signs {
  std::string symbols, numbers;
};
Signs reduction(const Replay& replay, const Step& step, const std::vector<std::int32_t>& own,
                const std::vector<std::int32_t>& received) {
  const std::int32_t ranks = replay.trace().schedule.ranks;
  const Operator op = replay.trace().run.op;
  const auto in_symbols = [&](const std::vector<std::int32_t>& contributors) {
    return symbol(contributors, step.first_chunk, ranks, op, false);
  };
  const std::string term = in_symbols(own), rest = in_symbols(received);
  const std::string had = number_of(replay, replay.before_value(step.first));
  const std::string got = number_of(replay, replay.carried_value(step.first));
  std::vector<std::int32_t> all = own;  // the receiver's own terms first
  all.insert(all.end(), received.begin(), received.end());
  switch (op) {
    case Operator::avg:
      if (all.size() == static_cast<std::size_t>(ranks))
        return {fmt::format("{} = ({} + {})/{}", term, term, rest, ranks),
                fmt::format("({} + {}) / {}", had, operand(got), ranks)};
      [[fallthrough]];
    case Operator::sum:
      return {fmt::format("{} += {}", term, rest), fmt::format("{} + {}", had, operand(got))};
    case Operator::prod:
      return {fmt::format("{} *= {}", term, rest), fmt::format("{} * {}", had, operand(got))};
    case Operator::min:
    case Operator::max:
      return {fmt::format("{} = {}", term, in_symbols(all)),
              fmt::format("{}({}, {})", name_of(op), had, got)};
  }
  return {};
}

constexpr std::string_view wrapped_mark = "line.show.wrapped";
constexpr std::string_view overflowed_mark = "line.show.overflowed";

// What is said behind a reduction whose result its type could not hold: a text's id, or ''.
std::string_view mark(const Replay& replay, const Step& step) {
  const std::optional<Number> had = replay.before_value(step.first);
  const std::optional<Number> got = replay.carried_value(step.first);
  const std::optional<Number> result = replay.after_value(step.first);
  if (step.action == Action::copy || !step.done || !had || !got || !result) return "";
  if (!result->integer) {
    const bool fitted = std::isfinite(had->real) && std::isfinite(got->real);
    return fitted && std::isinf(result->real) ? overflowed_mark : "";
  }
  const Operator op = replay.trace().run.op;
  if (op == Operator::min || op == Operator::max) return "";
  const __int128 a = had->whole, b = got->whole;
  __int128 exact = op == Operator::prod ? a * b : a + b;
  const std::size_t terms = replay.before(step.first).size() + replay.carried(step.first).size();
  const auto ranks = static_cast<std::size_t>(replay.trace().schedule.ranks);
  if (op == Operator::avg && terms == ranks) exact /= static_cast<std::int64_t>(ranks);
  return exact == result->whole ? "" : wrapped_mark;
}

// 'b0 += a0: 10 + 1 = 11', '= a0+b0+c0+d0: 1111', 'b0 = min(b0,a0): min(10, 1) = 1',
// 'd0 = (d0 + c0+b0+a0)/4: (1000 + 111) / 4 = 277.75' (which completes it). Without numbers where
// they were not kept, or it did not happen.
std::string arithmetic(const Replay& replay, const Step& step) {
  const std::vector<std::int32_t> carried = replay.carried(step.first);
  const std::optional<Number> result = replay.after_value(step.first);
  if (step.action == Action::copy) {
    const Schedule& schedule = replay.trace().schedule;
    const bool complete = carried.size() == static_cast<std::size_t>(schedule.ranks);
    const std::string text =
        "= " + symbol(carried, step.first_chunk, schedule.ranks, replay.trace().run.op, complete);
    return step.done && result ? text + ": " + number_of(replay, result) : text;
  }
  const Signs signs = reduction(replay, step, replay.before(step.first), carried);
  if (!step.done || !result) return signs.symbols;
  return fmt::format("{}: {} = {}", signs.symbols, signs.numbers, number_of(replay, result));
}

// 'chunk 0', 'chunks 0-3', 'chunk 0, 4 slices'.
std::string what_moves(const Replay& replay, const Step& step, const Language& language) {
  const std::string first = std::to_string(step.first_chunk);
  std::string text =
      step.first_chunk == step.last_chunk
          ? language.text("line.show.chunk", {{"chunk", first}})
          : language.text("line.show.chunks",
                          {{"first", first}, {"last", std::to_string(step.last_chunk)}});
  const std::int32_t slices = replay.trace().schedule.slices;
  if (slices > 1) text += language.text("line.show.slices", {{"slices", std::to_string(slices)}});
  return text;
}

Json json_of(const std::optional<Number>& value, ElementType type) {
  if (!value) return nullptr;
  if (value->integer) return value->whole;
  if (!std::isfinite(value->real)) return text_of(*value, type);  // JSON has no number for these
  return value->real;
}

constexpr std::array<std::string_view, 5> holding_names{"nothing", "local", "partial", "complete",
                                                        "stale"};

std::string cell_text(const Replay& replay, const CellView& cell, std::int32_t rank,
                      std::int32_t chunk, bool only_copies, ShowValues values) {
  const Schedule& schedule = replay.trace().schedule;
  if (cell.elements == 0 || cell.holding == Holding::nothing) return "-";
  const std::size_t at =
      static_cast<std::size_t>(rank) * static_cast<std::size_t>(schedule.chunks) +
      static_cast<std::size_t>(chunk);
  if (only_copies && cell.holding != Holding::complete && schedule.goal[at] != do_not_care)
    return ".";
  const std::string number = number_of(replay, cell.value);
  if (values == ShowValues::numbers) return number;
  std::string text = symbol_of(replay, cell, chunk);
  if (cell.holding == Holding::complete) text += " ✓";
  return values == ShowValues::both ? text + " = " + number : text;
}

}  // namespace

std::vector<std::vector<std::string>> table_cells(const Replay& replay, std::int32_t round,
                                                  ShowValues values) {
  const Schedule& schedule = replay.trace().schedule;
  const ReplayState state = replay.at({round, 1});
  const bool only_copies = copies_only(schedule, round);
  std::vector<std::vector<std::string>> table(static_cast<std::size_t>(schedule.ranks));
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank)
    for (std::int32_t chunk = 0; chunk < schedule.chunks; ++chunk)
      table[static_cast<std::size_t>(rank)].push_back(
          cell_text(replay, replay.cell(state, rank, chunk), rank, chunk, only_copies, values));
  return table;
}

std::string table_text(const Replay& replay, std::int32_t round, ShowValues values) {
  const std::vector<std::vector<std::string>> table = table_cells(replay, round, values);
  const std::size_t width = fmt::format("GPU{}:", table.size() - 1).size();
  std::string text;
  for (std::size_t rank = 0; rank < table.size(); ++rank)
    text += fmt::format("{:<{}} [{}]\n", fmt::format("GPU{}:", rank), width,
                        fmt::join(table[rank], ", "));
  return text;
}

std::string transfers_text(const Replay& replay, std::int32_t round, const Language& language) {
  const std::vector<Step> steps = steps_of_round(replay, round);
  std::size_t width = 0;  // of 'chunk 0:', so that the arithmetic stands in one column
  for (const Step& step : steps)
    width = std::max(width, display_width(what_moves(replay, step, language)));
  std::vector<std::vector<std::string>> rows;
  for (const Step& step : steps) {
    std::string what = what_moves(replay, step, language) + ':';
    what.append(width + 2 - display_width(what), ' ');
    what += arithmetic(replay, step);
    if (const std::string_view id = mark(replay, step); !id.empty()) what += language.text(id);
    if (!step.done)
      what += language.text("line.show.not_done");
    else if (step.elements == 0)
      what += language.text("line.show.empty");
    rows.push_back({fmt::format("GPU{} -> GPU{}", step.src, step.dst), std::move(what)});
  }
  return columns(rows);
}

std::string round_text(const Replay& replay, std::int32_t round, ShowValues values,
                       const Language& language) {
  const Trace& trace = replay.trace();
  std::string title;
  if (round == 0) {
    title = language.text("line.show.start");
  } else {
    const Phase& phase =
        trace.schedule.phases[static_cast<std::size_t>(phase_of(trace.schedule, round - 1))];
    title = language.text("line.show.round", {{"round", round_name(trace.schedule, round - 1)},
                                              {"phase", language.text("phase." + phase.id)},
                                              {"number", std::to_string(round - phase.first_round)},
                                              {"rounds", std::to_string(phase.round_count)}});
  }
  std::string text = title + "\n\n" + table_text(replay, round, values);
  if (const std::string transfers = transfers_text(replay, round, language); !transfers.empty())
    text += '\n' + transfers;
  return text;
}

Json round_json(const Replay& replay, std::int32_t round, ShowValues values) {
  const Trace& trace = replay.trace();
  const Schedule& schedule = trace.schedule;
  const ReplayState state = replay.at({round, 1});
  const std::vector<std::vector<std::string>> texts = table_cells(replay, round, values);
  Json table = Json::array();
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    Json row = Json::array();
    for (std::int32_t chunk = 0; chunk < schedule.chunks; ++chunk) {
      const CellView cell = replay.cell(state, rank, chunk);
      row.push_back(
          {{"text", texts[static_cast<std::size_t>(rank)][static_cast<std::size_t>(chunk)]},
           {"symbol", symbol_of(replay, cell, chunk)},
           {"value", json_of(cell.value, trace.run.type)},
           {"state", holding_names[static_cast<std::size_t>(cell.holding)]},
           {"changed", cell.changed}});
    }
    table.push_back(std::move(row));
  }
  Json transfers = Json::array();
  for (const Step& step : steps_of_round(replay, round))
    transfers.push_back({{"src", step.src},
                         {"dst", step.dst},
                         {"chunks", {step.first_chunk, step.last_chunk}},
                         {"action", step.action == Action::copy ? "copy" : "reduce"},
                         {"text", arithmetic(replay, step)},
                         {"carried", json_of(replay.carried_value(step.first), trace.run.type)},
                         {"before", json_of(replay.before_value(step.first), trace.run.type)},
                         {"after", json_of(replay.after_value(step.first), trace.run.type)},
                         {"wrapped", mark(replay, step) == wrapped_mark},
                         {"overflowed", mark(replay, step) == overflowed_mark},
                         {"done", step.done}});
  Json json{{"round", round_name(schedule, round - 1)}};
  json["phase"] =
      round == 0
          ? Json()
          : Json(schedule.phases[static_cast<std::size_t>(phase_of(schedule, round - 1))].id);
  json["table"] = std::move(table);
  json["transfers"] = std::move(transfers);
  return json;
}

}  // namespace ringscope
