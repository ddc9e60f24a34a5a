#include "app/cli/run.h"

int main(int argument_count, char** arguments) {
  return ringscope::run_command_line(argument_count, arguments);
}
