#include "core/engine/cuda_api.h"

#include <string>

namespace ringscope {

void cuda_check(cudaError_t result, std::string_view call) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // so that the next call does not report it again
  throw Error({"error.cuda.failed",
               {{"call", std::string(call)},
                {"name", cudaGetErrorName(result)},
                {"text", cudaGetErrorString(result)}}});
}

void cuda_use(int device) { cuda_check(cudaSetDevice(device), "cudaSetDevice"); }

DeviceMemory::DeviceMemory(int device, std::uint64_t bytes) : bytes_(bytes) {
  cuda_use(device);
  if (bytes == 0) return;
  void* data = nullptr;
  cuda_check(cudaMalloc(&data, bytes), "cudaMalloc");
  data_ = static_cast<std::byte*>(data);
}

HostFlag::HostFlag(int device) {
  cuda_use(device);
  void* data = nullptr;
  cuda_check(cudaHostAlloc(&data, sizeof(std::uint32_t), cudaHostAllocPortable), "cudaHostAlloc");
  value_ = static_cast<std::uint32_t*>(data);
  *value_ = 0;
}

Stream::Stream(int device) {
  cuda_use(device);
  cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking),
             "cudaStreamCreateWithFlags");
}

void Stream::synchronize() const {
  cuda_check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
}

bool Stream::is_idle() const {
  const cudaError_t result = cudaStreamQuery(stream_);
  if (result == cudaErrorNotReady) return false;
  cuda_check(result, "cudaStreamQuery");
  return true;
}

StreamPoint::StreamPoint() {
  cuda_check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
}

void StreamPoint::set(cudaStream_t stream) {
  cuda_check(cudaEventRecord(event_, stream), "cudaEventRecord");
  is_set_ = true;
}

bool StreamPoint::is_reached() const {
  const cudaError_t result = cudaEventQuery(event_);
  if (result == cudaErrorNotReady) return false;
  cuda_check(result, "cudaEventQuery");
  return true;
}

void StreamPoint::hold_up(cudaStream_t stream) const {
  cuda_check(cudaStreamWaitEvent(stream, event_, 0), "cudaStreamWaitEvent");
}

void copy_to_device(std::byte* dst, std::span<const std::byte> src, cudaStream_t stream) {
  if (src.empty()) return;
  cuda_check(cudaMemcpyAsync(dst, src.data(), src.size(), cudaMemcpyHostToDevice, stream),
             "cudaMemcpyAsync");
}

void copy_to_host(std::span<std::byte> dst, const std::byte* src, cudaStream_t stream) {
  if (dst.empty()) return;
  cuda_check(cudaMemcpyAsync(dst.data(), src, dst.size(), cudaMemcpyDeviceToHost, stream),
             "cudaMemcpyAsync");
}

}  // namespace ringscope
