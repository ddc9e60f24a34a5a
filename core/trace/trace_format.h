// The frame of a .ring file, shared by the code that writes it and the code that reads it:
//
//   0        8         16        24       32
//   | magic  | version | length  | hash   | payload (trace.fbs), `length` bytes
//
// Numbers are 64 bits, little endian. The hash is XXH3-64 of the first 24 bytes and the payload.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/trace/trace.h"

namespace ringscope {

static_assert(std::endian::native == std::endian::little, "values are stored as in memory");

// As PNG's: shows at once where somebody opened it as text or changed its line ends.
inline constexpr std::array<unsigned char, 8> file_magic{0x89, 'R', 'I', 'N', 'G', '\r', '\n', 26};
inline constexpr std::uint64_t file_version = 1;

struct FileHeader {
  std::array<unsigned char, 8> magic = file_magic;
  std::uint64_t version = file_version;
  std::uint64_t length = 0;  // bytes of the payload
  std::uint64_t hash = 0;
};
static_assert(sizeof(FileHeader) == 32);

// FlatBuffers has 31-bit offsets: a file of that many bytes or more is neither made nor read.
inline constexpr std::uint64_t most_file_bytes = (std::uint64_t{1} << 31) - 1;

// Of the header without its hash, and the payload.
std::uint64_t file_hash(const FileHeader& header, std::span<const std::byte> payload);

// What the file of a trace takes, at most (a few hundred bytes more than it really takes).
std::uint64_t file_bytes_at_most(const Trace& trace);

// Throws Error where the bytes reach 2 GB.
void refuse_two_gigabytes(std::uint64_t bytes, const std::string& name);

}  // namespace ringscope
