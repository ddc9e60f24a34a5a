// Whether an object of this nvcc links with the stand-in's part that nvcc's own code calls.
#include <cuda_runtime_api.h>

#include "tests/cuda/registration.h"

__global__ void nothing(int) {}

extern "C" cudaError_t cudaLaunchKernel(const void* kernel, dim3, dim3, void**, size_t,
                                        cudaStream_t) {
  return ringscope::registered_kernels().count(kernel) == 1 ? cudaSuccess : cudaErrorUnknown;
}

int main() {
  int number = 0;
  void* arguments[] = {&number};
  return cudaLaunchKernel(reinterpret_cast<const void*>(&nothing), dim3(1), dim3(1), arguments, 0,
                          nullptr);
}
