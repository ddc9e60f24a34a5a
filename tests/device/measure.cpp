#include "tests/device/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/engine/cuda_run.h"
#include "core/language/language.h"

namespace ringscope {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t mebibyte = 1 << 20;
constexpr std::int32_t virtual_ranks = 4;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

std::string size_text(std::uint64_t bytes) {
  if (bytes < mebibyte) return fmt::format("{} KiB", bytes >> 10);
  return bytes < 1024 * mebibyte ? fmt::format("{} MiB", bytes >> 20)
                                 : fmt::format("{} GiB", bytes >> 30);
}

void say(const Error& error) { fmt::print("{}\n", Language::named("en").text(error.message())); }

// Bytes per second that a copy within the first device reads and writes.
double copy_ceiling(std::uint64_t most) {
  const Stream stream(0);
  std::size_t free = 0, total = 0;
  cuda_check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  const std::uint64_t bytes = std::min<std::uint64_t>(most, free / 4);
  const DeviceMemory from(0, bytes), to(0, bytes);
  cuda_check(cudaMemsetAsync(from.data(), 1, bytes, stream.get()), "cudaMemsetAsync");
  stream.synchronize();
  std::vector<double> rates;
  for (int repeat = -2; repeat < 10; ++repeat) {
    constexpr int copies = 10;
    const std::int64_t begin = host_now();
    for (int copy = 0; copy < copies; ++copy)
      cuda_check(
          cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, stream.get()),
          "cudaMemcpyAsync");
    stream.synchronize();
    if (repeat < 0) continue;
    rates.push_back(2.0 * copies * static_cast<double>(bytes) * 1e9 /
                    static_cast<double>(host_now() - begin));
  }
  return median(rates);
}

Schedule schedule_with_auto_slices(const Algorithm& algorithm, const std::vector<CudaDevice>& ranks,
                                   std::uint64_t count) {
  EngineRequest placed;
  for (const CudaDevice& device : ranks) placed.devices.push_back(device.number);
  ScheduleRequest request{.ranks = static_cast<std::int32_t>(ranks.size()), .count = count};
  request.slices =
      choose_slices(*make_engine("cuda", placed), algorithm, request, ElementType::f32);
  return algorithm.make(request);
}

// What the devices must read and write: 3 for each byte that is reduced, 2 for each copied.
double memory_bytes(const Schedule& schedule) {
  double bytes = 0;
  for (const Transfer& transfer : schedule.transfers)
    bytes += (transfer.action == Action::reduce ? 3.0 : 2.0) * sizeof(float) *
             static_cast<double>(transfer_extent(schedule, transfer).count);
  return bytes;
}

// Runs of one schedule on data that stay on the devices: several sets of them, so many that no
// cache holds them all. Runs with a record and without take turns, so that what else changes
// meanwhile tells on both alike.
class Measurement {
 public:
  // ranks[rank] is its device.
  Measurement(const Schedule& schedule, const std::vector<CudaDevice>& ranks)
      : plan_(make_plan(schedule)), job_(schedule, plan_), buffer_(schedule.count) {
    for (std::size_t i = 0; i < buffer_.size(); ++i) buffer_[i] = static_cast<float>(i % 11) - 5.f;
    // What goes up is the same for all ranks; nothing comes down.
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      job_.inputs.push_back(std::as_bytes(std::span(buffer_)));
      job_.outputs.push_back({});
    }
    const double set = 2.0 * static_cast<double>(ranks.size() * buffer_.size() * sizeof(float));
    const auto sets = static_cast<std::size_t>(std::clamp(512e6 / set, 1.0, 16.0));
    for (std::size_t i = 0; i < sets; ++i) {
      recorders_.push_back(
          std::make_unique<Recorder>(schedule, plan_, ElementType::f32, Clock::steady));
      for (Recorder* const recorder : {static_cast<Recorder*>(nullptr), recorders_.back().get()}) {
        runs_.push_back(std::make_unique<CudaRun>(job_, ranks, peers_, recorder));
        runs_.back()->upload();
      }
    }
  }

  // Medians in seconds, of so many runs each after a warm-up of all sets.
  struct Times {
    double plain, recorded;
  };
  Times times(int repeats) {
    for (const auto& run : runs_) run->execute();
    std::vector<double> plain, recorded;
    for (std::size_t turn = 0; plain.size() < static_cast<std::size_t>(repeats); ++turn) {
      plain.push_back(seconds_of(2 * turn));
      recorded.push_back(seconds_of(2 * turn + 1));
    }
    return {median(plain), median(recorded)};
  }

 private:
  double seconds_of(std::size_t turn) {
    return std::chrono::duration<double>(runs_[turn % runs_.size()]->execute()).count();
  }

  Plan plan_;
  Job job_;
  std::vector<float> buffer_;
  PeerAccess peers_;
  std::vector<std::unique_ptr<Recorder>> recorders_;
  std::vector<std::unique_ptr<CudaRun>> runs_;  // without a record, with one, and so on
};

int repeats_at(std::uint64_t bytes) {
  return bytes >= 256 * mebibyte ? 15 : bytes >= mebibyte ? 40 : 5;
}

// One schedule's row; nothing where it can't be run, which is said.
std::optional<Json> measure(std::string_view name, const std::vector<CudaDevice>& ranks,
                            std::uint64_t bytes, double ceiling) try {
  const Schedule schedule =
      schedule_with_auto_slices(algorithm_named(name), ranks, bytes / sizeof(float));
  const Measurement::Times times = Measurement(schedule, ranks).times(repeats_at(bytes));
  const double algbw = static_cast<double>(bytes) / times.plain;
  const double busbw = algbw * busbw_factor(schedule);
  const double cost = times.recorded / times.plain - 1;
  const bool one_device = ranks.front().number == ranks.back().number;
  Json row{{"algorithm", name},
           {"ranks", ranks.size()},
           {"devices", one_device ? 1 : ranks.size()},
           {"bytes", bytes},
           {"slices", schedule.slices},
           {"seconds", times.plain},
           {"recording_cost", cost},
           {"algbw", algbw},
           {"busbw", busbw}};
  fmt::print("{:<20} {:>2} ranks on {}  {:>8}  slices {:>2}  {:>10.1f} us  busbw {:>7.1f} GB/s  ",
             name, ranks.size(), one_device ? 1 : ranks.size(), size_text(bytes), schedule.slices,
             times.plain * 1e6, busbw / 1e9);
  // The memory of one device is the limit only where all go through it.
  if (one_device) {
    const double share = memory_bytes(schedule) / times.plain / ceiling;
    row["copy_share"] = share;
    fmt::print("{:>5.1f} % of a copy  ", 100 * share);
  }
  fmt::print("recording {:+.1f} %\n", 100 * cost);
  return row;
} catch (const Error& error) {
  fmt::print("{} at {}: ", name, size_text(bytes));
  say(error);
  return std::nullopt;
}

// NCCL's all-reduce of f32, whose every sum is exact; nothing where it can't be run, which is said.
std::optional<Json> measure_nccl(std::int32_t ranks, std::uint64_t bytes) try {
  const auto engine = make_engine("nccl");
  if (const Availability can = engine->availability(ranks); !can.ok) throw Error(can.why);
  const Schedule schedule = algorithm_named("ring").make({.ranks = ranks, .count = bytes / 4});
  const Plan plan = make_plan(schedule);
  std::vector<float> input(schedule.count);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i % 11) - 5.f;
  std::vector<std::vector<float>> outputs(static_cast<std::size_t>(ranks), input);
  Job job(schedule, plan);
  for (std::vector<float>& output : outputs) {
    job.inputs.push_back(std::as_bytes(std::span(input)));
    job.outputs.push_back(std::as_writable_bytes(std::span(output)));
  }
  engine->run(job, nullptr);  // warms up
  std::vector<double> times;
  for (int repeat = 0; repeat < 3; ++repeat)
    times.push_back(std::chrono::duration<double>(engine->run(job, nullptr)).count());
  bool right = true;
  for (const std::vector<float>& output : outputs)
    for (std::size_t i = 0; i < input.size(); ++i)
      right = right && output[i] == static_cast<float>(ranks) * input[i];
  const double algbw = static_cast<double>(bytes) / median(times);
  const double busbw = algbw * busbw_factor(schedule);
  fmt::print("{:<20} {:>2} ranks on {}  {:>8}  {:>9}  {:>10.1f} us  busbw {:>7.1f} GB/s  {}\n",
             "NCCL", ranks, ranks, size_text(bytes), "", median(times) * 1e6, busbw / 1e9,
             right ? "the same sum" : "ANOTHER SUM");
  return Json{{"algorithm", "nccl"}, {"ranks", ranks},           {"devices", ranks},
              {"bytes", bytes},      {"seconds", median(times)}, {"algbw", algbw},
              {"busbw", busbw},      {"same_sum", right}};
} catch (const Error& error) {
  fmt::print("NCCL at {}: ", size_text(bytes));
  say(error);
  return std::nullopt;
}

// All rows, and the file that holds them.
class Report {
 public:
  explicit Report(std::string file) : file_(std::move(file)) { json_["rows"] = Json::array(); }

  Json& json() { return json_; }
  void add(std::optional<Json> row) {
    if (row) json_["rows"].push_back(std::move(*row));
    save();
  }
  void save() const {
    std::ofstream(file_) << json_.dump(2) << '\n';
    std::fflush(stdout);
  }

  // Null where there is none.
  const Json* row(std::string_view algorithm, std::size_t devices, std::uint64_t bytes) const {
    for (const Json& row : json_["rows"])
      if (row["algorithm"] == algorithm && row["devices"] == devices && row["bytes"] == bytes)
        return &row;
    return nullptr;
  }

  // `sign` is 1 where `got` is to be at least `wanted`, -1 where at most; both are in percent.
  void judge(const std::string& goal, double got, double wanted, int sign) {
    const bool met = sign * (got - wanted) >= 0;
    json_["goals"].push_back({{"goal", goal}, {"wanted", wanted}, {"got", got}, {"met", met}});
    fmt::print("{}: {} {:.1f} %, got {:.1f} %: {}\n", goal, sign > 0 ? "at least" : "at most",
               wanted, got, met ? "reached" : "MISSED");
  }

 private:
  std::string file_;
  Json json_;
};

void judge_all(Report& report, std::size_t devices) {
  report.json()["goals"] = Json::array();
  constexpr std::uint64_t bytes = 256 * mebibyte;
  if (const Json* const row = report.row("ring", 1, bytes)) {
    report.judge("the ring's share of a copy, 256 MiB", 100 * (*row)["copy_share"].get<double>(),
                 80, 1);
    report.judge("the cost of recording, 256 MiB", 100 * (*row)["recording_cost"].get<double>(), 2,
                 -1);
  } else {
    fmt::print("not measured: the ring of 4 virtual ranks at 256 MiB\n");
  }
  for (std::uint64_t size = 64 * mebibyte; devices > 1 && size <= bytes; size *= 2) {
    const Json* const ours = report.row("ring", devices, size);
    const Json* const theirs = report.row("nccl", devices, size);
    if (ours == nullptr || theirs == nullptr) continue;
    report.judge("the ring's busbw of NCCL's, " + size_text(size),
                 100 * (*ours)["busbw"].get<double>() / (*theirs)["busbw"].get<double>(), 90, 1);
  }
  report.save();
}

}  // namespace

void measure_all(const std::string& file, std::uint64_t most) {
  const std::vector<CudaDevice> devices = find_cuda_devices().devices;
  Report report(file);
  for (const CudaDevice& device : devices) report.json()["devices"].push_back(device.name);
  const double ceiling = copy_ceiling(most);
  report.json()["copy_bytes_per_second"] = ceiling;
  fmt::print("{} x {}; a copy within one reads and writes {:.0f} GB/s\n", devices.size(),
             devices.front().name, ceiling / 1e9);
  const std::vector<CudaDevice> on_one(virtual_ranks, devices.front());
  for (std::uint64_t bytes = std::min(most, mebibyte); bytes <= most; bytes *= 4)
    report.add(measure("ring", on_one, bytes, ceiling));
  const std::uint64_t middle = std::min<std::uint64_t>(most, 64 * mebibyte);
  for (const Algorithm& algorithm : algorithms())
    if (algorithm.name != "ring") report.add(measure(algorithm.name, on_one, middle, ceiling));
  // With a device for each rank, NCCL is the yardstick.
  for (std::uint64_t bytes = middle;
       devices.size() > 1 && bytes <= std::min<std::uint64_t>(most, 256 * mebibyte); bytes *= 2) {
    report.add(measure("ring", devices, bytes, ceiling));
    report.add(measure_nccl(static_cast<std::int32_t>(devices.size()), bytes));
  }
  judge_all(report, devices.size());
}

}  // namespace ringscope
