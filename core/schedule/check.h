// The proof that a schedule does what it claims: it is run on sets of contributors before it runs
// on data, whatever the operator. Every goal must be met, each contributor exactly once.
#pragma once

#include <cstdint>
#include <vector>

#include "core/error.h"
#include "core/schedule/plan.h"
#include "core/schedule/schedule.h"

namespace ringscope {

enum class Defect : std::uint8_t {
  out_of_range,   // a rank, cell, slice, round or list size that is not there, a list out of order,
                  // or a transfer from a rank to itself
  sends_nothing,  // the source cell, or the one that it is added to, holds nothing: see rank
  doubled,        // the sum would hold a contributor twice: named by the transfer where that first
                  // arises
  lost,           // a goal cell lacks a contributor: named by the cell and the contributor
  intruder,       // a goal cell holds a contributor that its goal does not name
  write_conflict,  // a copy and any other write to one cell in one round: named by the later one
  stuck,  // lane order and dependencies have a cycle: named by a transfer of it or behind it
};

// Where a schedule fails. Fields that say nothing are -1.
struct Problem {
  Defect defect;
  std::int64_t transfer = -1;
  std::int32_t round = -1;
  std::int32_t rank = -1;         // the rank whose cell is wrong
  std::int32_t cell = -1;         // in that rank
  std::int32_t contributor = -1;  // the rank whose term is lost, doubled or out of place

  bool operator==(const Problem&) const = default;
};

// All problems, in the order of rounds and transfers, the goals last; at most `limit`, at
// least one. Empty: the schedule is right. Anything may be in the schedule: where numbers are out
// of range only those are told. A schedule of more than 32,768 ranks or 2^27 moved cells is out of
// range, too.
std::vector<Problem> check(const Schedule& schedule, std::size_t limit = 16);
// The same where the schedule's plan is at hand already (it is what costs).
std::vector<Problem> check(const Schedule& schedule, const Plan& plan, std::size_t limit = 16);
// The first step of check(): only what is out of range. Empty: anybody may index with the numbers.
std::vector<Problem> check_numbers(const Schedule& schedule, std::size_t limit = 16);

// The problem in words ('check.<defect>'): rank, chunk, slice, round and contributor by their
// names.
Message describe(const Schedule& schedule, const Problem& problem);

}  // namespace ringscope
