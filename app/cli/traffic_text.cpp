#include "app/cli/traffic_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/columns.h"
#include "core/schedule/formulas.h"

namespace ringscope {
namespace {

Counts bytes_moved(const Trace& trace) {
  std::vector<std::uint64_t> moved;
  moved.reserve(trace.events.size());
  for (const Event& event : trace.events) moved.push_back(event.done != 0 ? event.bytes : 0);
  return counts_of(trace.schedule, moved);
}

std::optional<Formula> formula_for(const Schedule& schedule) {
  const std::vector<std::int32_t> groups =
      schedule.algorithm == "hierarchical" ? groups_of(schedule) : std::vector<std::int32_t>{};
  return formula_of(schedule.algorithm, schedule.ranks, groups);
}

std::string range_text(const Range& range, const Language& language) {
  if (range.least == range.most)
    return language.text("line.info.each", {{"bytes", language.bytes(range.most)}});
  return language.text("line.info.from_to", {{"least", language.bytes(range.least)},
                                             {"most", language.bytes(range.most)}});
}

struct Row {
  std::string label, counted, formula;
};

std::vector<Row> counted_rows(const Trace& trace, const Language& language) {
  const Counts counts = bytes_moved(trace);
  const auto rank = [](std::int32_t number) { return std::to_string(number); };
  std::vector<Row> rows{
      {"rounds", language.integer(static_cast<std::uint64_t>(counts.rounds)), ""},
      {"sent", range_text(counts.sent, language), ""},
      {"received", range_text(counts.received, language), ""},
      {"port",
       language.text("line.info.port_text", {{"rank", rank(counts.busiest_rank)},
                                             {"out", language.bytes(counts.busiest_port.sent)},
                                             {"in", language.bytes(counts.busiest_port.received)}}),
       ""},
      {"link",
       counts.busiest_src < 0
           ? "-"
           : language.text("line.info.link_text", {{"src", rank(counts.busiest_src)},
                                                   {"dst", rank(counts.busiest_dst)},
                                                   {"bytes", language.bytes(counts.busiest_link)}}),
       ""},
      {"total", language.bytes(counts.total), ""}};
  const std::optional<Formula> formula = formula_for(trace.schedule);
  if (!formula) return rows;

  const std::uint64_t buffer = buffer_bytes(trace);
  const auto share = [&](std::string_view written, const Share& part) {
    const bool whole = buffer * part.numerator % part.denominator == 0;
    return fmt::format("{} {} {}", written, whole ? "=" : "≈", language.bytes(part.of(buffer)));
  };
  const std::string busiest = share(formula->busiest_written, formula->busiest);
  const auto of_busiest = [&](std::string_view id) {
    return language.text(id, {{"formula", busiest}});
  };
  rows[0].formula = fmt::format("{} = {}", formula->rounds_written, formula->rounds);
  rows[1].formula = rows[2].formula = of_busiest("line.info.by_the_busiest");
  rows[3].formula = of_busiest("line.info.each_way");
  rows[4].formula = share(formula->link_written, formula->link);
  rows[5].formula = share(formula->total_written, formula->total);
  return rows;
}

}  // namespace

std::vector<std::vector<std::string>> traffic_rows(const Trace& trace, const Language& language) {
  const auto label = [&](std::string_view name) {
    return language.text("line.info." + std::string(name));
  };
  const std::vector<Row> counted = counted_rows(trace, language);
  std::size_t width = 0;
  for (const Row& row : counted) width = std::max(width, display_width(row.counted));
  std::vector<std::vector<std::string>> rows;
  for (const Row& row : counted) {
    std::string text = row.counted;
    if (!row.formula.empty())
      text += std::string(width + 3 - display_width(text), ' ') + row.formula;
    rows.push_back({label(row.label), std::move(text)});
  }
  const std::optional<Formula> formula = formula_for(trace.schedule);
  if (!formula) return rows;
  std::string symbols =
      language.text("line.info.symbols", {{"ranks", std::to_string(trace.schedule.ranks)},
                                          {"buffer", language.bytes(buffer_bytes(trace))}});
  if (formula->symbols)
    symbols += language.text("line.info.separator") + language.text(*formula->symbols);
  symbols += language.text("line.run.separator") + language.text("line.info.exact_where");
  rows.push_back({label("formula"), std::move(symbols)});
  rows.push_back({label("source"), language.text(formula->source)});
  if (!formula->document.empty())
    rows.push_back({label("document"), language.text(formula->document)});
  return rows;
}

void add_traffic(Json& json, const Trace& trace, const Language& language) {
  const Counts counts = bytes_moved(trace);
  json["traffic"] = {{"least_sent", counts.sent.least},
                     {"most_sent", counts.sent.most},
                     {"least_received", counts.received.least},
                     {"most_received", counts.received.most},
                     {"busiest_port",
                      {{"rank", counts.busiest_rank},
                       {"out", counts.busiest_port.sent},
                       {"in", counts.busiest_port.received}}},
                     {"busiest_link", Json()},
                     {"total", counts.total}};
  if (counts.busiest_src >= 0)
    json["traffic"]["busiest_link"] = {
        {"src", counts.busiest_src}, {"dst", counts.busiest_dst}, {"bytes", counts.busiest_link}};
  const std::optional<Formula> formula = formula_for(trace.schedule);
  if (!formula) return;
  const auto bytes = [&](const Share& share) {
    return static_cast<double>(buffer_bytes(trace)) * static_cast<double>(share.numerator) /
           static_cast<double>(share.denominator);
  };
  json["formula"] = {{"rounds", formula->rounds},
                     {"bytes_per_rank", bytes(formula->busiest)},
                     {"link", bytes(formula->link)},
                     {"total", bytes(formula->total)},
                     {"written",
                      {{"rounds", formula->rounds_written},
                       {"bytes_per_rank", formula->busiest_written},
                       {"link", formula->link_written},
                       {"total", formula->total_written}}},
                     {"source", language.text(formula->source)}};
  if (!formula->document.empty()) json["formula"]["document"] = language.text(formula->document);
}

}  // namespace ringscope
