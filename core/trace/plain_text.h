// Texts that come from outside: fit for every screen, font and format.
#pragma once

#include <string>
#include <string_view>

namespace ringscope {

// Valid UTF-8 without control characters, of up to 4,096 bytes.
bool is_plain_text(std::string_view text);
// The same text where it is plain; else with a '?' for each byte that is not, and cut.
std::string plain_text(std::string_view text);

}  // namespace ringscope
