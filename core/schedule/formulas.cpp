#include "core/schedule/formulas.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "core/schedule/fold.h"

namespace ringscope {
namespace {

using Count = std::uint64_t;

// What the formulas are made of; the texts symbols.* say it to the reader.
struct Sizes {
  Count n;       // ranks
  Count levels;  // L = floor(log2 N)
  Count places;  // p = 2^L
  Count extras;  // r = N - p
  Count groups;  // G
  Count most;    // m, ranks of the largest group
};

Count ceiling_levels(const Sizes& sizes) { return sizes.levels + (sizes.extras > 0 ? 1 : 0); }
Count folds(const Sizes& sizes) { return sizes.extras > 0 ? 1 : 0; }

// Both are one link up and one down for every rank but one.
Share twice_every_link(const Sizes& sizes) { return {2 * (sizes.n - 1), 1}; }
Share every_link(const Sizes& sizes) { return {sizes.n - 1, 1}; }

Count ring_rounds(const Sizes& sizes) { return 2 * (sizes.n - 1); }
Share ring_share(const Sizes& sizes) { return {2 * (sizes.n - 1), sizes.n}; }
Share half_ring_share(const Sizes& sizes) { return {sizes.n - 1, sizes.n}; }
Count half_ring_rounds(const Sizes& sizes) { return sizes.n - 1; }
Share whole_buffer(const Sizes& sizes) { return {sizes.n > 1 ? 1u : 0u, 1}; }

struct Row {
  std::string_view algorithm;
  Count (*rounds)(const Sizes& sizes);
  Share (*busiest)(const Sizes& sizes);
  Share (*link)(const Sizes& sizes);
  Share (*total)(const Sizes& sizes);
  std::string_view rounds_written, busiest_written, link_written, total_written, source;
  std::string_view symbols = "", document = "";
};

constexpr std::array<Row, 12> table{{
    {"ring", ring_rounds, ring_share, ring_share, twice_every_link, "2(N-1)", "2(N-1)/N K",
     "2(N-1)/N K", "2(N-1) K", "source.ring", "", "document.ring"},
    {"bidirectional", ring_rounds, ring_share,
     [](const Sizes& sizes) {
       return sizes.n == 2 ? Share{1, 1} : half_ring_share(sizes);
     },
     twice_every_link, "2(N-1)", "2(N-1)/N K", "K (N = 2), (N-1)/N K (N >= 3)", "2(N-1) K",
     "source.ring"},
    {"parameter-server", [](const Sizes& sizes) { return sizes.n > 1 ? Count{2} : Count{0}; },
     every_link, whole_buffer, twice_every_link, "2", "(N-1) K", "K", "2(N-1) K", "source.links"},
    {"tree", [](const Sizes& sizes) { return 2 * sizes.levels; },
     [](const Sizes& sizes) {
       return Share{sizes.n <= 2 ? sizes.n - 1 : sizes.n <= 4 ? Count{2} : Count{3}, 1};
     },
     whole_buffer, twice_every_link, "2 floor(log2 N)", "K (N = 2), 2K (N = 3, 4), 3K (N >= 5)",
     "K", "2(N-1) K", "source.tree", "", "document.tree"},
    // Some link is in both trees.
    {"double-tree", [](const Sizes& sizes) { return 2 * ceiling_levels(sizes); },
     [](const Sizes& sizes) {
       return Share{std::min<Count>(sizes.n, 4) * (sizes.n > 1), 2};
     },
     whole_buffer, twice_every_link, "2 ceil(log2 N)", "K (N = 2), 3/2 K (N = 3), 2K (N >= 4)", "K",
     "2(N-1) K", "source.double_tree"},
    {"recursive-doubling", [](const Sizes& sizes) { return sizes.levels + 2 * folds(sizes); },
     [](const Sizes& sizes) {
       return Share{sizes.levels + folds(sizes), 1};
     },
     whole_buffer,
     [](const Sizes& sizes) {
       return Share{sizes.places * sizes.levels + 2 * sizes.extras, 1};
     },
     "L + 2[r>0]", "(L + [r>0]) K", "K", "(pL + 2r) K", "source.thakur", "symbols.fold"},
    // The first partner of the halving is the last of the doubling: K/2 and K/2.
    {"halving-doubling", [](const Sizes& sizes) { return 2 * sizes.levels + 2 * folds(sizes); },
     [](const Sizes& sizes) {
       return Share{2 * (sizes.places - 1) + folds(sizes) * sizes.places, sizes.places};
     },
     whole_buffer, twice_every_link, "2L + 2[r>0]", "(2(p-1)/p + [r>0]) K", "K", "2(N-1) K",
     "source.thakur", "symbols.fold"},
    {"hierarchical",
     [](const Sizes& sizes) { return 2 * (sizes.groups - 1) + (sizes.most > 1 ? 2 : 0); },
     [](const Sizes& sizes) {
       return Share{(sizes.most - 1) * sizes.groups + 2 * (sizes.groups - 1), sizes.groups};
     },
     [](const Sizes& sizes) {
       return sizes.groups == 1 ? whole_buffer(sizes) : Share{2 * (sizes.groups - 1), sizes.groups};
     },
     twice_every_link, "2(G-1) + 2[m>1]", "((m-1) + 2(G-1)/G) K", "K (G = 1), 2(G-1)/G K (G >= 2)",
     "2(N-1) K", "source.hierarchical", "symbols.groups"},
    {"reduce-scatter", half_ring_rounds, half_ring_share, half_ring_share, every_link, "N-1",
     "(N-1)/N K", "(N-1)/N K", "(N-1) K", "source.ring"},
    {"all-gather", half_ring_rounds, half_ring_share, half_ring_share, every_link, "N-1",
     "(N-1)/N K", "(N-1)/N K", "(N-1) K", "source.ring"},
    {"reduce", half_ring_rounds, whole_buffer, whole_buffer, every_link, "N-1", "K", "K", "(N-1) K",
     "source.links"},
    {"broadcast", half_ring_rounds, whole_buffer, whole_buffer, every_link, "N-1", "K", "K",
     "(N-1) K", "source.links"},
}};
Sizes sizes_of(std::int32_t ranks, std::span<const std::int32_t> groups) {
  const Fold fold = fold_of(ranks);
  const auto n = static_cast<Count>(ranks);
  Sizes sizes{n,
              static_cast<Count>(fold.levels),
              static_cast<Count>(fold.places),
              static_cast<Count>(fold.extras),
              (n - 1) / 4 + 1,
              std::min<Count>(n, 4)};
  if (groups.empty()) return sizes;
  sizes.groups = groups.size();
  sizes.most = static_cast<Count>(*std::max_element(groups.begin(), groups.end()));
  return sizes;
}

void widen(Range& range, std::uint64_t value) {
  range.least = std::min(range.least, value);
  range.most = std::max(range.most, value);
}

}  // namespace

Counts counts_of(const Schedule& schedule) {
  std::vector<std::uint64_t> elements;
  elements.reserve(schedule.transfers.size());
  for (const Transfer& transfer : schedule.transfers)
    elements.push_back(transfer_extent(schedule, transfer).count);
  return counts_of(schedule, elements);
}

Counts counts_of(const Schedule& schedule, std::span<const std::uint64_t> moved) {
  Counts counts;
  counts.rounds = rounds_of(schedule);
  std::vector<Traffic> traffic(static_cast<std::size_t>(schedule.ranks));
  std::map<std::pair<std::int32_t, std::int32_t>, std::uint64_t> links;
  for (std::size_t i = 0; i < schedule.transfers.size(); ++i) {
    const Transfer& transfer = schedule.transfers[i];
    traffic[static_cast<std::size_t>(transfer.src)].sent += moved[i];
    traffic[static_cast<std::size_t>(transfer.dst)].received += moved[i];
    links[{transfer.src, transfer.dst}] += moved[i];
  }
  counts.sent = {traffic[0].sent, traffic[0].sent};
  counts.received = {traffic[0].received, traffic[0].received};
  counts.busiest_port = traffic[0];
  for (std::size_t rank = 0; rank < traffic.size(); ++rank) {
    const Traffic& port = traffic[rank];
    widen(counts.sent, port.sent);
    widen(counts.received, port.received);
    counts.total += port.sent;
    if (port.sent + port.received > counts.busiest_port.sent + counts.busiest_port.received) {
      counts.busiest_rank = static_cast<std::int32_t>(rank);
      counts.busiest_port = port;
    }
  }
  for (const auto& [link, amount] : links)
    if (counts.busiest_src < 0 || amount > counts.busiest_link) {
      std::tie(counts.busiest_src, counts.busiest_dst) = link;
      counts.busiest_link = amount;
    }
  return counts;
}

std::optional<Formula> formula_of(std::string_view algorithm, std::int32_t ranks,
                                  std::span<const std::int32_t> groups) {
  const auto row = std::find_if(table.begin(), table.end(), [&](const Row& candidate) {
    return candidate.algorithm == algorithm;
  });
  if (row == table.end() || ranks < 1) return std::nullopt;
  const Sizes sizes = sizes_of(ranks, groups);
  Formula formula{.rounds = static_cast<std::int32_t>(row->rounds(sizes)),
                  .busiest = row->busiest(sizes),
                  .link = row->link(sizes),
                  .total = row->total(sizes),
                  .rounds_written = row->rounds_written,
                  .busiest_written = row->busiest_written,
                  .link_written = row->link_written,
                  .total_written = row->total_written,
                  .symbols = std::nullopt,
                  .source = row->source,
                  .document = row->document};
  if (!row->symbols.empty())
    formula.symbols = Message{std::string(row->symbols),
                              {{"levels", std::to_string(sizes.levels)},
                               {"places", std::to_string(sizes.places)},
                               {"extras", std::to_string(sizes.extras)},
                               {"groups", std::to_string(sizes.groups)},
                               {"most", std::to_string(sizes.most)}}};
  return formula;
}

}  // namespace ringscope
