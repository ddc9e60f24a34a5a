#include "core/engine/job_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace ringscope {
namespace {

std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

std::string round_of(const Job& job, const Transfer& transfer) {
  return round_name(job.schedule, transfer.round);
}

std::string chunk_of(const Job& job, const Transfer& transfer) {
  return std::to_string(transfer.first_cell / job.schedule.slices);
}

Error died(const Job& job, std::int32_t rank) {
  std::int32_t round = rounds_of(job.schedule);
  for (const Die& die : job.trouble.deaths)
    if (die.rank == rank) round = std::min(round, die.round);
  for (const Transfer& transfer : job.schedule.transfers)
    if (transfer.round >= round && (transfer.src == rank || transfer.dst == rank))
      return Error({"error.run.died",
                    {{"rank", std::to_string(rank)},
                     {"round", round_name(job.schedule, round)},
                     {"chunk", chunk_of(job, transfer)}}});
  return Error({"error.run.cancelled", {}});
}

}  // namespace

std::vector<std::uint64_t> cell_bytes_of(const Job& job) {
  const std::int32_t cells = cells_per_rank(job.schedule);
  std::vector<std::uint64_t> begins(index(cells) + 1);
  for (std::int32_t cell = 0; cell < cells; ++cell)
    begins[index(cell)] = cell_extent(job.schedule, cell).first * bytes_of(job.type);
  begins.back() = job.schedule.count * bytes_of(job.type);
  return begins;
}

std::vector<Death> deaths_of(const Job& job) {
  std::vector<Death> deaths(index(job.schedule.ranks));
  for (const Die& die : job.trouble.deaths)
    deaths[index(die.rank)].round = std::min(deaths[index(die.rank)].round, die.round);
  if (job.lockstep || job.trouble.deaths.empty()) return deaths;
  for (const Transfer& transfer : job.schedule.transfers)
    for (const std::int32_t rank : {transfer.src, transfer.dst})
      if (Death& death = deaths[index(rank)]; transfer.round >= death.round)
        death.slice = std::min(death.slice, transfer.slice);
  return deaths;
}

std::vector<std::vector<std::int32_t>> untouched_of(const Job& job) {
  const Schedule& schedule = job.schedule;
  std::vector<std::vector<std::int32_t>> untouched(index(schedule.ranks));
  const std::size_t cells = index(cells_per_rank(schedule));
  std::vector<bool> written(index(schedule.ranks) * cells, false);
  for (const Transfer& transfer : schedule.transfers)
    for (std::int32_t i = 0; i < transfer.cell_count; ++i)
      written[index(transfer.dst) * cells + index(transfer.first_cell + i)] = true;
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    // In place the cell is where it should be.
    if (job.inputs[index(rank)].data() == job.outputs[index(rank)].data()) continue;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const std::size_t chunk = cell / index(schedule.slices);
      const std::int32_t goal = schedule.goal[index(rank) * index(schedule.chunks) + chunk];
      if (goal != do_not_care && !written[index(rank) * cells + cell])
        untouched[index(rank)].push_back(static_cast<std::int32_t>(cell));
    }
  }
  return untouched;
}

StagingLayout lay_out_staging(const Job& job, std::uint64_t unit) {
  const Plan& plan = job.plan;
  StagingLayout layout;
  layout.sizes.resize(index(plan.lanes), 0);
  const auto is_staged = [](const Part& part) { return part.kind != PartKind::fused; };
  if (std::none_of(plan.parts.begin(), plan.parts.end(), is_staged)) return layout;
  layout.begins.resize(job.schedule.transfers.size(), 0);
  for (std::size_t lane = 0; lane < layout.sizes.size(); ++lane) {
    std::size_t held = 0;
    std::uint64_t begin = 0;
    for (std::uint32_t p = plan.lane_starts[lane]; p < plan.lane_starts[lane + 1]; ++p) {
      const Part& part = plan.parts[p];
      if (part.kind == PartKind::move) {
        if (held++ == 0) begin = 0;
        const Extent extent = transfer_extent(job.schedule, job.schedule.transfers[part.transfer]);
        begin += extent.first * bytes_of(job.type) % unit;
        layout.begins[part.transfer] = begin;
        begin += extent.count * bytes_of(job.type);
        layout.sizes[lane] = std::max(layout.sizes[lane], static_cast<std::size_t>(begin));
        begin = (begin + unit - 1) / unit * unit;
      } else if (part.kind == PartKind::finish) {
        --held;
      }
    }
  }
  return layout;
}

Pass pass_of(const Job& job, const CellUse& use) {
  return {job.op, job.schedule.ranks, !use.dst_written, !use.src_written,
          static_cast<bool>(use.completes)};
}

Error to_error(const Job& job, const Failure& failure) {
  if (failure.kind == Failure::Kind::died) return died(job, failure.rank);
  const Transfer& transfer = job.schedule.transfers[job.plan.parts[failure.part].transfer];
  const std::string rank = std::to_string(failure.rank);
  const std::string round = round_of(job, transfer), chunk = chunk_of(job, transfer);
  if (failure.kind == Failure::Kind::threw)
    return Error(
        {"error.run.threw",
         {{"rank", rank}, {"round", round}, {"chunk", chunk}, {"reason", failure.reason}}});
  const double seconds = std::chrono::duration<double>(job.timeout).count();
  return Error({"error.run.timeout",
                {{"rank", rank},
                 {"round", round},
                 {"chunk", chunk},
                 {"timeout", fmt::format("{:g} s", seconds)}}});
}

}  // namespace ringscope
