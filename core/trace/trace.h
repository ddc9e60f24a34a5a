// The record of one run: what was asked for, where it ran, every transfer with its times, the
// values, the verdict. Immutable once made; it opens on a machine that has no engine for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/data/inputs.h"
#include "core/error.h"
#include "core/schedule/schedule.h"

namespace ringscope {

// Trouble that was made on purpose, and really happened.
struct Late {  // the rank begins late, once
  std::int32_t rank;
  std::int64_t nanoseconds;
  bool operator==(const Late&) const = default;
};
struct Delay {  // it sleeps before each transfer that it receives; of one link only where src is
                // not -1
  std::int32_t src;
  std::int32_t dst;
  std::int64_t nanoseconds;
  bool operator==(const Delay&) const = default;
};
struct Die {  // it stops before that round (from 0 over all phases)
  std::int32_t rank;
  std::int32_t round;
  bool operator==(const Die&) const = default;
};
struct Trouble {
  std::vector<Late> late;
  std::vector<Delay> delays;
  std::vector<Die> deaths;
  bool operator==(const Trouble&) const = default;
};

// What each rank's port in, and its port out, were held to: a message of b bytes takes latency +
// b / bytes_per_second at both, and either serves one at a time. Really waited for.
struct Pace {
  std::uint64_t bytes_per_second = 0;  // 0: as fast as it goes
  std::int64_t latency = 0;            // nanoseconds
  bool operator==(const Pace&) const = default;
};

// What was run.
struct RunFacts {
  std::string engine;                   // a name of the table of engines
  ElementType type = ElementType::f32;  // of what memory holds and links carry
  Operator op = Operator::sum;
  DataKind data = DataKind::digits;
  std::int32_t data_version = generator_version;
  std::uint64_t seed = 1;
  std::string input_file;  // for DataKind::file: its name without folders
  bool in_place = false;
  bool lockstep = false;
  std::int32_t repeats = 1;  // the run of median time was kept; or the last, where that stopped
  Trouble trouble;
  Pace pace;
  // What of the rate the machine kept up with: the rate * (what the run takes on ports that keep
  // it, each serving in the same order) / (what it took); the whole rate where that is within 3 %.
  std::uint64_t pace_reached = 0;
  std::optional<ElementType> user_type = {};  // f32 where `type` is a wire type (core/data/wire.h)

  bool operator==(const RunFacts&) const = default;
};

// Which way data go between two ranks on GPUs.
enum class LinkPath : std::uint8_t {
  same_device,   // both are on one device
  peer,          // the receiver's device reads the sender's memory
  through_host,  // the driver copies, by way of the host's memory
};
struct DeviceLink {
  std::int32_t src;
  std::int32_t dst;
  LinkPath path;

  bool operator==(const DeviceLink&) const = default;
};

// What recorded times are worth: clocks of several devices agree only so far. Nothing may begin
// before what it depends on has landed by more than their sum.
struct ClockFacts {
  std::int64_t resolution = 0;   // nanoseconds; 0: one clock, exact
  std::int64_t uncertainty = 0;  // nanoseconds between two devices at most

  std::int64_t tolerance() const { return resolution + uncertainty; }
  bool operator==(const ClockFacts&) const = default;
};

// Where it ran.
struct Provenance {
  std::string program_version;
  std::string host;        // host name
  std::string processor;   // as the system names it
  std::int32_t cores = 0;  // that the process may use
  std::string system;      // 'Debian GNU/Linux 12 (bookworm), Linux 6.1'
  std::string compiler;
  std::int64_t recorded_at = 0;  // seconds since 1970, UTC
  std::vector<std::string>
      devices;  // what each rank ran on, e.g. 'CPU thread'; one entry where all are the same
  std::vector<DeviceLink> links;  // on GPUs: those that the schedule uses, by src and dst
  ClockFacts clock;

  bool operator==(const Provenance&) const = default;
};

// One transfer's times, in nanoseconds from the common start. 'Landed' is read before it is
// published.
struct Event {
  std::int64_t waited_from = 0;  // when its lane began to wait for it (or ended its previous part)
  std::int64_t delayed = 0;      // how long it slept on purpose
  std::int64_t move_begun = 0;
  std::int64_t move_landed = 0;
  std::int64_t reduce_begun = 0;  // fused: equal to the move's
  std::int64_t reduce_landed = 0;
  std::uint64_t bytes = 0;
  std::int32_t lane = 0;
  std::uint16_t fused = 0;  // 1: moved and reduced in one pass
  std::uint16_t done = 0;   // 1: it happened; 0 in a partial trace where it did not

  bool operator==(const Event&) const = default;
};
static_assert(sizeof(Event) == 64);

// How much of the data was kept.
enum class Kept : std::uint8_t {
  whole,        // every element of every cell (cells of up to 64 elements)
  first_eight,  // of each cell the first 8
  first_one,    // the first
  ends_only,    // the first, of inputs and results only: no transfer's value
};

// The elements that were kept, as they were in memory. The value that is drawn is a cell's first
// element.
struct Values {
  Kept kept = Kept::whole;
  // Rank after rank, in each cell after cell, in each the kept elements.
  std::vector<std::byte> inputs;
  std::vector<std::byte> results;
  // What each transfer left in its destination: transfer after transfer, cell after cell. Zero
  // where not done.
  std::vector<std::byte> landed;

  bool operator==(const Values&) const = default;
};

// Whether the result is right, against a reference that shares no code with the engines.
struct Verdict {
  enum class Outcome : std::uint8_t { verified, failed, not_checked };
  Outcome outcome = Outcome::not_checked;
  std::uint64_t elements = 0;  // how many were held against the reference, over all ranks
  bool ranks_agree = false;    // bitwise, wherever the goals are the same
  bool exact = false;          // compared bitwise (else within the bound of the operator and type)
  double largest_error = 0;    // absolute
  double largest_error_in_bounds = 0;  // largest |error| / bound: above 1 fails
  std::uint64_t wrapped = 0;           // integer elements whose true result does not fit the type
  std::uint64_t overflowed = 0;        // left the type's normal range: said, not failed
  std::uint64_t underflowed = 0;
  std::optional<Message> failure;  // the first thing that is wrong: rank, element, got, wanted

  bool operator==(const Verdict&) const = default;
};

// How far a run with a wire type ended from full precision. It decides nothing. An element counts
// once, not once a rank.
struct WireCost {
  std::uint64_t elements = 0;           // that were held against full precision
  double largest_error = 0;             // absolute, of finite results
  double largest_relative_error = 0;    // |error| / |result in full precision|, where that is not 0
  double largest_result = 0;            // in full precision, of the finite
  std::uint64_t inputs_overflowed = 0;  // elements of all ranks that rounding made infinite
  std::uint64_t results_overflowed = 0;  // finite in full precision, but not as the run left them

  bool operator==(const WireCost&) const = default;
};

// What is seen of an all-reduce that shows no transfers (core/schedule/opaque.h).
struct OpaqueRun {
  std::string library;  // whose it is, with its version: 'NCCL 2.28.3'
  // [repeat * ranks + rank]: nanoseconds, each by the clock of the rank's own device, from where
  // its part began to where it was done. That of a repeat is the longest of its ranks'.
  std::vector<std::int64_t> rank_times;

  bool operator==(const OpaqueRun&) const = default;
};
// The time of each repeat.
std::vector<std::int64_t> repeat_times(const OpaqueRun& run, std::int32_t ranks);

struct Trace {
  Schedule schedule;
  RunFacts run;
  Provenance where;
  std::vector<Event> events;     // [transfer]
  std::int64_t nanoseconds = 0;  // the whole run, from the common start to the last landing
  Values values;
  Verdict verdict;
  std::optional<Message> stopped;          // a partial trace says why it ends early
  std::optional<WireCost> wire_cost = {};  // of a whole run with a wire type
  std::optional<OpaqueRun> opaque = {};    // of one that shows no transfers

  bool operator==(const Trace&) const = default;
};

// What of run.trouble took place, as far as the record shows it: a run that stopped may have had no
// time for all of it.
Trouble trouble_that_happened(const Trace& trace);

// Where a value lies in Values: kept elements of each cell and offsets, derived once from schedule
// and type.
struct ValueLayout {
  ValueLayout(const Schedule& schedule, ElementType type, Kept kept);

  Kept kept;
  std::size_t element_bytes;
  std::vector<std::uint32_t> kept_elements;  // [cell of one rank]
  std::vector<std::uint64_t>
      cell_offsets;  // cells + 1: bytes into one rank's part of inputs or results
  std::vector<std::uint64_t> landed_offsets;  // transfers + 1: bytes into landed

  std::uint64_t rank_bytes() const { return cell_offsets.back(); }
  std::uint64_t landed_bytes() const { return landed_offsets.back(); }
};
// Whole where cells have up to 64 elements, else the first 8; where inputs, results and landed
// would pass 64 MiB together, the first element; where that passes it too, inputs and results only.
Kept kept_for(const Schedule& schedule, ElementType type);

// Bytes of one rank's buffer, as memory holds it.
std::uint64_t buffer_bytes(const Trace& trace);
// The same of the user's data: twice that where a wire type is used.
std::uint64_t user_bytes(const Trace& trace);
// The user's bytes / second, and that times the factor of nccl-tests' doc/PERFORMANCE.md
// (all-reduce 2(N-1)/N). 0 for no elements or no time; busbw 0 for one rank.
double algbw(const Trace& trace);
double busbw(const Trace& trace);
// algbw -> busbw for the collective that the schedule's goals describe.
double busbw_factor(const Schedule& schedule);

}  // namespace ringscope
