// The program, run as a process on what it can't do: its exit status, one line on stderr in the
// user's language, and nothing left behind.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/run.h"
#include "core/export/cairo_painter.h"
#include "core/language/language.h"
#include "core/trace/trace_format.h"
#include "tests/folder.h"

using namespace ringscope;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

struct Outcome {
  int status = -1;  // 128 and above: ended by a signal
  std::string output;
  std::string errors;
};

std::string text_of_file(const std::string& path) {
  const std::vector<std::byte> bytes = bytes_of_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Runs the program without a display, in a process of its own that begins with the texts read; its
// stdout goes to `stdout_path`, or is caught.
Outcome run(const Words& words, const std::string& stdout_path = "") {
  const Folder caught("caught");
  const std::string output = stdout_path.empty() ? caught.file("output") : stdout_path;
  const std::string errors = caught.file("errors");
  std::vector<std::string> line{"ringscope"};
  line.insert(line.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : line) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  for (const std::string_view code : Language::codes()) Language::named(code);
  std::fflush(nullptr);  // or both would print what waits there
  const pid_t process = fork();
  REQUIRE(process >= 0);
  if (process == 0) {
    const auto open_as = [](const char* path, int flags, int stream) {
      dup2(open(path, flags, 0600), stream);
    };
    open_as("/dev/null", O_RDONLY, STDIN_FILENO);
    open_as(output.c_str(), O_WRONLY | O_CREAT, STDOUT_FILENO);
    open_as(errors.c_str(), O_WRONLY | O_CREAT, STDERR_FILENO);
    clearenv();
    setenv("PATH", "/usr/bin:/bin", 1);
    setenv("LANG", "C.UTF-8", 1);
    _exit(run_command_line(static_cast<int>(line.size()), arguments.data()));
  }
  int status = 0;
  waitpid(process, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          stdout_path.empty() ? text_of_file(output) : "", text_of_file(errors)};
}

bool has_chinese(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return (c & 0xF0) == 0xE0; });
}

// A build without Cairo has another answer to every picture.
bool is_built(const Words& words) {
  return words.empty() || words.front() != "picture" || has_cairo();
}

// Runs it in both languages: the status is `status`, and stderr one line of them that has `word`.
void require_failure(const Words& words, int status, const std::string& word) {
  if (!is_built(words)) return;
  for (const bool chinese : {false, true}) {
    Words line = words;
    line.insert(line.end(), {"--lang", chinese ? "zh" : "en"});
    const Outcome outcome = run(line);
    std::string shown;
    for (const std::string& part : line) shown += ' ' + part;
    INFO("ringscope" << shown << '\n' << outcome.errors);
    REQUIRE(outcome.status == status);
    REQUIRE(outcome.output == "");
    REQUIRE(outcome.errors.starts_with("ringscope: "));
    REQUIRE(std::ranges::count(outcome.errors, '\n') == 1);
    REQUIRE(outcome.errors.ends_with('\n'));
    REQUIRE(outcome.errors.find_first_of("{}[]") == std::string::npos);
    REQUIRE(outcome.errors.find(word) != std::string::npos);
    REQUIRE(has_chinese(outcome.errors) == chinese);
  }
}

const std::string golden = SOURCE_DIR "/tests/golden/ring-3.ring";

// Every subcommand that opens a trace, and what it would write beside it.
std::vector<Words> openers(const Folder& folder, const std::string& file) {
  return {{"info", file},
          {"show", file},
          {"show", file, "--json"},
          {"verify", file},
          {"picture", file, "--round", "1.1", "-o", folder.file("a.png")},
          {"export", file, "--format", "csv", "-o", folder.path}};
}

}  // namespace

TEST_CASE("a file that can't be opened is refused by every subcommand, and nothing is written") {
  const Folder folder;
  const std::vector<std::byte> good = bytes_of_file(golden);
  std::vector<std::byte> damaged = good, newer = good;
  damaged[100] ^= std::byte{1};
  newer[8] = std::byte{9};
  FileHeader header;
  std::memcpy(&header, newer.data(), sizeof(header));
  header.hash = file_hash(header, std::span(newer).subspan(sizeof(header)));
  std::memcpy(newer.data(), &header, sizeof(header));

  write(folder.file("empty.ring"), {});
  write(folder.file("foreign.ring"), std::as_bytes(std::span("GPU 0 -> GPU 1")));
  write(folder.file("cut.ring"), std::span(good).first(good.size() / 2));
  write(folder.file("damaged.ring"), damaged);
  write(folder.file("newer.ring"), newer);
  fs::create_directory(folder.file("folder.ring"));
  const std::size_t before = folder.files();
  const std::string name =
      GENERATE("empty", "foreign", "cut", "damaged", "newer", "folder", "none");
  const std::string file = folder.file(name + ".ring");
  for (const Words& words : openers(folder, file)) require_failure(words, 1, file);
  REQUIRE(folder.files() == before);
}

TEST_CASE("a line that makes no sense is wrong usage") {
  const Folder folder;
  const std::string picture = folder.file("a.png");
  const std::vector<std::pair<Words, std::string>> lines{
      {{"recrod"}, "recrod"},
      {{"--ranks"}, "--ranks"},
      {{"show"}, "FILE"},
      {{"info"}, "FILE"},
      {{"verify"}, "FILE"},
      {{"picture"}, "FILE"},
      {{"info", golden, golden}, golden},
      {{"show", golden, "--round"}, "--round"},
      {{"show", golden, "--round", "1.9"}, "1.9"},
      {{"show", golden, "--round", "-1"}, "-1"},
      {{"show", golden, "--values", "words"}, "words"},
      {{"show", golden, "--colour"}, "--colour"},
      {{"export", golden, "--text-scale", "0.4"}, "--text-scale"},
      {{"export", golden, "--text-scale", "3.1"}, "--text-scale"},
      {{"picture", golden, "--round", "1.1"}, "-o"},
      {{"picture", golden, "--round", "0.1", "-o", picture}, "0.1"},
      {{"picture", golden, "--round", "1.1", "--size", "0x0", "-o", picture}, "0x0"},
      {{"picture", golden, "--round", "1.1", "--view", "pie", "-o", picture}, "pie"},
      {{"picture", golden, "--round", "1.1", "--theme", "pink", "-o", picture}, "pink"},
      {{"picture", golden, "--round", "1.1", "--beat", "later", "-o", picture}, "later"},
      {{"picture", golden, "--round", "1.1", "-o", folder.file("a.xyz")}, "a.xyz"},
      {{"record", "--ranks", "0"}, "0"},
      {{"record", "--ranks", "-4"}, "-4"},
      {{"record", "--ranks", "four"}, "four"},
      {{"record", "--ranks", "99999999999999999999"}, "99999999999999999999"},
      {{"record", "--count", "-1"}, "-1"},
      {{"record", "--count", "1e6"}, "1e6"},
      {{"record", "--type", "f31"}, "f31"},
      {{"record", "--op", "xor"}, "xor"},
      {{"record", "--data", "noise"}, "noise"},
      {{"record", "--algorithm", "star"}, "star"},
      {{"record", "--engine", "quantum"}, "quantum"},
      {{"record", "--slices", "0"}, "0"},
      {{"record", "--order", "0,1,2"}, "3"},
      {{"record", "--order", "0,1,2,2"}, "2"},
      {{"record", "--order", "0,1,2,4"}, "4"},
      {{"record", "--order", "0;1"}, "0;1"},
      {{"record", "--order", "3,2,1,0", "--algorithm", "tree"}, "tree"},
      {{"record", "--op", "sum", "--algorithm", "all-gather"}, "--op"},
      {{"record", "--root", "4", "--algorithm", "reduce"}, "4"},
      {{"record", "--root", "-1", "--algorithm", "reduce"}, "--root"},
      {{"record", "--root", "1"}, "parameter-server, reduce, broadcast"},
      {{"record", "--groups", "3,1"}, "hierarchical"},
      {{"record", "--groups", "3,2", "--algorithm", "hierarchical"}, "5"},
      {{"record", "--groups", "5,-1", "--algorithm", "hierarchical"}, "-1"},
      {{"record", "--groups", "4,0", "--algorithm", "hierarchical"}, "0"},
      {{"record", "--groups", "3+1", "--algorithm", "hierarchical"}, "3+1"},
      {{"record", "--wire", "f16", "--type", "i32"}, "i32"},
      {{"record", "--wire", "bf16", "--type", "f64"}, "f64"},
      {{"record", "--wire", "f64"}, "f64"},
      {{"record", "-o", ""}, "-o"},
      {{"record", "--order", ""}, "--order"},
      {{"record", "--late", "2:1us", "--late", "2:3us"}, "2:3us"},
      {{"record", "--delay", "1-2:1us", "--delay", "1-2:3us"}, "1-2:3us"},
      {{"record", "--die", "2@1.1", "--die", "2@1.2"}, "2@1.2"},
      {{"record", "--repeats", "0"}, "0"},
      {{"record", "--timeout", "soon"}, "soon"},
      {{"record", "--late", "2"}, "2"},
      {{"record", "--late", "9:5ms"}, "9"},
      {{"record", "--delay", "0-2:5ms"}, "0-2:5ms"},
      {{"record", "--die", "2@7.1"}, "7.1"},
      {{"record", "--ranks", "9", "--data", "digits"}, "digits"},
      {{"record", "--algorithm", "ri\nng\x1b"}, "ri?ng?"},
      {{"picture", golden, "--time", "1us", "--beat", "moving", "-o", picture}, "--beat"},
      {{"export", golden, "--format", "svg,xyz", "-o", folder.path}, "xyz"},
      {{"export", golden, "--view", "pie", "-o", folder.path}, "compare"},
      {{"export", golden, "--view", "tree", "-o", folder.path}, "tree"},
      {{"export", golden, "--theme", "pink", "-o", folder.path}, "pink"},
      {{"export", golden, "--beats", "later", "-o", folder.path}, "later"},
      {{"export", golden, "--size", "0", "-o", folder.path}, "1920x1080"},
      {{"export", golden, "--size", "100000", "-o", folder.path}, "100000"},
      {{"export", golden, "--size", "100000x100", "-o", folder.path}, "100000x100"},
      {{"export", golden, "--size", "16:0", "-o", folder.path}, "16:0"},
      {{"export", golden, "--size", "-1x5", "-o", folder.path}, "-1x5"},
      {{"export", golden, "--round", "0.1", "-o", folder.path}, "0.1"},
      {{"export", golden, "--round", "9.9", "-o", folder.path}, "9.9"},
      {{"export", golden, "--round", "1.2-1.1", "-o", folder.path}, "1.2-1.1"},
      {{"export", golden, "--round", "1.1-", "-o", folder.path}, "1.1-"},
      {{"export", golden, "--round", "x", "-o", folder.path}, "x"},
      {{"export", golden, "--dpi", "nan", "-o", folder.path}, "nan"},
      {{"export", golden, "--dpi", "2400", "--width-cm", "900", "-o", folder.file("a")}, "850394"},
      {{"export", golden, "--width-cm", "inf", "-o", folder.path}, "inf"},
      {{"export", golden, "--caption", "o\nn\x1b", "-o", folder.path}, "o?n?"},
      {{"export", golden, "-o", ""}, "-o"},
      {{"export"}, "FILE"},
      {{"export", golden, "--format", "svg,svg", "-o", folder.path}, "svg"},
      {{"export", golden, "--clock", "time", "-o", folder.path}, "mp4"},
      {{"export", golden, "--slowdown", "5", "-o", folder.path}, "mp4"},
      {{"export", golden, "--format", "svg", "--dpi", "300", "-o", folder.path}, "png"},
      {{"export", golden, "--format", "pdf", "--svg-text", "-o", folder.path}, "svg"},
      {{"export", golden, "--format", "html", "--transparent", "-o", folder.path}, "svg"},
      {{"export", golden, "--format", "csv", "--storyboard", "-o", folder.path}, "pdf"},
      {{"export", golden, golden, "--format", "csv", "-o", folder.path}, golden},
      {{"export", golden, golden, "--view", "compare", "--round", "1.2", "-o", folder.path}, "1.2"},
      {{"export", golden, golden, "--view", "compare", "--round", "5", "-o", folder.path}, "4"},
      {{"picture", golden, golden, "--round", "1.2", "-o", picture}, "1.2"},
      {{"picture", golden, golden, "--round", "5", "-o", picture}, "4"},
      {{"bench", "--algorithms", "ring,ring"}, "ring"},
      {{"bench", "--sizes", "many"}, "many"},
      {{"bench", "--ranks", "0"}, "0"},
  };
  for (const auto& [words, word] : lines) require_failure(words, 2, word);
  REQUIRE(folder.files() == 0);
}

TEST_CASE("what can't be exported of one of several records is said before anything is written") {
  const Folder folder;
  const std::string server = folder.file("server.ring"), out = folder.file("out");
  REQUIRE(run({"record", "--algorithm", "parameter-server", "-o", server}).status == 0);
  require_failure({"export", golden, server, "--format", "svg", "--view", "ring", "-o", out}, 2,
                  "ring");
  require_failure({"export", golden, server, "--format", "svg", "--round", "2.2", "-o", out}, 2,
                  "2.2");
  REQUIRE(folder.files() == 1);
}

TEST_CASE("a language that is not there is wrong usage") {
  const Outcome outcome = run({"info", golden, "--lang", "fr"});
  REQUIRE(outcome.status == 2);
  REQUIRE(outcome.output == "");
  REQUIRE(outcome.errors.find("fr") != std::string::npos);
}

TEST_CASE("an input that can't be used is refused before anything is written") {
  const Folder folder;
  write(folder.file("text.npy"), std::as_bytes(std::span("1 2 3 4")));
  const std::string trace = folder.file("a.ring");
  require_failure({"record", "--input", folder.file("none.npy"), "-o", trace}, 1, "none.npy");
  require_failure({"record", "--input", folder.file("text.npy"), "-o", trace}, 1, "text.npy");
  REQUIRE(folder.files() == 1);
}

TEST_CASE("a place that can't be written to is said, and nothing is left there") {
  const Folder folder;
  const std::string nowhere = folder.file("none/a.ring"), picture = folder.file("none/a.png");
  require_failure({"record", "-o", nowhere}, 1, nowhere);
  require_failure({"record", "-o", folder.path}, 1, folder.path);
  require_failure({"picture", golden, "--round", "1.1", "-o", picture}, 1, picture);
  require_failure({"export", golden, "--format", "svg", "-o", folder.file("none/a")}, 1, "none/a");
  require_failure({"export", golden, "--format", "svg", "-o", golden}, 1, golden);
  REQUIRE(folder.files() == 0);
}

TEST_CASE("a disk that takes no more is said, and no half-written file is left") {
  const Folder folder;
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit small{1000, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  for (const char* const format : {"svg", "csv", "perfetto"})
    require_failure({"export", golden, "--format", format, "-o", folder.path}, 1, folder.path);
  require_failure({"record", "-o", folder.file("a.ring")}, 1, "a.ring");
  REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
  REQUIRE(folder.files() == 0);
}

TEST_CASE("a full stdout is a failure, not silence") {
  const Outcome outcome = run({"show", golden}, "/dev/full");
  REQUIRE(outcome.status == 1);
  REQUIRE(std::ranges::count(outcome.errors, '\n') == 1);
}

TEST_CASE("a window without a display is refused with the name of what works") {
  for (const Words& words : {Words{"window", golden}, Words{"window"}, Words{}})
    require_failure(words, 1, "ringscope show");
}

TEST_CASE("a memory that is not there is told before the run") {
  require_failure({"record", "--count", "4000000000000"}, 1, "--count");
}

TEST_CASE("help is no error, and says nothing on stderr") {
  for (const Words& words : {Words{"-h"}, Words{"record", "-h"}, Words{"show", "-h"}}) {
    const Outcome outcome = run(words);
    REQUIRE(outcome.status == 0);
    REQUIRE(outcome.output != "");
    REQUIRE(outcome.errors == "");
  }
}

TEST_CASE("what can be opened is opened, so that the refusals above mean something") {
  const Folder folder;
  for (const Words& words : openers(folder, golden)) {
    // Its values are made up: verify says so.
    if (words.front() == "verify" || !is_built(words)) continue;
    const Outcome outcome = run(words);
    INFO(outcome.errors);
    REQUIRE(outcome.status == 0);
    REQUIRE(outcome.errors == "");
  }
}
