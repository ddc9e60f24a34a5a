// What tests/device/check.sh runs on a machine with a GPU: the CUDA engine's results against the
// host's, a small record, and its speed. It needs no library but CUDA's driver.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/data/inputs.h"
#include "core/engine/cuda_api.h"
#include "core/engine/cuda_devices.h"
#include "core/engine/cuda_run.h"
#include "core/engine/engine.h"
#include "core/engine/record.h"
#include "core/figure/views.h"
#include "core/language/language.h"
#include "core/trace/trace_file.h"
#include "core/trace/verify.h"
#include "tests/device/measure.h"

using namespace ringscope;

namespace {

struct Way {
  bool in_place = false;
  bool lockstep = false;
  bool recorded = false;
  bool peers = true;  // else all goes through the host, even within a device
};

void run_on_gpus(const Job& job, const Way& way, Recorder* recorder) {
  if (way.peers) {
    make_engine("cuda")->run(job, recorder);
    return;
  }
  const std::vector<CudaDevice> devices = find_cuda_devices().devices;
  std::vector<CudaDevice> ranks;
  for (const int device :
       devices_of_ranks(job.schedule.ranks, static_cast<int>(devices.size()), {}))
    ranks.push_back(devices[static_cast<std::size_t>(device)]);
  PeerAccess none(true);
  CudaRun run(job, ranks, none, recorder);
  run.upload();
  run.execute();
  run.download();
}

// The outputs of one engine on random inputs, one rank's after the other's.
std::vector<std::byte> outputs_of(std::string_view engine, const Schedule& schedule,
                                  ElementType type, Operator op, const Way& way) {
  const Plan plan = make_plan(schedule, way.lockstep);
  InputSpec spec;
  spec.kind = DataKind::random;
  spec.type = type;
  spec.op = op;
  spec.ranks = schedule.ranks;
  spec.count = schedule.count;
  const std::uint64_t bytes = schedule.count * bytes_of(type);
  std::vector<std::byte> inputs(bytes * static_cast<std::uint64_t>(schedule.ranks));
  std::vector<std::byte> outputs(inputs.size(), std::byte{0x77});
  Job job(schedule, plan);
  job.type = type;
  job.op = op;
  job.lockstep = way.lockstep;
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    const std::uint64_t begin = bytes * static_cast<std::uint64_t>(rank);
    const auto input = std::span(way.in_place ? outputs : inputs).subspan(begin, bytes);
    fill_input(spec, rank, 0, input);
    job.inputs.push_back(input);
    job.outputs.push_back(std::span(outputs).subspan(begin, bytes));
  }
  Recorder recorder(schedule, plan, type, Clock::steady);
  Recorder* const taken = way.recorded ? &recorder : nullptr;
  if (engine == "cuda")
    run_on_gpus(job, way, taken);
  else
    make_engine(engine)->run(job, taken);
  return outputs;
}

// Each pair of type and operator meets each algorithm, the rest goes round; of all cases every
// `step`th, on buffers of `most` bytes at most. Whether all are right.
bool check_matrix(std::size_t step, std::uint64_t most) {
  const std::vector<int> ranks{1, 2, 3, 4, 5, 7, 8};
  const std::vector<std::uint64_t> counts{0, 1, 3, 101, 4097, 65'539, 1'000'003};
  std::size_t turn = 0;
  int cases = 0, failures = 0;
  for (const Algorithm& algorithm : algorithms()) {
    for (const ElementTypeRow& type : element_types)
      for (std::size_t op = 0; op < operator_names.size(); ++op) {
        if (!algorithm.has_operator && op > 0) continue;
        if (++turn % step != 0) continue;
        ++cases;
        const std::uint64_t count = std::min(counts[turn % counts.size()], most / type.bytes);
        const Schedule schedule =
            algorithm.make({.ranks = ranks[turn % ranks.size()],
                            .count = count,
                            .slices = 1 + static_cast<std::int32_t>(turn % 3)});
        const Way way{turn % 2 == 0, turn % 5 == 0, turn % 4 < 2, turn % 3 != 0};
        const auto operation = static_cast<Operator>(op);
        if (outputs_of("cuda", schedule, type.type, operation, way) ==
            outputs_of("host", schedule, type.type, operation, way))
          continue;
        ++failures;
        fmt::print("WRONG: {} of {}, {} {} {}, slices {}, in place {}, lockstep {}, peers {}\n",
                   algorithm.name, schedule.ranks, schedule.count, type.name, operator_names[op],
                   schedule.slices, way.in_place, way.lockstep, way.peers);
      }
    // Said at once: what comes later may hang.
    fmt::print("{}: {} cases so far, {} wrong\n", algorithm.name, cases, failures);
    std::fflush(stdout);
  }
  fmt::print("matrix: {} cases, {} wrong\n", cases, failures);
  return failures == 0;
}

// Records on the devices that are there: of every algorithm, and one that is kept in the file.
// Whether all are right, and nothing in them was done before what it depends on by their clocks.
bool check_records(const std::string& file) {
  const Language& english = Language::named("en");
  bool right = true;
  const auto check = [&](const RunSettings& settings) {
    Trace trace = record(settings);
    fmt::print("{}\n", run_title(trace, english));
    const Verification verification = verify(trace);
    for (const Message& wrong : verification.wrong) fmt::print("WRONG: {}\n", english.text(wrong));
    std::fflush(stdout);
    right =
        right && trace.verdict.outcome == Verdict::Outcome::verified && verification.wrong.empty();
    return trace;
  };
  RunSettings settings;
  settings.engine = "cuda";
  settings.ranks = 4;
  for (const Algorithm& algorithm : algorithms()) {
    settings.algorithm = algorithm.name;
    settings.count = 1000;
    check(settings);
  }
  settings.algorithm = "ring";
  settings.count = 1 << 20;
  save_trace(check(settings), file);
  return right && load_trace(file).run.engine == "cuda";
}

// So that a tool that looks for leaks sees the end of all contexts.
void reset_devices() {
  for (const CudaDevice& device : find_cuda_devices().devices) {
    cuda_use(device.number);
    cuda_check(cudaDeviceReset(), "cudaDeviceReset");
  }
}

// Bytes of the largest buffers, from an argument in KiB.
std::uint64_t most_of(int count, char** arguments, int which) {
  return (which < count ? std::strtoull(arguments[which], nullptr, 10) : 1 << 20) << 10;
}

}  // namespace

int main(int count, char** arguments) try {
  const std::string what = count > 1 ? arguments[1] : "";
  if (const Availability can = make_engine("cuda")->availability(1); !can.ok) throw Error(can.why);
  if (what == "matrix") return check_matrix(1, most_of(count, arguments, 2)) ? 0 : 1;
  if (what == "small") {
    const bool right = check_matrix(23, 404);
    reset_devices();
    return right ? 0 : 1;
  }
  if (what == "trace" && count > 2) return check_records(arguments[2]) ? 0 : 1;
  if (what == "measure" && count > 2) {
    measure_all(arguments[2], most_of(count, arguments, 3));
    return 0;
  }
  fmt::print(
      "device_check matrix [MOST_KIB] | small | measure FILE.json [MOST_KIB] | trace FILE.ring\n");
  return 2;
} catch (const Error& error) {
  fmt::print("{}\n", Language::named("en").text(error.message()));
  return 1;
} catch (const std::exception& fault) {
  fmt::print("{}\n", fault.what());
  return 1;
}
