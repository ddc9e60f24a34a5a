// What an object compiled by nvcc 13 calls besides the public runtime. Another version may call
// something else: link_check.cu shows that before anything is built on it.
#include "tests/cuda/registration.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdlib>

namespace ringscope {

// Registration runs before constructors of other files do.
std::map<const void*, std::string>& registered_kernels() {
  static std::map<const void*, std::string> all;
  return all;
}

}  // namespace ringscope

extern "C" {

void** __cudaRegisterFatBinary(void*) {
  static void* handle = nullptr;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char* host_function, char*, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  ringscope::registered_kernels()[host_function] = name;
}
char __cudaInitModule(void**) { return 1; }
// A kernel is only ever launched by cudaLaunchKernel.
unsigned __cudaPushCallConfiguration(dim3, dim3, std::size_t, struct CUstream_st*) { std::abort(); }
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, std::size_t*, void*) { std::abort(); }
cudaError_t __cudaGetKernel(cudaKernel_t*, const void*) { return cudaErrorInvalidDeviceFunction; }
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, std::size_t, cudaStream_t) {
  std::abort();
}

}  // extern "C"
