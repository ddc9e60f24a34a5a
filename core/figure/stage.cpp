#include "core/figure/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/replay/symbols.h"

namespace ringscope {
namespace {

// More cells than this are shown as shades only.
constexpr std::int32_t most_cells = 4096;

}  // namespace

Scene::Scene(const ViewContext& view_context, const ReplayState& replay_state, StageFit fit,
             bool with_cells)
    : context(view_context),
      state(replay_state),
      replay(view_context.replay),
      trace(replay.trace()),
      schedule(trace.schedule),
      theme(view_context.theme),
      language(view_context.language),
      beat(replay_state.measured ? Beat::moving : beat_of(replay_state.cursor)),
      drawing(view_context.theme, view_context.fonts, view_context.size, fit.unit),
      foot(std::move(fit.foot)) {
  const Size room = drawing.room();
  stage = {0, 0, room.width, room.height - foot_height(foot)};
  if (!with_cells || std::int64_t{schedule.ranks} * schedule.chunks > most_cells) return;
  cells.reserve(static_cast<std::size_t>(schedule.ranks * schedule.chunks));
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank)
    for (std::int32_t chunk = 0; chunk < schedule.chunks; ++chunk)
      cells.push_back(replay.cell(state, rank, chunk));
}

bool Scene::selects(std::uint32_t transfer) const {
  const std::int32_t selected = context.selection.transfer;
  if (selected < 0 || static_cast<std::size_t>(selected) >= schedule.transfers.size()) return false;
  const Transfer& one = schedule.transfers[static_cast<std::size_t>(selected)];
  const Transfer& other = schedule.transfers[transfer];
  return one.src == other.src && one.dst == other.dst && one.round == other.round &&
         chunk_of(static_cast<std::uint32_t>(selected)) == chunk_of(transfer);
}

std::vector<std::int32_t> Scene::arriving(const CellView& cell) const {
  std::vector<std::int32_t> contributors;
  std::set<std::pair<std::int32_t, std::int32_t>> seen;  // slices of one step bring the same
  for (const std::int32_t t : cell.arriving) {
    const Transfer& transfer = schedule.transfers[static_cast<std::size_t>(t)];
    if (!seen.emplace(transfer.round, transfer.src).second) continue;
    const std::vector<std::int32_t> carried = replay.carried(static_cast<std::uint32_t>(t));
    contributors.insert(contributors.end(), carried.begin(), carried.end());
  }
  return contributors;
}

std::string Scene::term_of(std::int32_t rank, std::int32_t chunk) const {
  return term(rank, chunk, schedule.ranks);
}

std::string Scene::symbol_of(const std::vector<std::int32_t>& contributors,
                             std::int32_t chunk) const {
  const bool complete = contributors.size() == static_cast<std::size_t>(schedule.ranks);
  return symbol(contributors, chunk, schedule.ranks, trace.run.op, complete);
}

// A line ends before the operator that begins the next one, or behind a comma: 'a0+b0', '+c0+d0'.
std::vector<std::string> Scene::symbol_lines(const std::vector<std::int32_t>& contributors,
                                             std::int32_t chunk, bool complete, int terms) const {
  const std::string whole = symbol(contributors, chunk, schedule.ranks, trace.run.op, complete);
  std::vector<std::string> lines{""};
  int in_line = 1;
  for (const char character : whole) {
    const bool before = (character == '+' || character == '*') && !lines.back().empty();
    if (before && ++in_line > terms) lines.emplace_back(), in_line = 1;
    lines.back() += character;
    if (character == ',' && ++in_line > terms) lines.emplace_back(), in_line = 1;
  }
  return lines;
}

std::string Scene::value_text(const std::optional<Number>& value, std::size_t characters) const {
  if (context.cell_text == CellText::symbols) return "";
  if (!value) return "-";
  const std::string whole = text_of(*value, trace.run.type);
  if (whole.size() <= characters) return whole;
  const double number = value->integer ? static_cast<double>(value->whole) : value->real;
  for (int digits = 9; digits > 1; --digits) {
    std::string shorter = fmt::format("{:.{}g}", number, digits);
    // '1.2e+09' says no more than '1.2e9'.
    if (const std::size_t plus = shorter.find("e+"); plus != shorter.npos)
      shorter.erase(plus + 1, shorter[plus + 2] == '0' ? 2 : 1);
    if (shorter.size() <= characters) return shorter;
  }
  return fmt::format("{:.0e}", number);
}

std::string Scene::value_title(const CellView& cell) const {
  if (!cell.value) return "";
  const std::string whole = text_of(*cell.value, trace.run.type);
  if (cell.elements <= 1) return whole;
  return whole + ", " +
         language.text("view.first_of_title", {{"elements", language.integer(cell.elements)}});
}

std::string elements_of_chunks(const Scene& scene) {
  const Schedule& schedule = scene.schedule;
  const auto chunks = static_cast<std::uint64_t>(schedule.chunks);
  const std::uint64_t least = schedule.count / chunks;
  const std::uint64_t most = (schedule.count + chunks - 1) / chunks;
  if (most <= 1) return "";
  if (least == most) return scene.language.integer(most);
  return scene.language.text("view.range", {{"least", scene.language.integer(least)},
                                            {"most", scene.language.integer(most)}});
}

std::int32_t full_terms(const Schedule& schedule, std::int32_t chunk) {
  std::int32_t terms = 0;
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank)
    if (schedule
            .initial[static_cast<std::size_t>(rank) * static_cast<std::size_t>(schedule.chunks) +
                     static_cast<std::size_t>(chunk)] != nothing)
      ++terms;
  return std::max(terms, 1);
}

double eased(double fraction) {
  const double t = std::clamp(fraction, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace ringscope
