// The CUDA runtime's calls with errors as ringscope::Error, and what must be given back as owners.
// Nothing here is shared between threads.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"

namespace ringscope {

// Throws Error, with CUDA's own name for it, where that is not success. `call` is what failed.
void cuda_check(cudaError_t result, std::string_view call);

// Makes it the current device of this thread.
void cuda_use(int device);

// Memory of a device. Of 0 bytes there is none.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  // On the device `device`, which becomes the current one.
  DeviceMemory(int device, std::uint64_t bytes);
  DeviceMemory(DeviceMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~DeviceMemory() {
    if (data_ != nullptr) cudaFree(data_);
  }

  std::byte* data() const { return data_; }
  std::uint64_t bytes() const { return bytes_; }
  // It is never given back: a device that hangs would keep us waiting for ever.
  void abandon() { data_ = nullptr; }

 private:
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

// A number in the host's memory that kernels of all devices see. May be set from any thread.
class HostFlag {
 public:
  explicit HostFlag(int device);  // any that is in use; it becomes the current one
  HostFlag(const HostFlag&) = delete;
  HostFlag& operator=(const HostFlag&) = delete;
  ~HostFlag() {
    if (!abandoned_) cudaFreeHost(value_);
  }

  void set(std::uint32_t value) { std::atomic_ref(*value_).store(value); }
  const volatile std::uint32_t* address() const { return value_; }
  void abandon() { abandoned_ = true; }  // as DeviceMemory's

 private:
  std::uint32_t* value_ = nullptr;
  bool abandoned_ = false;
};

class Stream {
 public:
  explicit Stream(int device);  // which becomes the current one
  Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  Stream& operator=(Stream&&) = delete;
  ~Stream() {
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }
  cudaStream_t get() const { return stream_; }

  // All that was put into it is done.
  void synchronize() const;
  bool is_idle() const;

 private:
  cudaStream_t stream_ = nullptr;
};

// Waits for a stream when its own life ends, come what may: what the stream reads and writes on the
// host may go only then.
class StreamEnd {
 public:
  explicit StreamEnd(cudaStream_t stream) : stream_(stream) {}
  StreamEnd(const StreamEnd&) = delete;
  StreamEnd& operator=(const StreamEnd&) = delete;
  ~StreamEnd() { cudaStreamSynchronize(stream_); }

 private:
  cudaStream_t stream_;
};

// A point of a stream that others wait for; it holds no time.
class StreamPoint {
 public:
  // Of a stream of the current device; nowhere yet.
  StreamPoint();
  StreamPoint(StreamPoint&& other) noexcept
      : event_(std::exchange(other.event_, nullptr)), is_set_(other.is_set_) {}
  StreamPoint& operator=(StreamPoint&&) = delete;
  ~StreamPoint() {
    if (event_ != nullptr) cudaEventDestroy(event_);
  }

  // To the end of all that is in the stream by now.
  void set(cudaStream_t stream);
  bool is_set() const { return is_set_; }
  bool is_reached() const;
  void hold_up(cudaStream_t stream) const;

 private:
  cudaEvent_t event_ = nullptr;
  bool is_set_ = false;
};

// Between the host's memory and a device's, in the order of the stream. What is read or written on
// the host must stay as it is till the stream is synchronized.
void copy_to_device(std::byte* dst, std::span<const std::byte> src, cudaStream_t stream);
void copy_to_host(std::span<std::byte> dst, const std::byte* src, cudaStream_t stream);

}  // namespace ringscope
