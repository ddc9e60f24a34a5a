// What single cells hold: expanded on demand, for those that are drawn.
#include <algorithm>
#include <limits>
#include <span>

#include "core/data/operators.h"
#include "core/replay/numbers.h"
#include "core/replay/replay.h"

namespace ringscope {
namespace {

std::size_t list_index(const Schedule& schedule, std::int32_t rank, std::int32_t chunk) {
  return static_cast<std::size_t>(rank) * static_cast<std::size_t>(schedule.chunks) +
         static_cast<std::size_t>(chunk);
}

// The transfer that has written a place last, among the first `count` of its accesses; -1 where
// none has. A transfer that was not done has written nothing.
std::int32_t last_write(const Trace& trace, std::span<const CellAccesses::Access> accesses,
                        std::size_t count) {
  while (count-- > 0) {
    const std::uint32_t t = accesses[count].transfer();
    if (accesses[count].writes() && t < trace.events.size() && trace.events[t].done != 0)
      return static_cast<std::int32_t>(t);
  }
  return -1;
}

}  // namespace

// The receiver's own terms first, then what it received.
std::vector<std::int32_t> Replay::contents(Place place, std::int32_t writer) const {
  struct Version {
    Place place;
    std::int32_t writer;
  };
  const Schedule& schedule = trace_.schedule;
  const auto most = static_cast<std::size_t>(schedule.ranks);
  // A right schedule needs no more of either; a wrong one could grow without end.
  std::size_t steps = 2 * most * (static_cast<std::size_t>(rounds_) + 1) + 1;
  std::vector<std::int32_t> contributors;
  std::vector<Version> open{{place, writer}};
  while (!open.empty() && contributors.size() <= most && steps-- > 0) {
    const Version version = open.back();
    open.pop_back();
    const auto [rank, cell] = version.place;
    if (version.writer < 0) {
      const std::int32_t own = schedule.initial[list_index(schedule, rank, cell / schedule.slices)];
      if (own != nothing) contributors.push_back(own);
      continue;
    }
    const auto t = static_cast<std::uint32_t>(version.writer);
    const Transfer& transfer = schedule.transfers[t];
    const auto sources = accesses_.of(transfer.src, cell);
    open.push_back(
        {{transfer.src, cell},
         last_write(trace_, sources, accesses_.before_round(transfer.src, cell, transfer.round))});
    if (transfer.action == Action::copy) continue;
    open.push_back({version.place, last_write(trace_, accesses_.of(rank, cell),
                                              accesses_.up_to_write(rank, cell, t) - 1)});
  }
  return contributors;
}

bool Replay::is_goal(Place place, const std::vector<std::int32_t>& contributors) const {
  const Schedule& schedule = trace_.schedule;
  const std::int32_t chunk = place.cell / schedule.slices;
  const std::int32_t goal = schedule.goal[list_index(schedule, place.rank, chunk)];
  if (goal == do_not_care) return false;
  if (goal != everyone) return contributors.size() == 1 && contributors[0] == goal;
  if (contributors.size() != contributors_of_[static_cast<std::size_t>(chunk)]) return false;
  std::vector<std::int32_t> different = contributors;
  std::sort(different.begin(), different.end());
  return std::adjacent_find(different.begin(), different.end()) == different.end();
}

std::vector<std::int32_t> Replay::shown(Place place, std::int32_t writer) const {
  std::vector<std::int32_t> contributors = contents(place, writer);
  if (is_goal(place, contributors)) std::sort(contributors.begin(), contributors.end());
  return contributors;
}

std::optional<Number> Replay::value(Place place, std::int32_t writer) const {
  const auto [rank, cell] = place;
  const auto at = static_cast<std::size_t>(cell);
  const Values& values = trace_.values;
  const Schedule& schedule = trace_.schedule;
  const std::int32_t chunk = cell / schedule.slices;
  if (layout_.kept_elements[at] == 0) return std::nullopt;
  const std::vector<std::byte>* bytes = &values.landed;
  std::uint64_t offset =
      static_cast<std::uint64_t>(rank) * layout_.rank_bytes() + layout_.cell_offsets[at];
  if (writer < 0) {
    if (schedule.initial[list_index(schedule, rank, chunk)] == nothing) return std::nullopt;
    bytes = &values.inputs;
  } else if (layout_.kept == Kept::ends_only) {
    const auto accesses = accesses_.of(rank, cell);
    if (last_write(trace_, accesses, accesses.size()) != writer) return std::nullopt;
    bytes = &values.results;
  } else {
    const auto t = static_cast<std::size_t>(writer);
    const auto first = static_cast<std::size_t>(schedule.transfers[t].first_cell);
    offset = layout_.landed_offsets[t] + layout_.cell_offsets[at] - layout_.cell_offsets[first];
  }
  if (offset + layout_.element_bytes > bytes->size()) return std::nullopt;
  Number number = number_at(std::span(*bytes).subspan(offset), trace_.run.type);
  // A mean of floating numbers is kept scaled down while contributors are missing.
  if (trace_.run.op == Operator::avg && !number.integer && writer >= 0 &&
      contents(place, writer).size() < contributors_of_[static_cast<std::size_t>(chunk)])
    number.real *= avg_scale(schedule.ranks);
  return number;
}

bool Replay::has_read(const ReplayState& state, std::uint32_t t) const {
  if (t >= trace_.events.size() || trace_.events[t].done == 0) return false;
  if (state.measured) return trace_.events[t].move_landed <= state.nanoseconds;
  const std::int32_t round = trace_.schedule.transfers[t].round + 1;
  return round < state.cursor.round ||
         (round == state.cursor.round && beat_of(state.cursor) == Beat::after);
}

// Whether what the writer left is still to be sent or added to.
bool Replay::will_be_read(const ReplayState& state, Place place, std::int32_t writer) const {
  const auto accesses = accesses_.of(place.rank, place.cell);
  const std::size_t from = writer < 0 ? 0
                                      : accesses_.up_to_write(place.rank, place.cell,
                                                              static_cast<std::uint32_t>(writer));
  for (const CellAccesses::Access access : accesses.subspan(from)) {
    const std::uint32_t t = access.transfer();
    if (access.writes()) return trace_.schedule.transfers[t].action == Action::reduce;
    if (!has_read(state, t)) return true;
  }
  return false;
}

std::int32_t Replay::least_far_cell(const ReplayState& state, std::int32_t rank,
                                    std::int32_t chunk) const {
  const Schedule& schedule = trace_.schedule;
  const std::int32_t first = chunk * schedule.slices;
  const bool empty = chunk_extent(schedule, chunk).count == 0;
  std::int32_t least = first;
  std::size_t least_writes = std::numeric_limits<std::size_t>::max();
  for (std::int32_t cell = first; cell < first + schedule.slices; ++cell) {
    if (!empty && layout_.kept_elements[static_cast<std::size_t>(cell)] == 0) continue;
    const std::int32_t writer =
        state.last_writer[static_cast<std::size_t>(rank) * layout_.kept_elements.size() +
                          static_cast<std::size_t>(cell)];
    const std::size_t writes =
        writer < 0 ? 0 : accesses_.up_to_write(rank, cell, static_cast<std::uint32_t>(writer));
    if (writes >= least_writes) continue;
    least = cell;
    least_writes = writes;
  }
  return least;
}

CellView Replay::cell(const ReplayState& state, std::int32_t rank, std::int32_t chunk) const {
  const Schedule& schedule = trace_.schedule;
  const Place place{rank, least_far_cell(state, rank, chunk)};
  CellView view;
  view.elements = chunk_extent(schedule, chunk).count;
  view.writer = state.last_writer[static_cast<std::size_t>(rank) * layout_.kept_elements.size() +
                                  static_cast<std::size_t>(place.cell)];
  view.contributors = shown(place, view.writer);
  view.value = value(place, view.writer);
  if (view.contributors.empty())
    view.holding = Holding::nothing;
  else if (is_goal(place, view.contributors))
    view.holding = Holding::complete;
  else if (!will_be_read(state, place, view.writer))
    view.holding = Holding::stale;
  else
    view.holding = view.writer < 0 ? Holding::local : Holding::partial;

  const std::int32_t round = state.cursor.round - 1;
  if (!state.measured && view.writer >= 0 && beat_of(state.cursor) == Beat::after &&
      schedule.transfers[static_cast<std::size_t>(view.writer)].round == round) {
    view.changed = true;
    const std::vector<std::int32_t> before =
        contents(place, last_write(trace_, accesses_.of(rank, place.cell),
                                   accesses_.before_round(rank, place.cell, round)));
    for (const std::int32_t contributor : view.contributors)
      if (std::find(before.begin(), before.end(), contributor) == before.end())
        view.added.push_back(contributor);
  }
  for (const Motion& motion : state.moving) {
    const Transfer& transfer = schedule.transfers[motion.transfer];
    const std::int32_t first = transfer.first_cell / schedule.slices;
    const std::int32_t last = (transfer.first_cell + transfer.cell_count - 1) / schedule.slices;
    if (chunk < first || chunk > last) continue;
    if (transfer.src == rank) view.sending = static_cast<std::int32_t>(motion.transfer);
    if (transfer.dst == rank) view.arriving.push_back(static_cast<std::int32_t>(motion.transfer));
  }
  return view;
}

std::int32_t Replay::terms(const ReplayState& state, std::int32_t rank, std::int32_t chunk) const {
  const Schedule& schedule = trace_.schedule;
  const std::size_t own =
      static_cast<std::size_t>(rank) * static_cast<std::size_t>(schedule.chunks) +
      static_cast<std::size_t>(chunk);
  const std::int32_t at_start = schedule.initial[own] == nothing ? 0 : 1;
  const std::int32_t cell = least_far_cell(state, rank, chunk);
  const std::int32_t writer =
      state.last_writer[static_cast<std::size_t>(rank) * layout_.kept_elements.size() +
                        static_cast<std::size_t>(cell)];
  return writer < 0 ? at_start : terms_after(static_cast<std::uint32_t>(writer));
}

std::vector<std::int32_t> Replay::carried(std::uint32_t t) const {
  const Transfer& transfer = trace_.schedule.transfers[t];
  const Place place{transfer.src, transfer.first_cell};
  return shown(place, last_write(trace_, accesses_.of(place.rank, place.cell),
                                 accesses_.before_round(place.rank, place.cell, transfer.round)));
}

std::optional<Number> Replay::carried_value(std::uint32_t t) const {
  const Transfer& transfer = trace_.schedule.transfers[t];
  const Place place{transfer.src, valued_cell(transfer)};
  return value(place, last_write(trace_, accesses_.of(place.rank, place.cell),
                                 accesses_.before_round(place.rank, place.cell, transfer.round)));
}

std::vector<std::int32_t> Replay::before(std::uint32_t t) const {
  const Transfer& transfer = trace_.schedule.transfers[t];
  const Place place{transfer.dst, transfer.first_cell};
  return shown(place, last_write(trace_, accesses_.of(place.rank, place.cell),
                                 accesses_.up_to_write(place.rank, place.cell, t) - 1));
}

std::optional<Number> Replay::before_value(std::uint32_t t) const {
  const Transfer& transfer = trace_.schedule.transfers[t];
  const Place place{transfer.dst, valued_cell(transfer)};
  return value(place, last_write(trace_, accesses_.of(place.rank, place.cell),
                                 accesses_.up_to_write(place.rank, place.cell, t) - 1));
}

std::vector<std::int32_t> Replay::after(std::uint32_t t) const {
  const Transfer& transfer = trace_.schedule.transfers[t];
  return shown({transfer.dst, transfer.first_cell}, static_cast<std::int32_t>(t));
}

std::optional<Number> Replay::after_value(std::uint32_t t) const {
  if (t >= trace_.events.size() || trace_.events[t].done == 0) return std::nullopt;
  const Transfer& transfer = trace_.schedule.transfers[t];
  return value({transfer.dst, valued_cell(transfer)}, static_cast<std::int32_t>(t));
}

std::int32_t Replay::valued_cell(const Transfer& transfer) const {
  for (std::int32_t cell = transfer.first_cell; cell < transfer.first_cell + transfer.cell_count;
       ++cell)
    if (layout_.kept_elements[static_cast<std::size_t>(cell)] > 0) return cell;
  return transfer.first_cell;
}

}  // namespace ringscope
