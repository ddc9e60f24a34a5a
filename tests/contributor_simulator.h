// A second judge of schedules, by other means than core/schedule/check.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "core/schedule/check.h"

namespace ringscope {

// A simulator that shares nothing with the check: every cell holds the *sequence* of terms in its
// sum, so a term that is there twice is there twice, and everything is done round by round with
// plain loops.
class Simulator {
 public:
  explicit Simulator(const Schedule& schedule) : schedule_(schedule) {
    for (std::int32_t rank = 0; rank < schedule.ranks; ++rank)
      for (std::int32_t cell = 0; cell < cells_per_rank(schedule); ++cell) {
        const std::int32_t term = schedule.initial[list_index(rank, cell)];
        cells_.push_back(term == nothing ? Terms{} : Terms{term});
      }
    for (std::int32_t round = 0; round < rounds_of(schedule); ++round) run(round);
    hold_against_goals();
  }

  const std::vector<Problem>& problems() const { return problems_; }

 private:
  using Terms = std::vector<std::int32_t>;

  std::size_t list_index(std::int32_t rank, std::int32_t cell) const {
    return static_cast<std::size_t>(rank * schedule_.chunks + cell / schedule_.slices);
  }
  Terms& at(std::vector<Terms>& cells, std::int32_t rank, std::int32_t cell) const {
    return cells[static_cast<std::size_t>(rank * cells_per_rank(schedule_) + cell)];
  }

  void run(std::int32_t round) {
    std::vector<Terms> before = cells_;
    std::vector<std::vector<Action>> writes(cells_.size());
    for (std::size_t t = 0; t < schedule_.transfers.size(); ++t) {
      const Transfer& transfer = schedule_.transfers[t];
      if (transfer.round != round) continue;
      for (std::int32_t cell = transfer.first_cell;
           cell < transfer.first_cell + transfer.cell_count; ++cell) {
        const auto wrong = [&](Defect defect, std::int32_t rank, std::int32_t contributor) {
          problems_.push_back(
              {defect, static_cast<std::int64_t>(t), round, rank, cell, contributor});
        };
        const Terms& carried = at(before, transfer.src, cell);
        Terms& target = at(cells_, transfer.dst, cell);
        if (carried.empty()) wrong(Defect::sends_nothing, transfer.src, -1);
        auto& earlier =
            writes[static_cast<std::size_t>(transfer.dst * cells_per_rank(schedule_) + cell)];
        // The writes before this one: a conflict is between it and the latest of them.
        if (!earlier.empty() && (transfer.action == Action::copy || earlier.back() == Action::copy))
          wrong(Defect::write_conflict, transfer.dst, -1);
        earlier.push_back(transfer.action);
        if (transfer.action == Action::copy) {
          target = carried;
          continue;
        }
        if (target.empty()) wrong(Defect::sends_nothing, transfer.dst, -1);
        std::set<std::int32_t> common;
        for (const std::int32_t term : carried)
          if (std::count(target.begin(), target.end(), term) > 0) common.insert(term);
        if (!common.empty()) wrong(Defect::doubled, transfer.dst, *common.begin());
        target.insert(target.end(), carried.begin(), carried.end());
      }
    }
  }

  void hold_against_goals() {
    for (std::int32_t rank = 0; rank < schedule_.ranks; ++rank)
      for (std::int32_t cell = 0; cell < cells_per_rank(schedule_); ++cell)
        for (std::int32_t term = 0; term < schedule_.ranks; ++term) {
          const std::int32_t goal = schedule_.goal[list_index(rank, cell)];
          if (goal == do_not_care) continue;
          bool wanted = goal == term;
          for (std::int32_t other = 0; goal == everyone && other < schedule_.ranks; ++other)
            wanted = wanted || schedule_.initial[list_index(other, cell)] == term;
          const Terms& held = at(cells_, rank, cell);
          const bool holds = std::count(held.begin(), held.end(), term) > 0;
          if (wanted != holds)
            problems_.push_back(
                {wanted ? Defect::lost : Defect::intruder, -1, -1, rank, cell, term});
        }
  }

  const Schedule& schedule_;
  std::vector<Terms> cells_;
  std::vector<Problem> problems_;
};

}  // namespace ringscope
