#include "core/trace/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/error.h"

namespace ringscope {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, int fault) {
  switch (fault) {
    case ENOENT:
    case ENOTDIR: throw Error({"error.file.no_folder", {{"file", path}}});
    case EACCES:
    case EPERM:
    case EROFS: throw Error({"error.file.not_allowed", {{"file", path}}});
    case ENOSPC:
    case EDQUOT:
    case EFBIG: throw Error({"error.file.no_room", {{"file", path}}});
    default: break;
  }
  throw Error({"error.file.not_written", {{"file", path}, {"why", std::strerror(fault)}}});
}

// An open file under a name that nobody has, which is gone again unless it was renamed.
class TemporaryFile {
 public:
  // In the same folder, as a rename can't cross file systems. The name is short, whatever the
  // file's.
  explicit TemporaryFile(const fs::path& target) : shown_(target) {
    for (int number = 0; handle_ < 0; ++number) {
      name_ = target.parent_path() /
              (".ringscope-" + std::to_string(getpid()) + '-' + std::to_string(number));
      handle_ = open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (handle_ < 0 && errno != EEXIST) fail(shown_, errno);
    }
  }
  ~TemporaryFile() {
    if (handle_ >= 0) close(handle_);
    if (!name_.empty()) unlink(name_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(handle_, bytes.data(), bytes.size());
      if (written < 0 && errno != EINTR) fail(shown_, errno);
      if (written > 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }

  void rename_to(const fs::path& target, Until until) {
    if (until == Until::on_disk && fsync(handle_) != 0) fail(shown_, errno);
    const int closed = close(handle_);
    handle_ = -1;
    if (closed != 0 || rename(name_.c_str(), target.c_str()) != 0) fail(shown_, errno);
    name_.clear();
  }

 private:
  std::string shown_;
  fs::path name_;
  int handle_ = -1;
};

// The file that is made or replaced. Throws where there is one that must not be.
fs::path target_of(const std::string& path) {
  // A link stays a link: what it points to is replaced. Devices and pipes are not to be replaced,
  // nor what was made read-only.
  std::error_code fault;
  fs::path target =
      fs::is_symlink(path, fault) ? fs::weakly_canonical(path, fault) : fs::path(path);
  if (fault) target = path;
  const fs::file_status status = fs::status(target, fault);
  if (fs::is_directory(status) || path.empty() || path.back() == '/')
    throw Error({"error.file.is_folder", {{"file", path}}});
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw Error({"error.file.is_device", {{"file", path}}});
  if (fs::exists(status) && faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0)
    fail(path, errno);
  return target;
}

}  // namespace

void require_writable(const std::string& path) {
  const fs::path folder = target_of(path).parent_path();
  if (faccessat(AT_FDCWD, folder.empty() ? "." : folder.c_str(), W_OK, AT_EACCESS) != 0)
    fail(path, errno);
}

void write_file(const std::string& path, std::initializer_list<std::span<const std::byte>> pieces,
                Until until) {
  const fs::path target = target_of(path);
  TemporaryFile file(target);
  for (const auto piece : pieces) file.write(piece);
  file.rename_to(target, until);
}

}  // namespace ringscope
