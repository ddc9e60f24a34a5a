// State at any moment of a trace, from any direction the same. Values and order come from the
// schedule and the record, times from the record.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/replay/cell_accesses.h"
#include "core/replay/history.h"
#include "core/replay/time_spent.h"
#include "core/schedule/plan.h"
#include "core/trace/trace.h"

namespace ringscope {

// A moment on the logical clock. round 0 is the start; for 1 <= round <= R the round of that number
// (over all phases): fraction 0 is 'before', between is 'moving', 1 is 'after', where a step stops.
struct Cursor {
  std::int32_t round = 0;
  double fraction = 1;

  bool operator==(const Cursor&) const = default;
};

enum class Beat : std::uint8_t { before, moving, after };
Beat beat_of(const Cursor& cursor);

// A transfer's part in the picture.
struct Motion {
  std::uint32_t transfer;
  double fraction;  // 0..1 of the way
};

// A rank that waits, on the measured clock.
struct Wait {
  std::int32_t rank;
  std::int32_t for_rank;   // whose landing (or reading) it waits for; -1: it sleeps on purpose
  std::uint32_t transfer;  // that can't start
  std::int64_t since;      // nanoseconds
};

struct ReplayState {
  bool measured = false;
  Cursor cursor;                 // where not measured
  std::int64_t nanoseconds = 0;  // where measured
  std::vector<std::int32_t>
      last_writer;             // [rank * cells + cell]: transfer, -1: still the input (or nothing)
  std::vector<Motion> moving;  // by transfer
  std::vector<std::uint32_t> changed;  // transfers that landed in this round (beat 'after')
  std::vector<Wait> waits;             // by rank
};

// One number as recorded: integers whole, floating types as f64.
struct Number {
  bool integer = false;
  std::int64_t whole = 0;
  double real = 0;

  bool operator==(const Number&) const = default;
};
// Shortest text that reads back as the same number of its type, whole numbers in full: '3303',
// '0.1', '-0', 'inf', 'nan'.
std::string text_of(const Number& number, ElementType type);

enum class Holding : std::uint8_t {
  nothing,   // no contributor
  local,     // its own input
  partial,   // some terms
  complete,  // its goal reached
  stale,     // a partial sum that nobody will read again
};

// What one chunk at one rank holds at a moment; of its slices the one that is least far.
struct CellView {
  Holding holding = Holding::nothing;
  std::vector<std::int32_t>
      contributors;             // in the order in which they are in the sum; complete: by rank
  std::optional<Number> value;  // first element; nothing where none was kept or the chunk is empty
  std::uint64_t elements = 0;   // of the chunk
  std::int32_t writer = -1;     // last transfer into it
  bool changed = false;         // landed in this round (beat 'after')
  std::vector<std::int32_t> added;     // contributors that this round added, where changed
  std::int32_t sending = -1;           // a transfer that reads it now (moving), or -1
  std::vector<std::int32_t> arriving;  // transfers that write it now (moving), in their order
};

// Keeps a reference to the trace, which must outlive it. Const and free of hidden state: any thread
// may ask.
class Replay {
 public:
  explicit Replay(const Trace& trace);

  const Trace& trace() const { return trace_; }
  const Plan& plan() const { return plan_; }
  std::int32_t rounds() const { return rounds_; }

  // Any cursor; round and fraction are clamped to what there is.
  ReplayState at(Cursor cursor) const;
  // Nanoseconds from the common start, clamped to the run.
  ReplayState at_time(std::int64_t nanoseconds) const;

  CellView cell(const ReplayState& state, std::int32_t rank, std::int32_t chunk) const;

  // How many contributors that chunk holds: the size of cell()'s list, in no time.
  std::int32_t terms(const ReplayState& state, std::int32_t rank, std::int32_t chunk) const;
  // How many a transfer leaves in its destination; 0 where it did not happen.
  std::int32_t terms_after(std::uint32_t transfer) const { return terms_after_[transfer]; }

  // The contributors that a transfer carries (its source before the round), and the value of its
  // first element.
  std::vector<std::int32_t> carried(std::uint32_t transfer) const;
  std::optional<Number> carried_value(std::uint32_t transfer) const;
  // The destination before and after it: contributors and value, as for the first of its cells.
  std::vector<std::int32_t> before(std::uint32_t transfer) const;
  std::optional<Number> before_value(std::uint32_t transfer) const;
  std::vector<std::int32_t> after(std::uint32_t transfer) const;
  std::optional<Number> after_value(std::uint32_t transfer) const;

  // Transfers of a round (from 0).
  std::vector<std::uint32_t> transfers_of_round(std::int32_t round) const;

  // Elements that each rank has sent, and has on their way, at a moment; [rank].
  struct Sent {
    std::uint64_t landed = 0;
    std::uint64_t moving = 0;
    std::uint64_t total = 0;
  };
  std::vector<Sent> sent(const ReplayState& state) const;
  // The same of what each rank receives.
  std::vector<Sent> received(const ReplayState& state) const;
  // Whether a transfer has landed at a moment.
  bool has_landed(const ReplayState& state, std::uint32_t transfer) const;

  // Where the time went; and what one rank did, from 0 to the end of the run.
  const TimeSpent& times() const { return times_; }
  std::vector<Piece> pieces(std::int32_t rank) const {
    return pieces_of(trace_, plan_, times_, rank);
  }

  // Where schedule, events and values contradict each other: shown as wrong, not smoothed over.
  // Empty if sound.
  const std::vector<Message>& contradictions() const { return contradictions_; }

 private:
  // A cell at one rank, by its number.
  struct Place {
    std::int32_t rank;
    std::int32_t cell;
  };
  // How far the lanes are at a time.
  struct Positions {
    std::vector<std::uint32_t> of_lane;  // [lane]: its first part that has not landed
    // [round]: the last of the lanes that keep others from it, -1 for none; of rounds asked for.
    std::map<std::int32_t, std::int32_t> last_before;
  };
  std::uint32_t lane_position(std::int32_t lane, std::int64_t nanoseconds) const;
  void add_moving(ReplayState& state, std::uint32_t position, std::int32_t lane) const;
  std::optional<Wait> wait_of(const ReplayState& state, Positions& positions,
                              std::int32_t lane) const;
  std::int32_t last_before(const ReplayState& state, Positions& positions,
                           std::int32_t round) const;

  // How many of the landings of rounds_history_ or time_history_ had happened.
  std::size_t landings(const ReplayState& state) const;
  bool has_read(const ReplayState& state, std::uint32_t transfer) const;
  bool will_be_read(const ReplayState& state, Place place, std::int32_t writer) const;
  std::int32_t least_far_cell(const ReplayState& state, std::int32_t rank,
                              std::int32_t chunk) const;

  // What a place holds when `writer` (-1: nobody) has written it last.
  std::vector<std::int32_t> contents(Place place, std::int32_t writer) const;
  bool is_goal(Place place, const std::vector<std::int32_t>& contributors) const;
  // By rank where the goal is reached.
  std::vector<std::int32_t> shown(Place place, std::int32_t writer) const;
  std::optional<Number> value(Place place, std::int32_t writer) const;
  // The first cell of a transfer; for values the first that is not empty.
  std::int32_t valued_cell(const Transfer& transfer) const;

  const Trace& trace_;
  Plan plan_;
  std::int32_t rounds_ = 0;
  ValueLayout layout_;
  CellAccesses accesses_;
  std::vector<std::uint32_t> round_starts_;     // [round]: its first transfer; rounds + 1
  std::vector<std::size_t> landed_by_round_;    // [round]: transfers done before it; rounds + 1
  std::vector<std::int64_t> landed_of_part_;    // [part]: never before its predecessor's
  std::vector<std::int64_t> landing_times_;     // of time_history_, ascending
  History rounds_history_;                      // by round
  History time_history_;                        // by landing
  std::vector<std::uint32_t> contributors_of_;  // [chunk]: how many there are at the start
  std::vector<std::int32_t> terms_after_;       // [transfer]
  std::vector<std::uint64_t> to_send_;          // [rank]: elements, over the whole schedule
  std::int64_t end_ = 0;                        // of the run
  TimeSpent times_;
  std::vector<Message> contradictions_;
};

}  // namespace ringscope
