// What is said of a record that shows no transfers (core/schedule/opaque.h), in the place of its
// rounds.
#pragma once

#include <string>

#include "app/cli/output.h"
#include "core/language/language.h"
#include "core/trace/trace.h"

namespace ringscope {

// Throws Error (usage) where the record shows no transfers and the option, as it stands on the
// line, asks for something about them.
void require_seen(const Trace& trace, const std::string& option, bool asks);

// That nothing else is seen; what each GPU began and ended with, and how long it took.
std::string opaque_text(const Trace& trace, const Language& language);
// [rank] {input, result, seconds}; the elements that were kept.
Json opaque_json(const Trace& trace);

}  // namespace ringscope
