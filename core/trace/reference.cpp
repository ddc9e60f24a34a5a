#include "core/trace/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>

#include "core/schedule/opaque.h"
#include "core/trace/element_text.h"

namespace ringscope {
namespace {

constexpr std::uint64_t block_elements = 8192;  // so that a thread's arrays stay in its caches

std::size_t at(std::int32_t rank, std::int32_t part, std::int32_t parts) {
  return static_cast<std::size_t>(rank) * static_cast<std::size_t>(parts) +
         static_cast<std::size_t>(part);
}

// Additions on the longest path to each cell, [rank * cells + cell]. Sources count as they were
// before the round.
std::vector<std::int32_t> depths_of(const Schedule& schedule) {
  const std::int32_t cells = cells_per_rank(schedule);
  std::vector<std::int32_t> depths(
      static_cast<std::size_t>(schedule.ranks) * static_cast<std::size_t>(cells), 0);
  std::vector<std::int32_t> sent;
  const std::vector<std::uint32_t> starts = round_starts(schedule);
  for (std::size_t round = 0; round + 1 < starts.size(); ++round) {
    const auto transfers =
        std::span(schedule.transfers).subspan(starts[round], starts[round + 1] - starts[round]);
    sent.clear();
    for (const Transfer& transfer : transfers)
      for (std::int32_t i = 0; i < transfer.cell_count; ++i)
        sent.push_back(depths[at(transfer.src, transfer.first_cell + i, cells)]);
    auto next = sent.begin();
    for (const Transfer& transfer : transfers)
      for (std::int32_t i = 0; i < transfer.cell_count; ++i) {
        std::int32_t& depth = depths[at(transfer.dst, transfer.first_cell + i, cells)];
        depth = transfer.action == Action::copy ? *next : std::max(depth, *next) + 1;
        ++next;
      }
  }
  return depths;
}

// The ranks that shall end with the same, and what that holds.
struct Group {
  std::vector<std::int32_t> ranks;
  std::vector<std::int32_t> contributors;
};

// A run of elements of which the same is wanted.
struct Piece {
  Extent extent;
  std::int32_t chunk = 0;  // one that shows the goals
  std::int32_t depth = 0;  // the greatest of the ranks that want everyone
};

bool same_goals(const Schedule& schedule, std::int32_t chunk, std::int32_t other) {
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    const std::size_t here = at(rank, chunk, schedule.chunks);
    const std::size_t there = at(rank, other, schedule.chunks);
    if (schedule.goal[here] != schedule.goal[there] ||
        schedule.initial[here] != schedule.initial[there])
      return false;
  }
  return true;
}

// What is added nobody knows how has N - 1 additions at most, whatever their order; a mean may have
// two roundings more a term, that of 1 / N and that of the product with it.
std::int32_t unseen_depth(const Schedule& schedule, Operator op) {
  return schedule.ranks - 1 + (op == Operator::avg ? 2 : 0);
}

// The first kept[cell] elements of each cell (all, where the list is empty). Those that lie side by
// side and want the same are one piece.
std::vector<Piece> pieces_of(const Schedule& schedule, Operator op,
                             std::span<const std::uint32_t> kept) {
  std::vector<std::int32_t> depths = depths_of(schedule);
  if (is_opaque(schedule)) std::ranges::fill(depths, unseen_depth(schedule, op));
  const std::int32_t cells = cells_per_rank(schedule);
  std::vector<Piece> pieces;
  for (std::int32_t cell = 0; cell < cells; ++cell) {
    Piece piece{cell_extent(schedule, cell), cell / schedule.slices, 0};
    if (!kept.empty())
      piece.extent.count =
          std::min<std::uint64_t>(piece.extent.count, kept[static_cast<std::size_t>(cell)]);
    if (piece.extent.count == 0) continue;
    for (std::int32_t rank = 0; rank < schedule.ranks; ++rank)
      if (schedule.goal[at(rank, piece.chunk, schedule.chunks)] == everyone)
        piece.depth = std::max(piece.depth, depths[at(rank, cell, cells)]);
    if (!pieces.empty() && pieces.back().depth == piece.depth &&
        pieces.back().extent.first + pieces.back().extent.count == piece.extent.first &&
        same_goals(schedule, pieces.back().chunk, piece.chunk))
      pieces.back().extent.count += piece.extent.count;
    else
      pieces.push_back(piece);
  }
  return pieces;
}

std::vector<Group> groups_of(const Schedule& schedule, std::int32_t chunk) {
  std::vector<std::int32_t> all;  // whom the chunk holds anywhere at the start
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    const std::int32_t initial = schedule.initial[at(rank, chunk, schedule.chunks)];
    if (initial != nothing) all.push_back(initial);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());

  std::vector<std::pair<std::int32_t, std::int32_t>> wanted;  // goal, rank
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank)
    wanted.emplace_back(schedule.goal[at(rank, chunk, schedule.chunks)], rank);
  std::sort(wanted.begin(), wanted.end());
  std::vector<Group> groups;
  std::int32_t goal = do_not_care;
  for (const auto& [next, rank] : wanted) {
    if (next == do_not_care || (next == everyone && all.empty())) continue;
    if (groups.empty() || next != goal)
      groups.push_back({{}, next == everyone ? all : std::vector<std::int32_t>{next}});
    groups.back().ranks.push_back(rank);
    goal = next;
  }
  return groups;
}

// What one thread found. Joined, the first failure stays.
struct Findings {
  std::uint64_t elements = 0;
  bool agree = true;
  bool exact = true;
  double largest_error = 0, largest_error_in_bounds = 0;
  std::uint64_t wrapped = 0, overflowed = 0, underflowed = 0;
  std::tuple<std::uint64_t, std::int32_t> place;  // element, rank: of the failure
  std::optional<Message> failure;

  void fail(std::uint64_t element, std::int32_t rank, Message message) {
    if (failure && place <= std::tuple(element, rank)) return;
    place = {element, rank};
    failure = std::move(message);
  }
  void join(const Findings& other) {
    elements += other.elements;
    agree = agree && other.agree;
    exact = exact && other.exact;
    largest_error = std::max(largest_error, other.largest_error);
    largest_error_in_bounds = std::max(largest_error_in_bounds, other.largest_error_in_bounds);
    wrapped += other.wrapped;
    overflowed += other.overflowed;
    underflowed += other.underflowed;
    if (other.failure) fail(std::get<0>(other.place), std::get<1>(other.place), *other.failure);
  }
};

struct Case {
  const Schedule& schedule;
  const InputSpec& inputs;
  const ElementReader& read_inputs;
  const ElementReader& read_results;
};

// Judges runs of elements, one after another; one a thread.
class Judge {
 public:
  explicit Judge(const Case& judged) : case_(judged) {}

  void judge_block(const Piece& piece, Extent extent) {
    if (piece.chunk != chunk_) {
      chunk_ = piece.chunk;
      groups_ = groups_of(case_.schedule, chunk_);
    }
    const std::size_t bytes = static_cast<std::size_t>(extent.count) * bytes_of(case_.inputs.type);
    first_.resize(bytes);
    other_.resize(bytes);
    for (const Group& group : groups_) {
      expect(case_.inputs, case_.read_inputs,
             {group.contributors, piece.depth, is_opaque(case_.schedule)}, extent, expectation_);
      findings_.wrapped += expectation_.wrapped;
      findings_.overflowed += expectation_.overflowed;
      findings_.underflowed += expectation_.underflowed;
      findings_.exact = findings_.exact && expectation_.bitwise;
      findings_.elements += extent.count * group.ranks.size();
      judge_group(group, extent);
    }
  }
  const Findings& findings() const { return findings_; }

 private:
  void judge_group(const Group& group, Extent extent) {
    const std::int32_t first = group.ranks.front();
    case_.read_results(first, extent, first_);
    compare_rank(first, extent, first_);
    for (const std::int32_t rank : std::span(group.ranks).subspan(1)) {
      case_.read_results(rank, extent, other_);
      if (std::memcmp(first_.data(), other_.data(), other_.size()) == 0) continue;
      findings_.agree = false;
      compare_rank(rank, extent, other_);  // so that the wrong one is named, not just the other
      const auto [here, there] = std::mismatch(first_.begin(), first_.end(), other_.begin());
      const std::size_t size = bytes_of(case_.inputs.type);
      const std::size_t i = static_cast<std::size_t>(here - first_.begin()) / size;
      findings_.fail(
          extent.first + i, case_.schedule.ranks,  // after what the reference found there
          {"verdict.disagree",
           {{"rank", std::to_string(first)},
            {"other", std::to_string(rank)},
            {"element", std::to_string(extent.first + i)},
            {"got", element_text(case_.inputs.type, first_.data() + i * size, true)},
            {"other_got", element_text(case_.inputs.type, other_.data() + i * size, true)}}});
    }
  }

  void compare_rank(std::int32_t rank, Extent extent, const std::vector<std::byte>& got) {
    const Comparison found = compare(expectation_, case_.inputs.type, got);
    findings_.largest_error = std::max(findings_.largest_error, found.largest_error);
    findings_.largest_error_in_bounds =
        std::max(findings_.largest_error_in_bounds, found.largest_error_in_bounds);
    if (!found.first_wrong) return;
    const std::size_t i = *found.first_wrong, at = i * bytes_of(case_.inputs.type);
    Message message{
        "verdict.wrong",
        {{"rank", std::to_string(rank)}, {"element", std::to_string(extent.first + i)}}};
    if (expectation_.bitwise) {
      const TextPair texts =
          telling_texts(case_.inputs.type, got.data() + at, expectation_.bits.data() + at);
      message.arguments.insert(message.arguments.end(),
                               {{"got", texts.first}, {"wanted", texts.second}});
    } else {
      message.id = "verdict.out_of_bounds";
      message.arguments.insert(message.arguments.end(),
                               {{"got", element_text(case_.inputs.type, got.data() + at)},
                                {"wanted", fmt::format("{:.9g}", expectation_.value[i])},
                                {"bound", fmt::format("{:.3g}", expectation_.bound[i])}});
    }
    findings_.fail(extent.first + i, rank, std::move(message));
  }

  const Case& case_;
  std::int32_t chunk_ = -1;  // whose groups are at hand
  std::vector<Group> groups_;
  Expectation expectation_;
  std::vector<std::byte> first_, other_;
  Findings findings_;
};

struct Block {
  const Piece* piece;
  Extent extent;
};

std::vector<Block> blocks_of(const std::vector<Piece>& pieces) {
  std::vector<Block> blocks;
  for (const Piece& piece : pieces)
    for (std::uint64_t done = 0; done < piece.extent.count; done += block_elements)
      blocks.push_back(
          {&piece,
           {piece.extent.first + done, std::min(block_elements, piece.extent.count - done)}});
  return blocks;
}

// Each thread takes the next block that nobody has taken.
Findings judge_blocks(const std::vector<Block>& blocks, const Case& judged) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // of the two below
  Findings all;
  std::exception_ptr thrown;
  const auto work = [&] {
    Judge judge(judged);
    std::exception_ptr fault;
    try {
      for (std::size_t i = next++; i < blocks.size(); i = next++)
        judge.judge_block(*blocks[i].piece, blocks[i].extent);
    } catch (...) {
      fault = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    all.join(judge.findings());
    if (fault) thrown = fault;
  };
  constexpr std::size_t worth_a_thread = 8;  // blocks
  const std::size_t most = std::max(1u, std::thread::hardware_concurrency());
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < std::min(most, blocks.size() / worth_a_thread); ++i)
      others.emplace_back(work);
    work();
  }
  if (thrown) std::rethrow_exception(thrown);
  return all;
}

Verdict verdict_of(const Case& judged, std::span<const std::uint32_t> kept) {
  const std::vector<Piece> pieces = pieces_of(judged.schedule, judged.inputs.op, kept);
  const Findings found = judge_blocks(blocks_of(pieces), judged);
  Verdict verdict;
  verdict.elements = found.elements;
  verdict.ranks_agree = found.agree;
  verdict.exact = found.exact;
  verdict.largest_error = found.largest_error;
  verdict.largest_error_in_bounds = found.largest_error_in_bounds;
  verdict.wrapped = found.wrapped;
  verdict.overflowed = found.overflowed;
  verdict.underflowed = found.underflowed;
  verdict.failure = found.failure;
  verdict.outcome = found.failure ? Verdict::Outcome::failed : Verdict::Outcome::verified;
  return verdict;
}

}  // namespace

Verdict judge(const Schedule& schedule, const InputSpec& inputs, const ElementReader& read) {
  assert(inputs.ranks == schedule.ranks && inputs.count == schedule.count);
  const ElementReader made_again = [&](int rank, Extent extent, std::span<std::byte> out) {
    fill_input(inputs, rank, extent.first, out);
  };
  return verdict_of({schedule, inputs, made_again, read}, {});
}

Verdict judge_kept(const Schedule& schedule, const InputSpec& inputs,
                   std::span<const std::uint32_t> kept, const ElementReader& read_inputs,
                   const ElementReader& read_results) {
  return verdict_of({schedule, inputs, read_inputs, read_results}, kept);
}

}  // namespace ringscope
