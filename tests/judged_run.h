// Runs of schedules by plain loops, and what the reference says of their results.
#pragma once

#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/data/operators.h"
#include "core/schedule/plan.h"
#include "core/trace/reference.h"

namespace ringscope {

using Buffers = std::vector<std::vector<std::byte>>;  // [rank]

inline InputSpec spec_of(const Schedule& schedule, ElementType type, Operator op, DataKind kind) {
  return {.kind = kind,
          .type = type,
          .op = op,
          .ranks = schedule.ranks,
          .count = schedule.count,
          .seed = 5,
          .array = nullptr};
}

inline Schedule ring(int ranks, std::uint64_t count, int slices = 1) {
  return make_ring({.ranks = ranks, .count = count, .slices = slices, .order = {}});
}

// Runs the schedule, one transfer after another, with the sources of a round as they were before.
inline Buffers run(const Schedule& schedule, const InputSpec& spec) {
  const std::size_t size = bytes_of(spec.type);
  Buffers buffers(static_cast<std::size_t>(schedule.ranks));
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    buffers[static_cast<std::size_t>(rank)].resize(schedule.count * size);
    fill_input(spec, rank, 0, buffers[static_cast<std::size_t>(rank)]);
  }
  const Plan plan = make_plan(schedule);
  Buffers before;
  std::int32_t round = -1;
  for (std::size_t t = 0; t < schedule.transfers.size(); ++t) {
    const Transfer& transfer = schedule.transfers[t];
    if (transfer.round != round) before = buffers;
    round = transfer.round;
    for (std::int32_t i = 0; i < transfer.cell_count; ++i) {
      const Extent extent = cell_extent(schedule, transfer.first_cell + i);
      const CellUse use = plan.uses[plan.use_starts[t] + static_cast<std::uint32_t>(i)];
      const Pass pass{.op = spec.op,
                      .ranks = schedule.ranks,
                      .own_is_input = !use.dst_written,
                      .received_is_input = !use.src_written,
                      .completes = use.completes};
      const auto dst = std::span(buffers[static_cast<std::size_t>(transfer.dst)])
                           .subspan(extent.first * size, extent.count * size);
      const auto src = std::span<const std::byte>(before[static_cast<std::size_t>(transfer.src)])
                           .subspan(extent.first * size, extent.count * size);
      if (transfer.action == Action::reduce)
        reduce_pass(spec.type, pass, dst, dst, src);
      else
        copy_pass(spec.type, pass, dst, src);
    }
  }
  return buffers;
}

inline Verdict judged(const Schedule& schedule, const InputSpec& spec, const Buffers& results) {
  return judge(schedule, spec, [&](int rank, Extent extent, std::span<std::byte> out) {
    const std::size_t size = bytes_of(spec.type);
    if (out.size() != extent.count * size) throw std::logic_error("room of another size");
    if (!out.empty())
      std::memcpy(out.data(), results[static_cast<std::size_t>(rank)].data() + extent.first * size,
                  out.size());
  });
}

inline bool verified(const Verdict& verdict) {
  return verdict.outcome == Verdict::Outcome::verified && !verdict.failure;
}

inline std::string argument(const Verdict& verdict, const std::string& name) {
  if (verdict.failure)
    for (const auto& [key, value] : verdict.failure->arguments)
      if (key == name) return value;
  return "";
}

// A file's data: the ranks' elements, one list a rank.
template <class T>
InputSpec spec_of_values(ElementType type, Operator op, const std::vector<std::vector<T>>& ranks) {
  auto array = std::make_shared<NumpyArray>();
  array->type = type;
  array->ranks = static_cast<int>(ranks.size());
  array->count = ranks[0].size();
  for (const std::vector<T>& values : ranks) {
    const auto bytes = std::as_bytes(std::span(values));
    array->bytes.insert(array->bytes.end(), bytes.begin(), bytes.end());
  }
  return {.kind = DataKind::file,
          .type = type,
          .op = op,
          .ranks = array->ranks,
          .count = array->count,
          .seed = 1,
          .array = array};
}

template <class T>
void set(std::vector<std::byte>& buffer, std::size_t i, T value) {
  std::memcpy(buffer.data() + i * sizeof(T), &value, sizeof value);
}
template <class T>
T get(const std::vector<std::byte>& buffer, std::size_t i) {
  T value;
  std::memcpy(&value, buffer.data() + i * sizeof(T), sizeof value);
  return value;
}

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

}  // namespace ringscope
