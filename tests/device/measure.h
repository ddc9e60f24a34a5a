// How fast the CUDA engine is on the GPUs that are there, against a copy and against NCCL.
#pragma once

#include <cstdint>
#include <string>

namespace ringscope {

// Prints a row for each measurement, and at the end what was aimed at; the same as JSON into the
// file, which is written anew after every row. Buffers are `most` bytes at most.
void measure_all(const std::string& file, std::uint64_t most);

}  // namespace ringscope
