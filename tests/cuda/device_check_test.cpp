// What is run on a machine with a GPU, from its first line to its last on the stand-in: so that it
// does not fail there for a slip of its own.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/command_line.h"

using namespace ringscope;

namespace {

// Runs the check, with what stands before $D as the program's own line.
Outcome check(const Folder& folder, const std::string& environment, const std::string& program) {
  return shell(folder,
               environment + " '" SOURCE_DIR "/tests/device/check.sh' result " + program + " 16");
}

void make_tool(const Folder& folder, const std::string& name, const std::string& script) {
  const std::string path = folder.file(name);
  std::ofstream(path) << "#!/bin/sh\n" << script << '\n';
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

}  // namespace

TEST_CASE("the check on a GPU goes through all its steps, and leaves figures and a record") {
  const Folder folder("device-check");
  make_tool(folder, "nvidia-smi", "echo '0, Stand-in, 1.2, 3 MiB'");
  make_tool(folder, "compute-sanitizer",
            "echo \"$@\" >> sanitized; while [ \"$1\" != '" DEVICE_CHECK
            "' ]; do shift; done; exec \"$@\"");
  std::string environment = "PATH=\"$PWD:$PATH\"";
#ifdef FAKE_NCCL
  std::filesystem::create_symlink(FAKE_NCCL, folder.file("libnccl.so.2"));
  environment += " LD_LIBRARY_PATH=\"$PWD\"";
#endif
  const Outcome outcome = check(folder, environment, DEVICE_CHECK);
  INFO(outcome.out << outcome.err);
  REQUIRE(outcome.status == 0);
  for (const char* const part : {"== matrix\n", "== memcheck\n", "== initcheck\n", "== trace\n",
                                 "== measure\n", "Stand-in, 1.2", ", 0 wrong"})
    CHECK(outcome.out.find(part) != outcome.out.npos);
  CHECK(text_of_file(folder.file("sanitized")).find("--tool memcheck --leak-check full") == 0);
  // The table comes last.
  const std::string table = text_of_file(folder.file("result/measure.txt"));
  CHECK(outcome.out.ends_with("\n" + table));
  CHECK(table.find("of a copy  recording ") != table.npos);
  const auto figures = nlohmann::json::parse(text_of_file(folder.file("result/figures.json")));
  CHECK(figures["copy_bytes_per_second"] > 0);
  CHECK(figures["devices"].size() == 4);
  CHECK(figures["rows"][0]["algorithm"] == "ring");
  CHECK(figures["rows"][0]["seconds"] > 0);
  CHECK(figures["rows"].size() >= 12);
  CHECK(figures["goals"].is_array());
#ifdef FAKE_NCCL
  CHECK(figures["rows"].back()["algorithm"] == "nccl");
  CHECK(figures["rows"].back()["same_sum"] == true);
#endif
  CHECK(shell(folder, "$R verify result/sample.ring").status == 0);
  CHECK(std::filesystem::file_size(folder.file("result/sample.ring")) < 200'000);
}

TEST_CASE("the check on a GPU goes on where a tool is missing or a step fails, and tells it") {
  const Folder folder("device-check");
  make_tool(folder, "compute-sanitizer", "echo 'Device not supported'; exit 1");
  make_tool(folder, "program",
            "[ $1 = measure ] && echo 'the table' || { echo no driver; exit 1; }");
  const Outcome outcome = check(folder, "PATH=\"$PWD:/usr/bin:/bin\"", "./program");
  INFO(outcome.out << outcome.err);
  CHECK(outcome.status == 1);
  for (const char* const part :
       {"nvidia-smi tells nothing", "no driver\nmatrix failed (exit status 1)\n",
        "compute-sanitizer does not work here: no memcheck", "no initcheck\n",
        "trace failed (exit status 1)\n", "\n\nthe table\n"})
    CHECK(outcome.out.find(part) != outcome.out.npos);
}
