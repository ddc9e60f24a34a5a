// The ranks' buffers: aligned, on huge pages where the system has them, with guard words on both
// sides that show a write outside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ringscope {

class Buffer {
 public:
  Buffer() = default;
  // Zeroed, and touched, so that no page is missing later. `place` staggers buffers of one run in
  // the caches. Throws std::bad_alloc.
  Buffer(std::uint64_t bytes, int place);
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer();

  std::span<std::byte> bytes() { return data_; }
  std::span<const std::byte> bytes() const { return data_; }
  // False where anything was written beside the buffer.
  bool guards_untouched() const;

  // Bytes that a buffer of that size takes.
  static std::uint64_t footprint(std::uint64_t bytes);

 private:
  void swap(Buffer& other) noexcept;

  std::span<std::byte> mapped_;
  std::span<std::byte> data_;
};

}  // namespace ringscope
