#include "core/export/film.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/error.h"
#include "core/trace/atomic_file.h"

extern char** environ;

namespace ringscope {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error({"error.film.failed", {{"file", path}, {"why", why}}});
}

// Writing to a program that has ended is an error to look at, not the end of this one.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before_);
  }
  ~NoPipeSignal() {
    // Takes off what came meanwhile, unless somebody else blocks it, too.
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    const timespec at_once{0, 0};
    while (sigismember(&before_, SIGPIPE) == 0 && sigtimedwait(&pipe, nullptr, &at_once) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t before_{};
};

}  // namespace

std::vector<std::string> film_arguments(FilmKind kind, Size size, int frames_a_second,
                                        const std::string& path, const std::string& frames) {
  const std::string rate = std::to_string(frames_a_second);
  std::vector<std::string> arguments{"ffmpeg", "-y", "-loglevel", "error"};
  const auto add = [&](std::initializer_list<std::string> more) {
    arguments.insert(arguments.end(), more);
  };
  if (frames.empty())
    add({"-f", "rawvideo", "-pix_fmt", "rgba", "-s",
         fmt::format("{:.0f}x{:.0f}", size.width, size.height), "-framerate", rate, "-i", "-"});
  else
    add({"-framerate", rate, "-i", frames});
  if (kind == FilmKind::gif)
    // One palette for the whole film, without dither: flat colours stay flat.
    add({"-filter_complex",
         "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=none", "-f", "gif"});
  else
    add({"-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f",
         "mp4"});
  add({path});
  return arguments;
}

bool is_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.starts_with("GIF8")) return bytes.back() == ';';
  // An MP4 is a row of boxes, each with its length and name before it; one of them is the index.
  bool index = false;
  std::size_t at = 0;
  while (at + 8 <= bytes.size()) {
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < 4; ++i)
      length = length << 8 | static_cast<unsigned char>(bytes[at + i]);
    index = index || bytes.compare(at + 4, 4, "moov") == 0;
    if (length == 1 && at + 16 <= bytes.size()) {  // longer than 4 GiB: behind the name
      length = 0;
      for (std::size_t i = 8; i < 16; ++i)
        length = length << 8 | static_cast<unsigned char>(bytes[at + i]);
    }
    if (length < 8 || length > bytes.size() - at) return false;
    at += static_cast<std::size_t>(length);
  }
  return index && at == bytes.size();
}

std::string film_command(FilmKind kind, Size size, int frames_a_second, const std::string& path,
                         const std::string& frames) {
  std::string line;
  for (const std::string& argument : film_arguments(kind, size, frames_a_second, path, frames)) {
    const bool plain = argument.find_first_of(" ;[]'%()") == std::string::npos;
    line += (line.empty() ? "" : " ") + (plain ? argument : '\'' + argument + '\'');
  }
  return line;
}

bool has_ffmpeg() {
  const char* const path = getenv("PATH");
  std::string_view folders = path == nullptr ? "" : path;
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    if (access((std::string(folders.substr(0, end)) + "/ffmpeg").c_str(), X_OK) == 0) return true;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return false;
}

struct Film::Running {
  pid_t process = -1;
  int input = -1;                                            // of ffmpeg
  int complaints = memfd_create("complaints", MFD_CLOEXEC);  // what it says of errors

  // Its exit status.
  int end() {
    if (input >= 0) close(input);
    input = -1;
    int status = 0;
    while (process > 0 && waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    process = -1;
    return status;
  }
  // Its last words, or what is known of an end without any.
  std::string why(int status) const {
    std::string words(4096, '\0');
    const ssize_t length = pread(complaints, words.data(), words.size(), 0);
    words.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
    while (words.ends_with('\n')) words.pop_back();
    words.erase(0, words.rfind('\n') + 1);
    if (!words.empty()) return "ffmpeg: " + words;
    return WIFSIGNALED(status) ? fmt::format("ffmpeg: {}", strsignal(WTERMSIG(status)))
                               : fmt::format("ffmpeg: {}", WEXITSTATUS(status));
  }
  ~Running() {
    if (process > 0) kill(process, SIGKILL);
    end();
    if (complaints >= 0) close(complaints);
  }
};

Film::Film(FilmKind kind, Size size, int frames_a_second, std::string path)
    : path_(std::move(path)),
      temporary_(
          (fs::path(path_).parent_path() / (".ringscope-" + std::to_string(getpid()) + "-film"))
              .string()),
      running_(std::make_unique<Running>()) {
  require_writable(path_);
  std::vector<std::string> arguments = film_arguments(kind, size, frames_a_second, temporary_);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail(path_, std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, running_->complaints, STDERR_FILENO);
  const int fault =
      posix_spawnp(&running_->process, "ffmpeg", &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  running_->input = ends[1];
  if (fault != 0) {
    running_->process = -1;
    fail(path_, std::strerror(fault));
  }
}

Film::~Film() {
  running_.reset();
  std::error_code ignored;
  fs::remove(temporary_, ignored);
}

void Film::add(const Pixels& frame) {
  const NoPipeSignal quiet;
  for (std::size_t at = 0; at < frame.rgba.size();) {
    const ssize_t written =
        ::write(running_->input, frame.rgba.data() + at, frame.rgba.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EPIPE) fail(path_, running_->why(running_->end()));
    if (written < 0) fail(path_, std::strerror(errno));
    at += static_cast<std::size_t>(written);
  }
}

void Film::finish() {
  const int status = running_->end();
  // On a full disk ffmpeg may say that all is well.
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !is_whole(temporary_))
    fail(path_, std::strerror(EIO));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail(path_, running_->why(status));
  std::error_code fault;
  fs::rename(temporary_, path_, fault);
  if (fault) fail(path_, fault.message());
}

}  // namespace ringscope
