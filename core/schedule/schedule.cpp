#include "core/schedule/schedule.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>

#include "core/error.h"
#include "core/schedule/fold.h"

namespace ringscope {

std::int32_t cells_per_rank(const Schedule& schedule) { return schedule.chunks * schedule.slices; }

std::int32_t rounds_of(const Schedule& schedule) {
  if (schedule.phases.empty()) return 0;
  return schedule.phases.back().first_round + schedule.phases.back().round_count;
}

std::int32_t phase_of(const Schedule& schedule, std::int32_t round) {
  for (std::size_t i = schedule.phases.size(); i-- > 0;)
    if (schedule.phases[i].first_round <= round && schedule.phases[i].round_count > 0)
      return static_cast<std::int32_t>(i);
  assert(false && "phase_of: no such round");
  return 0;
}

std::string round_name(const Schedule& schedule, std::int32_t round) {
  if (round < 0) return "0";
  const std::int32_t phase = phase_of(schedule, round);
  const std::int32_t first = schedule.phases[static_cast<std::size_t>(phase)].first_round;
  return std::to_string(phase + 1) + '.' + std::to_string(round - first + 1);
}

std::int32_t round_named(const Schedule& schedule, std::string_view name) {
  if (name == "0") return -1;
  std::int32_t phase = 0, step = 0;
  const char* const end = name.data() + name.size();
  const auto [dot, phase_fault] = std::from_chars(name.data(), end, phase);
  if (phase_fault == std::errc{} && dot != end && *dot == '.') {
    const auto [rest, step_fault] = std::from_chars(dot + 1, end, step);
    if (step_fault == std::errc{} && rest == end && phase >= 1 &&
        phase <= static_cast<std::int32_t>(schedule.phases.size())) {
      const Phase& found = schedule.phases[static_cast<std::size_t>(phase - 1)];
      if (step >= 1 && step <= found.round_count) return found.first_round + step - 1;
    }
  }
  std::string known = "0";
  for (const Phase& found : schedule.phases) {
    if (found.round_count == 0) continue;
    known += ", " + round_name(schedule, found.first_round);
    if (found.round_count > 1)
      known += ".." + round_name(schedule, found.first_round + found.round_count - 1);
  }
  throw Error({"error.round.unknown", {{"round", std::string(name)}, {"known", known}}},
              Blame::usage);
}

std::vector<std::uint32_t> round_starts(const Schedule& schedule) {
  std::vector<std::uint32_t> starts(static_cast<std::size_t>(rounds_of(schedule)) + 1, 0);
  for (const Transfer& transfer : schedule.transfers)
    ++starts[static_cast<std::size_t>(transfer.round) + 1];
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  return starts;
}

bool continues_step(const Schedule& schedule, std::uint32_t transfer) {
  if (transfer == 0 || schedule.slices == 1) return false;
  const Transfer& last = schedule.transfers[transfer - 1];
  const Transfer& next = schedule.transfers[transfer];
  return last.src == next.src && last.dst == next.dst && last.round == next.round &&
         last.action == next.action && last.first_cell + last.cell_count == next.first_cell;
}

Extent cut(std::uint64_t count, std::int32_t parts, std::int32_t j) {
  const auto n = static_cast<std::uint64_t>(parts);
  const std::uint64_t q = count / n, r = count % n;
  const auto begin = [&](std::uint64_t part) { return q * part + r * part / n; };
  const auto part = static_cast<std::uint64_t>(j);
  return {begin(part), begin(part + 1) - begin(part)};
}

Extent chunk_extent(const Schedule& schedule, std::int32_t chunk) {
  return cut(schedule.count, schedule.chunks, chunk);
}

Extent cell_extent(const Schedule& schedule, std::int32_t cell) {
  const Extent chunk = chunk_extent(schedule, cell / schedule.slices);
  const Extent slice = cut(chunk.count, schedule.slices, cell % schedule.slices);
  return {chunk.first + slice.first, slice.count};
}

Extent transfer_extent(const Schedule& schedule, const Transfer& transfer) {
  const Extent first = cell_extent(schedule, transfer.first_cell);
  const Extent last = cell_extent(schedule, transfer.first_cell + transfer.cell_count - 1);
  return {first.first, last.first + last.count - first.first};
}

std::vector<std::uint64_t> cell_begins(const Schedule& schedule) {
  std::vector<std::uint64_t> begins;
  begins.reserve(static_cast<std::size_t>(cells_per_rank(schedule)) + 1);
  for (std::int32_t cell = 0; cell < cells_per_rank(schedule); ++cell)
    begins.push_back(cell_extent(schedule, cell).first);
  begins.push_back(schedule.count);
  return begins;
}

std::vector<Traffic> traffic_by_rank(const Schedule& schedule) {
  std::vector<Traffic> traffic(static_cast<std::size_t>(schedule.ranks));
  const std::vector<std::uint64_t> begins = cell_begins(schedule);
  for (const Transfer& transfer : schedule.transfers) {
    const auto first = static_cast<std::size_t>(transfer.first_cell);
    const std::uint64_t count =
        begins[first + static_cast<std::size_t>(transfer.cell_count)] - begins[first];
    traffic[static_cast<std::size_t>(transfer.src)].sent += count;
    traffic[static_cast<std::size_t>(transfer.dst)].received += count;
  }
  return traffic;
}

namespace {

std::int32_t one_chunk(const ScheduleRequest&) { return 1; }
std::int32_t chunk_a_rank(const ScheduleRequest& request) { return request.ranks; }

constexpr std::array<Algorithm, 12> table{{
    {.name = "ring", .make = make_ring, .chunks = chunk_a_rank, .has_order = true},
    {.name = "bidirectional",
     .make = make_bidirectional,
     .chunks = [](const ScheduleRequest& request) { return 2 * request.ranks; },
     .has_order = true},
    {.name = "parameter-server",
     .make = make_parameter_server,
     .chunks = one_chunk,
     .has_root = true,
     .one_slice = true},
    {.name = "tree", .make = make_tree, .chunks = one_chunk},
    {.name = "double-tree",
     .make = make_double_tree,
     .chunks = [](const ScheduleRequest&) { return 2; }},
    {.name = "recursive-doubling", .make = make_recursive_doubling, .chunks = one_chunk},
    {.name = "halving-doubling",
     .make = make_halving_doubling,
     .chunks = [](const ScheduleRequest& request) { return fold_of(request.ranks).places; }},
    {.name = "hierarchical",
     .make = make_hierarchical,
     .chunks =
         [](const ScheduleRequest& request) {
           return request.groups.empty() ? (request.ranks - 1) / 4 + 1
                                         : static_cast<std::int32_t>(request.groups.size());
         },
     .has_groups = true},
    {.name = "reduce-scatter",
     .make = make_reduce_scatter,
     .chunks = chunk_a_rank,
     .has_order = true},
    {.name = "all-gather",
     .make = make_all_gather,
     .chunks = chunk_a_rank,
     .has_order = true,
     .has_operator = false},
    {.name = "reduce",
     .make = make_reduce,
     .chunks = one_chunk,
     .has_order = true,
     .has_root = true},
    {.name = "broadcast",
     .make = make_broadcast,
     .chunks = one_chunk,
     .has_order = true,
     .has_root = true,
     .has_operator = false},
}};

}  // namespace

std::span<const Algorithm> algorithms() { return table; }

namespace {

// Null for the name of an algorithm that this program does not have, as a trace may hold.
const Algorithm* find_algorithm(std::string_view name) {
  const auto row = std::find_if(table.begin(), table.end(),
                                [&](const Algorithm& candidate) { return candidate.name == name; });
  return row == table.end() ? nullptr : &*row;
}

// The rank in whose one chunk alone the list has something else than `otherwise`.
std::optional<std::int32_t> only_one(const std::vector<std::int32_t>& of_ranks,
                                     std::int32_t otherwise) {
  const auto is_other = [&](std::int32_t value) { return value != otherwise; };
  if (std::count_if(of_ranks.begin(), of_ranks.end(), is_other) != 1) return std::nullopt;
  const auto found = std::find_if(of_ranks.begin(), of_ranks.end(), is_other);
  return static_cast<std::int32_t>(found - of_ranks.begin());
}

}  // namespace

bool has_operator(const Schedule& schedule) {
  const Algorithm* const row = find_algorithm(schedule.algorithm);
  return row == nullptr || row->has_operator;
}

std::optional<std::int32_t> root_of(const Schedule& schedule) {
  const Algorithm* const row = find_algorithm(schedule.algorithm);
  if (row == nullptr || !row->has_root || schedule.chunks != 1) return std::nullopt;
  if (const auto root = only_one(schedule.initial, nothing)) return root;   // a broadcast's
  if (const auto root = only_one(schedule.goal, do_not_care)) return root;  // a reduce's
  return schedule.transfers.empty() ? 0 : schedule.transfers.front().dst;   // all push to it first
}

const Algorithm& algorithm_named(std::string_view name) {
  if (const Algorithm* const row = find_algorithm(name)) return *row;
  std::string known;
  for (const Algorithm& row : table) known += (known.empty() ? "" : ", ") + std::string(row.name);
  throw Error({"error.algorithm.unknown", {{"name", std::string(name)}, {"known", known}}},
              Blame::usage);
}

}  // namespace ringscope
