// What the ranks start with: generated data, or the user's own array. Every element is a pure
// function of (kind, version, seed, rank, index), so any part of any input can be made again at any
// time, by anybody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/element.h"

namespace ringscope {

enum class DataKind : std::uint8_t { digits, ramp, random, exact, file };

// "digits", "ramp", "random", "exact", "file".
std::string_view name_of(DataKind kind);

// Raised whenever a generator gives other values than before for the same arguments; kept in the
// trace.
inline constexpr int generator_version = 1;

// A NumPy array of shape (ranks, ...), C order, read from a .npy file.
struct NumpyArray {
  ElementType type;
  int ranks;
  std::uint64_t count;           // elements a rank
  std::vector<std::byte> bytes;  // rank after rank
};

// Reads FILE.npy (format versions 1 to 3, little endian). Throws Error naming the file and what is
// wrong with it. bf16 has no NumPy type: an array of '<u2' is taken as bf16 only where as_bf16 is
// set.
NumpyArray read_numpy(const std::string& path, bool as_bf16 = false);

// Everything that decides the inputs.
struct InputSpec {
  DataKind kind = DataKind::digits;
  ElementType type = ElementType::f32;
  Operator op = Operator::sum;
  int ranks = 4;
  std::uint64_t count = 4;  // elements a rank
  std::uint64_t seed = 1;
  std::shared_ptr<const NumpyArray> array;  // for DataKind::file only
  // f32 where the data are of that type, and rounded to `type`, a wire type (wire.h), before a run.
  std::optional<ElementType> user_type = {};
};

// The kind that a run takes where the user names none: digits where every subset sum is exact, else
// ramp (DESIGN 'Data': sum and avg; f32 f64 i32 i64 up to 7 ranks, f16 to 3, bf16 i8 u8 to 2).
DataKind default_data(ElementType type, Operator op, int ranks);

// True where the result is the same to the bit for every schedule: integers wrap, min and max pick,
// and of exact data (digits and ramp too, while they fit) every partial result is representable.
// A mean of such data is its exact sum, divided and rounded once.
bool is_exact(const InputSpec& spec);

// Throws Error (usage) where the kind can't be had for the type, operator and ranks (digits beyond
// its ranks, exact avg that does not fit, a file of another type or number of ranks, a wire type
// for other data than f32).
void check_inputs(const InputSpec& spec);

// Writes elements [first, first + out.size()/bytes_of(type)) of one rank's input to out.
void fill_input(const InputSpec& spec, int rank, std::uint64_t first, std::span<std::byte> out);

// The same before it was rounded to a wire type: elements of user_type.
void fill_unrounded(const InputSpec& spec, int rank, std::uint64_t first, std::span<std::byte> out);

}  // namespace ringscope
