// Ports that are held to a rate: when each serves which message. Arithmetic only, in nanoseconds
// from the common start, done before a run; the lanes then keep to it.
//
// Each rank has a port in and a port out, which know nothing of each other. A message of b bytes
// holds the sender's port out and the receiver's port in for latency + b / rate, both at once: the
// alpha-beta model (t = alpha + b * beta) with one port a rank, as in Thakur, Rabenseifner, Gropp,
// IJHPCA 2005. A slice is a message of its own. Adding and copying within a rank take no time here:
// they must fit into that of the messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/engine.h"

namespace ringscope {

// '500MB/s', '1.5GB/s', '64MiB/s', '800B/s' -> bytes per second. Throws Error (usage).
std::uint64_t parse_rate(std::string_view text);
// What --port and --latency ask for; both empty: no pace. Throws Error (usage).
Pace parse_pace(const std::string& port, const std::string& latency);

// For how long a message holds its two ports; rounded up, so that no run beats the model.
std::int64_t service_time(const Pace& pace, std::uint64_t bytes);

// When each part begins and ends on ports that keep the pace. Of a finish both are when it could
// begin.
struct PortTimes {
  std::vector<std::int64_t> begins;  // [part]
  std::vector<std::int64_t> ends;    // [part]
  std::int64_t last = 0;             // the end of the last
};

// A port in takes messages in the order of its rank's lane. A port out serves whoever is ready
// first (its lane is there, and all that it depends on has landed), of equals the transfer of the
// lower number. Late ranks and delays count, deaths do not.
PortTimes plan_ports(const Job& job);

// What share of the pace a run kept up with: its time by plan over its real one; 1 where they are
// within 3 % of each other.
double pace_share(std::int64_t planned, std::int64_t real);

}  // namespace ringscope
