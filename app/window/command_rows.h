// The rows of the table of commands, a file a kind, and what their arguments are read with.
#pragma once

#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

#include "app/window/commands.h"

namespace ringscope {

// Where the replay stands and how it goes on.
std::vector<Command> replay_commands();
// What the stage shows: view, selection, zoom, picture.
std::vector<Command> stage_commands();
// What leaves as files.
std::vector<Command> export_commands();
// Looks, files, runs, the window itself.
std::vector<Command> window_commands();

bool always(const Session& session);
bool has_trace(const Session& session);

// Throws Error (usage) where it is no number or not within the two.
double number_in(std::string_view argument, double smallest, double largest);
// '12.3us', '-12.3us'; throws Error (usage).
std::chrono::nanoseconds time_in(std::string_view argument);
// Whether it is a time rather than a bare number: it ends with the letter of a unit.
bool is_time(std::string_view argument);
// '1280 720' -> both words.
std::pair<std::string_view, std::string_view> two_words(std::string_view argument);
// 'on', 'off', or the other than now where it is empty. Throws Error (usage).
bool switched(bool now, std::string_view argument);

}  // namespace ringscope
