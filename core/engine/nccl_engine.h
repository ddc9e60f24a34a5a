// NVIDIA's own all-reduce on the same data, as the yardstick. Its library is opened at run time, so
// that a program with this engine starts where it is missing.
#pragma once

#include <memory>
#include <string>

#include "core/engine/engine.h"

namespace ringscope {

// `library` is what the system's loader is asked for. Tests name another.
std::unique_ptr<Engine> make_nccl_engine(const EngineRequest& request,
                                         const std::string& library = "libnccl.so.2");

}  // namespace ringscope
