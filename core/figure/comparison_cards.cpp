// The cards of the stages that are compared: who holds how much of whose terms, who waits.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "core/figure/cells.h"
#include "core/figure/comparison_parts.h"

namespace ringscope {
namespace {

// [rank][contributor]: the share of the buffer's elements at `rank` whose sum holds that term.
using Held = std::vector<std::vector<double>>;

Held held_shares(const CompactStage& stage) {
  const Schedule& schedule = stage.schedule;
  const auto ranks = static_cast<std::size_t>(schedule.ranks);
  const std::int32_t cells = cells_per_rank(schedule);
  const std::vector<std::uint64_t> begins = cell_begins(schedule);
  Held held(ranks, std::vector<double>(ranks, 0));
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    // Slices of one step hold the same terms, so that each step is asked for once.
    std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t>, std::vector<std::int32_t>> known;
    for (std::int32_t cell = 0; cell < cells; ++cell) {
      const std::int32_t chunk = cell / schedule.slices;
      const auto place = rank * static_cast<std::size_t>(cells) + static_cast<std::size_t>(cell);
      const std::int32_t writer = stage.state.last_writer[place];
      std::vector<std::int32_t> own;
      const std::vector<std::int32_t>* terms = &own;
      if (writer < 0) {
        const std::int32_t first =
            schedule.initial[rank * static_cast<std::size_t>(schedule.chunks) +
                             static_cast<std::size_t>(chunk)];
        if (first != nothing) own.push_back(first);
      } else {
        const Transfer& transfer = schedule.transfers[static_cast<std::size_t>(writer)];
        const auto [found, is_new] =
            known.try_emplace({transfer.round, transfer.src, chunk}, std::vector<std::int32_t>{});
        if (is_new) found->second = stage.replay.after(static_cast<std::uint32_t>(writer));
        terms = &found->second;
      }
      const auto at = static_cast<std::size_t>(cell);
      const double share = schedule.count > 0 ? static_cast<double>(begins[at + 1] - begins[at]) /
                                                    static_cast<double>(schedule.count)
                                              : 1.0 / cells;
      for (const std::int32_t term : *terms) held[rank][static_cast<std::size_t>(term)] += share;
    }
  }
  return held;
}

void draw_held(Comparison& comparison, const std::string& id, const Rect& area,
               const std::vector<double>& shares, bool complete) {
  Drawing& drawing = comparison.drawing;
  const Theme& theme = comparison.theme;
  const auto n = static_cast<double>(shares.size());
  constexpr double thinnest_slot = 4;
  if (area.width / n < thinnest_slot) {
    // Too many for slots: how many of all, as one bar.
    const double held = std::accumulate(shares.begin(), shares.end(), 0.0) / n;
    drawing.box(id + ".bar", area, 2, {theme.cell, transparent}, {theme.rule, 1});
    drawing.box(id + ".held",
                {area.x, area.y, std::max(2.0, area.width * std::min(1.0, held)), area.height}, 2,
                {complete ? theme.ink : theme.line, transparent});
    return;
  }
  const double gap = complete || area.width / n < 9 ? 0 : area.width / n < 16 ? 2 : 4;
  const double width = (area.width - gap * (n - 1)) / n;
  for (std::size_t term = 0; term < shares.size(); ++term) {
    const std::string slot = id + ".slot" + std::to_string(term);
    const Rect rect{area.x + static_cast<double>(term) * (width + gap), area.y, width, area.height};
    const double share = std::min(1.0, shares[term]);
    const Fill fill = rank_fill(theme, static_cast<int>(term));
    if (share > 0.999) {
      drawing.box(slot, rect, 0, fill, {theme.ink, 1});
      continue;
    }
    drawing.box(slot, rect, 0, {theme.cell, transparent}, {theme.rule, 1});
    if (share > 0)
      drawing.box(slot + ".part",
                  {rect.x, rect.bottom() - rect.height * share, rect.width, rect.height * share}, 0,
                  fill, {theme.ink, 1});
  }
  if (complete) drawing.box(id + ".band", area, 0, {}, {theme.ink, 2});
}

bool is_complete(const CompactStage& stage, std::int32_t rank) {
  const Schedule& schedule = stage.schedule;
  for (std::int32_t chunk = 0; chunk < schedule.chunks; ++chunk) {
    const auto goal = schedule.goal[static_cast<std::size_t>(rank * schedule.chunks + chunk)];
    if (goal == do_not_care) continue;
    const Holding holding = stage.replay.cell(stage.state, rank, chunk).holding;
    if (holding != Holding::complete) return false;
  }
  return true;
}

// What a rank does at the measured moment: '79 %' of what it sends, 'waits'.
std::string doing(const Comparison& comparison, const CompactStage& stage, std::int32_t rank) {
  if (!stage.state.measured) return "";
  for (const Motion& motion : stage.state.moving)
    if (stage.schedule.transfers[motion.transfer].src == rank)
      return std::to_string(std::lround(100 * motion.fraction)) + " %";
  for (const Wait& wait : stage.state.waits)
    if (wait.rank == rank) return comparison.language.text("compare.waits");
  return "";
}

// How a card of this size is laid out.
struct CardLook {
  double stripe = 8, margin = 12, check = 20;
  double name_base, slots_y, slots_height;
  double status_base = 0;  // 0: no room for a status
  bool beside = false;     // the slots are beside the name, which is the number alone

  explicit CardLook(const Rect& card) {
    if (card.width <= 130) stripe = 6, margin = 8;
    if (card.width <= 64) stripe = 4, margin = 5;
    if (card.width <= 48) margin = 2;
    slots_height = card.height >= 72 ? 22 : 12;
    name_base = card.center().y + 9;
    if (card.height >= 100) {
      name_base = card.y + 32;
      slots_y = card.y + 42;
      status_base = card.bottom() - 12;
    } else if (card.height >= 72) {
      name_base = card.y + 34;
      slots_y = card.bottom() - slots_height - 12;
    } else if (card.height >= 44) {
      slots_y = card.bottom() - slots_height - 5;
      name_base = (card.y + slots_y) / 2 + 9;
    } else {
      beside = true;
      slots_y = card.y + 8;
      slots_height = card.height - 16;
    }
  }
};

void draw_marks(Comparison& comparison, const std::string& id, const CardLook& look, double left,
                double right, bool complete, bool is_root) {
  const Theme& theme = comparison.theme;
  const TextStyle quiet{size::body, Face::sans, Align::right, theme.quiet};
  const std::string root = comparison.language.text("compare.root");
  if (complete && left + look.check <= right)
    draw_check(comparison.drawing, id + ".check", {right - look.check / 2, look.name_base - 9},
               look.check, theme.ink);
  else if (!complete && is_root && left + comparison.drawing.width(root, quiet) <= right)
    comparison.drawing.text(id + ".root", {right, look.name_base}, root, quiet);
}

void draw_card(Comparison& comparison, const CompactStage& stage, std::int32_t rank,
               const Rect& card, const std::vector<double>& held, bool is_root) {
  Drawing& drawing = comparison.drawing;
  const Theme& theme = comparison.theme;
  const std::string id = stage.id + ".rank" + std::to_string(rank);
  const bool complete = is_complete(stage, rank);
  const CardLook look(card);
  drawing.box(id, card, 8, {theme.card, transparent},
              {complete ? theme.ink : theme.rule, complete ? 3.0 : 1.5});
  drawing.box(id + ".stripe", {card.x, card.y, look.stripe, card.height}, 3, rank_fill(theme, rank),
              {theme.ink, 1});
  const double left = card.x + look.stripe + look.margin, right = card.right() - look.margin;
  const TextStyle style{size::body, Face::bold, Align::left, theme.ink};
  const TextStyle quiet{size::body, Face::sans, Align::left, theme.quiet};
  std::string name = comparison.language.text("view.gpu", {{"rank", std::to_string(rank)}});
  if (look.beside || drawing.width(name, style) > right - left) name = std::to_string(rank);
  // On a narrow card the number stands in the middle.
  const double room = right - left - drawing.width(name, style);
  drawing.text(id + ".name", {left + (card.width <= 48 ? room / 2 : 0), look.name_base}, name,
               style);
  const double slots_left = look.beside ? left + drawing.width("00", style) + 8 : left;
  draw_held(comparison, id + ".held",
            {slots_left, look.slots_y, right - slots_left, look.slots_height}, held, complete);
  if (look.beside) return;
  draw_marks(comparison, id, look, left + drawing.width(name, style) + 10, right, complete,
             is_root);
  if (look.status_base == 0) return;
  const std::string status = doing(comparison, stage, rank);
  if (complete && drawing.width(name, style) + 10 + look.check > right - left)
    draw_check(drawing, id + ".check", {left + look.check / 2, look.status_base - 8}, look.check,
               theme.ink);
  else if (!complete && left + drawing.width(status, quiet) <= right)
    drawing.text(id + ".status", {left, look.status_base}, status, quiet);
}

}  // namespace

void draw_compact_cards(Comparison& comparison, const CompactStage& stage,
                        const CompactPlaces& places) {
  const Held held = held_shares(stage);
  for (std::int32_t rank = 0; rank < stage.schedule.ranks; ++rank)
    draw_card(comparison, stage, rank, places.cards[static_cast<std::size_t>(rank)],
              held[static_cast<std::size_t>(rank)], rank == places.root);
}

}  // namespace ringscope
