// Holds the table of what may include what (the flow goes one way) against all sources.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

using Names = std::set<std::string>;

// Each folder of core and what of core it may include, besides itself, error.h and data.
const std::map<std::string, Names> allowed{
    {"data", {}},
    {"schedule", {}},
    {"trace", {"schedule"}},
    {"engine", {"schedule", "trace"}},
    {"replay", {"schedule", "trace"}},
    {"model", {"schedule", "trace"}},
    {"language", {}},
    {"figure", {"schedule", "trace", "replay", "model", "language"}},
    {"export", {"figure", "trace", "replay", "language"}},
};

// Libraries that only some places may see: how their headers begin, and where those places begin.
struct Fence {
  std::string library;
  std::vector<std::string> headers;
  std::vector<std::string> places;
};
const std::vector<Fence> fences{
    {"ImGui", {"imgui"}, {"app/window/"}},
    {"GLFW", {"GLFW/"}, {"app/window/"}},
    {"OpenGL", {"epoxy/", "GL/"}, {"app/window/"}},
    {"Cairo", {"cairo"}, {"core/export/cairo_painter.cpp", "core/export/cairo_fonts."}},
    {"HarfBuzz", {"hb"}, {"core/export/font_subset.cpp"}},
    {"CUDA", {"cuda", "nccl"}, {"core/engine/cuda_", "core/engine/nccl_"}},
};

struct Include {
  std::string file;  // relative to the source folder
  std::string header;
};

std::vector<std::string> includes_of(const std::string& text) {
  static const std::regex directive(R"re(^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"])re");
  std::vector<std::string> found;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::smatch match;
    const std::string line = text.substr(begin, end - begin);
    if (std::regex_search(line, match, directive)) found.push_back(match[1]);
    begin = end + 1;
  }
  return found;
}

std::vector<Include> all_includes() {
  std::vector<Include> all;
  const fs::path root(SOURCE_DIR);
  for (const char* folder : {"core", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp" && extension != ".cu") continue;
      std::ifstream stream(entry.path());
      const std::string text(std::istreambuf_iterator<char>(stream), {});
      for (const std::string& header : includes_of(text))
        all.push_back({fs::relative(entry.path(), root).generic_string(), header});
    }
  return all;
}

// 'schedule' of 'core/schedule/plan.h', '' of what lies in core itself or elsewhere.
std::string folder_of(const std::string& path) {
  if (!path.starts_with("core/")) return "";
  const std::size_t end = path.find('/', 5);
  return end == std::string::npos ? "" : path.substr(5, end - 5);
}

// What is wrong with an include; '' where nothing is.
std::string fault(const Include& include) {
  for (const Fence& fence : fences)
    for (const std::string& header : fence.headers) {
      const auto is_in = [&](const std::string& place) { return include.file.starts_with(place); };
      if (include.header.starts_with(header) &&
          std::none_of(fence.places.begin(), fence.places.end(), is_in))
        return include.file + " must not see " + fence.library;
    }
  if (!include.file.starts_with("core/")) return "";
  if (include.header.starts_with("app/")) return include.file + " is in core and includes app";
  if (!include.header.starts_with("core/") || include.header == "core/error.h") return "";
  const std::string from = folder_of(include.file), to = folder_of(include.header);
  if (to == "data" || to == from) return "";
  const auto row = allowed.find(from);
  if (row == allowed.end()) return include.file + " is in no folder of the table";
  return row->second.contains(to) ? "" : include.file + " must not include " + include.header;
}

}  // namespace

TEST_CASE("every include of core and app keeps to the table") {
  const std::vector<Include> all = all_includes();
  REQUIRE(all.size() > 100);
  std::vector<std::string> faults;
  for (const Include& include : all)
    if (const std::string found = fault(include); !found.empty()) faults.push_back(found);
  REQUIRE(faults == std::vector<std::string>{});
}

TEST_CASE("an include that breaks the table would be found") {
  REQUIRE(includes_of("#include <vector>\n  # include \"core/error.h\"\n// #include <no>\n") ==
          std::vector<std::string>{"vector", "core/error.h"});
  REQUIRE(fault({"core/replay/replay.cpp", "core/trace/trace.h"}) == "");
  REQUIRE(fault({"core/replay/replay.cpp", "core/data/element.h"}) == "");
  REQUIRE(fault({"core/replay/replay.cpp", "core/engine/engine.h"}) != "");
  REQUIRE(fault({"core/data/inputs.cpp", "core/schedule/schedule.h"}) != "");
  REQUIRE(fault({"core/data/inputs.cpp", "app/cli/run.h"}) != "");
  REQUIRE(fault({"core/new/thing.cpp", "core/trace/trace.h"}) != "");
  REQUIRE(fault({"core/error.h", "core/trace/trace.h"}) != "");
  REQUIRE(fault({"core/figure/figure.cpp", "cairo/cairo.h"}) != "");
  REQUIRE(fault({"app/cli/picture.cpp", "imgui.h"}) != "");
  REQUIRE(fault({"app/cli/picture.cpp", "core/export/cairo_painter.h"}) == "");
  REQUIRE(fault({"app/window/window.cpp", "GLFW/glfw3.h"}) == "");
}
