#include "app/cli/additions_text.h"

#include <fmt/format.h>

#include "core/replay/additions.h"

namespace ringscope {
namespace {

class AdditionsText {
 public:
  AdditionsText(const Replay& replay, std::int32_t chunk, const Language& language)
      : trace_(replay.trace()),
        language_(language),
        additions_(additions_of(trace_, chunk)),
        layout_(trace_.schedule, trace_.run.type, trace_.values.kept) {}

  std::string text() const {
    const std::string last = std::to_string(trace_.schedule.ranks - 1);
    std::string text =
        language_.text("line.show.additions", {{"chunk", std::to_string(additions_.chunk)}}) + '\n';
    std::int32_t shown = -1;
    for (std::size_t rank = 0; rank < additions_.of_rank.size(); ++rank) {
      const std::int32_t node = additions_.of_rank[rank];
      if (node < 0) continue;
      if (shown < 0 && !at(node).is_term()) shown = node;
      text += fmt::format("{:<{}} {} = {}\n", fmt::format("GPU{}:", rank), last.size() + 4,
                          sum(node), value(node));
    }
    if (shown < 0) return text;
    text += '\n';
    for (const std::int32_t node : made_of(additions_, shown))
      if (!at(node).is_term()) text += step(node) + '\n';
    return text;
  }

 private:
  const AdditionNode& at(std::int32_t node) const {
    return additions_.nodes[static_cast<std::size_t>(node)];
  }
  std::string sum(std::int32_t node) const {
    return bracketed(additions_, node, trace_.schedule, trace_.run.op);
  }
  std::string value(std::int32_t node) const {
    const std::optional<Number> number = number_of(
        trace_, kept_bytes(trace_, layout_, additions_, node), at(node).transfer, at(node).terms);
    return number ? text_of(*number, trace_.run.type) : "-";
  }

  // '  1.1  GPU1: (b0+a0) = 11'.
  std::string step(std::int32_t node) const {
    const AdditionNode& one = at(node);
    const Transfer& transfer = trace_.schedule.transfers[static_cast<std::size_t>(one.transfer)];
    std::string text =
        fmt::format("  {}  GPU{}: {} = {}", round_name(trace_.schedule, transfer.round), one.rank,
                    sum(node), value(node));
    const auto left = kept_bytes(trace_, layout_, additions_, one.left);
    const auto right = kept_bytes(trace_, layout_, additions_, one.right);
    const auto whole = kept_bytes(trace_, layout_, additions_, node);
    if (left.empty() || right.empty() || whole.empty()) return text;
    const std::optional<double> error =
        rounding_of(trace_.run.type, trace_.run.op, left.data(), right.data(), whole.data());
    if (error && *error != 0)
      text +=
          ' ' + language_.text("line.show.rounded", {{"error", fmt::format("{:+.3g}", *error)}});
    return text;
  }

  const Trace& trace_;
  const Language& language_;
  Additions additions_;
  ValueLayout layout_;
};

}  // namespace

std::string additions_text(const Replay& replay, std::int32_t chunk, const Language& language) {
  return AdditionsText(replay, chunk, language).text();
}

Json additions_json(const Replay& replay, std::int32_t chunk) {
  const Trace& trace = replay.trace();
  const Additions additions = additions_of(trace, chunk);
  Json sums = Json::array();
  for (const std::int32_t node : additions.of_rank)
    sums.push_back(node < 0 ? Json(nullptr)
                            : Json(bracketed(additions, node, trace.schedule, trace.run.op)));
  return {{"chunk", chunk}, {"sums", std::move(sums)}};
}

}  // namespace ringscope
