#include "app/cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/error.h"

namespace ringscope {

namespace {

[[noreturn]] void fail(int fault) {
  if (fault == EPIPE) throw ReaderLeft{};
  throw Error({"error.output", {{"reason", std::strerror(fault)}}});
}

}  // namespace

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail(errno);
}

void finish_printing() {
  if (std::fflush(stdout) != 0) fail(errno);
}

void print_json(const Json& json) {
  // File names need not be UTF-8.
  print(json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
}

}  // namespace ringscope
