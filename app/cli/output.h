// What subcommands print and write.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ringscope {

// Keeps the order in which fields are added.
using Json = nlohmann::ordered_json;

// To stdout; run_command_line() says where that failed.
void print(std::string_view text);
void print_json(const Json& json);

// Throws Error where a file can't be written at that path, before the work that fills it.
void require_writable(const std::string& path);

}  // namespace ringscope
