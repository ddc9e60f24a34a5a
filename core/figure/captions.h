// Words about a run that more than one view needs; the rest is in views.h.
#pragma once

#include <string>

#include "core/language/language.h"
#include "core/trace/trace.h"

namespace ringscope {

// 'GPU 2 starts 120 us late.', a sentence for each trouble that was made; empty for none.
std::string trouble_text(const Trace& trace, const Language& language);

}  // namespace ringscope
