#include "app/cli/compare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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

std::string difference_text(const std::optional<Differences>& differences,
                            const Language& language) {
  if (!differences) return "-";
  if (differences->not_a_number > 0) return "NaN";
  if (differences->differing == 0) return language.text("line.compare.none");
  const double share = 100 * static_cast<double>(differences->differing) /
                       static_cast<double>(differences->compared);
  return language.text("line.compare.ulps", {{"ulps", language.integer(differences->largest_ulps)},
                                             {"share", fmt::format("{:.2g}", share)}});
}

Row row_of(const ComparedTrace& run, bool from_files, const Language& language) {
  const Trace& trace = run.trace;
  const Counts counts = bytes_of_run(trace);
  Row row{language.text("scheme." + trace.schedule.algorithm)};
  if (from_files) row.insert(row.begin(), run.file);
  row.insert(row.end(), {std::to_string(counts.rounds), range_text(counts.sent, language),
                         port_text(counts, language), language.duration(trace.nanoseconds)});
  if (trace.stopped) {
    const auto done = std::count_if(trace.events.begin(), trace.events.end(),
                                    [](const Event& event) { return event.done != 0; });
    row.insert(row.end(),
               {"-", "-",
                language.text("line.compare.stopped",
                              {{"done", std::to_string(done)},
                               {"transfers", std::to_string(trace.schedule.transfers.size())}})});
  } else {
    row.insert(row.end(), {language.rate(algbw(trace)), language.rate(busbw(trace)),
                           verdict_text(trace.verdict, language)});
  }
  row.push_back(difference_text(run.differences, language));
  return row;
}

std::string table_of(std::span<const ComparedTrace> compared, bool from_files,
                     const Language& language) {
  Row head;
  if (from_files) head.push_back(language.text("line.compare.file"));
  for (const char* const name :
       {"algorithm", "rounds", "sent", "port", "time", "algbw", "busbw", "verdict", "difference"})
    head.push_back(language.text(std::string("line.compare.") + name));
  std::vector<Row> rows{head};
  for (const ComparedTrace& run : compared) rows.push_back(row_of(run, from_files, language));
  std::vector<Side> sides(from_files ? 2 : 1, Side::left);
  sides.insert(sides.end(), {Side::right, Side::right, Side::right, Side::right, Side::right,
                             Side::right, Side::left, Side::right});
  return columns(rows, sides);
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
                                    {"engine", first.run.engine}});
  for (const std::string& note : notes.common) text += separator + note;
  text += '\n' + table_of(compared, from_files, language);
  for (std::size_t i = 0; i < compared.size(); ++i)
    if (!notes.own[i].empty())
      text +=
          language.text("line.compare.note",
                        {{"name", language.text("scheme." + compared[i].trace.schedule.algorithm)},
                         {"notes", fmt::format("{}", fmt::join(notes.own[i], separator))}}) +
          '\n';
  for (const ComparedTrace& run : compared)
    if (run.differences && run.differences->first)
      text += first_difference_text(first.run.type, *run.differences->first,
                                    {language.text("scheme." + first.schedule.algorithm),
                                     language.text("scheme." + run.trace.schedule.algorithm)},
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

Json compare_json(std::span<const ComparedTrace> compared, const Language& language) {
  Json runs = Json::array();
  for (const ComparedTrace& run : compared) {
    const Counts counts = bytes_of_run(run.trace);
    Json json = run_json(run.trace, language);
    json["bytes_sent"] = {{"least", counts.sent.least}, {"most", counts.sent.most}};
    json["bytes_in_all"] = counts.total;
    json["busiest_port"] = {{"rank", counts.busiest_rank},
                            {"in", counts.busiest_port.received},
                            {"out", counts.busiest_port.sent}};
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
