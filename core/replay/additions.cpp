#include "core/replay/additions.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/data/operators.h"
#include "core/replay/numbers.h"
#include "core/replay/symbols.h"
#include "core/trace/element_text.h"

namespace ringscope {
namespace {

std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

std::int32_t first_cell_with_elements(const Schedule& schedule, std::int32_t chunk) {
  const std::int32_t first = chunk * schedule.slices;
  for (std::int32_t cell = first; cell < first + schedule.slices; ++cell)
    if (cell_extent(schedule, cell).count > 0) return cell;
  return first;
}

// Each rank's node, from round to round.
class Walk {
 public:
  Walk(const Trace& trace, std::int32_t chunk) : trace_(trace) {
    const Schedule& schedule = trace.schedule;
    additions_.chunk = chunk;
    additions_.cell = first_cell_with_elements(schedule, chunk);
    additions_.of_rank.assign(index(schedule.ranks), -1);
    for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
      const std::int32_t own =
          schedule.initial[index(rank) * index(schedule.chunks) + index(chunk)];
      if (own != nothing) additions_.of_rank[index(rank)] = add({own});
    }
  }

  Additions run() {
    const std::vector<Transfer>& transfers = trace_.schedule.transfers;
    std::vector<std::uint32_t> round;  // the transfers of the cell in one round
    for (std::uint32_t t = 0; t < transfers.size() && t < trace_.events.size(); ++t) {
      const Transfer& transfer = transfers[t];
      if (!round.empty() && transfers[round[0]].round != transfer.round) land(round);
      const std::int32_t behind = additions_.cell - transfer.first_cell;
      if (behind >= 0 && behind < transfer.cell_count && trace_.events[t].done != 0)
        round.push_back(t);
    }
    land(round);
    return std::move(additions_);
  }

 private:
  std::int32_t add(const AdditionNode& node) {
    additions_.nodes.push_back(node);
    return static_cast<std::int32_t>(additions_.nodes.size()) - 1;
  }

  // Sources are read as they were before the round.
  void land(std::vector<std::uint32_t>& round) {
    std::vector<std::int32_t> carried;
    for (const std::uint32_t t : round)
      carried.push_back(additions_.of_rank[index(trace_.schedule.transfers[t].src)]);
    for (std::size_t i = 0; i < round.size(); ++i) {
      if (carried[i] < 0) continue;
      const Transfer& transfer = trace_.schedule.transfers[round[i]];
      std::int32_t& own = additions_.of_rank[index(transfer.dst)];
      const AdditionNode source = additions_.nodes[index(carried[i])];
      const auto t = static_cast<std::int32_t>(round[i]);
      if (transfer.action == Action::copy)
        own = source.is_term() && source.transfer < 0 ? add({source.rank, t}) : carried[i];
      else if (own >= 0)
        own = add(
            {transfer.dst, t, own, carried[i], additions_.nodes[index(own)].terms + source.terms});
    }
    round.clear();
  }

  const Trace& trace_;
  Additions additions_;
};

std::span<const std::byte> kept_input(const Trace& trace, const ValueLayout& layout,
                                      std::int32_t rank, std::int32_t cell) {
  const std::uint64_t begin = layout.cell_offsets[index(cell)];
  const std::uint64_t size = layout.cell_offsets[index(cell) + 1] - begin;
  const std::uint64_t offset = static_cast<std::uint64_t>(rank) * layout.rank_bytes() + begin;
  if (offset + size > trace.values.inputs.size()) return {};
  return std::span(trace.values.inputs).subspan(offset, size);
}

}  // namespace

Additions additions_of(const Trace& trace, std::int32_t chunk) { return Walk(trace, chunk).run(); }

std::vector<std::int32_t> made_of(const Additions& additions, std::int32_t node) {
  std::vector<std::int32_t> order, open{node};
  // A sum before its operands, and the received one first: the other way round when reversed.
  while (!open.empty() && order.size() < 2 * additions.nodes.size() + 1) {
    const std::int32_t next = open.back();
    open.pop_back();
    order.push_back(next);
    const AdditionNode& sum = additions.nodes[index(next)];
    if (sum.is_term()) continue;
    open.push_back(sum.left);
    open.push_back(sum.right);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::string bracketed(const Additions& additions, std::int32_t node, const Schedule& schedule,
                      Operator op) {
  std::vector<std::string> texts;  // of operands that wait for their sum
  for (const std::int32_t each : made_of(additions, node)) {
    const AdditionNode& one = additions.nodes[index(each)];
    if (one.is_term()) {
      texts.push_back(term(one.rank, additions.chunk, schedule.ranks));
      continue;
    }
    const std::string right = std::move(texts.back());
    texts.pop_back();
    const std::string left = std::move(texts.back());
    switch (op) {
      case Operator::sum:
      case Operator::avg: texts.back() = '(' + left + '+' + right + ')'; break;
      case Operator::prod: texts.back() = '(' + left + '*' + right + ')'; break;
      case Operator::min:
      case Operator::max:
        texts.back() = std::string(name_of(op)) + '(' + left + ',' + right + ')';
        break;
    }
  }
  const bool complete = additions.nodes[index(node)].terms == schedule.ranks;
  if (op == Operator::avg && complete && schedule.ranks > 1)
    texts.back() += '/' + std::to_string(schedule.ranks);
  return texts.back();
}

std::vector<std::byte> kept_bytes(const Trace& trace, const ValueLayout& layout, std::int32_t rank,
                                  std::int32_t cell, std::int32_t transfer) {
  const std::uint64_t size =
      layout.cell_offsets[index(cell) + 1] - layout.cell_offsets[index(cell)];
  if (transfer < 0) {
    const auto input = kept_input(trace, layout, rank, cell);
    return {input.begin(), input.end()};
  }
  const auto t = index(transfer);
  const auto first = index(trace.schedule.transfers[t].first_cell);
  const std::uint64_t offset =
      layout.landed_offsets[t] + layout.cell_offsets[index(cell)] - layout.cell_offsets[first];
  if (layout.kept == Kept::ends_only || offset + size > trace.values.landed.size()) return {};
  const auto landed = std::span(trace.values.landed).subspan(offset, size);
  return {landed.begin(), landed.end()};
}

std::vector<std::byte> kept_bytes(const Trace& trace, const ValueLayout& layout,
                                  const Additions& additions, std::int32_t node) {
  const AdditionNode& one = additions.nodes[index(node)];
  return kept_bytes(trace, layout, one.rank, additions.cell, one.transfer);
}

std::optional<Number> number_of(const Trace& trace, const std::vector<std::byte>& kept,
                                std::int32_t transfer, std::int32_t terms) {
  if (kept.size() < bytes_of(trace.run.type)) return std::nullopt;
  Number number = number_at(kept, trace.run.type);
  if (trace.run.op == Operator::avg && !number.integer && transfer >= 0 &&
      terms < trace.schedule.ranks)
    number.real *= avg_scale(trace.schedule.ranks);
  return number;
}

std::vector<std::byte> in_rank_order(const Trace& trace, const ValueLayout& layout,
                                     const Additions& additions) {
  const Schedule& schedule = trace.schedule;
  std::vector<std::byte> sum;
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    if (schedule.initial[index(rank) * index(schedule.chunks) + index(additions.chunk)] != rank)
      return {};
    const auto input = kept_input(trace, layout, rank, additions.cell);
    if (rank == 0) {
      sum.assign(input.begin(), input.end());
      continue;
    }
    const Pass pass{.op = trace.run.op,
                    .ranks = schedule.ranks,
                    .own_is_input = rank == 1,
                    .received_is_input = true,
                    .completes = rank + 1 == schedule.ranks};
    reduce_pass(trace.run.type, pass, sum, sum, input);
  }
  return sum;
}

std::optional<double> rounding_of(ElementType type, Operator op, const std::byte* left,
                                  const std::byte* right, const std::byte* sum) {
  if (is_integer(type) || op != Operator::sum) return std::nullopt;
  const double a = element_as_double(type, left), b = element_as_double(type, right);
  const double s = element_as_double(type, sum);
  // Two-sum (Knuth, The Art of Computer Programming 2, 4.2.2): a + b is nearest + lost, exactly.
  const double nearest = a + b, of_b = nearest - a;
  const double lost = (a - (nearest - of_b)) + (b - of_b);
  if (!std::isfinite(nearest) || !std::isfinite(s)) return std::nullopt;
  return (s - nearest) - lost;
}

}  // namespace ringscope
