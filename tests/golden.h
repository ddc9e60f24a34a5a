// Pictures that were looked at, and are compared exactly. Where one should look otherwise, draw
// them anew, look at what git says has changed, and commit it:
//   RINGSCOPE_GOLDENS=new ctest --test-dir build -R '^(golden|ring_view)_test$'
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace ringscope {

// `name` is a file's in tests/golden.
inline void check_golden(const std::string& name, const std::string& drawn) {
  const std::string path = std::string(SOURCE_DIR) + "/tests/golden/" + name;
  if (std::getenv("RINGSCOPE_GOLDENS") != nullptr) std::ofstream(path) << drawn;
  std::ifstream file(path);
  const std::string reviewed{std::istreambuf_iterator<char>(file), {}};
  INFO(name << " is no longer as it was reviewed; see tests/golden.h");
  CHECK((drawn == reviewed));
}

}  // namespace ringscope
