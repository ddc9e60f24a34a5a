// f32 data sent as f16 or bf16 from GPU to GPU: the host's bits, and the same cost.
#include <catch2/catch.hpp>

#include "core/data/wire.h"
#include "core/engine/record.h"
#include "core/trace/verify.h"
#include "tests/cuda/stand_in.h"

using namespace ringscope;

namespace {

struct Run {
  Trace trace;
  std::vector<std::vector<std::byte>> results;  // [rank]: all of them
};

Run run(RunSettings settings, std::string_view engine) {
  settings.engine = engine;
  Run run;
  RunHooks hooks;
  hooks.result = [&](const Schedule&, std::int32_t, std::span<const std::byte> result) {
    run.results.emplace_back(result.begin(), result.end());
  };
  run.trace = record(settings, hooks);
  return run;
}

}  // namespace

TEST_CASE("a wire type gives the host's bits on GPUs, in every algorithm and with every operator") {
  std::size_t turn = 0;
  for (const ElementType wire : {ElementType::f16, ElementType::bf16})
    for (const Algorithm& algorithm : algorithms())
      for (const Operator op :
           {Operator::sum, Operator::avg, Operator::prod, Operator::min, Operator::max}) {
        if (!algorithm.has_operator && op != Operator::sum) continue;
        ++turn;
        RunSettings settings;
        settings.algorithm = algorithm.name;
        settings.wire = wire;
        settings.ranks = static_cast<int>(1 + turn % 5);
        settings.count = std::array<std::uint64_t, 4>{0, 1, 33, 257}[turn % 4];
        settings.data = DataKind::random;
        settings.in_place = turn % 2 == 0;
        if (algorithm.has_operator) settings.op = op;
        CAPTURE(ringscope::name_of(wire), algorithm.name, ringscope::name_of(op), *settings.ranks,
                *settings.count, settings.in_place);
        const Run on_host = run(settings, "host");
        StandInSettings devices;
        devices.devices = static_cast<int>(1 + turn % 4);
        const StandIn stand_in(devices);
        const Run on_gpus = run(settings, "cuda");
        REQUIRE(stand_in.report().faults == std::vector<std::string>{});
        REQUIRE(on_gpus.results == on_host.results);
        REQUIRE(on_gpus.trace.wire_cost == on_host.trace.wire_cost);
        REQUIRE(on_gpus.trace.run.type == wire);
        REQUIRE(verify(on_gpus.trace).wrong.empty());
      }
}
