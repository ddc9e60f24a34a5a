#include "core/engine/trouble.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/error.h"

namespace ringscope {
namespace {

struct Unit {
  std::string_view name;
  double nanoseconds;
};
constexpr std::array<Unit, 4> units{{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
constexpr double longest = 1e18;  // nanoseconds, 31 years: far within 64 bits

// What a text is cut into at the first `at`; nothing where that is not there.
std::optional<std::pair<std::string_view, std::string_view>> halves(std::string_view text,
                                                                    char at) {
  const auto place = text.find(at);
  if (place == std::string_view::npos) return std::nullopt;
  return std::pair(text.substr(0, place), text.substr(place + 1));
}

// The error, by its id, of a text that is not of the form that its option takes.
Error malformed(std::string_view form, const std::string& text) {
  return Error({std::string(form), {{"text", text}}}, Blame::usage);
}

// A rank of the schedule, or the right error.
std::int32_t parse_rank(const Schedule& schedule, std::string_view form, const std::string& text,
                        std::string_view digits) {
  std::int32_t rank = 0;
  const auto [rest, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), rank);
  if (fault != std::errc{} || rest != digits.data() + digits.size()) throw malformed(form, text);
  if (rank < 0 || rank >= schedule.ranks)
    throw Error({"error.trouble.rank",
                 {{"text", text},
                  {"rank", std::to_string(rank)},
                  {"last", std::to_string(schedule.ranks - 1)}}},
                Blame::usage);
  return rank;
}

template <class Uses>
bool any_transfer(const Schedule& schedule, Uses uses) {
  return std::any_of(schedule.transfers.begin(), schedule.transfers.end(), uses);
}

Error unused_rank(const std::string& text, std::int32_t rank) {
  return Error({"error.trouble.unused_rank", {{"text", text}, {"rank", std::to_string(rank)}}},
               Blame::usage);
}

void require_receiver(const Schedule& schedule, const std::string& text, std::int32_t rank) {
  if (!any_transfer(schedule, [&](const Transfer& t) { return t.dst == rank; }))
    throw unused_rank(text, rank);
}

Late parse_late(const Schedule& schedule, const std::string& text) {
  const auto parts = halves(text, ':');
  if (!parts) throw malformed("error.trouble.late", text);
  const std::int32_t rank = parse_rank(schedule, "error.trouble.late", text, parts->first);
  const auto time = parse_duration(parts->second);
  require_receiver(schedule, text, rank);
  return {rank, time.count()};
}

Delay parse_delay(const Schedule& schedule, const std::string& text) {
  const auto parts = halves(text, ':');
  if (!parts) throw malformed("error.trouble.delay", text);
  const auto link = halves(parts->first, '-');
  if (!link) {
    const std::int32_t rank = parse_rank(schedule, "error.trouble.delay", text, parts->first);
    const auto time = parse_duration(parts->second);
    require_receiver(schedule, text, rank);
    return {-1, rank, time.count()};
  }
  const std::int32_t src = parse_rank(schedule, "error.trouble.delay", text, link->first);
  const std::int32_t dst = parse_rank(schedule, "error.trouble.delay", text, link->second);
  const auto time = parse_duration(parts->second);
  if (!any_transfer(schedule, [&](const Transfer& t) { return t.src == src && t.dst == dst; }))
    throw Error({"error.trouble.unused_link",
                 {{"text", text}, {"src", std::to_string(src)}, {"dst", std::to_string(dst)}}},
                Blame::usage);
  return {src, dst, time.count()};
}

Die parse_death(const Schedule& schedule, const std::string& text) {
  const auto parts = halves(text, '@');
  if (!parts) throw malformed("error.trouble.die", text);
  const std::int32_t rank = parse_rank(schedule, "error.trouble.die", text, parts->first);
  const std::int32_t round = round_named(schedule, parts->second);
  if (round < 0) throw malformed("error.trouble.die", text);
  if (!any_transfer(schedule, [&](const Transfer& t) {
        return t.round >= round && (t.src == rank || t.dst == rank);
      }))
    throw unused_rank(text, rank);
  return {rank, round};
}

// Were the same trouble made twice, it would be told as one of two.
template <class Item, class Same>
void add_once(std::vector<Item>& items, Item item, const std::string& text, Same same) {
  if (std::any_of(items.begin(), items.end(), [&](const Item& other) { return same(item, other); }))
    throw Error({"error.trouble.twice", {{"text", text}}}, Blame::usage);
  items.push_back(item);
}

}  // namespace

std::chrono::nanoseconds parse_duration(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  const std::string_view name(rest, static_cast<std::size_t>(end - rest));
  if (fault == std::errc{} && std::isfinite(number) && number >= 0)
    for (const Unit& unit : units)
      if (unit.name == name && number * unit.nanoseconds <= longest)
        return std::chrono::nanoseconds(std::llround(number * unit.nanoseconds));
  throw Error({"error.duration", {{"text", std::string(text)}}}, Blame::usage);
}

Trouble parse_trouble(const Schedule& schedule, std::span<const std::string> late,
                      std::span<const std::string> delays, std::span<const std::string> deaths) {
  Trouble trouble;
  const auto same_rank = [](const auto& a, const auto& b) { return a.rank == b.rank; };
  const auto same_link = [](const Delay& a, const Delay& b) {
    return a.src == b.src && a.dst == b.dst;
  };
  for (const std::string& text : late)
    add_once(trouble.late, parse_late(schedule, text), text, same_rank);
  for (const std::string& text : delays)
    add_once(trouble.delays, parse_delay(schedule, text), text, same_link);
  for (const std::string& text : deaths)
    add_once(trouble.deaths, parse_death(schedule, text), text, same_rank);
  return trouble;
}

}  // namespace ringscope
