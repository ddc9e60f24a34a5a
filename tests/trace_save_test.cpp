#include <sys/resource.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>

#include "core/trace/trace_file.h"
#include "tests/error_of.h"
#include "tests/folder.h"
#include "tests/sample_trace.h"

using namespace ringscope;
namespace fs = std::filesystem;

TEST_CASE("saving and loading keeps all, and leaves one file") {
  const Folder folder;
  const Trace trace = full_trace();
  save_trace(trace, folder.file("a.ring"));
  REQUIRE(load_trace(folder.file("a.ring")) == trace);
  REQUIRE(folder.files() == 1);
  SECTION("what was there before is replaced") {
    const Trace other = sample_trace({2, 2, 1, {}});
    save_trace(other, folder.file("a.ring"));
    REQUIRE(load_trace(folder.file("a.ring")) == other);
    REQUIRE(folder.files() == 1);
  }
  SECTION("a link stays a link") {
    fs::create_symlink("a.ring", folder.file("link.ring"));
    const Trace other = sample_trace({2, 2, 1, {}});
    save_trace(other, folder.file("link.ring"));
    REQUIRE(fs::is_symlink(folder.file("link.ring")));
    REQUIRE(load_trace(folder.file("a.ring")) == other);
  }
  SECTION("a name may be as long as a name can be") {
    const std::string longest = folder.file(std::string(250, 'x') + ".ring");
    save_trace(trace, longest);
    REQUIRE(load_trace(longest) == trace);
  }
}

TEST_CASE("what can't be written is said in a sentence, and leaves nothing behind") {
  const Folder folder;
  const Trace trace = full_trace();
  const auto saving = [&](const std::string& path) {
    return error_of([&] { save_trace(trace, path); });
  };
  REQUIRE(saving(folder.path) == "error.file.is_folder");
  REQUIRE(saving(folder.file("")) == "error.file.is_folder");
  REQUIRE(saving("") == "error.file.is_folder");
  REQUIRE(saving("/dev/null") == "error.file.is_device");
  REQUIRE(fs::is_character_file("/dev/null"));
  REQUIRE(saving(folder.file("none/a.ring")) == "error.file.no_folder");
  REQUIRE(saving(folder.file(std::string(300, 'x'))) == "error.file.not_written");
  REQUIRE(folder.files() == 0);
  SECTION("a folder that is not ours to write in") {
    fs::permissions(folder.path, fs::perms::owner_read | fs::perms::owner_exec);
    const bool root = geteuid() == 0;
    if (root) REQUIRE(seteuid(65534) == 0);
    const std::string error = saving(folder.file("a.ring"));
    if (root) REQUIRE(seteuid(0) == 0);
    fs::permissions(folder.path, fs::perms::owner_all);
    REQUIRE(error == "error.file.not_allowed");
  }
  SECTION("a file that was made read-only stays as it is") {
    write(folder.file("a.ring"), counting_bytes(10));
    fs::permissions(folder.file("a.ring"), fs::perms::owner_read);
    fs::permissions(folder.path, fs::perms::all);
    const bool root = geteuid() == 0;
    if (root) REQUIRE(seteuid(65534) == 0);
    const std::string error = saving(folder.file("a.ring"));
    if (root) REQUIRE(seteuid(0) == 0);
    REQUIRE(error == "error.file.not_allowed");
    REQUIRE(bytes_of_file(folder.file("a.ring")) == counting_bytes(10));
  }
  SECTION("a disk that takes no more") {
    write(folder.file("a.ring"), counting_bytes(10));
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit little{1000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &little);
    const std::string error = saving(folder.file("a.ring"));
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    REQUIRE(error == "error.file.no_room");
    REQUIRE(bytes_of_file(folder.file("a.ring")) == counting_bytes(10));
    REQUIRE(folder.files() == 1);
  }
}

TEST_CASE("what can't be read is said in a sentence") {
  const Folder folder;
  const auto loading = [&](const std::string& path) { return error_of([&] { load_trace(path); }); };
  write(folder.file("empty.ring"), {});
  write(folder.file("text.ring"), std::as_bytes(std::span("hello")));
  REQUIRE(loading(folder.file("none.ring")) == "error.file.missing");
  REQUIRE(loading("") == "error.file.missing");
  REQUIRE(loading(folder.file("empty.ring/a.ring")) == "error.file.missing");
  REQUIRE(loading(folder.path) == "error.file.is_folder");
  REQUIRE(loading("/dev/zero") == "error.file.is_device");
  REQUIRE(loading(folder.file("empty.ring")) == "error.file.empty");
  REQUIRE(loading(folder.file("text.ring")) == "error.file.foreign");
  fs::resize_file(folder.file("text.ring"), std::uintmax_t{3} << 30);
  REQUIRE(loading(folder.file("text.ring")) == "error.file.foreign");
  write(folder.file("huge.ring"), encode_trace(full_trace()));
  fs::resize_file(folder.file("huge.ring"), std::uintmax_t{3} << 30);
  REQUIRE(loading(folder.file("huge.ring")) == "error.file.too_large");
}
