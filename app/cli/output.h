// What subcommands print and write.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ringscope {

// Keeps the order in which fields are added.
using Json = nlohmann::ordered_json;

// Thrown where nobody reads stdout any more, as behind '| head': no failure, but nothing is left to
// do.
struct ReaderLeft {};

// To stdout. Throws ReaderLeft, or Error where it can't be written.
void print(std::string_view text);
void print_json(const Json& json);
// Has the system take all that was printed; throws as print() does.
void finish_printing();

}  // namespace ringscope
