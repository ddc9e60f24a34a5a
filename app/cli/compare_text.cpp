#include "app/cli/compare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "app/cli/columns.h"
#include "app/cli/run_text.h"
#include "core/replay/numbers.h"
#include "core/schedule/formulas.h"

namespace ringscope {
namespace {

using Row = std::vector<std::string>;

Counts bytes_of_run(const Trace& trace) {
  std::vector<std::uint64_t> bytes;
  for (const Event& event : trace.events) bytes.push_back(event.done != 0 ? event.bytes : 0);
  return counts_of(trace.schedule, bytes);
}

std::string range_text(const Range& range, const Language& language) {
  if (range.least == range.most) return language.bytes(range.most);
  return language.text("line.compare.range", {{"least", language.bytes(range.least)},
                                              {"most", language.bytes(range.most)}});
}

// '56 MiB in, 56 MiB out: GPU 0'.
std::string port_text(const Counts& counts, const Language& language) {
  return language.text("line.compare.port_text",
                       {{"in", language.bytes(counts.busiest_port.received)},
                        {"out", language.bytes(counts.busiest_port.sent)},
                        {"rank", std::to_string(counts.busiest_rank)}});
}

// '0.12', '7.5', '100'.
std::string percent_text(double percent) {
  return percent < 99.5 ? fmt::format("{:.2g}", percent) : fmt::format("{:.0f}", percent);
}

std::string difference_text(const std::optional<Differences>& differences,
                            const Language& language) {
  if (!differences || differences->compared == 0) return "-";
  if (differences->not_a_number > 0) return "NaN";
  if (differences->differing == 0) return language.text("line.compare.none");
  const double share = 100 * static_cast<double>(differences->differing) /
                       static_cast<double>(differences->compared);
  return language.text("line.compare.ulps", {{"ulps", language.integer(differences->largest_ulps)},
                                             {"share", percent_text(share)}});
}

// What the table has, by the ends of the ids of its heads.
enum class Column : std::uint8_t {
  file,
  engine,
  algorithm,
  rounds,
  sent,
  port,
  time,
  algbw,
  busbw,
  of_nccl,
  verdict,
  difference
};
constexpr std::array<std::string_view, 12> column_names{
    "file", "engine", "algorithm", "rounds",  "sent",    "port",
    "time", "algbw",  "busbw",     "of_nccl", "verdict", "difference"};
Side side_of(Column column) {
  const bool words = column <= Column::algorithm || column == Column::verdict;
  return words ? Side::left : Side::right;
}

bool have_engines(std::span<const ComparedTrace> compared) {
  return std::any_of(compared.begin(), compared.end(), [&](const ComparedTrace& run) {
    return run.trace.run.engine != compared.front().trace.run.engine;
  });
}

// The one that the others are held against; null where there is none.
const Trace* nccl_of(std::span<const ComparedTrace> compared) {
  for (const ComparedTrace& run : compared)
    if (run.trace.opaque) return &run.trace;
  return nullptr;
}

// Of several engines only what they differ in.
std::vector<Column> columns_of(std::span<const ComparedTrace> compared, bool from_files) {
  std::vector<Column> chosen;
  const bool engines = have_engines(compared);
  if (from_files) chosen.push_back(Column::file);
  if (engines) chosen.push_back(Column::engine);
  chosen.push_back(Column::algorithm);
  if (!engines || from_files)
    chosen.insert(chosen.end(), {Column::rounds, Column::sent, Column::port});
  chosen.insert(chosen.end(), {Column::time, Column::algbw, Column::busbw});
  if (nccl_of(compared) != nullptr && compared.size() > 1) chosen.push_back(Column::of_nccl);
  chosen.insert(chosen.end(), {Column::verdict, Column::difference});
  return chosen;
}

// Of a run's bus bandwidth; nothing to say of NCCL itself, of what is no all-reduce or stopped, and
// of one rank, whose bus carries nothing.
std::optional<double> share_of_nccl(const Trace& trace, const Trace* nccl) {
  if (nccl == nullptr || trace.opaque || trace.stopped || !is_all_reduce(trace.schedule) ||
      busbw(*nccl) <= 0)
    return std::nullopt;
  return busbw(trace) / busbw(*nccl);
}

std::string share_text(std::optional<double> share) {
  return share ? fmt::format("{:.3g} %", 100 * *share) : "-";
}

std::string verdict_cell(const Trace& trace, const Language& language) {
  if (!trace.stopped) return verdict_text(trace.verdict, language);
  const auto done = std::count_if(trace.events.begin(), trace.events.end(),
                                  [](const Event& event) { return event.done != 0; });
  return language.text("line.compare.stopped",
                       {{"done", std::to_string(done)},
                        {"transfers", std::to_string(trace.schedule.transfers.size())}});
}

std::string cell_of(Column column, const ComparedTrace& run, const Trace* nccl,
                    const Language& language) {
  const Trace& trace = run.trace;
  const bool unseen = trace.opaque.has_value();
  switch (column) {
    case Column::file: return run.file;
    case Column::engine: return trace.run.engine;
    case Column::algorithm: return language.text("scheme." + trace.schedule.algorithm);
    case Column::rounds: return unseen ? "-" : std::to_string(rounds_of(trace.schedule));
    case Column::sent: return unseen ? "-" : range_text(bytes_of_run(trace).sent, language);
    case Column::port: return unseen ? "-" : port_text(bytes_of_run(trace), language);
    case Column::time: return language.duration(trace.nanoseconds);
    case Column::algbw: return trace.stopped ? "-" : language.rate(algbw(trace));
    case Column::busbw: return trace.stopped ? "-" : language.rate(busbw(trace));
    case Column::of_nccl: return share_text(share_of_nccl(trace, nccl));
    case Column::verdict: return verdict_cell(trace, language);
    case Column::difference: return difference_text(run.differences, language);
  }
  return {};
}

std::string table_of(std::span<const ComparedTrace> compared, bool from_files,
                     const Language& language) {
  const std::vector<Column> chosen = columns_of(compared, from_files);
  std::vector<Row> rows(1);
  std::vector<Side> sides;
  for (const Column column : chosen) {
    rows[0].push_back(language.text("line.compare." +
                                    std::string(column_names[static_cast<std::size_t>(column)])));
    sides.push_back(side_of(column));
  }
  for (const ComparedTrace& run : compared) {
    rows.emplace_back();
    for (const Column column : chosen)
      rows.back().push_back(cell_of(column, run, nccl_of(compared), language));
  }
  return columns(rows, sides);
}

// 'Ring', or 'Ring (cuda)' where the engines are what is compared.
std::string name_of_run(std::span<const ComparedTrace> compared, const Trace& trace,
                        const Language& language) {
  const std::string name = language.text("scheme." + trace.schedule.algorithm);
  if (!have_engines(compared) || trace.opaque) return name;
  return language.text("compare.of_engine", {{"name", name}, {"engine", trace.run.engine}});
}

// 'cuda, nccl', each once.
std::string engines_text(std::span<const ComparedTrace> compared) {
  std::vector<std::string> names;
  for (const ComparedTrace& run : compared)
    if (std::find(names.begin(), names.end(), run.trace.run.engine) == names.end())
      names.push_back(run.trace.run.engine);
  return fmt::format("{}", fmt::join(names, ", "));
}

// What all the runs have in common, and what only some have.
struct Notes {
  std::vector<std::string> common;
  std::vector<std::vector<std::string>> own;  // [run]
};

Notes notes_of(std::span<const ComparedTrace> compared, const Language& language) {
  Notes notes;
  for (const ComparedTrace& run : compared) {
    std::vector<std::string> all = shape_notes(run.trace, language);
    for (std::string& note : run_notes(run.trace, language)) all.push_back(std::move(note));
    notes.own.push_back(std::move(all));
  }
  for (const std::string& note : notes.own.front())
    if (std::all_of(notes.own.begin(), notes.own.end(), [&](const auto& own) {
          return std::find(own.begin(), own.end(), note) != own.end();
        }))
      notes.common.push_back(note);
  for (std::vector<std::string>& own : notes.own)
    std::erase_if(own, [&](const std::string& note) {
      return std::find(notes.common.begin(), notes.common.end(), note) != notes.common.end();
    });
  return notes;
}

// Bits of the exponent of a floating type; none of an integer.
std::size_t exponent_bits(ElementType type) {
  switch (type) {
    case ElementType::f16: return 5;
    case ElementType::f32:
    case ElementType::bf16: return 8;
    case ElementType::f64: return 11;
    default: return 0;
  }
}

// '0 10000010 01100000000000000000000': sign, exponent and fraction of a floating number.
std::string bits_text(ElementType type, std::uint64_t bits) {
  std::string text = fmt::format("{:0{}b}", bits, 8 * bytes_of(type));
  if (const std::size_t exponent = exponent_bits(type); exponent > 0) {
    text.insert(1 + exponent, 1, ' ');
    text.insert(1, 1, ' ');
  }
  return text;
}

std::string number_text(ElementType type, std::uint64_t bits) {
  return text_of(number_at(std::as_bytes(std::span(&bits, 1)), type), type);
}

// The first element that a run has otherwise than the first run, bit by bit, with a mark under each
// that differs. `names`: of the first run and of this one.
std::string first_difference_text(ElementType type, const ElementDifference& difference,
                                  const std::array<std::string, 2>& names,
                                  const Language& language) {
  const std::array bits{bits_text(type, difference.bits_a), bits_text(type, difference.bits_b)};
  std::string marks;
  for (std::size_t i = 0; i < bits[0].size(); ++i) marks += bits[0][i] == bits[1][i] ? ' ' : '^';
  const std::vector<Row> rows{{names[0], bits[0], number_text(type, difference.bits_a)},
                              {names[1], bits[1], number_text(type, difference.bits_b)},
                              {"", marks}};
  return language.text("line.compare.bits", {{"name", names[1]},
                                             {"element", language.integer(difference.element)},
                                             {"rank", std::to_string(difference.rank)}}) +
         '\n' + columns(rows, {}, 2);
}

}  // namespace

std::string compare_text(std::span<const ComparedTrace> compared, bool from_files,
                         const Language& language) {
  const Trace& first = compared.front().trace;
  const Notes notes = notes_of(compared, language);
  const std::string separator = language.text("line.run.separator");
  // The operator of those that have one.
  const auto reducing = std::find_if(compared.begin(), compared.end(), [](const auto& run) {
    return has_operator(run.trace.schedule);
  });
  const bool copies = reducing == compared.end();
  const Operator op = copies ? Operator::sum : reducing->trace.run.op;
  std::string text = language.text(copies ? "line.compare.what_copies" : "line.compare.what",
                                   {{"op", std::string(name_of(op))},
                                    {"count", language.integer(first.schedule.count)},
                                    {"type", std::string(name_of(first.run.type))},
                                    {"bytes", language.bytes(buffer_bytes(first))},
                                    {"ranks", std::to_string(first.schedule.ranks)},
                                    {"engine", engines_text(compared)}});
  for (const std::string& note : notes.common) text += separator + note;
  text += '\n' + table_of(compared, from_files, language);
  for (std::size_t i = 0; i < compared.size(); ++i)
    if (!notes.own[i].empty())
      text += language.text("line.compare.note",
                            {{"name", name_of_run(compared, compared[i].trace, language)},
                             {"notes", fmt::format("{}", fmt::join(notes.own[i], separator))}}) +
              '\n';
  for (const ComparedTrace& run : compared)
    if (run.differences && run.differences->first)
      text += first_difference_text(
          first.run.type, *run.differences->first,
          {name_of_run(compared, first, language), name_of_run(compared, run.trace, language)},
          language);
  std::uint64_t kept = 0, largest = 0;
  for (const ComparedTrace& run : compared)
    if (run.differences) {
      kept = std::max(kept, run.differences->compared);
      largest = std::max(largest, run.differences->largest_ulps);
    }
  constexpr std::uint64_t many_ulps = 1000;
  if (largest >= many_ulps) text += language.text("line.compare.cancelling") + '\n';
  if (from_files && kept > 0)
    text += language.text("line.compare.kept", {{"count", language.integer(kept)}}) + '\n';
  return text;
}

namespace {

void add_counts(Json& json, const Trace& trace) {
  if (trace.opaque) {
    json["bytes_sent"] = json["bytes_in_all"] = json["busiest_port"] = Json();
    return;
  }
  const Counts counts = bytes_of_run(trace);
  json["bytes_sent"] = {{"least", counts.sent.least}, {"most", counts.sent.most}};
  json["bytes_in_all"] = counts.total;
  json["busiest_port"] = {{"rank", counts.busiest_rank},
                          {"in", counts.busiest_port.received},
                          {"out", counts.busiest_port.sent}};
}

}  // namespace

Json compare_json(std::span<const ComparedTrace> compared, const Language& language) {
  Json runs = Json::array();
  for (const ComparedTrace& run : compared) {
    Json json = run_json(run.trace, language);
    add_counts(json, run.trace);
    if (const auto share = share_of_nccl(run.trace, nccl_of(compared)))
      json["busbw_of_nccl"] = *share;
    json["difference"] = Json();
    if (run.differences)
      json["difference"] = {{"largest_ulps", run.differences->largest_ulps},
                            {"differing", run.differences->differing},
                            {"not_a_number", run.differences->not_a_number},
                            {"compared", run.differences->compared}};
    if (run.differences && run.differences->first) {
      const ElementDifference& difference = *run.differences->first;
      json["difference"]["first"] = {{"rank", difference.rank},
                                     {"element", difference.element},
                                     {"bits",
                                      {bits_text(run.trace.run.type, difference.bits_a),
                                       bits_text(run.trace.run.type, difference.bits_b)}}};
    }
    if (!run.file.empty()) json["file"] = run.file;
    runs.push_back(std::move(json));
  }
  return {{"runs", runs}};
}

}  // namespace ringscope
