#include "core/data/inputs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <string>

#include "core/data/wire.h"
#include "core/error.h"

namespace ringscope {
namespace {

// The ranges by type. One row an element type, in the order of ElementType.
struct Range {
  int digits_ranks;    // up to how many ranks every subset sum of `digits` is exact
  std::int64_t whole;  // all integers up to this size are representable
  int product_bits;    // 2^-this .. 2^this is representable (integers: from 1), normal too
  int fraction_bits;   // of a floating type's significand
};
constexpr std::array<Range, element_types.size()> ranges{{{3, 1 << 11, 14, 10},
                                                          {2, 1 << 8, 126, 7},
                                                          {7, 1 << 24, 126, 23},
                                                          {7, std::int64_t{1} << 53, 1022, 52},
                                                          {2, 127, 6, 0},
                                                          {2, 255, 7, 0},
                                                          {7, 2147483647, 30, 0},
                                                          {7, 9223372036854775807, 62, 0}}};
const Range& range_of(ElementType type) { return ranges[static_cast<std::size_t>(type)]; }

// What the values are made in; what they must fit is `type`.
ElementType made_in(const InputSpec& spec) { return spec.user_type.value_or(spec.type); }

bool is_unsigned(ElementType type) { return type == ElementType::u8; }

template <class T>
void store(std::byte* to, double value) {
  if constexpr (std::is_same_v<T, bf16>) {  // every value made here is representable
    const bf16 kept{
        static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16)};
    std::memcpy(to, &kept, sizeof kept);
  } else if constexpr (std::is_same_v<T, f16>) {  // and zero or normal: faster than conversion
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t size = bits << 1 == 0 ? 0 : (bits >> 42) - (std::uint64_t{1023 - 15} << 10);
    const auto kept = static_cast<std::uint16_t>((bits >> 48 & 0x8000u) | (size & 0x7fffu));
    std::memcpy(to, &kept, sizeof kept);
  } else {
    const T kept = static_cast<T>(value);
    std::memcpy(to, &kept, sizeof kept);
  }
}
template <class T>
void store(std::byte* to, std::int64_t value) {
  if constexpr (std::is_integral_v<T>) {
    const T kept = static_cast<T>(value);
    std::memcpy(to, &kept, sizeof kept);
  } else {
    store<T>(to, static_cast<double>(value));
  }
}

// --- ramp and digits

std::int64_t ramp_value(ElementType type, int rank, std::uint64_t index) {
  const std::uint64_t step = (7 * (index % 11) + 3 * static_cast<std::uint64_t>(rank)) % 11;
  return static_cast<std::int64_t>(step) + (is_unsigned(type) ? 5 : -5);
}

// The largest size of a ramp value.
std::int64_t ramp_most(ElementType type) { return is_unsigned(type) ? 15 : 5; }

template <class T>
void fill_ramp(const InputSpec& spec, int rank, std::uint64_t first, std::span<std::byte> out) {
  for (std::size_t i = 0; i * sizeof(T) < out.size(); ++i)
    store<T>(out.data() + i * sizeof(T), ramp_value(spec.type, rank, first + i));
}

// Cut as the ring cuts: with count = q * parts + r, part j begins at q * j + floor(r * j / parts).
std::uint64_t part_begin(std::uint64_t count, int parts, int j) {
  const auto n = static_cast<std::uint64_t>(parts), part = static_cast<std::uint64_t>(j);
  return count / n * part + count % n * part / n;
}

template <class T>
void fill_digits(const InputSpec& spec, int rank, std::uint64_t first, std::span<std::byte> out) {
  fill_ramp<T>(spec, rank, first, out);
  std::int64_t place = 1;  // 10^rank
  for (int i = 0; i < rank; ++i) place *= 10;
  for (int part = 0; part < spec.ranks; ++part) {
    const std::uint64_t begin = part_begin(spec.count, spec.ranks, part);
    const bool empty = begin == part_begin(spec.count, spec.ranks, part + 1);
    if (empty || begin < first || begin - first >= out.size() / sizeof(T)) continue;
    store<T>(out.data() + (begin - first) * sizeof(T), (part + 1) * place);
  }
}

// --- random and exact: a counter-based generator (the finisher of Steele, Lea and Flood, 'Fast
// splittable pseudorandom number generators', OOPSLA 2014, in Stafford's variant 13).

std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}
std::uint64_t stream_key(std::uint64_t seed, int rank) {
  return mixed(mixed(seed + 0x9e3779b97f4a7c15u) + static_cast<std::uint64_t>(rank));
}
std::uint64_t random_bits(std::uint64_t key, std::uint64_t index) {
  return mixed(key + index * 0x9e3779b97f4a7c15u);
}

// Uniform in [low, low + 2^64 * width / 2^64): the high half of bits * width.
std::int64_t scaled(std::uint64_t bits, std::int64_t low, std::uint64_t width) {
  const auto wide = static_cast<unsigned __int128>(bits) * width;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) +
                                   static_cast<std::uint64_t>(wide >> 64));
}

// At each index at most `most` of the ranks take part, each rank at some: so that what all of them
// together can come to stays within a budget of `most` whatever the number of ranks.
struct Turns {
  std::uint64_t every;
  Turns(int ranks, std::int64_t most)
      : every((static_cast<std::uint64_t>(ranks) + static_cast<std::uint64_t>(most) - 1) /
              static_cast<std::uint64_t>(most)) {}
  bool has(int rank, std::uint64_t index) const {
    return every == 1 || (static_cast<std::uint64_t>(rank) + index % every) % every == 0;
  }
};

// +-2^-lowest .. 2^-(highest) times a significand with all of the type's fraction bits.
double floating_value(std::uint64_t bits, int exponent, int fraction_bits) {
  const std::uint64_t sign = bits & std::uint64_t{1} << 63;
  const std::uint64_t fraction = (bits & ((std::uint64_t{1} << fraction_bits) - 1))
                                 << (52 - fraction_bits);
  return std::bit_cast<double>(sign | static_cast<std::uint64_t>(1023 + exponent) << 52 | fraction);
}

// Uniform in (-1, 1): an exponent of -1 in half of all cases, -2 in a quarter, ..., -9 for the
// rest.
double floating_term(std::uint64_t bits, int fraction_bits) {
  const int zeros = std::countl_zero(bits << 1 | std::uint64_t{1} << 55);
  return floating_value(bits, -1 - zeros, fraction_bits);
}

// The size that terms of an exact sum may have, and which ranks have one. For avg the last rank's
// term is moved by up to half of N (unsigned: N-1 downward) so that the sum is a multiple of N.
std::int64_t term_limit(const InputSpec& spec) {
  const std::int64_t whole = range_of(spec.type).whole;
  const std::int64_t moved = spec.op != Operator::avg ? 0
                             : is_unsigned(spec.type) ? spec.ranks - 1
                                                      : spec.ranks / 2;
  return (whole - moved) / spec.ranks;
}

// An integer whose sum with all other ranks' is representable, in any order.
std::int64_t whole_term(const InputSpec& spec, std::int64_t limit, const Turns& turns, int rank,
                        std::uint64_t index) {
  if (!turns.has(rank, index)) return 0;
  const std::uint64_t bits = random_bits(stream_key(spec.seed, rank), index);
  const auto size = static_cast<std::uint64_t>(limit);
  return is_unsigned(spec.type) ? scaled(bits, 0, size + 1) : scaled(bits, -limit, 2 * size + 1);
}

template <class T>
void fill_whole_terms(const InputSpec& spec, int rank, std::uint64_t first,
                      std::span<std::byte> out) {
  const std::int64_t limit = std::max<std::int64_t>(term_limit(spec), 1);
  const Turns turns(spec.ranks, range_of(spec.type).whole);
  for (std::size_t i = 0; i * sizeof(T) < out.size(); ++i)
    store<T>(out.data() + i * sizeof(T), whole_term(spec, limit, turns, rank, first + i));
}

// What the last rank adds to its term, so that the sum over all ranks is a multiple of N.
std::int64_t move_to_multiple(const InputSpec& spec, std::int64_t sum) {
  const std::int64_t n = spec.ranks;
  const std::int64_t over = (sum % n + n) % n;  // 0 .. N-1
  if (is_unsigned(spec.type)) return over == 0 ? 0 : n - over;
  return over > n / 2 ? n - over : -over;
}

template <class T>
void fill_last_of_mean(const InputSpec& spec, int rank, std::uint64_t first,
                       std::span<std::byte> out) {
  const std::int64_t limit = term_limit(spec);
  const Turns turns(spec.ranks, range_of(spec.type).whole);
  for (std::size_t i = 0; i * sizeof(T) < out.size(); ++i) {
    std::int64_t sum = 0;
    for (int other = 0; other < spec.ranks; ++other)
      sum += whole_term(spec, limit, turns, other, first + i);
    store<T>(out.data() + i * sizeof(T),
             whole_term(spec, limit, turns, rank, first + i) + move_to_multiple(spec, sum));
  }
}

// Factors: +-2^e in `exact` (integers: e >= 0), +-[0.5, 2) in `random` (integers: 1 or 2).
template <class T>
void fill_factors(const InputSpec& spec, int rank, std::uint64_t first, std::span<std::byte> out) {
  const Range& range = range_of(spec.type);
  const Turns turns(spec.ranks, range.product_bits);
  const bool powers = spec.kind == DataKind::exact;
  const int most = powers ? std::max(range.product_bits / spec.ranks, 1) : 1;
  const std::uint64_t key = stream_key(spec.seed, rank);
  for (std::size_t i = 0; i * sizeof(T) < out.size(); ++i) {
    const std::uint64_t bits = random_bits(key, first + i);
    const bool has_turn = turns.has(rank, first + i);
    const bool negative = bits >> 63 && !is_unsigned(spec.type);
    std::byte* const to = out.data() + i * sizeof(T);
    if (is_integer(spec.type)) {
      const std::int64_t size =
          std::int64_t{1} << (has_turn ? scaled(bits << 1, 0, static_cast<unsigned>(most) + 1) : 0);
      store<T>(to, negative ? -size : size);
    } else if (!has_turn) {
      store<T>(to, negative ? -1. : 1.);
    } else if (powers) {
      const auto exponent = scaled(bits << 1, -most, 2 * static_cast<unsigned>(most) + 1);
      store<T>(to, floating_value(bits, static_cast<int>(exponent), 0));
    } else {
      const int exponent = -static_cast<int>(bits >> 62 & 1);
      store<T>(to, floating_value(bits, exponent, range_of(made_in(spec)).fraction_bits));
    }
  }
}

template <class T>
void fill_random(const InputSpec& spec, int rank, std::uint64_t first, std::span<std::byte> out) {
  if (spec.op == Operator::prod) return fill_factors<T>(spec, rank, first, out);
  if (is_integer(spec.type)) return fill_whole_terms<T>(spec, rank, first, out);
  const int fraction_bits = range_of(made_in(spec)).fraction_bits;
  const std::uint64_t key = stream_key(spec.seed, rank);
  for (std::size_t i = 0; i * sizeof(T) < out.size(); ++i)
    store<T>(out.data() + i * sizeof(T), floating_term(random_bits(key, first + i), fraction_bits));
}

template <class T>
void fill_exact(const InputSpec& spec, int rank, std::uint64_t first, std::span<std::byte> out) {
  if (spec.op == Operator::prod) return fill_factors<T>(spec, rank, first, out);
  if (spec.op == Operator::avg && rank == spec.ranks - 1)
    return fill_last_of_mean<T>(spec, rank, first, out);
  fill_whole_terms<T>(spec, rank, first, out);
}

std::string number(std::uint64_t value) { return std::to_string(value); }
std::string number(int value) { return std::to_string(value); }

void check_file(const InputSpec& spec) {
  assert(spec.array);
  const NumpyArray& array = *spec.array;
  if (array.type != made_in(spec))
    throw Error({"error.data.file_type",
                 {{"given", std::string(name_of(array.type))},
                  {"wanted", std::string(name_of(made_in(spec)))}}},
                Blame::usage);
  if (array.ranks != spec.ranks)
    throw Error(
        {"error.data.file_ranks", {{"given", number(array.ranks)}, {"wanted", number(spec.ranks)}}},
        Blame::usage);
  if (array.count != spec.count)
    throw Error(
        {"error.data.file_count", {{"given", number(array.count)}, {"wanted", number(spec.count)}}},
        Blame::usage);
}

void check_wire(const InputSpec& spec) {
  if (!spec.user_type) return;
  const std::string type(name_of(*spec.user_type)), wire(name_of(spec.type));
  if (*spec.user_type != type_before_wire)
    throw Error({"error.wire.type", {{"type", type}, {"wire", wire}}}, Blame::usage);
  if (!is_wire_type(spec.type)) throw Error({"error.wire.unknown", {{"wire", wire}}}, Blame::usage);
}

void fill_rounded(const InputSpec& spec, int rank, std::uint64_t first, std::span<std::byte> out) {
  std::array<float, 1024> block;
  const std::size_t bytes = bytes_of(spec.type);
  for (std::size_t done = 0; done * bytes < out.size(); done += block.size()) {
    const auto made = std::span(block).first(std::min(block.size(), out.size() / bytes - done));
    fill_unrounded(spec, rank, first + done, std::as_writable_bytes(made));
    round_to_wire(spec.type, made, out.subspan(done * bytes, made.size() * bytes));
  }
}

}  // namespace

std::string_view name_of(DataKind kind) {
  constexpr std::array<std::string_view, 5> names{"digits", "ramp", "random", "exact", "file"};
  return names[static_cast<std::size_t>(kind)];
}

DataKind default_data(ElementType type, Operator op, int ranks) {
  const bool adds = op == Operator::sum || op == Operator::avg;
  return adds && ranks <= range_of(type).digits_ranks ? DataKind::digits : DataKind::ramp;
}

bool is_exact(const InputSpec& spec) {
  if (is_integer(spec.type) || spec.op == Operator::min || spec.op == Operator::max) return true;
  if (spec.kind == DataKind::exact) return true;
  if (spec.op == Operator::prod) return false;
  if (spec.kind == DataKind::digits) return spec.ranks <= range_of(spec.type).digits_ranks;
  return spec.kind == DataKind::ramp &&
         ramp_most(spec.type) * spec.ranks <= range_of(spec.type).whole;
}

void check_inputs(const InputSpec& spec) {
  const std::string type(name_of(spec.type));
  check_wire(spec);
  if (spec.kind == DataKind::file) check_file(spec);
  const int most = range_of(spec.type).digits_ranks;
  if (spec.kind == DataKind::digits && spec.ranks > most)
    throw Error({"error.data.digits",
                 {{"type", type}, {"most", number(most)}, {"ranks", number(spec.ranks)}}},
                Blame::usage);
  if (spec.kind == DataKind::exact && spec.op == Operator::avg && term_limit(spec) < 1)
    throw Error({"error.data.exact_avg", {{"type", type}, {"ranks", number(spec.ranks)}}},
                Blame::usage);
}

void fill_input(const InputSpec& spec, int rank, std::uint64_t first, std::span<std::byte> out) {
  if (spec.user_type) return fill_rounded(spec, rank, first, out);
  fill_unrounded(spec, rank, first, out);
}

void fill_unrounded(const InputSpec& spec, int rank, std::uint64_t first,
                    std::span<std::byte> out) {
  const ElementType type = made_in(spec);
  assert(0 <= rank && rank < spec.ranks && out.size() % bytes_of(type) == 0);
  if (out.empty()) return;
  if (spec.kind == DataKind::file) {
    const std::uint64_t before = static_cast<std::uint64_t>(rank) * spec.count + first;
    std::memcpy(out.data(), spec.array->bytes.data() + before * bytes_of(type), out.size());
    return;
  }
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    switch (spec.kind) {
      case DataKind::digits: return fill_digits<T>(spec, rank, first, out);
      case DataKind::random: return fill_random<T>(spec, rank, first, out);
      case DataKind::exact: return fill_exact<T>(spec, rank, first, out);
      default: return fill_ramp<T>(spec, rank, first, out);
    }
  });
}

}  // namespace ringscope
