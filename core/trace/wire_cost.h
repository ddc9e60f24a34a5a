// What a wire type costs: how far a run's results are from full precision. It is measured apart
// from the verdict, of which it decides nothing. (DESIGN, 'Wire type'.)
#pragma once

#include <cstdint>
#include <span>

#include "core/trace/expectation.h"
#include "core/trace/trace.h"

namespace ringscope {

// Holds the first kept[cell] elements of each cell (all, where the list is empty) against the
// reference of the data as they were before they were rounded (fill_unrounded()). `inputs` is that
// of the run, `read` gives its results in the wire type. Of ranks that want the same the first is
// asked, as they agree.
WireCost wire_cost(const Schedule& schedule, const InputSpec& inputs,
                   std::span<const std::uint32_t> kept, const ElementReader& read);

}  // namespace ringscope
