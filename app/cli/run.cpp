#include "app/cli/run.h"

namespace ringscope {

int run_command_line(int, char**) { return 2; }

}  // namespace ringscope
