// A trace as data for other programs: a table of its transfers, and Chrome's trace format, which
// Perfetto opens.
#pragma once

#include <string>

#include "core/replay/replay.h"

namespace ringscope {

// CSV (RFC 4180, lines end in '\n'), a line a transfer: its round, ranks, cells, bytes, times in
// nanoseconds from the common start, the contributors and the first element before and after.
// Fields that a record lacks are empty. Of a run that shows no transfers a line a repeat and rank:
// how long it took.
std::string csv_of(const Replay& replay);

// Chrome's trace event format (JSON), a thread a rank: what it waits for, moves and reduces; or, of
// a run that shows no transfers, a bar a repeat, one behind the other. Times
// are microseconds with three decimals, so that no nanosecond is lost.
std::string chrome_trace_of(const Replay& replay);

}  // namespace ringscope
