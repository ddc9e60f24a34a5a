#include "core/trace/verify_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/data/operators.h"
#include "core/trace/element_text.h"
#include "core/trace/faults.h"
#include "core/trace/reference.h"
#include "core/trace/wire_cost.h"

namespace ringscope {
namespace {

InputSpec inputs_of(const Trace& trace) {
  return {.kind = trace.run.data,
          .type = trace.run.type,
          .op = trace.run.op,
          .ranks = trace.schedule.ranks,
          .count = trace.schedule.count,
          .seed = trace.run.seed,
          .array = nullptr,
          .user_type = trace.run.user_type};
}

// Where the kept elements of every rank's cells lie in Values::inputs and Values::results.
class KeptCells {
 public:
  explicit KeptCells(const Trace& trace)
      : layout_(trace.schedule, trace.run.type, trace.values.kept) {
    for (std::size_t cell = 0; cell < layout_.kept_elements.size(); ++cell)
      firsts_.push_back(cell_extent(trace.schedule, static_cast<std::int32_t>(cell)).first);
  }

  const ValueLayout& layout() const { return layout_; }
  std::size_t cells() const { return firsts_.size(); }
  std::uint64_t first(std::size_t cell) const { return firsts_[cell]; }
  std::size_t begin(std::int32_t rank, std::size_t cell) const {
    return static_cast<std::size_t>(rank) * layout_.rank_bytes() + layout_.cell_offsets[cell];
  }
  std::size_t bytes(std::size_t cell) const {
    return layout_.kept_elements[cell] * layout_.element_bytes;
  }
  template <class Bytes>
  auto of(Bytes& values, std::int32_t rank, std::size_t cell) const {
    return std::span(values).subspan(begin(rank, cell), bytes(cell));
  }

  // Elements that were kept, from the cell in which they begin on.
  void read(const std::vector<std::byte>& values, std::int32_t rank, Extent extent,
            std::span<std::byte> out) const {
    const auto after = std::upper_bound(firsts_.begin(), firsts_.end(), extent.first);
    auto cell = static_cast<std::size_t>(after - firsts_.begin()) - 1;
    std::size_t skip = (extent.first - firsts_[cell]) * layout_.element_bytes;
    for (; !out.empty(); ++cell, skip = 0) {
      const auto kept = of(values, rank, cell).subspan(std::min(skip, bytes(cell)));
      const std::size_t taken = std::min(kept.size(), out.size());
      std::copy_n(kept.begin(), taken, out.begin());
      out = out.subspan(taken);
    }
  }

 private:
  ValueLayout layout_;
  std::vector<std::uint64_t> firsts_;  // [cell]: its first element
};

// The first element that differs; the sizes are equal.
std::optional<std::size_t> first_difference(std::span<const std::byte> a,
                                            std::span<const std::byte> b, std::size_t bytes) {
  if (std::equal(a.begin(), a.end(), b.begin())) return std::nullopt;
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin()) /
         bytes;
}

std::vector<std::pair<std::string, std::string>> texts_of(const Trace& trace, std::uint64_t first,
                                                          std::size_t i,
                                                          std::span<const std::byte> got,
                                                          std::span<const std::byte> wanted) {
  const std::size_t at = i * bytes_of(trace.run.type);
  const TextPair texts = telling_texts(trace.run.type, got.data() + at, wanted.data() + at);
  return {{"element", std::to_string(first + i)}, {"got", texts.first}, {"wanted", texts.second}};
}

Message fraction(std::string id, std::uint64_t checked, std::uint64_t all) {
  return {std::move(id), {{"checked", std::to_string(checked)}, {"all", std::to_string(all)}}};
}

// What each rank's cells held, from round to round, as far as it was kept.
class LandedCheck {
 public:
  LandedCheck(const Trace& trace, const Plan& plan)
      : trace_(trace),
        schedule_(trace.schedule),
        plan_(plan),
        cells_(trace),
        state_(trace.values.inputs),
        written_(cells_.cells() * static_cast<std::size_t>(schedule_.ranks), Written::no) {}

  void run() {
    const std::vector<std::uint32_t> starts = round_starts(schedule_);
    for (std::size_t round = 0; round + 1 < starts.size(); ++round) {
      // Sources are read as they were before the round.
      sent_.clear();
      for (std::uint32_t t = starts[round]; t < starts[round + 1]; ++t)
        for_each_cell(t, [&](std::size_t cell, std::size_t) {
          const auto src = cells_.of(state_, schedule_.transfers[t].src, cell);
          sent_.insert(sent_.end(), src.begin(), src.end());
        });
      sent_done_ = 0;
      for (std::uint32_t t = starts[round]; t < starts[round + 1]; ++t) check_transfer(t);
    }
    check_ends();
  }

  void tell(Verification& verification) const {
    faults_.tell(verification.wrong);
    if (faults_.none() && trace_.values.kept != Kept::ends_only)
      verification.checked.push_back(fraction("verify.landed", checked_, all_));
  }

 private:
  enum class Written : std::uint8_t { no, yes, perhaps };  // perhaps: by a transfer that stopped

  // Calls body(cell, index of its use in the plan).
  template <class Body>
  void for_each_cell(std::uint32_t t, Body body) const {
    const Transfer& transfer = schedule_.transfers[t];
    for (std::int32_t i = 0; i < transfer.cell_count; ++i)
      body(static_cast<std::size_t>(transfer.first_cell + i),
           plan_.use_starts[t] + static_cast<std::size_t>(i));
  }
  Written& written(std::int32_t rank, std::size_t cell) {
    return written_[static_cast<std::size_t>(rank) * cells_.cells() + cell];
  }

  void check_transfer(std::uint32_t t) {
    const Transfer& transfer = schedule_.transfers[t];
    const bool done = trace_.events[t].done == 1;
    std::uint64_t landed = cells_.layout().landed_offsets[t];
    for_each_cell(t, [&](std::size_t cell, std::size_t use) {
      const std::size_t bytes = cells_.bytes(cell);
      const auto sent = std::span<const std::byte>(sent_).subspan(sent_done_, bytes);
      sent_done_ += bytes;
      Written& mark = written(transfer.dst, cell);
      mark = done && mark != Written::perhaps ? Written::yes : Written::perhaps;
      if (!done || trace_.values.kept == Kept::ends_only) return;
      check_cell(transfer, cell, plan_.uses[use], sent,
                 std::span(trace_.values.landed).subspan(landed, bytes));
      landed += bytes;
    });
    if (done) all_ += transfer_extent(schedule_, transfer).count;
  }

  void check_cell(const Transfer& transfer, std::size_t cell, const CellUse& use,
                  std::span<const std::byte> sent, std::span<const std::byte> landed) {
    const Pass pass{.op = trace_.run.op,
                    .ranks = schedule_.ranks,
                    .own_is_input = !use.dst_written,
                    .received_is_input = !use.src_written,
                    .completes = use.completes};
    const auto own = cells_.of(state_, transfer.dst, cell);
    if (transfer.action == Action::reduce)
      reduce_pass(trace_.run.type, pass, own, own, sent);
    else
      copy_pass(trace_.run.type, pass, own, sent);
    checked_ += cells_.layout().kept_elements[cell];
    const auto wrong = first_difference(landed, own, cells_.layout().element_bytes);
    if (!wrong) return;
    faults_.add([&] {
      return about_transfer("verify.landed_wrong", schedule_, transfer,
                            static_cast<std::int32_t>(cell),
                            texts_of(trace_, cells_.first(cell), *wrong, landed, own));
    });
    std::copy(landed.begin(), landed.end(), own.begin());  // what follows is held against that
  }

  // A cell ends with what the last transfer left there, or with its input where it is cared for.
  void check_ends() {
    for (std::int32_t rank = 0; rank < schedule_.ranks; ++rank)
      for (std::size_t cell = 0; cell < cells_.cells(); ++cell) {
        const Written mark = written(rank, cell);
        const std::size_t chunk = cell / static_cast<std::size_t>(schedule_.slices);
        const std::int32_t goal =
            schedule_
                .goal[static_cast<std::size_t>(rank) * static_cast<std::size_t>(schedule_.chunks) +
                      chunk];
        const bool kept_by_rank = mark == Written::no && goal != do_not_care && !trace_.stopped;
        const bool left = mark == Written::yes && trace_.values.kept != Kept::ends_only;
        if (!kept_by_rank && !left) continue;
        const auto result = cells_.of(trace_.values.results, rank, cell);
        const auto wanted = cells_.of(state_, rank, cell);
        const auto wrong = first_difference(result, wanted, cells_.layout().element_bytes);
        if (!wrong) continue;
        faults_.add([&] {
          Message message{"verify.result_wrong", {{"rank", std::to_string(rank)}}};
          for (auto& argument : texts_of(trace_, cells_.first(cell), *wrong, result, wanted))
            message.arguments.push_back(std::move(argument));
          return message;
        });
      }
  }

  const Trace& trace_;
  const Schedule& schedule_;
  const Plan& plan_;
  KeptCells cells_;
  std::vector<std::byte> state_;  // as Values::inputs
  std::vector<std::byte> sent_;   // the kept elements that a round's transfers read, in order
  std::size_t sent_done_ = 0;
  std::vector<Written> written_;  // [rank * cells + cell]
  Faults faults_;
  std::uint64_t checked_ = 0, all_ = 0;  // elements
};

// Elements of all cells that are cared for, over all ranks.
std::uint64_t elements_of_goals(const Schedule& schedule) {
  std::uint64_t elements = 0;
  for (std::size_t i = 0; i < schedule.goal.size(); ++i)
    if (schedule.goal[i] != do_not_care)
      elements +=
          chunk_extent(schedule,
                       static_cast<std::int32_t>(i % static_cast<std::size_t>(schedule.chunks)))
              .count;
  return elements;
}

// Where everything was kept, the verdict of the run can be found again.
bool same_verdict(const Verdict& recorded, const Verdict& found) {
  return recorded.outcome == found.outcome && recorded.elements == found.elements &&
         recorded.ranks_agree == found.ranks_agree && recorded.exact == found.exact &&
         recorded.wrapped == found.wrapped && recorded.overflowed == found.overflowed &&
         recorded.underflowed == found.underflowed;
}

}  // namespace

void verify_inputs(const Trace& trace, Verification& verification) {
  if (trace.run.data == DataKind::file) {
    verification.unchecked.push_back({"verify.inputs_file", {{"file", trace.run.input_file}}});
    return;
  }
  if (trace.run.data_version != generator_version) {
    verification.unchecked.push_back({"verify.inputs_version",
                                      {{"version", std::to_string(trace.run.data_version)},
                                       {"known", std::to_string(generator_version)}}});
    return;
  }
  const InputSpec spec = inputs_of(trace);
  try {
    check_inputs(spec);
  } catch (const Error& error) {
    verification.wrong.push_back(error.message());
    return;
  }
  const KeptCells cells(trace);
  Faults faults;
  std::vector<std::byte> wanted;
  for (std::int32_t rank = 0; rank < spec.ranks; ++rank)
    for (std::size_t cell = 0; cell < cells.cells(); ++cell) {
      const auto got = cells.of(trace.values.inputs, rank, cell);
      wanted.resize(got.size());
      fill_input(spec, rank, cells.first(cell), wanted);
      const auto wrong = first_difference(got, wanted, cells.layout().element_bytes);
      if (!wrong) continue;
      faults.add([&] {
        Message message{"verify.input_wrong", {{"rank", std::to_string(rank)}}};
        for (auto& argument : texts_of(trace, cells.first(cell), *wrong, got, wanted))
          message.arguments.push_back(std::move(argument));
        return message;
      });
    }
  faults.tell(verification.wrong);
  if (faults.none())
    verification.checked.push_back(fraction("verify.inputs",
                                            trace.values.inputs.size() / bytes_of(spec.type),
                                            spec.count * static_cast<std::uint64_t>(spec.ranks)));
}

void verify_landed(const Trace& trace, const Plan& plan, Verification& verification) {
  if (trace.values.kept == Kept::ends_only)
    verification.unchecked.push_back({"verify.no_landed", {}});
  LandedCheck check(trace, plan);
  check.run();
  check.tell(verification);
}

void verify_results(const Trace& trace, Verification& verification) {
  if (trace.stopped) {
    verification.unchecked.push_back({"verify.results_stopped", {}});
    return;
  }
  const KeptCells cells(trace);
  const auto reader_of = [&](const std::vector<std::byte>& values) {
    return [&cells, &values](int rank, Extent extent, std::span<std::byte> out) {
      cells.read(values, rank, extent, out);
    };
  };
  const Verdict found = judge_kept(trace.schedule, inputs_of(trace), cells.layout().kept_elements,
                                   reader_of(trace.values.inputs), reader_of(trace.values.results));
  if (found.failure)
    verification.wrong.push_back(*found.failure);
  else
    verification.checked.push_back(
        fraction("verify.results", found.elements, elements_of_goals(trace.schedule)));
  if (trace.opaque && !found.failure && !found.exact) {
    Message& message = verification.checked.back();
    message.id = "verify.opaque_bound";
    message.arguments.emplace_back("share",
                                   fmt::format("{:.2g}", 100 * found.largest_error_in_bounds));
  }

  const bool whole = found.elements == elements_of_goals(trace.schedule);
  const Verdict& recorded = trace.verdict;
  if (recorded.failure && recorded.failure != found.failure)
    verification.wrong.push_back(*recorded.failure);
  else if (recorded.outcome == Verdict::Outcome::not_checked)
    verification.unchecked.push_back({"verify.no_verdict", {}});
  else if (whole && !found.failure && !same_verdict(recorded, found))
    verification.wrong.push_back({"verify.verdict_wrong", {}});
}

void verify_wire_cost(const Trace& trace, Verification& verification) {
  if (!trace.wire_cost) return;
  if (trace.run.data == DataKind::file || trace.run.data_version != generator_version) {
    verification.unchecked.push_back({"verify.no_wire_cost", {}});
    return;
  }
  const KeptCells cells(trace);
  const WireCost& recorded = *trace.wire_cost;
  const WireCost found = wire_cost(trace.schedule, inputs_of(trace), cells.layout().kept_elements,
                                   [&](int rank, Extent extent, std::span<std::byte> out) {
                                     cells.read(trace.values.results, rank, extent, out);
                                   });
  const bool within = found.elements < recorded.elements &&
                      found.largest_error <= recorded.largest_error &&
                      found.largest_relative_error <= recorded.largest_relative_error &&
                      found.largest_result <= recorded.largest_result &&
                      found.inputs_overflowed <= recorded.inputs_overflowed &&
                      found.results_overflowed <= recorded.results_overflowed;
  if (found == recorded || within)
    verification.checked.push_back(fraction("verify.wire_cost", found.elements, recorded.elements));
  else
    verification.wrong.push_back({"verify.wire_cost_wrong", {}});
}

}  // namespace ringscope
