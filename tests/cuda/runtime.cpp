// The calls of the CUDA runtime that the engine makes.
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>
#include <map>

#include "tests/cuda/host_kernels.h"
#include "tests/cuda/registration.h"
#include "tests/cuda/world.h"

using ringscope::Range;
using ringscope::registered_kernels;
using ringscope::world;

namespace {

// Why a stream takes no more work; success where it does.
cudaError_t refusal(cudaStream_t stream) {
  return world().is_known(stream) ? world().broken : cudaErrorInvalidResourceHandle;
}

// The driver's own copies between devices reach all memory.
enum class Reach { own_device, all_memory };

cudaError_t put_copy(void* dst, const void* src, std::size_t bytes,
                     const std::vector<Range>& ranges, Reach reach, cudaStream_t stream) {
  auto& all = world();
  if (const cudaError_t refused = refusal(stream)) return all.answer(refused);
  if (all.fails_at_once(all.settings.fail_copy, all.report.copies, cudaErrorIllegalAddress, stream))
    return all.answer(cudaErrorIllegalAddress);
  all.put(stream, "copy", ranges, reach == Reach::all_memory ? -1 : stream->device,
          [=] { std::memcpy(dst, src, bytes); });
  return cudaSuccess;
}

}  // namespace

extern "C" {

// --- Devices

cudaError_t cudaGetDeviceCount(int* count) {
  *count = world().settings.no_devices == cudaSuccess ? world().settings.devices : 0;
  return world().answer(world().settings.no_devices);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (!world().is_device(device)) return world().answer(cudaErrorInvalidDevice);
  *properties = {};
  std::strcpy(properties->name, "Stand-in");
  properties->multiProcessorCount = 8;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (!world().is_device(device)) return world().answer(cudaErrorInvalidDevice);
  world().current = device;
  return cudaSuccess;
}
cudaError_t cudaDeviceReset() { return cudaSuccess; }
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = device != peer && !world().settings.no_peer.contains({device, peer}) ? 1 : 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  const std::pair pair(world().current, peer);
  if (world().settings.refuses_peers || world().settings.no_peer.contains(pair))
    return world().answer(cudaErrorPeerAccessUnsupported);
  return world().answer(world().enabled.insert(pair).second ? cudaSuccess
                                                            : cudaErrorPeerAccessAlreadyEnabled);
}

// --- Memory

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  auto& all = world();
  if (all.fails(all.settings.fail_allocation, all.report.allocations, cudaErrorMemoryAllocation))
    return all.answer(cudaErrorMemoryAllocation);
  *data = all.allocate(bytes);
  return all.answer(*data != nullptr ? cudaSuccess : cudaErrorMemoryAllocation);
}
cudaError_t cudaFree(void* data) {
  if (data != nullptr) world().give_back(data);
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** data, std::size_t bytes, unsigned) {
  auto& all = world();
  if (all.fails(all.settings.fail_allocation, all.report.allocations, cudaErrorMemoryAllocation))
    return all.answer(cudaErrorMemoryAllocation);
  *data = std::malloc(bytes);
  all.host_memory.insert(*data);
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* data) {
  if (data == nullptr) return cudaSuccess;
  world().drain();  // as the runtime does
  if (world().host_memory.erase(data) == 0)
    world().fault("gives back host memory that is not there");
  std::free(data);
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = world().free_memory();
  *total = world().settings.memory;
  return cudaSuccess;
}

// --- Streams and events

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  auto made = std::make_unique<CUstream_st>();
  made->device = world().current;
  made->actor = world().new_actor();
  *stream = made.get();
  world().streams[*stream] = std::move(made);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (!world().is_known(stream)) return cudaErrorInvalidResourceHandle;
  while (world().go_on()) {  // it goes on by itself till it is empty
  }
  world().streams.erase(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  auto& all = world();
  if (const cudaError_t refused = refusal(stream)) return all.answer(refused);
  while (!stream->work.empty())
    if (!all.go_on() && all.broken == cudaSuccess) {
      all.fault("waits for a stream that never goes on");
      return all.answer(cudaErrorUnknown);
    }
  if (all.broken != cudaSuccess) return all.answer(all.broken);
  all.host_clock.learn(stream->clock);
  return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  if (!world().is_known(stream)) return world().answer(cudaErrorInvalidResourceHandle);
  return world().query(stream->work.empty(), stream->clock);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  auto& all = world();
  if (!all.is_known(stream) || !all.events.contains(event))
    return all.answer(cudaErrorInvalidResourceHandle);
  if (event->reached == nullptr) all.fault("waits for an event that was not recorded");
  const bool drops = all.settings.drop_wait && *all.settings.drop_wait == all.report.waits;
  ++all.report.waits;
  if (drops || event->reached == nullptr) return cudaSuccess;
  stream->clock.learn(event->clock);
  stream->work.push_back({[reached = event->reached] { return *reached; }, [] {}});
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  auto made = std::make_unique<CUevent_st>();
  made->device = world().current;
  *event = made.get();
  world().events[*event] = std::move(made);
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (world().events.erase(event) == 0) world().fault("gives back an event that is not there");
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  auto& all = world();
  if (!all.is_known(stream) || !all.events.contains(event) || event->device != stream->device)
    return all.answer(cudaErrorInvalidResourceHandle);
  if (all.broken != cudaSuccess) return all.answer(all.broken);
  event->reached = std::make_shared<bool>(false);
  all.put(stream, "event", {}, stream->device,
          [reached = event->reached, time = event->time, device = stream->device] {
            *reached = true;
            *time = world().timer(device);
          });
  event->clock = stream->clock;
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (!world().events.contains(event)) return world().answer(cudaErrorInvalidResourceHandle);
  return world().query(event->reached == nullptr || *event->reached, event->clock);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  if (!*begin->reached || !*end->reached) return cudaErrorNotReady;
  *milliseconds = static_cast<float>(*end->time - *begin->time) / 1e6f;
  return cudaSuccess;
}

// --- Work

cudaError_t cudaMemcpyAsync(void* dst, const void* src, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  std::vector<Range> ranges;
  if (kind != cudaMemcpyHostToDevice) ranges.push_back({src, bytes, false});
  if (kind != cudaMemcpyDeviceToHost) ranges.push_back({dst, bytes, true});
  return put_copy(dst, src, bytes, ranges, Reach::own_device, stream);
}
cudaError_t cudaMemcpyPeerAsync(void* dst, int, const void* src, int, std::size_t bytes,
                                cudaStream_t stream) {
  return put_copy(dst, src, bytes, {{src, bytes, false}, {dst, bytes, true}}, Reach::all_memory,
                  stream);
}
cudaError_t cudaMemsetAsync(void* dst, int value, std::size_t bytes, cudaStream_t stream) {
  auto& all = world();
  if (const cudaError_t refused = refusal(stream)) return all.answer(refused);
  all.put(stream, "memset", {{dst, bytes, true}}, stream->device,
          [=] { std::memset(dst, value, bytes); });
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t, cudaStream_t stream) {
  auto& all = world();
  if (const cudaError_t refused = refusal(stream)) return all.answer(refused);
  if (stream->device != all.current) return all.answer(cudaErrorInvalidResourceHandle);
  if (all.fails_at_once(all.settings.fail_launch, all.report.launches, cudaErrorLaunchFailure,
                        stream))
    return all.answer(cudaErrorLaunchFailure);
  if (grid.x == 0 || block.x == 0 || block.x > 1024)
    return all.answer(cudaErrorInvalidConfiguration);
  const auto found = registered_kernels().find(function);
  if (found == registered_kernels().end()) return all.answer(cudaErrorInvalidDeviceFunction);
  const cudaError_t result = ringscope::put_kernel(found->second, arguments, stream);
  if (all.settings.hang_launch && *all.settings.hang_launch + 1 == all.report.launches)
    all.hang(stream);
  return all.answer(result);
}

// --- Errors

cudaError_t cudaGetLastError() { return std::exchange(world().last_error, cudaSuccess); }
const char* cudaGetErrorName(cudaError_t error) {
  static const std::map<cudaError_t, const char*> names{
      {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation"},
      {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver"},
      {cudaErrorNoDevice, "cudaErrorNoDevice"},
      {cudaErrorLaunchFailure, "cudaErrorLaunchFailure"},
      {cudaErrorIllegalAddress, "cudaErrorIllegalAddress"},
      {cudaErrorPeerAccessUnsupported, "cudaErrorPeerAccessUnsupported"}};
  const auto found = names.find(error);
  return found == names.end() ? "cudaErrorUnknown" : found->second;
}
const char* cudaGetErrorString(cudaError_t) { return "what the stand-in says"; }

}  // extern "C"
