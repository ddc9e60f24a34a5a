// The NCCL engine with no GPU: on a library with NCCL's calls, and where there is none.
#include "core/engine/nccl_engine.h"

#include <catch2/catch.hpp>

#include "core/engine/record.h"
#include "tests/cuda/cuda_job.h"

using namespace ringscope;

TEST_CASE("NCCL's all-reduce gives its sum and a time, in place or not") {
  const bool in_place = GENERATE(false, true);
  const StandIn stand_in({});
  CudaJob job(schedule_of("ring", 4, 33), ElementType::f32, Operator::sum, {in_place});
  CudaJob on_host(schedule_of("parameter-server", 4, 33), ElementType::f32, Operator::sum,
                  {in_place});
  on_host.run_on_host();
  REQUIRE(make_nccl_engine({}, FAKE_NCCL)->run(job.job(), nullptr).count() > 0);
  // The fake adds in rank order, as the parameter server's root does.
  REQUIRE(job.outputs() == on_host.outputs());
  REQUIRE(stand_in.report().faults == std::vector<std::string>{});
}

TEST_CASE("what NCCL refuses is told, and all is given back") {
  const StandIn stand_in({});
  CudaJob job(schedule_of("ring", 4, 33), ElementType::f64, Operator::sum);
  try {
    make_nccl_engine({}, FAKE_NCCL)->run(job.job(), nullptr);
    FAIL("it was not refused");
  } catch (const Error& error) {
    REQUIRE(error.message().id == "error.nccl.failed");
  }
  REQUIRE(stand_in.report().faults == std::vector<std::string>{});
}

TEST_CASE("why NCCL can't run is said: no library, no GPU, or too few of them") {
  const auto why = [](const StandInSettings& settings, const char* library, int ranks) {
    const StandIn stand_in(settings);
    const Availability availability = make_nccl_engine({}, library)->availability(ranks);
    return availability.ok ? std::string("ok") : availability.why.id;
  };
  StandInSettings none;
  none.no_devices = cudaErrorNoDevice;
  REQUIRE(why({}, "libno_such_nccl.so.2", 4) == "error.nccl.no_library");
  REQUIRE(why(none, FAKE_NCCL, 4) == "error.cuda.no_device");
  REQUIRE(why({}, FAKE_NCCL, 5) == "error.nccl.devices");
  REQUIRE(why({}, FAKE_NCCL, 4) == "ok");
  REQUIRE(why({}, FAKE_NCCL, 1) == "ok");
  const StandIn stand_in({});
  REQUIRE(!make_nccl_engine({{1, 1}}, FAKE_NCCL)->availability(2).ok);
}
