// The NCCL engine with no GPU: on a library with NCCL's calls, and where there is none.
#include "core/engine/nccl_engine.h"

#include <dlfcn.h>

#include <catch2/catch.hpp>

#include "core/data/inputs.h"
#include "core/engine/record.h"
#include "core/schedule/opaque.h"
#include "core/trace/reference.h"
#include "tests/cuda/cuda_job.h"
#include "tests/cuda/fake_nccl.h"
#include "tests/error_of.h"

using namespace ringscope;

namespace {

// That of the library under the engine, which opens the same; as new.
FakeNccl& fake() {
  void* const library = dlopen(FAKE_NCCL, RTLD_NOW);
  auto* const fake = static_cast<FakeNccl*>(dlsym(library, fake_nccl_name));
  REQUIRE(fake != nullptr);
  return *fake = {};
}

Message why_not(const char* library, int ranks, const StandInSettings& settings = {},
                const std::vector<int>& devices = {}) {
  const StandIn stand_in(settings);
  const Availability availability = make_nccl_engine({devices}, library)->availability(ranks);
  return availability.ok ? Message{"ok", {}} : availability.why;
}

}  // namespace

TEST_CASE("NCCL's all-reduce gives its sum and the time of each rank, in place or not") {
  const bool in_place = GENERATE(false, true);
  const StandIn stand_in({});
  CudaJob job(make_opaque({.ranks = 4, .count = 33}), ElementType::f32, Operator::sum, {in_place});
  CudaJob on_host(schedule_of("parameter-server", 4, 33), ElementType::f32, Operator::sum,
                  {in_place});
  on_host.run_on_host();
  Recorder recorder(job.schedule(), job.plan(), ElementType::f32, Clock::steady);
  const auto time = make_nccl_engine({}, FAKE_NCCL)->run(job.job(), &recorder);
  // The fake adds in rank order, as the parameter server's root does.
  REQUIRE(job.outputs() == on_host.outputs());
  REQUIRE(recorder.opaque()->library == "NCCL 2.28.3");
  REQUIRE(recorder.opaque()->rank_times.size() == 4);
  REQUIRE(time.count() == std::ranges::max(recorder.opaque()->rank_times));
  REQUIRE(time.count() > 0);
  REQUIRE(stand_in.report().faults == std::vector<std::string>{});
}

TEST_CASE(
    "every type and operator comes out right, for one rank and more, of no element and more") {
  const StandIn stand_in({});
  const auto engine = make_nccl_engine({}, FAKE_NCCL);
  for (const ElementTypeRow& row : element_types)
    for (const Operator op :
         {Operator::sum, Operator::avg, Operator::prod, Operator::min, Operator::max})
      for (const std::int32_t ranks : {1, 2, 3, 4})
        for (const std::uint64_t count : {0, 1, 33}) {
          CAPTURE(row.name, name_of(op), ranks, count);
          CudaJob job(make_opaque({.ranks = ranks, .count = count}), row.type, op);
          engine->run(job.job(), nullptr);
          const Verdict verdict =
              judge(job.schedule(), job.inputs(), [&](int rank, Extent extent, auto out) {
                const std::size_t bytes = bytes_of(row.type);
                std::copy_n(job.outputs()[static_cast<std::size_t>(rank)].begin() +
                                static_cast<std::ptrdiff_t>(extent.first * bytes),
                            out.size(), out.begin());
              });
          REQUIRE_FALSE(verdict.failure);
          REQUIRE(verdict.elements == static_cast<std::uint64_t>(ranks) * count);
        }
  REQUIRE(stand_in.report().faults == std::vector<std::string>{});
}

TEST_CASE("communicators are made once for the same devices, and given back") {
  FakeNccl& nccl = fake();
  {
    const StandIn stand_in({});
    const auto engine = make_nccl_engine({}, FAKE_NCCL);
    for (const std::int32_t ranks : {4, 4, 2, 2}) {
      CudaJob job(make_opaque({.ranks = ranks, .count = 5}), ElementType::f32, Operator::sum);
      engine->run(job.job(), nullptr);
    }
    REQUIRE(nccl.made == 6);
  }
  REQUIRE(nccl.communicators == 0);
  REQUIRE(nccl.aborted == 0);
}

TEST_CASE("what NCCL or CUDA refuses is told, all is given back, and the next run is right") {
  FakeNccl& nccl = fake();
  const auto refused = [&](const StandInSettings& settings) {
    const StandIn stand_in(settings);
    std::string id;
    {
      const auto engine = make_nccl_engine({}, FAKE_NCCL);
      CudaJob job(make_opaque({.ranks = 4, .count = 33}), ElementType::f32, Operator::sum);
      id = error_of([&] { engine->run(job.job(), nullptr); });
      nccl.fails.clear();
      engine->run(job.job(), nullptr);
    }
    REQUIRE(stand_in.report().faults == std::vector<std::string>{});
    REQUIRE(nccl.communicators == 0);
    REQUIRE(nccl.open_groups == 0);
    return id;
  };
  for (const char* const call :
       {"ncclCommInitAll", "ncclGroupStart", "ncclAllReduce", "ncclGroupEnd"}) {
    CAPTURE(call);
    nccl.fails = call;
    REQUIRE(refused({}) == "error.nccl.failed");
  }
  REQUIRE(nccl.aborted > 0);
  for (const std::uint64_t k : {0, 3, 7}) {
    StandInSettings settings;
    settings.fail_allocation = k;
    REQUIRE(refused(settings) == "error.cuda.failed");
  }
  // The first four are the fake's own, as it connects the ranks.
  for (const auto& [k, id] : {std::pair{0, "error.nccl.failed"}, std::pair{4, "error.cuda.failed"},
                              std::pair{7, "error.cuda.failed"}, std::pair{8, "error.nccl.failed"},
                              std::pair{12, "error.cuda.failed"}}) {
    CAPTURE(k);
    StandInSettings settings;
    settings.fail_copy = static_cast<std::uint64_t>(k);
    REQUIRE(refused(settings) == id);
  }
  StandInSettings small;
  small.memory = 200;
  const StandIn stand_in(small);
  CudaJob job(make_opaque({.ranks = 2, .count = 33}), ElementType::f32, Operator::sum);
  REQUIRE(error_of([&] { make_nccl_engine({}, FAKE_NCCL)->run(job.job(), nullptr); }) ==
          "error.cuda.memory");
}

TEST_CASE(
    "NCCL that hangs is given up after the timeout or when cancelled, and the next run is right") {
  FakeNccl& nccl = fake();
  const StandIn stand_in({});
  {
    const auto engine = make_nccl_engine({}, FAKE_NCCL);
    for (const bool cancelled : {false, true}) {
      CudaJob job(make_opaque({.ranks = 4, .count = 33}), ElementType::f32, Operator::sum);
      std::stop_source source;
      job.job().stop = source.get_token();
      job.job().timeout = std::chrono::milliseconds(cancelled ? 5'000 : 20);
      if (cancelled) source.request_stop();
      nccl.hangs = true;
      REQUIRE(error_of([&] { engine->run(job.job(), nullptr); }) ==
              (cancelled ? "error.run.cancelled" : "error.nccl.timeout"));
      nccl.hangs = false;
      job.job().stop = {};
      engine->run(job.job(), nullptr);
    }
    REQUIRE(nccl.aborted == 8);
  }
  REQUIRE(nccl.communicators == 0);
  REQUIRE(stand_in.report().faults == std::vector<std::string>{});
}

TEST_CASE("why NCCL can't run is said: no library, an old one, one that lacks a call") {
  REQUIRE(why_not("libno_such_nccl.so.2", 4).id == "error.nccl.no_library");
  const Message old = why_not(OLD_NCCL, 4);
  REQUIRE(old.id == "error.nccl.too_old");
  REQUIRE(old.arguments == std::vector<std::pair<std::string, std::string>>{{"version", "2.8.9"},
                                                                            {"oldest", "2.10.0"}});
  const Message lacks = why_not(POOR_NCCL, 4);
  REQUIRE(lacks.id == "error.nccl.lacks");
  REQUIRE(lacks.arguments.front().second == "ncclAllReduce");
  FakeNccl& nccl = fake();
  nccl.fails = "ncclGetVersion";
  REQUIRE(why_not(FAKE_NCCL, 4).id == "error.nccl.failed");
  nccl.fails.clear();
}

TEST_CASE("why NCCL can't run is said: no GPU, too few of them, or two ranks on one") {
  StandInSettings none;
  none.no_devices = cudaErrorNoDevice;
  REQUIRE(why_not(FAKE_NCCL, 4, none).id == "error.cuda.no_device");
  REQUIRE(why_not(FAKE_NCCL, 5).id == "error.nccl.devices");
  REQUIRE(why_not(FAKE_NCCL, 4).id == "ok");
  REQUIRE(why_not(FAKE_NCCL, 1).id == "ok");
  REQUIRE(why_not(FAKE_NCCL, 2, {}, {1, 1}).id == "error.nccl.devices");
  REQUIRE(why_not(FAKE_NCCL, 2, {}, {3, 1}).id == "ok");
}
