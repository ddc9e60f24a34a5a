#include "core/engine/cuda_devices.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/engine/cuda_api.h"

namespace ringscope {
namespace {

Availability unavailable(cudaError_t result) {
  cudaGetLastError();
  const bool no_device = result == cudaErrorNoDevice || result == cudaSuccess;
  return {false,
          {no_device ? "error.cuda.no_device" : "error.cuda.no_driver",
           {{"name", cudaGetErrorName(no_device ? cudaErrorNoDevice : result)},
            {"text", cudaGetErrorString(no_device ? cudaErrorNoDevice : result)}}}};
}

}  // namespace

CudaMachine find_cuda_devices() {
  CudaMachine machine;
  int count = 0;
  cudaError_t result = cudaGetDeviceCount(&count);
  if (result != cudaSuccess || count == 0) return {{}, unavailable(result)};
  for (int number = 0; number < count; ++number) {
    cudaDeviceProp properties{};
    result = cudaGetDeviceProperties(&properties, number);
    if (result != cudaSuccess) return {{}, unavailable(result)};
    machine.devices.push_back({number, properties.name, properties.multiProcessorCount});
  }
  return machine;
}

std::vector<int> devices_of_ranks(int ranks, int devices, const std::vector<int>& asked) {
  std::vector<int> chosen(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) chosen[static_cast<std::size_t>(rank)] = rank % devices;
  if (asked.empty()) return chosen;
  if (asked.size() != chosen.size())
    throw Error({"error.devices.count",
                 {{"devices", std::to_string(asked.size())}, {"ranks", std::to_string(ranks)}}},
                Blame::usage);
  for (const int number : asked)
    if (number < 0 || number >= devices)
      throw Error({"error.devices.number",
                   {{"device", std::to_string(number)}, {"last", std::to_string(devices - 1)}}},
                  Blame::usage);
  return asked;
}

void require_free_memory(int device, std::uint64_t bytes) {
  const auto gibibytes = [](std::uint64_t size) {
    return fmt::format("{:.2f} GiB", static_cast<double>(size) / (1 << 30));
  };
  std::size_t free = 0, total = 0;
  cuda_use(device);
  cuda_check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  if (bytes > free)
    throw Error({"error.cuda.memory",
                 {{"device", std::to_string(device)},
                  {"needed", gibibytes(bytes)},
                  {"available", gibibytes(free)}}});
}

LinkPath PeerAccess::path(int dst_device, int src_device) {
  if (none_) return LinkPath::through_host;
  if (dst_device == src_device) return LinkPath::same_device;
  const std::pair pair(dst_device, src_device);
  if (allowed_.contains(pair)) return LinkPath::peer;
  if (refused_.contains(pair)) return LinkPath::through_host;
  int can = 0;
  cuda_check(cudaDeviceCanAccessPeer(&can, dst_device, src_device), "cudaDeviceCanAccessPeer");
  if (can == 0) {
    refused_.insert(pair);
    return LinkPath::through_host;
  }
  cuda_use(dst_device);
  const cudaError_t result = cudaDeviceEnablePeerAccess(src_device, 0);
  if (result == cudaErrorPeerAccessAlreadyEnabled)
    cudaGetLastError();
  else
    cuda_check(result, "cudaDeviceEnablePeerAccess");
  allowed_.insert(pair);
  return LinkPath::peer;
}

}  // namespace ringscope
