// The rounds of a trace as text and as JSON: the tables as the documents print them, and each
// transfer with its arithmetic. Pure; `ringscope show` prints it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/output.h"
#include "core/language/language.h"
#include "core/replay/replay.h"

namespace ringscope {

enum class ShowValues : std::uint8_t { symbols, numbers, both };

// Round number 0 is the start, 1..R the rounds over all phases, as in Cursor.

// What the table says after the round: [rank][chunk]
//   symbols  'b0+a0', 'a1+b1+c1+d1 ✓' (complete)    numbers  '11'    both  'b0+a0 = 11'
// '.' where a cell is short of its goal in a phase of copies only; '-' where there is nothing to
// show (an empty chunk, a cell that holds nothing, a value that was not kept).
std::vector<std::vector<std::string>> table_cells(const Replay& replay, std::int32_t round,
                                                  ShowValues values);

// 'GPU1: [b0+a0, b1, b2, b3+a3+d3]', a line a rank.
std::string table_text(const Replay& replay, std::int32_t round, ShowValues values);

// 'GPU0 -> GPU1  chunk 0: b0 += a0: 10 + 1 = 11', a line a step of the round; the slices of a step
// are one line.
std::string transfers_text(const Replay& replay, std::int32_t round, const Language& language);

// Title, table and transfers.
std::string round_text(const Replay& replay, std::int32_t round, ShowValues values,
                       const Language& language);

// {round, phase, table: [rank][chunk] {text, symbol, value, state, changed}, transfers: [{src, dst,
// chunks, action, text, carried, before, after, wrapped, overflowed,
// done}]}
Json round_json(const Replay& replay, std::int32_t round, ShowValues values);

}  // namespace ringscope
