#include "core/trace/wire_cost.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/data/wire.h"

namespace ringscope {
namespace {

constexpr std::uint64_t block_elements = 8192;

double widened(ElementType wire, const std::byte* at) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, at, sizeof bits);
  return wire == ElementType::f16 ? static_cast<double>(std::bit_cast<f16>(bits))
                                  : std::bit_cast<float>(std::uint32_t{bits} << 16);
}

// Ranks of which one speaks for all that want the same, and whose terms that is.
struct Wanted {
  std::int32_t rank = 0;
  std::vector<std::int32_t> contributors;
};

std::vector<Wanted> wanted_of(const Schedule& schedule, std::int32_t chunk) {
  const auto at = [&](std::int32_t rank) {
    return static_cast<std::size_t>(rank) * static_cast<std::size_t>(schedule.chunks) +
           static_cast<std::size_t>(chunk);
  };
  std::vector<std::int32_t> all, seen;
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank)
    if (schedule.initial[at(rank)] != nothing) all.push_back(schedule.initial[at(rank)]);
  std::vector<Wanted> wanted;
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    const std::int32_t goal = schedule.goal[at(rank)];
    if (goal == do_not_care || std::find(seen.begin(), seen.end(), goal) != seen.end()) continue;
    seen.push_back(goal);
    if (goal != everyone)
      wanted.push_back({rank, {goal}});
    else if (!all.empty())
      wanted.push_back({rank, all});
  }
  return wanted;
}

class Measure {
 public:
  Measure(const InputSpec& inputs, const ElementReader& read)
      : inputs_(inputs), full_(inputs), read_(read) {
    full_.type = type_before_wire;
    full_.user_type.reset();
  }

  void block(const Wanted& wanted, Extent extent, bool counts_inputs) {
    const ElementReader unrounded = [&](int rank, Extent part, std::span<std::byte> out) {
      fill_unrounded(inputs_, rank, part.first, out);
      if (counts_inputs) count_inputs(out);
    };
    expect(full_, unrounded, {wanted.contributors, 0}, extent, expectation_);
    results_.resize(static_cast<std::size_t>(extent.count) * bytes_of(inputs_.type));
    read_(wanted.rank, extent, results_);
    for (std::size_t i = 0; i < expectation_.count; ++i)
      element(wanted_value(i), widened(inputs_.type, results_.data() + i * bytes_of(inputs_.type)));
  }
  const WireCost& cost() const { return cost_; }

 private:
  void count_inputs(std::span<const std::byte> unrounded) {
    for (std::size_t at = 0; at < unrounded.size(); at += sizeof(float)) {
      float value = 0;
      std::memcpy(&value, unrounded.data() + at, sizeof value);
      cost_.inputs_overflowed += rounds_to_infinity(inputs_.type, value);
    }
  }

  double wanted_value(std::size_t i) const {
    if (!expectation_.bitwise) return expectation_.value[i];
    float value = 0;
    std::memcpy(&value, expectation_.bits.data() + i * sizeof value, sizeof value);
    return value;
  }

  void element(double wanted, double got) {
    ++cost_.elements;
    // What full precision can't hold either is no fault of the wire type.
    if (!(std::abs(wanted) <= std::numeric_limits<float>::max())) return;
    if (!std::isfinite(got)) {
      ++cost_.results_overflowed;
      return;
    }
    const double error = std::abs(got - wanted);
    cost_.largest_result = std::max(cost_.largest_result, std::abs(wanted));
    cost_.largest_error = std::max(cost_.largest_error, error);
    if (wanted != 0)
      cost_.largest_relative_error =
          std::max(cost_.largest_relative_error, error / std::abs(wanted));
  }

  const InputSpec& inputs_;
  InputSpec full_;
  const ElementReader& read_;
  Expectation expectation_;
  std::vector<std::byte> results_;
  WireCost cost_;
};

}  // namespace

WireCost wire_cost(const Schedule& schedule, const InputSpec& inputs,
                   std::span<const std::uint32_t> kept, const ElementReader& read) {
  Measure measure(inputs, read);
  const std::int32_t pieces = kept.empty() ? schedule.chunks : cells_per_rank(schedule);
  for (std::int32_t piece = 0; piece < pieces; ++piece) {
    Extent whole = kept.empty() ? chunk_extent(schedule, piece) : cell_extent(schedule, piece);
    if (!kept.empty())
      whole.count = std::min<std::uint64_t>(whole.count, kept[static_cast<std::size_t>(piece)]);
    const std::int32_t chunk = kept.empty() ? piece : piece / schedule.slices;
    bool first = true;  // whose reference reads all inputs, once
    for (const Wanted& wanted : wanted_of(schedule, chunk)) {
      for (std::uint64_t done = 0; done < whole.count; done += block_elements)
        measure.block(wanted, {whole.first + done, std::min(block_elements, whole.count - done)},
                      first);
      first = false;
    }
  }
  return measure.cost();
}

}  // namespace ringscope
