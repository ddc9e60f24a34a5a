#include "core/replay/symbols.h"

namespace ringscope {
namespace {

constexpr std::int32_t letters = 26;

std::string joined(std::span<const std::int32_t> contributors, std::int32_t chunk,
                   std::int32_t ranks, char between) {
  std::string text;
  for (const std::int32_t rank : contributors) {
    if (!text.empty()) text += between;
    text += term(rank, chunk, ranks);
  }
  return text;
}

}  // namespace

std::string term(std::int32_t rank, std::int32_t chunk, std::int32_t ranks) {
  if (ranks > letters) return 'g' + std::to_string(rank) + '.' + std::to_string(chunk);
  return static_cast<char>('a' + rank) + std::to_string(chunk);
}

std::string symbol(std::span<const std::int32_t> contributors, std::int32_t chunk,
                   std::int32_t ranks, Operator op, bool complete) {
  const auto with = [&](char between) { return joined(contributors, chunk, ranks, between); };
  switch (op) {
    case Operator::sum: return with('+');
    case Operator::prod: return with('*');
    case Operator::avg:
      // The mean of one rank is its term.
      if (!complete || ranks == 1) return with('+');
      return '(' + with('+') + ")/" + std::to_string(ranks);
    case Operator::min:
    case Operator::max:
      if (contributors.size() < 2) return with(',');
      return std::string(name_of(op)) + '(' + with(',') + ')';
  }
  return "";
}

}  // namespace ringscope
