#include "core/engine/machine.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace ringscope {
namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\"");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\"") - first + 1));
}

// What stands behind `key` and the separator in a file of 'key: value' or 'key=value' lines; empty
// where it is not.
std::string value_in(const std::string& path, std::string_view key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto at = line.find(separator);
    if (at == std::string::npos || trimmed(std::string_view(line).substr(0, at)) != key) continue;
    return trimmed(std::string_view(line).substr(at + 1));
  }
  return {};
}

std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;  // no such file, or 'max'
}

std::uint64_t left(std::optional<std::uint64_t> limit, std::optional<std::uint64_t> used) {
  if (!limit) return no_limit;
  return *limit - std::min(*limit, used.value_or(0));
}

std::uint64_t left_in_control_group() {
  const std::string unified = "/sys/fs/cgroup/", old = "/sys/fs/cgroup/memory/";
  return std::min(
      left(number_in(unified + "memory.max"), number_in(unified + "memory.current")),
      left(number_in(old + "memory.limit_in_bytes"), number_in(old + "memory.usage_in_bytes")));
}

std::uint64_t left_to_process() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return left(limit.rlim_cur, number_in("/proc/self/statm").value_or(0) * page);
}

std::string compiler() {
#if defined(__clang__)
  return fmt::format("Clang {}", __clang_version__);
#else
  return fmt::format("GCC {}", __VERSION__);
#endif
}

}  // namespace

std::vector<int> usable_core_numbers() {
  std::vector<int> numbers;
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0)
    for (int number = 0; number < CPU_SETSIZE; ++number)
      if (CPU_ISSET(number, &cores)) numbers.push_back(number);
  if (numbers.empty())  // more cores than a cpu_set_t holds
    for (long number = 0; number < std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L); ++number)
      numbers.push_back(static_cast<int>(number));
  return numbers;
}

int usable_cores() { return static_cast<int>(usable_core_numbers().size()); }

void stay_on_core(int number) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<unsigned>(number), &cores);
  sched_setaffinity(0, sizeof cores, &cores);
}

std::uint64_t available_memory() {
  std::istringstream text(value_in("/proc/meminfo", "MemAvailable", ':'));
  std::uint64_t kibibytes = 0;
  const std::uint64_t system = text >> kibibytes ? kibibytes * 1024 : no_limit;
  return std::min({system, left_in_control_group(), left_to_process()});
}

void require_memory(double bytes, std::string_view advice) {
  const auto available = static_cast<double>(available_memory());
  const auto in_gibibytes = [](double size) { return fmt::format("{:.2f} GiB", size / (1 << 30)); };
  if (bytes > available)
    throw Error({std::string(advice),
                 {{"needed", in_gibibytes(bytes)}, {"available", in_gibibytes(available)}}});
}

Provenance provenance() {
  Provenance where;
  where.program_version = RINGSCOPE_VERSION;
  where.cores = usable_cores();
  where.compiler = compiler();
  where.processor = value_in("/proc/cpuinfo", "model name", ':');
  std::string distribution = value_in("/etc/os-release", "PRETTY_NAME", '=');
  utsname system{};
  if (uname(&system) == 0) {
    where.host = system.nodename;
    if (where.processor.empty()) where.processor = system.machine;
    if (distribution.empty()) distribution = system.sysname;
    where.system = fmt::format("{}, {} {}", distribution, system.sysname, system.release);
  }
  return where;
}

}  // namespace ringscope
