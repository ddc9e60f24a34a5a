// What the engine's kernels do, as host functions; they are looked up by their registered name.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace ringscope {

// Puts the kernel into the stream, after holding what it reads and writes against all that came
// before.
cudaError_t put_kernel(const std::string& name, void** arguments, cudaStream_t stream);

}  // namespace ringscope
