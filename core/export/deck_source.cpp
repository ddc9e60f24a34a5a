#include "core/export/deck_source.h"

#include <algorithm>

#include "core/figure/comparison.h"

namespace ringscope {

DeckSource::DeckSource(std::span<const Replay* const> replays, const View* view)
    : replays_(replays) {
  const View& first = first_view_of(trace().schedule);
  view_ = view == nullptr ? &first : view;
  other_view_ = view_ != &first;
}

std::string DeckSource::middle() const {
  if (compares()) return "-compared";
  return other_view_ ? '-' + std::string(view_->name) : "";
}

std::int64_t DeckSource::nanoseconds() const {
  std::int64_t longest = 0;
  for (const Replay* replay : replays_) longest = std::max(longest, replay->trace().nanoseconds);
  return longest;
}

Figure DeckSource::figure(const DeckMoment& moment, const DeckLook& look) const {
  if (compares())
    return draw_comparison(
        {look.theme, look.fonts, look.language, look.size, look.caption, look.text_scale},
        moment.measured ? compared_at_time(replays_, moment.nanoseconds)
                        : compared_at(replays_, moment.cursor));
  const ViewContext context{.replay = replay(),
                            .theme = look.theme,
                            .fonts = look.fonts,
                            .language = look.language,
                            .size = look.size,
                            .scale = std::min(look.size.width / 1920, look.size.height / 1080),
                            .caption = look.caption,
                            .cell_text = look.cell_text,
                            .text_scale = look.text_scale};
  return view_->draw(
      context, moment.measured ? replay().at_time(moment.nanoseconds) : replay().at(moment.cursor));
}

std::string DeckSource::round(std::int32_t round) const {
  return compares() ? std::to_string(round) : round_name(trace().schedule, round - 1);
}

std::string DeckSource::round_title(std::int32_t round, const Language& language) const {
  if (!compares() || round == 0)
    return ringscope::round_title(replay().at({round, 1}), trace(), language);
  return language.text("round.title", {{"round", std::to_string(round)}});
}

std::string DeckSource::sentence(const Cursor& cursor, const Language& language) const {
  if (!compares()) return round_sentence(replay().at(cursor), replay(), language);
  const Takeaway takeaway = comparison_takeaway(replays_, language);
  return takeaway.headline + (takeaway.detail.empty() ? "" : ' ' + takeaway.detail);
}

std::string DeckSource::title(const Language& language) const {
  return compares() ? comparison_caption(replays_, language) : run_title(trace(), language);
}

}  // namespace ringscope
