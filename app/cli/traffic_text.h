// What a run moved, in words and as JSON, each count beside its formula. Pure; `ringscope info`
// prints it.
#pragma once

#include <string>
#include <vector>

#include "app/cli/output.h"
#include "core/language/language.h"
#include "core/trace/trace.h"

namespace ringscope {

// Rows of a label and a text: rounds, bytes sent and received by a rank, through the busiest port,
// over the busiest link, in all; behind each its formula; then what the symbols are, the source,
// and what a popular document says. Of a run that stopped, what really went.
std::vector<std::vector<std::string>> traffic_rows(const Trace& trace, const Language& language);

// Adds 'traffic' and, where the algorithm has one, 'formula'.
void add_traffic(Json& json, const Trace& trace, const Language& language);

}  // namespace ringscope
