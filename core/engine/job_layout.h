// What every engine derives from a job before it runs: where cells and staged transfers lie, what
// a transfer's cells have in common, who is dead when, and which error a failure becomes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/data/operators.h"
#include "core/engine/engine.h"

namespace ringscope {

// [cells + 1]: bytes into a buffer.
std::vector<std::uint64_t> cell_bytes_of(const Job& job);

// A rank is dead from that round on, and (where lanes work slice by slice) in later slices: it dies
// before its first transfer of the round or a later one in lane order.
struct Death {
  std::int32_t round = std::numeric_limits<std::int32_t>::max();
  std::int32_t slice = std::numeric_limits<std::int32_t>::max();

  // It is the schedule that decides, so that the same transfers are done in every run.
  bool covers(const Transfer& transfer) const {
    return transfer.round >= round || transfer.slice > slice;
  }
};
std::vector<Death> deaths_of(const Job& job);  // [rank]

// [rank]: the goal cells that no transfer writes, where not in place: their rank copies them from
// input to output.
std::vector<std::vector<std::int32_t>> untouched_of(const Job& job);

// Where each staged transfer lands in its lane's staging buffer, and how large each lane's is. What
// a lane holds at a time is what it has moved and not yet finished.
struct StagingLayout {
  std::vector<std::size_t> sizes;     // [lane] bytes
  std::vector<std::uint64_t> begins;  // [transfer]; empty where nothing is staged
};
// Each begins on a multiple of `unit` and as far behind it as its cells do in a buffer.
StagingLayout lay_out_staging(const Job& job, std::uint64_t unit = 1);

// Adjacent cells of a transfer that are used alike, so that one pass does them.
struct CellRun {
  std::uint64_t begin;  // bytes into a buffer
  std::uint64_t bytes;  // never 0
  CellUse use;
};
// Calls body(CellRun) for each, in order; those without an element are left out.
template <class Body>
void for_each_cell_run(const Job& job, const std::vector<std::uint64_t>& cell_bytes,
                       std::uint32_t t, Body&& body) {
  const Transfer& transfer = job.schedule.transfers[t];
  const auto first = static_cast<std::size_t>(transfer.first_cell);
  const auto cells = static_cast<std::size_t>(transfer.cell_count);
  const CellUse* const uses = job.plan.uses.data() + job.plan.use_starts[t];
  const auto same = [](const CellUse& a, const CellUse& b) {
    return a.src_written == b.src_written && a.dst_written == b.dst_written &&
           a.completes == b.completes;
  };
  for (std::size_t i = 0, next = 0; i < cells; i = next) {
    for (next = i + 1; next < cells && same(uses[i], uses[next]);) ++next;
    const std::uint64_t begin = cell_bytes[first + i];
    const std::uint64_t bytes = cell_bytes[first + next] - begin;
    if (bytes > 0) body(CellRun{begin, bytes, uses[i]});
  }
}

// What the pass over such a run does.
Pass pass_of(const Job& job, const CellUse& use);

// Why a lane stopped before its end.
struct Failure {
  enum class Kind : std::uint8_t { none, threw, timed_out, died };  // the first decides
  Kind kind = Kind::none;
  std::uint32_t part = 0;  // the part that was not done (died: says nothing)
  std::int32_t rank = 0;   // the rank to blame
  std::string reason;      // threw
};
Error to_error(const Job& job, const Failure& failure);

}  // namespace ringscope
