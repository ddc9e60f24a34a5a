#include "core/trace/verify.h"

#include <algorithm>
#include <limits>

#include "core/schedule/check.h"
#include "core/schedule/plan.h"
#include "core/trace/trace_check.h"
#include "core/trace/verify_events.h"
#include "core/trace/verify_values.h"

namespace ringscope {
namespace {

void verify_schedule(const Schedule& schedule, const Plan& plan, Verification& verification) {
  const std::vector<Problem> problems = check(schedule, plan);
  for (const Problem& problem : problems) verification.wrong.push_back(describe(schedule, problem));
  if (problems.empty())
    verification.checked.push_back({"verify.schedule",
                                    {{"transfers", std::to_string(schedule.transfers.size())},
                                     {"rounds", std::to_string(rounds_of(schedule))}}});
}

// The run whose time was kept is the one of median time; of what it did nothing else is seen.
void verify_opaque(const Trace& trace, Verification& verification) {
  std::vector<std::int64_t> times = repeat_times(*trace.opaque, trace.schedule.ranks);
  const auto median = times.begin() + (static_cast<std::ptrdiff_t>(times.size()) - 1) / 2;
  std::nth_element(times.begin(), median, times.end());
  if (*median == trace.nanoseconds)
    verification.checked.push_back({"verify.opaque_times",
                                    {{"ranks", std::to_string(trace.schedule.ranks)},
                                     {"repeats", std::to_string(times.size())}}});
  else
    verification.wrong.push_back({"verify.opaque_times_wrong", {}});
  verification.unchecked.push_back({"verify.opaque", {{"library", trace.opaque->library}}});
}

// What the file leaves out, once for all kinds of value.
void say_what_was_kept(const Trace& trace, Verification& verification) {
  switch (trace.values.kept) {
    case Kept::whole: break;
    case Kept::first_eight: verification.unchecked.push_back({"verify.first_eight", {}}); break;
    case Kept::first_one:
    case Kept::ends_only: verification.unchecked.push_back({"verify.first_one", {}}); break;
  }
}

}  // namespace

Verification verify(const Trace& trace) {
  Verification verification;
  constexpr std::uint64_t any_size = std::numeric_limits<std::uint64_t>::max() / 2;
  if (const auto place = contradiction(trace, any_size)) {
    verification.wrong.push_back({"verify.contradicts", {{"place", *place}}});
    return verification;
  }
  if (trace.opaque) {
    verify_opaque(trace, verification);
    verify_inputs(trace, verification);
  } else {
    const Plan plan = make_plan(trace.schedule, trace.run.lockstep);
    verify_schedule(trace.schedule, plan, verification);
    verify_events(trace, plan, verification);
    verify_inputs(trace, verification);
    verify_landed(trace, plan, verification);
  }
  verify_results(trace, verification);
  verify_wire_cost(trace, verification);
  say_what_was_kept(trace, verification);
  return verification;
}

}  // namespace ringscope
