#include "core/engine/buffers.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace ringscope {
namespace {

constexpr std::uint64_t huge_page = 2 << 20;
constexpr std::uint64_t page = 4096;
constexpr std::uint64_t guard_bytes = 64;  // a cache line, which keeps the buffer aligned to one
constexpr auto guard_value = std::byte{0xA5};
// Buffers of the same size would all fall into the same sets of a cache; so each begins elsewhere.
constexpr std::uint64_t stagger_bytes = 4096 + 256;
constexpr std::uint64_t stagger_places = 16;

std::uint64_t page_for(std::uint64_t bytes) { return bytes >= huge_page ? huge_page : page; }

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

std::uint64_t Buffer::footprint(std::uint64_t bytes) {
  const std::uint64_t unit = page_for(bytes);
  const std::uint64_t stagger = bytes >= page ? stagger_bytes * stagger_places : 0;
  // One page more, to begin on a page of that size.
  return round_up(bytes + 2 * guard_bytes + stagger, unit) + (unit > page ? unit : 0);
}

Buffer::Buffer(std::uint64_t bytes, int place) {
  const std::uint64_t footprint = Buffer::footprint(bytes);
  void* const mapped =
      mmap(nullptr, footprint, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  mapped_ = {static_cast<std::byte*>(mapped), footprint};
  const std::uint64_t unit = page_for(bytes);
  // Only a wish: without huge pages the buffer is just slower.
  if (unit == huge_page) madvise(mapped, footprint, MADV_HUGEPAGE);
  const auto address = reinterpret_cast<std::uintptr_t>(mapped);
  const std::uint64_t stagger =
      bytes >= page ? stagger_bytes * (static_cast<std::uint64_t>(place) % stagger_places) : 0;
  data_ = mapped_.subspan(round_up(address, unit) - address + stagger + guard_bytes, bytes);
  std::memset(data_.data() - guard_bytes, static_cast<int>(guard_value), guard_bytes);
  std::memset(data_.data() + bytes, static_cast<int>(guard_value), guard_bytes);
  if (bytes > 0) std::memset(data_.data(), 0, bytes);
}

Buffer::~Buffer() {
  if (!mapped_.empty()) munmap(mapped_.data(), mapped_.size());
}

void Buffer::swap(Buffer& other) noexcept {
  std::swap(mapped_, other.mapped_);
  std::swap(data_, other.data_);
}

bool Buffer::guards_untouched() const {
  if (mapped_.empty()) return true;
  const auto intact = [](const std::byte* guard) {
    return std::all_of(guard, guard + guard_bytes, [](std::byte b) { return b == guard_value; });
  };
  return intact(data_.data() - guard_bytes) && intact(data_.data() + data_.size());
}

}  // namespace ringscope
