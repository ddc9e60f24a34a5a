#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "core/language/language.h"
#ifdef RINGSCOPE_WINDOW
#include "app/window/commands.h"
#endif

using namespace ringscope;

namespace {

std::string readme() {
  std::ifstream file(SOURCE_DIR "/README.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("the README holds the licence and the two commands") {
  REQUIRE(readme().find("./app/run.sh") != std::string::npos);
  REQUIRE(readme().find("./tests/run.sh") != std::string::npos);
  REQUIRE(readme().find("MIT") != std::string::npos);
}

#ifdef RINGSCOPE_WINDOW
TEST_CASE("the README's keys are those of the window's table") {
  const std::string table = key_table(Language::named("en"));
  INFO(table);
  REQUIRE(readme().find(table) != std::string::npos);
}
#endif
