#include "core/trace/verify_events.h"

#include <algorithm>

#include "core/trace/faults.h"

namespace ringscope {
namespace {

// When a part was done, if it was.
struct Span {
  std::int64_t begun = 0;
  std::int64_t landed = 0;
  bool done = false;
};

class EventCheck {
 public:
  EventCheck(const Trace& trace, const Plan& plan)
      : trace_(trace),
        schedule_(trace.schedule),
        plan_(plan),
        tolerance_(trace.where.clock.tolerance()) {}

  void run() {
    for (std::uint32_t t = 0; t < trace_.events.size(); ++t) check_transfer(t);
    for (std::int32_t lane = 0; lane < plan_.lanes; ++lane) check_lane(lane);
    if (trace_.run.lockstep) check_lockstep();
    check_total();
  }

  void tell(Verification& verification) const {
    faults_.tell(verification.wrong);
    if (!faults_.none()) return;
    const bool all = done_ == trace_.events.size();
    verification.checked.push_back(
        {all ? "verify.events" : "verify.events_partial",
         {{"done", std::to_string(done_)}, {"transfers", std::to_string(trace_.events.size())}}});
  }

 private:
  Span span_of(std::uint32_t p) const {
    const Part& part = plan_.parts[p];
    const Event& event = trace_.events[part.transfer];
    if (part.kind != PartKind::move)
      return {event.reduce_begun, event.reduce_landed, event.done == 1};
    // Of a transfer that was not finished the move may still have been done.
    return {event.move_begun, event.move_landed, event.done == 1 || event.move_landed > 0};
  }

  Message about(const char* id, std::uint32_t t,
                std::vector<std::pair<std::string, std::string>> more = {}) const {
    const Transfer& transfer = schedule_.transfers[t];
    return about_transfer(id, schedule_, transfer, transfer.first_cell, std::move(more));
  }

  void check_transfer(std::uint32_t t) {
    const Event& event = trace_.events[t];
    done_ += event.done;
    if (event.done == 0) {
      if (!trace_.stopped) faults_.add([&] { return about("verify.missing", t); });
      return;
    }
    const Part& part = plan_.parts[plan_.first_part[t]];
    const bool fused = part.kind == PartKind::fused;
    const std::uint64_t bytes =
        transfer_extent(schedule_, schedule_.transfers[t]).count * bytes_of(trace_.run.type);
    if (event.lane != part.lane || event.fused != (fused ? 1 : 0) || event.bytes != bytes)
      faults_.add([&] { return about("verify.not_as_planned", t); });
    const bool ordered = event.waited_from <= event.move_begun &&
                         event.move_begun <= event.move_landed &&
                         event.reduce_begun <= event.reduce_landed;
    const bool two_steps =
        fused ? event.reduce_begun == event.move_begun && event.reduce_landed == event.move_landed
              : event.move_landed <= event.reduce_begun;
    if (!ordered || !two_steps) faults_.add([&] { return about("verify.backwards", t); });
  }

  void check_lane(std::int32_t lane) {
    const std::uint32_t first = plan_.lane_starts[static_cast<std::size_t>(lane)];
    const std::uint32_t end = plan_.lane_starts[static_cast<std::size_t>(lane) + 1];
    for (std::uint32_t p = first; p < end; ++p) {
      const Span span = span_of(p);
      if (!span.done) continue;
      if (p > first) check_after(p, span, p - 1);
      for (const std::uint32_t awaited : plan_.depends_of(p)) check_after(p, span, awaited);
    }
  }

  void check_after(std::uint32_t p, const Span& span, std::uint32_t awaited) {
    const Span before = span_of(awaited);
    if (before.done && span.begun + tolerance_ >= before.landed) return;
    const std::uint32_t t = plan_.parts[p].transfer, other = plan_.parts[awaited].transfer;
    faults_.add([&] {
      return about(before.done ? "verify.too_early" : "verify.without", t,
                   {{"other_round", round_name(schedule_, schedule_.transfers[other].round)},
                    {"other_src", std::to_string(schedule_.transfers[other].src)},
                    {"other_dst", std::to_string(schedule_.transfers[other].dst)},
                    {"begun", std::to_string(span.begun)},
                    {"landed", std::to_string(before.landed)}});
    });
  }

  void check_lockstep() {
    std::int64_t landed = 0;  // the last of all rounds before
    const std::vector<std::uint32_t> starts = round_starts(schedule_);
    for (std::size_t round = 0; round + 1 < starts.size(); ++round) {
      std::int64_t latest = landed;
      for (std::uint32_t t = starts[round]; t < starts[round + 1]; ++t) {
        const Event& event = trace_.events[t];
        if (event.done == 0) continue;
        latest = std::max(latest, event.reduce_landed);
        if (event.move_begun + tolerance_ < landed)
          faults_.add([&] { return about("verify.not_in_step", t); });
      }
      landed = latest;
    }
  }

  // Whether some rank first copies what no transfer brings it: that is in the time, and no event.
  bool copies_unrecorded() const {
    if (trace_.run.in_place) return false;
    const auto cells = static_cast<std::size_t>(cells_per_rank(schedule_));
    std::vector<bool> written(cells * static_cast<std::size_t>(schedule_.ranks), false);
    for (const Transfer& transfer : schedule_.transfers)
      for (std::int32_t i = 0; i < transfer.cell_count; ++i)
        written[static_cast<std::size_t>(transfer.dst) * cells +
                static_cast<std::size_t>(transfer.first_cell + i)] = true;
    for (std::size_t at = 0; at < written.size(); ++at)
      if (!written[at] &&
          schedule_.goal[at / static_cast<std::size_t>(schedule_.slices)] != do_not_care)
        return true;
    return false;
  }

  void check_total() {
    std::int64_t last = 0;
    for (const Event& event : trace_.events)
      if (event.done == 1) last = std::max(last, event.reduce_landed);
    if (trace_.nanoseconds == last || (trace_.nanoseconds > last && copies_unrecorded())) return;
    faults_.add([&] {
      return Message{
          "verify.total",
          {{"said", std::to_string(trace_.nanoseconds)}, {"last", std::to_string(last)}}};
    });
  }

  const Trace& trace_;
  const Schedule& schedule_;
  const Plan& plan_;
  const std::int64_t tolerance_;  // nanoseconds
  Faults faults_;
  std::uint64_t done_ = 0;
};

}  // namespace

void verify_events(const Trace& trace, const Plan& plan, Verification& verification) {
  EventCheck check(trace, plan);
  check.run();
  check.tell(verification);
}

}  // namespace ringscope
