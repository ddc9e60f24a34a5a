// Which way data go between two ranks on GPUs, as figures show it: in words, and where not all
// links go the same way by the line of a link.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/language/language.h"
#include "core/trace/trace.h"

namespace ringscope {

// Nothing where it was not recorded.
std::optional<LinkPath> path_of(const Trace& trace, std::int32_t src, std::int32_t dst);
// Those that the links go, each once; empty where none was recorded.
std::vector<LinkPath> paths_of(const Trace& trace);
// 'peer': the end of texts' ids, and the word in JSON.
std::string_view name_of(LinkPath path);
// 'from GPU to GPU'.
std::string path_text(LinkPath path, const Language& language);

// Units of dash and gap of a link's line; 0 where all go the same way.
double link_dash(const Trace& trace, LinkPath path);
double link_dash(const Trace& trace, std::int32_t src, std::int32_t dst);
// 'GPU 0 -> GPU 1: through the host'; empty where it was not recorded.
std::string link_title(const Trace& trace, std::int32_t src, std::int32_t dst,
                       const Language& language);
// What the lines mean; empty where all are alike.
std::string link_marks_text(const Trace& trace, const Language& language);

}  // namespace ringscope
