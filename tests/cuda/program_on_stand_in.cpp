// The whole program on the stand-in for CUDA's runtime, for tests and for looking at what it says
// of GPUs where there are none. STAND_IN_DEVICES says how many there are; 4 where it says nothing.
#include <cstdio>
#include <cstdlib>

#include "app/cli/run.h"
#include "tests/cuda/stand_in.h"

int main(int argument_count, char** arguments) {
  ringscope::StandInSettings settings;
  if (const char* const devices = std::getenv("STAND_IN_DEVICES"))
    settings.devices = std::atoi(devices);
  if (settings.devices == 0) settings.no_devices = cudaErrorNoDevice;
  const ringscope::StandIn stand_in(settings);
  const int status = ringscope::run_command_line(argument_count, arguments);
  const ringscope::StandInReport report = stand_in.report();
  for (const std::string& fault : report.faults)
    std::fprintf(stderr, "stand-in: %s\n", fault.c_str());
  constexpr int faulty = 99;  // as no command ends
  return report.faults.empty() ? status : faulty;
}
