#include "app/cli/opaque_text.h"

#include <fmt/format.h>

#include <vector>

#include "core/error.h"
#include "core/figure/opaque.h"
#include "core/replay/numbers.h"

namespace ringscope {
namespace {

// The kept elements of a rank's buffer.
std::vector<std::string> elements_of(const Trace& trace, const std::vector<std::byte>& values,
                                     std::int32_t rank) {
  const ValueLayout layout(trace.schedule, trace.run.type, trace.values.kept);
  std::vector<std::string> texts;
  for (std::uint32_t i = 0; i < layout.kept_elements[0]; ++i) {
    const std::uint64_t at =
        static_cast<std::uint64_t>(rank) * layout.rank_bytes() + i * layout.element_bytes;
    texts.push_back(
        text_of(number_at(std::span(values).subspan(at), trace.run.type), trace.run.type));
  }
  return texts;
}

// '1, 2, 3', and '...' where not all were kept.
std::string list_of(const Trace& trace, const std::vector<std::byte>& values, std::int32_t rank) {
  const std::vector<std::string> elements = elements_of(trace, values, rank);
  const bool all = elements.size() == trace.schedule.count;
  return fmt::format("[{}{}]", fmt::join(elements, ", "), all ? "" : ", ...");
}

}  // namespace

void require_seen(const Trace& trace, const std::string& option, bool asks) {
  if (trace.opaque && asks)
    throw Error({"error.opaque.unseen", {{"option", option}}}, Blame::usage);
}

std::string opaque_text(const Trace& trace, const Language& language) {
  std::string text = opaque_sentence(language) + '\n' + language.text("line.show.opaque") + "\n\n";
  const OpaqueTimes times = opaque_times(trace);
  const std::size_t width = std::to_string(trace.schedule.ranks - 1).size() + 4;
  for (std::int32_t rank = 0; rank < trace.schedule.ranks; ++rank) {
    text += fmt::format("{:<{}} {} -> {}", fmt::format("GPU{}:", rank), width,
                        list_of(trace, trace.values.inputs, rank),
                        list_of(trace, trace.values.results, rank));
    if (!times.ranks.empty())
      text += "  " + language.duration(times.ranks[static_cast<std::size_t>(rank)]);
    text += '\n';
  }
  return text;
}

Json opaque_json(const Trace& trace) {
  const OpaqueTimes times = opaque_times(trace);
  Json ranks = Json::array();
  for (std::int32_t rank = 0; rank < trace.schedule.ranks; ++rank) {
    ranks.push_back({{"rank", rank},
                     {"input", elements_of(trace, trace.values.inputs, rank)},
                     {"result", elements_of(trace, trace.values.results, rank)},
                     {"seconds", Json()}});
    if (!times.ranks.empty())
      ranks.back()["seconds"] =
          static_cast<double>(times.ranks[static_cast<std::size_t>(rank)]) / 1e9;
  }
  return ranks;
}

}  // namespace ringscope
