// What a deck is made of: one replay in one of its views, or two or three side by side.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/figure/views.h"

namespace ringscope {

// A moment on one of the clocks.
struct DeckMoment {
  bool measured = false;
  Cursor cursor = {};            // where not measured
  std::int64_t nanoseconds = 0;  // where measured

  bool operator==(const DeckMoment&) const = default;
};

struct DeckLook {
  const Theme& theme;
  const Fonts& fonts;
  const Language& language;
  Size size;
  bool caption;
  CellText cell_text = CellText::both;
  double text_scale = 1;
};

class DeckSource {
 public:
  // Keeps references to the replays. `view` null: the first that fits; it is that of one replay.
  DeckSource(std::span<const Replay* const> replays, const View* view);

  bool compares() const { return replays_.size() > 1; }
  const Trace& trace() const { return replays_.front()->trace(); }
  const Replay& replay() const { return *replays_.front(); }
  std::span<const Replay* const> replays() const { return replays_; }
  // '', or what comes between the name of the deck and that of the moment: '-matrix', '-compared'.
  std::string middle() const;

  std::int64_t nanoseconds() const;  // of the longest run
  Figure figure(const DeckMoment& moment, const DeckLook& look) const;
  // '1.2', '0'; of several, which may have other phases, the number over all phases.
  std::string round(std::int32_t round) const;
  // 'Round 1.2'
  std::string round_title(std::int32_t round, const Language& language) const;
  std::string sentence(const Cursor& cursor, const Language& language) const;
  // What was run, on what.
  std::string title(const Language& language) const;

 private:
  std::span<const Replay* const> replays_;
  const View* view_;
  bool other_view_;  // than the first that fits
};

}  // namespace ringscope
