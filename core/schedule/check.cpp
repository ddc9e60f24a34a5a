#include "core/schedule/check.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <string>
#include <tuple>

namespace ringscope {
namespace {

constexpr std::int64_t most_ranks = 32768;  // beyond, a ring has more transfers than can be counted
constexpr std::int64_t most_moved = std::int64_t{1} << 27;
// Sizes that no list backs (slices, empty rounds) are held against what the schedule really does,
// so that a damaged file can't ask for all memory: up to this many are fine in any case.
constexpr std::int64_t fine_in_any_case = std::int64_t{1} << 22;

// The first `limit` problems, wherever they are found.
class Found {
 public:
  explicit Found(std::size_t limit) : limit_(std::max<std::size_t>(limit, 1)) {}

  void add(const Problem& problem) {
    problems_.push_back(problem);
    if (problems_.size() / 2 > std::max<std::size_t>(limit_, 512)) sort_and_cut();
  }
  std::vector<Problem> in_order() && {
    sort_and_cut();
    return std::move(problems_);
  }

 private:
  // By round and transfer, the goals last; those by rank, cell and contributor.
  static auto order_of(const Problem& problem) {
    const bool of_goal = problem.defect == Defect::lost || problem.defect == Defect::intruder;
    return std::tuple(of_goal, problem.round, problem.transfer, problem.rank, problem.cell,
                      problem.contributor, problem.defect);
  }
  void sort_and_cut() {
    std::sort(problems_.begin(), problems_.end(), [](const Problem& left, const Problem& right) {
      return order_of(left) < order_of(right);
    });
    if (problems_.size() > limit_) problems_.resize(limit_);
  }

  std::size_t limit_;
  std::vector<Problem> problems_;
};

bool sizes_agree(const Schedule& schedule) {
  if (schedule.ranks < 1 || schedule.ranks > most_ranks || schedule.chunks < 1 ||
      schedule.slices < 1)
    return false;
  if (std::int64_t{schedule.chunks} * schedule.slices > std::numeric_limits<std::int32_t>::max())
    return false;
  const auto chunks_of_all =
      static_cast<std::size_t>(schedule.ranks) * static_cast<std::size_t>(schedule.chunks);
  return schedule.initial.size() == chunks_of_all && schedule.goal.size() == chunks_of_all &&
         schedule.transfers.size() <= static_cast<std::size_t>(most_moved);
}

bool phases_follow_each_other(const Schedule& schedule) {
  std::int64_t next = 0;
  for (const Phase& phase : schedule.phases) {
    if (phase.first_round != next || phase.round_count < 0) return false;
    next += phase.round_count;
    if (next > std::numeric_limits<std::int32_t>::max()) return false;
  }
  return next <= fine_in_any_case + static_cast<std::int64_t>(schedule.transfers.size());
}

bool order_is_permutation(const Schedule& schedule) {
  if (schedule.order.empty()) return true;
  if (schedule.order.size() != static_cast<std::size_t>(schedule.ranks)) return false;
  std::vector<bool> seen(schedule.order.size(), false);
  for (const std::int32_t rank : schedule.order) {
    if (rank < 0 || rank >= schedule.ranks || seen[static_cast<std::size_t>(rank)]) return false;
    seen[static_cast<std::size_t>(rank)] = true;
  }
  return true;
}

void check_starts_and_goals(const Schedule& schedule, Found& found) {
  for (std::size_t i = 0; i < schedule.initial.size(); ++i) {
    const auto told = [&](std::int32_t value) {
      const auto chunks = static_cast<std::size_t>(schedule.chunks);
      found.add({.defect = Defect::out_of_range,
                 .rank = static_cast<std::int32_t>(i / chunks),
                 .cell = static_cast<std::int32_t>(i % chunks) * schedule.slices,
                 .contributor = value});
    };
    if (schedule.initial[i] < nothing || schedule.initial[i] >= schedule.ranks)
      told(schedule.initial[i]);
    if (schedule.goal[i] < do_not_care || schedule.goal[i] >= schedule.ranks)
      told(schedule.goal[i]);
  }
}

void check_transfers(const Schedule& schedule, Found& found) {
  const std::int32_t cells = cells_per_rank(schedule), rounds = rounds_of(schedule);
  std::int32_t round = 0;  // that of the transfer before
  for (std::size_t t = 0; t < schedule.transfers.size(); ++t) {
    const Transfer& transfer = schedule.transfers[t];
    const bool there =
        transfer.src >= 0 && transfer.src < schedule.ranks && transfer.dst >= 0 &&
        transfer.dst < schedule.ranks && transfer.src != transfer.dst && transfer.first_cell >= 0 &&
        transfer.first_cell < cells && transfer.cell_count >= 1 &&
        transfer.cell_count <= cells - transfer.first_cell && transfer.slice >= 0 &&
        transfer.slice < schedule.slices && transfer.round >= round && transfer.round < rounds &&
        (transfer.action == Action::reduce || transfer.action == Action::copy);
    if (!there)
      found.add({.defect = Defect::out_of_range,
                 .transfer = static_cast<std::int64_t>(t),
                 .round = transfer.round,
                 .rank = transfer.dst,
                 .cell = transfer.first_cell});
    round = std::max(round, transfer.round);
  }
}

bool fits_memory(const Schedule& schedule) {
  std::int64_t moved = 0;
  for (const Transfer& transfer : schedule.transfers) moved += transfer.cell_count;
  const std::int64_t cells_of_all = std::int64_t{schedule.ranks} * cells_per_rank(schedule);
  return moved <= most_moved && (cells_of_all <= fine_in_any_case || cells_of_all <= 2 * moved);
}

// What the cells of one number hold at all ranks, as sets of contributors. Cells of different
// numbers never meet, so the proof goes cell number by cell number: the sets of 1,024 ranks are
// then 128 KiB, which stay in the cache.
class Column {
 public:
  using Word = std::uint64_t;

  Column(const Schedule& schedule, Found& found)
      : schedule_(schedule),
        found_(found),
        words_((static_cast<std::size_t>(schedule.ranks) + 63) / 64),
        sets_(words_ * static_cast<std::size_t>(schedule.ranks)),
        all_(words_),
        wanted_(words_),
        last_write_(static_cast<std::size_t>(schedule.ranks)) {}

  // Runs the transfers of the cell, which are in list order, and holds the goals against the end.
  void check(std::int32_t cell, std::span<const std::uint32_t> transfers) {
    cell_ = cell;
    start();
    for (std::size_t begin = 0, end = 0; begin < transfers.size(); begin = end) {
      const std::int32_t round = schedule_.transfers[transfers[begin]].round;
      while (end < transfers.size() && schedule_.transfers[transfers[end]].round == round) ++end;
      run_round(transfers.subspan(begin, end - begin));
    }
    check_goals();
  }

 private:
  struct Write {
    std::int32_t round = -1;
    bool copy = false;
  };

  Word* set_of(std::int32_t rank) { return &sets_[static_cast<std::size_t>(rank) * words_]; }
  static void insert(Word* set, std::int32_t contributor) {
    set[contributor / 64] |= Word{1} << (contributor % 64);
  }
  // The lowest contributor of a set; -1 of an empty one.
  std::int32_t lowest(const Word* set) const {
    for (std::size_t i = 0; i < words_; ++i)
      if (set[i] != 0) return static_cast<std::int32_t>(64 * i) + std::countr_zero(set[i]);
    return -1;
  }
  bool is_empty(const Word* set) const {
    Word any = 0;
    for (std::size_t i = 0; i < words_; ++i) any |= set[i];
    return any == 0;
  }
  std::size_t list_index(std::int32_t rank) const {
    return static_cast<std::size_t>(rank) * static_cast<std::size_t>(schedule_.chunks) +
           static_cast<std::size_t>(cell_ / schedule_.slices);
  }

  void start() {
    std::fill(sets_.begin(), sets_.end(), 0);
    std::fill(all_.begin(), all_.end(), 0);
    std::fill(last_write_.begin(), last_write_.end(), Write{});
    for (std::int32_t rank = 0; rank < schedule_.ranks; ++rank) {
      const std::int32_t contributor = schedule_.initial[list_index(rank)];
      if (contributor == nothing) continue;
      insert(set_of(rank), contributor);
      insert(all_.data(), contributor);
    }
  }

  void run_round(std::span<const std::uint32_t> transfers) {
    if (transfers.size() == 1) {
      run(transfers[0], set_of(schedule_.transfers[transfers[0]].src));
      return;
    }
    carried_.resize(transfers.size() * words_);
    for (std::size_t i = 0; i < transfers.size(); ++i)
      std::copy_n(set_of(schedule_.transfers[transfers[i]].src), words_, &carried_[i * words_]);
    for (std::size_t i = 0; i < transfers.size(); ++i) run(transfers[i], &carried_[i * words_]);
  }

  // `carried` is the source as it was before the round.
  void run(std::uint32_t t, const Word* carried) {
    const Transfer& transfer = schedule_.transfers[t];
    const auto wrong = [&](Defect defect, std::int32_t rank, std::int32_t contributor) {
      found_.add({defect, t, transfer.round, rank, cell_, contributor});
    };
    if (is_empty(carried)) wrong(Defect::sends_nothing, transfer.src, -1);
    const bool copy = transfer.action == Action::copy;
    Write& last = last_write_[static_cast<std::size_t>(transfer.dst)];
    if (last.round == transfer.round && (copy || last.copy))
      wrong(Defect::write_conflict, transfer.dst, -1);
    last = {transfer.round, copy};

    Word* const target = set_of(transfer.dst);
    if (copy) {
      std::copy_n(carried, words_, target);
      return;
    }
    if (is_empty(target)) wrong(Defect::sends_nothing, transfer.dst, -1);
    Word twice = 0;
    for (std::size_t i = 0; i < words_; ++i) twice |= target[i] & carried[i];
    if (twice != 0) wrong(Defect::doubled, transfer.dst, lowest_common(target, carried));
    for (std::size_t i = 0; i < words_; ++i) target[i] |= carried[i];
  }

  std::int32_t lowest_common(const Word* left, const Word* right) {
    for (std::size_t i = 0; i < words_; ++i) wanted_[i] = left[i] & right[i];
    return lowest(wanted_.data());
  }

  void check_goals() {
    for (std::int32_t rank = 0; rank < schedule_.ranks; ++rank) {
      const std::int32_t goal = schedule_.goal[list_index(rank)];
      if (goal == do_not_care) continue;
      const Word* wanted = all_.data();
      if (goal != everyone) {
        std::fill(wanted_.begin(), wanted_.end(), 0);
        insert(wanted_.data(), goal);
        wanted = wanted_.data();
      }
      const Word* const holds = set_of(rank);
      for (std::size_t i = 0; i < words_; ++i)
        if (holds[i] != wanted[i]) tell_difference(rank, i, wanted[i], holds[i]);
    }
  }

  void tell_difference(std::int32_t rank, std::size_t word, Word wanted, Word holds) {
    for (Word left = wanted ^ holds; left != 0; left &= left - 1) {
      const std::int32_t bit = std::countr_zero(left);
      const Defect defect = (wanted >> bit & 1) != 0 ? Defect::lost : Defect::intruder;
      found_.add({.defect = defect,
                  .rank = rank,
                  .cell = cell_,
                  .contributor = static_cast<std::int32_t>(64 * word) + bit});
    }
  }

  const Schedule& schedule_;
  Found& found_;
  std::size_t words_;
  std::int32_t cell_ = 0;
  std::vector<Word> sets_;    // [rank]
  std::vector<Word> all_;     // what the cell holds anywhere at the start
  std::vector<Word> wanted_;  // scratch
  std::vector<Word> carried_;
  std::vector<Write> last_write_;  // [rank]
};

void check_contributors(const Schedule& schedule, Found& found) {
  const auto cells = static_cast<std::size_t>(cells_per_rank(schedule));
  std::vector<std::uint32_t> starts(cells + 1, 0);
  for (const Transfer& transfer : schedule.transfers)
    for (std::int32_t i = 0; i < transfer.cell_count; ++i)
      ++starts[static_cast<std::size_t>(transfer.first_cell + i) + 1];
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  std::vector<std::uint32_t> transfers(starts.back());
  std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
  for (std::uint32_t t = 0; t < schedule.transfers.size(); ++t) {
    const Transfer& transfer = schedule.transfers[t];
    for (std::int32_t i = 0; i < transfer.cell_count; ++i)
      transfers[next[static_cast<std::size_t>(transfer.first_cell + i)]++] = t;
  }
  Column column(schedule, found);
  for (std::size_t cell = 0; cell < cells; ++cell)
    column.check(static_cast<std::int32_t>(cell),
                 std::span(transfers).subspan(starts[cell], starts[cell + 1] - starts[cell]));
}

// For a schedule whose numbers are in range.
std::vector<Problem> check_meaning(const Schedule& schedule, const Plan& plan, std::size_t limit) {
  Found found(limit);
  check_contributors(schedule, found);
  if (const std::optional<std::uint32_t> part = stuck_part(plan)) {
    const std::uint32_t t = plan.parts[*part].transfer;
    const Transfer& transfer = schedule.transfers[t];
    found.add({Defect::stuck, t, transfer.round, transfer.dst, transfer.first_cell, -1});
  }
  return std::move(found).in_order();
}

}  // namespace

std::vector<Problem> check_numbers(const Schedule& schedule, std::size_t limit) {
  const std::vector<Problem> of_lists{{.defect = Defect::out_of_range}};
  if (!sizes_agree(schedule) || !phases_follow_each_other(schedule) ||
      !order_is_permutation(schedule))
    return of_lists;
  Found found(limit);
  check_starts_and_goals(schedule, found);
  check_transfers(schedule, found);
  std::vector<Problem> problems = std::move(found).in_order();
  if (problems.empty() && !fits_memory(schedule)) return of_lists;
  return problems;
}

std::vector<Problem> check(const Schedule& schedule, std::size_t limit) {
  std::vector<Problem> problems = check_numbers(schedule, limit);
  if (!problems.empty()) return problems;
  return check_meaning(schedule, make_plan(schedule), limit);
}

std::vector<Problem> check(const Schedule& schedule, const Plan& plan, std::size_t limit) {
  std::vector<Problem> problems = check_numbers(schedule, limit);
  if (!problems.empty()) return problems;
  return check_meaning(schedule, plan, limit);
}

Message describe(const Schedule& schedule, const Problem& problem) {
  Message message;
  const auto say = [&](const char* name, std::int64_t value) {
    message.arguments.emplace_back(name, std::to_string(value));
  };
  const bool has_transfer = problem.transfer >= 0 &&
                            problem.transfer < static_cast<std::int64_t>(schedule.transfers.size());
  if (has_transfer) {
    const Transfer& transfer = schedule.transfers[static_cast<std::size_t>(problem.transfer)];
    say("transfer", problem.transfer);
    say("src", transfer.src);
    say("dst", transfer.dst);
  }
  if (problem.defect == Defect::out_of_range) {
    message.id = has_transfer ? "check.out_of_range" : "check.out_of_range_lists";
    say("cell", problem.cell);
    say("round", problem.round);
    return message;
  }
  switch (problem.defect) {
    case Defect::out_of_range: break;
    case Defect::sends_nothing: message.id = "check.sends_nothing"; break;
    case Defect::doubled: message.id = "check.doubled"; break;
    case Defect::lost: message.id = "check.lost"; break;
    case Defect::intruder: message.id = "check.intruder"; break;
    case Defect::write_conflict: message.id = "check.write_conflict"; break;
    case Defect::stuck: message.id = "check.stuck"; break;
  }
  message.arguments.emplace_back("round", round_name(schedule, problem.round));
  say("rank", problem.rank);
  say("chunk", problem.cell / schedule.slices);
  say("slice", problem.cell % schedule.slices);
  say("contributor", problem.contributor);
  return message;
}

}  // namespace ringscope
