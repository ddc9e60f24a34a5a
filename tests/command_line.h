// The program as a person runs it: lines of the shell, what they print and how they end.
#pragma once

#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "tests/folder.h"

namespace ringscope {

struct Outcome {
  int status;
  std::string out, err;
};

inline std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Runs a line of the shell in the folder and in an English environment, in which $R is the program.
inline Outcome shell(const Folder& folder, const std::string& line) {
  const std::string out = folder.file("out"), err = folder.file("err");
  const std::string whole = "cd '" + folder.path.string() +
                            "'; unset LC_ALL LC_MESSAGES; export LANG=C R='" PROGRAM "'; (" + line +
                            ") >'" + out + "' 2>'" + err + "'";
  const int status = std::system(whole.c_str());
  REQUIRE(WIFEXITED(status));
  const Outcome outcome{WEXITSTATUS(status), text_of_file(out), text_of_file(err)};
  // A place of a text that was not filled, or an id without a text.
  static const std::regex open_place(R"(\{[a-z_]+[|}]|\[[a-z_]+\.[a-z_.]+\])");
  INFO(line << "\n" << outcome.out << outcome.err);
  CHECK_FALSE(std::regex_search(outcome.out + outcome.err, open_place));
  return outcome;
}

// One sentence on stderr that begins as all of them do and says `what`; nothing on stdout.
inline void check_refused(const Outcome& outcome, int status, const std::string& what) {
  INFO("exit status " << outcome.status << "\n" << outcome.out << outcome.err);
  CHECK(outcome.status == status);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.starts_with("ringscope: "));
  CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
  CHECK(outcome.err.find('[') == outcome.err.npos);
  CHECK(outcome.err.find(what) != outcome.err.npos);
}

// A record of four ranks in a test's folder, made once.
inline const std::string& record_file(const Folder& folder) {
  static const std::string name = [&] {
    REQUIRE(shell(folder, "\"$R\" record -o ring-4.ring").status == 0);
    return std::string("ring-4.ring");
  }();
  return name;
}

}  // namespace ringscope
