// The whole command line: finds the subcommand, says errors in the user's language, returns the
// exit status.
#pragma once

namespace ringscope {

// 0 done; 1 a failed run or check, or a missing engine; 2 wrong usage.
int run_command_line(int argument_count, char** arguments);

}  // namespace ringscope
