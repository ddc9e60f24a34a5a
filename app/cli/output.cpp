#include "app/cli/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

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

void require_writable(const std::string& path) {
  const auto refuse = [&](const char* id) { throw Error({id, {{"file", path}}}); };
  std::error_code fault;
  if (std::filesystem::is_directory(path, fault)) refuse("error.file.is_folder");
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK) == 0) return;
  refuse(errno == ENOENT || errno == ENOTDIR ? "error.file.no_folder" : "error.file.not_allowed");
}

}  // namespace ringscope
