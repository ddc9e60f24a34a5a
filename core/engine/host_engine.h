// The host engine: a thread per rank, memory shared as peer memory is between GPUs (the receiver
// pulls).
#pragma once

#include <memory>

#include "core/data/operators.h"
#include "core/engine/engine.h"

namespace ringscope {

// What a lane does to elements. Tests put in others, such as one that throws.
struct HostPasses {
  decltype(&reduce_pass) reduce = &reduce_pass;
  decltype(&copy_pass) copy = &copy_pass;
};

std::unique_ptr<Engine> make_host_engine(const HostPasses& passes);

}  // namespace ringscope
