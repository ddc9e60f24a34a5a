// What `ringscope compare` prints: a row a run, and the same as JSON. Pure.
#pragma once

#include <span>
#include <string>

#include "app/cli/compare_runs.h"
#include "app/cli/output.h"
#include "core/language/language.h"

namespace ringscope {

// What was run on what, the table, and what is out of the ordinary in some of the runs only.
// `from_files`: differences are those of the elements that the files keep, which is said.
std::string compare_text(std::span<const ComparedTrace> compared, bool from_files,
                         const Language& language);

Json compare_json(std::span<const ComparedTrace> compared, const Language& language);

}  // namespace ringscope
