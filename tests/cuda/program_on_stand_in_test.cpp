// The program from the command line to the file, on GPUs that are not there.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/trace/trace_file.h"
#include "tests/command_line.h"

using namespace ringscope;

namespace {

const Folder folder("on_stand_in");

Outcome program(const std::string& arguments, int devices = 4) {
  // Under a sanitizer the program's own search path for libraries is not looked at.
  return shell(folder, "STAND_IN_DEVICES=" + std::to_string(devices) +
                           " LD_LIBRARY_PATH=\"$(dirname '" FAKE_NCCL "')\" $R " + arguments);
}

std::string printed(const std::string& arguments, int devices = 4) {
  const Outcome outcome = program(arguments, devices);
  INFO(arguments << ": " << outcome.status << "\n" << outcome.out << outcome.err);
  REQUIRE(outcome.status == 0);
  REQUIRE(outcome.err.empty());
  return outcome.out;
}

void refused(const std::string& arguments, int status, const std::string& what, int devices = 4) {
  INFO(arguments);
  check_refused(program(arguments, devices), status, what);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("NCCL's all-reduce is recorded, shown, verified and drawn, and no transfer is made up") {
  printed("record --engine nccl --repeats 3 -o nccl.ring");
  const Trace trace = load_trace(folder.file("nccl.ring"));
  CHECK(trace.run.engine == "nccl");
  CHECK(trace.opaque->library == "NCCL 2.28.3");
  CHECK(trace.opaque->rank_times.size() == 12);
  CHECK(trace.where.devices.size() == 4);
  const std::string shown = printed("show nccl.ring");
  CHECK(has(shown, "NCCL does not show its chunks."));
  CHECK(has(shown, "GPU3: [1000, 2000, 3000, 4000] -> [1111, 2222, 3333, 4444]"));
  CHECK_FALSE(has(shown, "0 rounds"));
  CHECK(has(printed("verify nccl.ring"), "- NCCL 2.28.3 does not show its chunks"));
  CHECK(has(printed("info nccl.ring"), "NCCL 2.28.3"));
  const auto json = nlohmann::json::parse(printed("show nccl.ring --json"));
  CHECK(json["run"]["opaque"] == true);
  CHECK(json["run"]["transfers"].is_null());
  CHECK(json["run"]["rank_seconds"].size() == 3);
  CHECK(json["gpus"][3]["result"][0] == "1111");
  printed("picture nccl.ring -o nccl.png");
  printed("picture nccl.ring --round 0 -o nccl.png");
  const std::string files = printed("export nccl.ring --format svg,html,csv,perfetto");
  CHECK(std::count(files.begin(), files.end(), '\n') == 4);
  CHECK(has(text_of_file(folder.file("nccl.html")), "NCCL does not show its chunks."));
}

TEST_CASE("what asks for transfers of such a record is refused") {
  printed("record --engine nccl -o nccl.ring");
  for (const char* const asks :
       {"show nccl.ring --additions 0", "show nccl.ring --round 1.1",
        "picture nccl.ring --round 1.1 -o x.png",
        "picture nccl.ring --round 0 --view ring -o x.png", "export nccl.ring --view timeline",
        "export nccl.ring --format mp4", "export nccl.ring --storyboard",
        "export nccl.ring --round 1.1"})
    refused(asks, 2, "NCCL does not show its chunks");
  for (const char* const option : {"--algorithm tree", "--slices 2", "--order 3,2,1,0",
                                   "--lockstep", "--late 1:1us", "--delay 1:1us", "--die 1@1.1"})
    refused(std::string("record --engine nccl ") + option, 2, "shows no transfers");
  refused("record --engine nccl --port 1GB/s", 2, "can't hold ports");
}

TEST_CASE("where NCCL can't run the reason is said") {
  refused("record --engine nccl --ranks 5", 1, "4 GPUs for 5 ranks");
  refused("record --engine nccl", 1, "No GPU can be used here", 0);
  refused("record --engine nccl --ranks 2", 1, "there is 1 GPU for 2 ranks", 1);
  refused("record --engine nccl --devices 0,9,2,3", 2, "no device 9");
  refused("record --engine nccl --devices 0,1,2", 2, "names 3 devices");
  refused("record --engine nccl --devices 1,1 --ranks 2", 1, "a GPU of its own");
}

TEST_CASE("our share of NCCL's bus bandwidth is that of the times of both") {
  const auto json = nlohmann::json::parse(
      printed("compare --engines cuda,nccl --count 64 --data random --json -o both"));
  REQUIRE(json["runs"].size() == 2);
  CHECK(json["not_run"].empty());
  const auto &ours = json["runs"][0], &theirs = json["runs"][1];
  CHECK(ours["busbw_of_nccl"].get<double>() ==
        Approx(theirs["seconds"].get<double>() / ours["seconds"].get<double>()));
  CHECK(ours["busbw"].get<double>() == Approx(ours["algbw"].get<double>() * 1.5));
  CHECK(theirs["difference"]["compared"] == 64);
  for (const char* const file : {"both/cuda.ring", "both/nccl.ring", "both/comparison.png"})
    CHECK(std::ifstream(folder.file(file)).good());
  CHECK(has(printed("compare both/cuda.ring both/nccl.ring"), "of NCCL's busbw"));
  printed("picture both/cuda.ring both/nccl.ring --round 3 -o beside.png");
  printed("export both/cuda.ring both/nccl.ring --view compare --format svg --round 0");
}

TEST_CASE(
    "what is no all-reduce has no share of NCCL's bus bandwidth, and no differences from it") {
  const std::string table = printed("compare --engines cuda,nccl --algorithms broadcast");
  CHECK_FALSE(has(table, " %"));
  CHECK_FALSE(has(table, "differs first"));
  printed("record --engine cuda --algorithm broadcast -o broadcast.ring");
  printed("record --engine nccl -o nccl.ring");
  const std::string files = printed("compare broadcast.ring nccl.ring");
  CHECK_FALSE(has(files, " %"));
  CHECK_FALSE(has(files, "differs first"));
  const auto json = nlohmann::json::parse(printed("compare broadcast.ring nccl.ring --json"));
  CHECK_FALSE(json["runs"][0].contains("busbw_of_nccl"));
}

TEST_CASE("a run that stopped half-way has no share of NCCL's bus bandwidth") {
  program("record --engine cuda --die 1@1.2 -o stopped.ring");
  printed("record --engine nccl -o nccl.ring");
  CHECK_FALSE(has(printed("compare stopped.ring nccl.ring"), " %"));
  const auto json = nlohmann::json::parse(printed("compare stopped.ring nccl.ring --json"));
  for (const auto& run : json["runs"]) CHECK_FALSE(run.contains("busbw_of_nccl"));
}

TEST_CASE("engines take turns, and keep all their repeats") {
  const std::string table =
      printed("compare --engines host,cuda,nccl --algorithms tree --repeats 2 -o three");
  CHECK(has(table, "\nhost "));
  CHECK(has(table, "\ncuda "));
  CHECK(has(table, "\nnccl "));
  CHECK(load_trace(folder.file("three/host.ring")).schedule.algorithm == "tree");
  const Trace nccl = load_trace(folder.file("three/nccl.ring"));
  CHECK(nccl.run.repeats == 2);
  CHECK(nccl.opaque->rank_times.size() == 8);
}

TEST_CASE("an engine that can't run is named with its reason, and the others are compared") {
  const std::string table = printed("compare --engines host,nccl", 2);
  CHECK(has(table, "Ring"));
  CHECK(
      has(table, "\nNCCL takes a GPU of its own for each rank, but there are 2 GPUs for 4 ranks"));
  CHECK_FALSE(has(table, "of NCCL's busbw"));
  const auto json = nlohmann::json::parse(printed("compare --engines cuda,nccl --json", 2));
  CHECK(json["runs"].size() == 1);
  CHECK(json["not_run"].size() == 1);
  refused("compare --engines cuda,nccl", 1, "No GPU can be used here", 0);
  refused("compare --engines cuda", 2, "at least two");
  refused("compare --engines cuda,nccl --engine host --algorithms ring,tree", 2, "one algorithm");
  refused("compare --engines cuda,cuda", 2, "cuda");
  refused("compare --engines cuda,abacus", 2, "abacus");
}

TEST_CASE("a wire type goes through NCCL, and what it costs is measured") {
  printed("record --engine nccl --wire bf16 --count 64 --data random -o wire.ring");
  const Trace trace = load_trace(folder.file("wire.ring"));
  CHECK(trace.run.type == ElementType::bf16);
  CHECK(trace.wire_cost->largest_error > 0);
  CHECK(has(printed("verify wire.ring"), "full precision: 64 of 64 elements"));
}

TEST_CASE("engines on GPUs are measured over sizes, with no share of a limit that is not theirs") {
  for (const char* const engine : {"cuda", "nccl"}) {
    const auto json =
        nlohmann::json::parse(printed("bench --sizes 4,1KiB --repeats 1 --json "
                                      "--engine " +
                                      std::string(engine)));
    const bool ours = std::string_view(engine) == "cuda";
    CHECK(json["limits"].empty());
    REQUIRE(json["results"].size() == (ours ? 4 : 2));  // NCCL's is not recorded
    for (const auto& row : json["results"]) {
      CHECK(row["engine"] == engine);
      CHECK(row["algorithm"] == (ours ? "ring" : "nccl"));
      CHECK(row["limit_share"] == 0);
      CHECK(row["busbw"].get<double>() == Approx(row["algbw"].get<double>() * 1.5));
    }
    CHECK_FALSE(has(printed("bench --sizes 4 --repeats 1 --engine " + std::string(engine)), " %"));
  }
  refused("bench --engine nccl --ranks 5 --sizes 4", 1, "4 GPUs for 5 ranks");
  refused("bench --engine nccl --algorithms tree --sizes 4", 2, "--algorithms");
  refused("bench --engine cuda --devices 0,9 --ranks 2 --sizes 4", 2, "no device 9");
  refused("bench --engine host --devices 0 --sizes 4", 2, "--devices");
}
