// What tests/device/check.sh runs on a machine with a GPU: the CUDA engine's results against the
// host's, its speed against that of a copy, and a small record. It needs no library but CUDA's
// driver.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/data/inputs.h"
#include "core/engine/cuda_run.h"
#include "core/engine/record.h"
#include "core/trace/trace_file.h"

using namespace ringscope;

namespace {

using Json = nlohmann::ordered_json;
using std::chrono::nanoseconds;

struct Way {
  bool in_place = false;
  bool lockstep = false;
  bool recorded = false;
};

Schedule schedule_of(const Algorithm& algorithm, std::int32_t ranks, std::uint64_t count,
                     std::int32_t slices) {
  return algorithm.make({.ranks = ranks, .count = count, .slices = slices});
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
  make_engine(engine)->run(job, way.recorded ? &recorder : nullptr);
  return outputs;
}

// Each pair of type and operator meets each algorithm, the rest goes round. Returns the failures.
int check_matrix(bool small) {
  const std::vector<int> ranks{1, 2, 3, 4, 5, 7, 8};
  const std::vector<std::uint64_t> counts{0, 1, 3, 101, 4097, 65'539, 1'000'003};
  std::size_t turn = 0;
  int cases = 0, failures = 0;
  for (const Algorithm& algorithm : algorithms())
    for (const ElementTypeRow& type : element_types)
      for (std::size_t op = 0; op < operator_names.size(); ++op) {
        if (!algorithm.has_operator && op > 0) continue;
        ++turn;
        if (small && turn % 23 != 0) continue;
        ++cases;
        const std::uint64_t count = small ? 101 : counts[turn % counts.size()];
        const Schedule schedule = schedule_of(algorithm, ranks[turn % ranks.size()], count,
                                              1 + static_cast<std::int32_t>(turn % 3));
        const Way way{turn % 2 == 0, turn % 5 == 0, turn % 4 < 2};
        const auto operation = static_cast<Operator>(op);
        if (outputs_of("cuda", schedule, type.type, operation, way) ==
            outputs_of("host", schedule, type.type, operation, way))
          continue;
        ++failures;
        fmt::print("WRONG: {} of {}, {} {} {}, slices {}, in place {}, lockstep {}\n",
                   algorithm.name, schedule.ranks, schedule.count, type.name, operator_names[op],
                   schedule.slices, way.in_place, way.lockstep);
      }
  fmt::print("matrix: {} cases, {} wrong\n", cases, failures);
  return failures;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

// Bytes per second that a device-to-device copy reads and writes.
double copy_ceiling() {
  const Stream stream(0);
  std::size_t free = 0, total = 0;
  cuda_check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  const std::uint64_t bytes = std::min<std::uint64_t>(std::uint64_t{1} << 30, free / 4);
  const DeviceMemory from(0, bytes), to(0, bytes);
  cuda_check(cudaMemsetAsync(from.data(), 1, bytes, stream.get()), "cudaMemsetAsync");
  stream.synchronize();
  std::vector<double> rates;
  for (int repeat = 0; repeat < 12; ++repeat) {
    constexpr int copies = 10;
    const std::int64_t begin = host_now();
    for (int copy = 0; copy < copies; ++copy)
      cuda_check(
          cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, stream.get()),
          "cudaMemcpyAsync");
    stream.synchronize();
    if (repeat < 2) continue;
    rates.push_back(2.0 * copies * static_cast<double>(bytes) * 1e9 /
                    static_cast<double>(host_now() - begin));
  }
  return median(rates);
}

// Runs of one schedule on memory that stays on the devices.
class Measurement {
 public:
  Measurement(const Algorithm& algorithm, std::int32_t ranks, std::uint64_t bytes, bool recording)
      : engine_(make_engine("cuda")),
        schedule_(schedule_of(algorithm, ranks, bytes / sizeof(float), 1)),
        recording_(recording) {
    const ScheduleRequest request{.ranks = ranks, .count = bytes / sizeof(float)};
    schedule_ = schedule_of(algorithm, ranks, request.count,
                            choose_slices(*engine_, algorithm, request, ElementType::f32));
    plan_ = make_plan(schedule_);
    buffer_.resize(bytes);
    // What goes up is the same for all ranks; nothing comes down.
    for (std::size_t i = 0; i + sizeof(float) <= bytes; i += sizeof(float)) {
      const float value = static_cast<float>(i / sizeof(float) % 11) - 5.f;
      std::memcpy(buffer_.data() + i, &value, sizeof value);
    }
    job_.emplace(schedule_, plan_);
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
      job_->inputs.push_back(buffer_);
      job_->outputs.push_back({static_cast<std::byte*>(nullptr), 0});
    }
    const CudaMachine machine = find_cuda_devices();
    std::vector<CudaDevice> devices;
    for (const int device : devices_of_ranks(ranks, static_cast<int>(machine.devices.size()), {}))
      devices.push_back(machine.devices[static_cast<std::size_t>(device)]);
    // So many sets that no cache holds them all.
    const double set = 2.0 * ranks * static_cast<double>(bytes);
    sets_ = static_cast<std::size_t>(std::clamp(512e6 / set, 1.0, 8.0));
    for (std::size_t i = 0; i < sets_; ++i) {
      if (recording) recorders_.emplace_back(schedule_, plan_, ElementType::f32, Clock::steady);
    }
    for (std::size_t i = 0; i < sets_; ++i) {
      runs_.push_back(
          std::make_unique<CudaRun>(*job_, devices, peers_, recording ? &recorders_[i] : nullptr));
      runs_.back()->upload();
    }
  }

  double seconds(int repeats) {
    std::vector<double> times;
    for (int repeat = -2; repeat < repeats; ++repeat) {
      const nanoseconds time = runs_[turn_++ % sets_]->execute();
      if (repeat >= 0) times.push_back(std::chrono::duration<double>(time).count());
    }
    return median(times);
  }

  // What the devices must read and write: 3 for each byte that is reduced, 2 for each copied.
  double memory_bytes() const {
    double bytes = 0;
    for (const Transfer& transfer : schedule_.transfers)
      bytes += (transfer.action == Action::reduce ? 3.0 : 2.0) * sizeof(float) *
               static_cast<double>(transfer_extent(schedule_, transfer).count);
    return bytes;
  }
  const Schedule& schedule() const { return schedule_; }

 private:
  std::unique_ptr<Engine> engine_;
  Schedule schedule_;
  Plan plan_;
  bool recording_;
  std::vector<std::byte> buffer_;
  std::optional<Job> job_;
  PeerAccess peers_;
  std::size_t sets_ = 1, turn_ = 0;
  std::vector<Recorder> recorders_;
  std::vector<std::unique_ptr<CudaRun>> runs_;
};

std::string size_text(std::uint64_t bytes) {
  return bytes >= 1 << 30 ? fmt::format("{} GiB", bytes >> 30) : fmt::format("{} MiB", bytes >> 20);
}

// One row; nothing where a device has too little memory.
std::optional<Json> measure(const Algorithm& algorithm, std::int32_t ranks, std::uint64_t bytes,
                            bool recording, double ceiling) try {
  Measurement measurement(algorithm, ranks, bytes, recording);
  const double seconds = measurement.seconds(bytes >= 256 << 20 ? 10 : 30);
  const double algbw = static_cast<double>(bytes) / seconds;
  const double share = measurement.memory_bytes() / seconds / ceiling;
  fmt::print(
      "{:<20} {:>3} ranks {:>8} slices {:>3} {:<9} {:>10.1f} us  busbw {:>7.1f} GB/s  {:>5.1f} % "
      "of a copy\n",
      algorithm.name, ranks, size_text(bytes), measurement.schedule().slices,
      recording ? "recorded" : "", seconds * 1e6,
      algbw * busbw_factor(measurement.schedule()) / 1e9, 100 * share);
  return Json{{"algorithm", algorithm.name},
              {"ranks", ranks},
              {"bytes", bytes},
              {"slices", measurement.schedule().slices},
              {"recording", recording},
              {"seconds", seconds},
              {"algbw", algbw},
              {"busbw", algbw * busbw_factor(measurement.schedule())},
              {"copy_share", share}};
} catch (const Error& error) {
  if (error.message().id != "error.cuda.memory") throw;
  fmt::print("{} at {}: too little memory\n", algorithm.name, size_text(bytes));
  return std::nullopt;
}

// NCCL's all-reduce of f32, whose every sum is exact; nothing where it can't run.
std::optional<Json> measure_nccl(std::int32_t ranks, std::uint64_t bytes) try {
  const auto engine = make_engine("nccl");
  if (const Availability can = engine->availability(ranks); !can.ok) {
    fmt::print("NCCL: {}\n", Error(can.why).what());
    return std::nullopt;
  }
  const Schedule schedule = schedule_of(algorithm_named("ring"), ranks, bytes / sizeof(float), 1);
  const Plan plan = make_plan(schedule);
  std::vector<float> input(schedule.count);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i % 11) - 5.f;
  std::vector<std::vector<float>> outputs(static_cast<std::size_t>(ranks), input);
  Job job(schedule, plan);
  for (std::vector<float>& output : outputs) {
    job.inputs.push_back(std::as_bytes(std::span(input)));
    job.outputs.push_back(std::as_writable_bytes(std::span(output)));
  }
  std::vector<double> times;
  for (int repeat = 0; repeat < 5; ++repeat)
    times.push_back(std::chrono::duration<double>(engine->run(job, nullptr)).count());
  bool right = true;
  for (const std::vector<float>& output : outputs)
    for (std::size_t i = 0; i < input.size(); ++i)
      right = right && output[i] == static_cast<float>(ranks) * input[i];
  const double algbw = static_cast<double>(bytes) / median(times);
  fmt::print("{:<20} {:>3} ranks {:>8} {:>21} {:>10.1f} us  busbw {:>7.1f} GB/s  {}\n", "NCCL",
             ranks, size_text(bytes), "", median(times) * 1e6, algbw * busbw_factor(schedule) / 1e9,
             right ? "the same sum" : "ANOTHER SUM");
  return Json{{"algorithm", "nccl"}, {"ranks", ranks},
              {"bytes", bytes},      {"seconds", median(times)},
              {"algbw", algbw},      {"busbw", algbw * busbw_factor(schedule)},
              {"same_sum", right}};
} catch (const Error& error) {
  fmt::print("NCCL: {}\n", error.what());
  return std::nullopt;
}

void measure_all(const std::string& file, std::uint64_t most) {
  Json json;
  json["devices"] =
      make_engine("cuda")->devices(static_cast<int>(find_cuda_devices().devices.size()));
  const double ceiling = copy_ceiling();
  json["copy_bytes_per_second"] = ceiling;
  fmt::print("a copy reads and writes {:.0f} GB/s\n", ceiling / 1e9);
  json["rows"] = Json::array();
  const auto add = [&](std::string_view algorithm, std::int32_t ranks, std::uint64_t bytes,
                       bool recording) {
    if (auto row = measure(algorithm_named(algorithm), ranks, bytes, recording, ceiling))
      json["rows"].push_back(std::move(*row));
  };
  for (std::uint64_t bytes = 1 << 20; bytes <= most; bytes *= 4)
    for (const bool recording : {false, true}) add("ring", 4, bytes, recording);
  const std::uint64_t middle = std::min<std::uint64_t>(most, 64 << 20);
  for (const Algorithm& algorithm : algorithms()) add(algorithm.name, 4, middle, false);
  // With a device for each rank, NCCL is the yardstick.
  const auto devices = static_cast<std::int32_t>(find_cuda_devices().devices.size());
  for (std::uint64_t bytes = middle;
       devices > 1 && bytes <= std::min<std::uint64_t>(most, 256 << 20); bytes *= 4) {
    add("ring", devices, bytes, false);
    if (auto row = measure_nccl(devices, bytes)) json["rows"].push_back(std::move(*row));
  }
  std::ofstream(file) << json.dump(2) << '\n';
}

void record_small(const std::string& file) {
  RunSettings settings;
  settings.engine = "cuda";
  settings.ranks = 4;
  settings.count = 1 << 20;
  save_trace(record(settings), file);
}

}  // namespace

int main(int count, char** arguments) try {
  const std::string what = count > 1 ? arguments[1] : "";
  if (what == "matrix") return check_matrix(false) == 0 ? 0 : 1;
  if (what == "small") return check_matrix(true) == 0 ? 0 : 1;
  if (what == "measure" && count > 2) {
    const std::uint64_t most = count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 1024;
    measure_all(arguments[2], most << 20);
    return 0;
  }
  if (what == "trace" && count > 2) return record_small(arguments[2]), 0;
  fmt::print("device_check matrix | small | measure FILE.json [MOST_MIB] | trace FILE.ring\n");
  return 2;
} catch (const std::exception& fault) {
  fmt::print("{}\n", fault.what());
  return 1;
}
