#include "core/engine/nccl_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "core/engine/cuda_api.h"
#include "core/engine/cuda_devices.h"
#include "core/engine/nccl_library.h"
#include "core/engine/progress.h"

namespace ringscope {
namespace {

using std::chrono::nanoseconds;

ncclDataType_t type_of(ElementType type) {
  switch (type) {
    case ElementType::f16: return ncclFloat16;
    case ElementType::bf16: return ncclBfloat16;
    case ElementType::f32: return ncclFloat32;
    case ElementType::f64: return ncclFloat64;
    case ElementType::i8: return ncclInt8;
    case ElementType::u8: return ncclUint8;
    case ElementType::i32: return ncclInt32;
    case ElementType::i64: return ncclInt64;
  }
  throw std::logic_error("type_of: no such element type");
}

ncclRedOp_t operator_of(Operator op) {
  switch (op) {
    case Operator::sum: return ncclSum;
    case Operator::avg: return ncclAvg;
    case Operator::prod: return ncclProd;
    case Operator::min: return ncclMin;
    case Operator::max: return ncclMax;
  }
  throw std::logic_error("operator_of: no such operator");
}

// A point of a stream with its time.
class TimedPoint {
 public:
  TimedPoint() {
    cuda_check(cudaEventCreateWithFlags(&event_, cudaEventDefault), "cudaEventCreate");
  }
  TimedPoint(TimedPoint&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  TimedPoint& operator=(TimedPoint&&) = delete;
  ~TimedPoint() {
    if (event_ != nullptr) cudaEventDestroy(event_);
  }
  void set(cudaStream_t stream) { cuda_check(cudaEventRecord(event_, stream), "cudaEventRecord"); }
  nanoseconds since(const TimedPoint& begin) const {
    float milliseconds = 0;
    cuda_check(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "cudaEventElapsedTime");
    return nanoseconds(static_cast<std::int64_t>(static_cast<double>(milliseconds) * 1e6));
  }

 private:
  cudaEvent_t event_ = nullptr;
};

// What one rank has on its device. Its device is the current one after the construction.
struct NcclRank {
  NcclRank(int the_device, std::uint64_t bytes, bool in_place)
      : device(the_device),
        stream(the_device),
        input(the_device, bytes),
        output(the_device, in_place ? 0 : bytes) {}
  std::byte* out() const { return output.data() != nullptr ? output.data() : input.data(); }

  int device;
  Stream stream;
  DeviceMemory input, output;
  TimedPoint begin, end;
};

class NcclEngine : public Engine {
 public:
  NcclEngine(const EngineRequest& request, const std::string& library)
      : request_(request), machine_(find_cuda_devices()) {
    try {
      library_ = std::make_unique<NcclLibrary>(library);
    } catch (const Error& error) {
      no_library_ = error.message();
    }
  }

  std::string_view name() const override { return "nccl"; }
  bool shows_transfers() const override { return false; }
  Availability availability(int ranks) const override {
    if (!library_) return {false, no_library_};
    if (!machine_.availability.ok) return machine_.availability;
    if (!request_.devices.empty()) placed(ranks);  // throws where there are none such
    const auto count = static_cast<int>(machine_.devices.size());
    const std::set<int> asked(request_.devices.begin(), request_.devices.end());
    if (ranks > count || asked.size() != request_.devices.size())
      return {false,
              {"error.nccl.devices",
               {{"devices",
                 std::to_string(request_.devices.empty() ? count : static_cast<int>(asked.size()))},
                {"ranks", std::to_string(ranks)}}}};
    return {};
  }
  int auto_slices(int, std::uint64_t) const override { return 1; }
  std::vector<std::string> devices(int ranks) const override {
    std::vector<std::string> names;
    for (const int number : placed(ranks))
      names.push_back(fmt::format("GPU {}: {}", number,
                                  machine_.devices[static_cast<std::size_t>(number)].name));
    return names;
  }
  // The time is that of the rank that took longest.
  nanoseconds run(const Job& job, Recorder* recorder) override;

 private:
  OpaqueRun run_on(const Job& job, const std::vector<int>& devices, std::vector<NcclRank>& ranks);
  void connect(const Job& job, std::vector<NcclRank>& ranks);
  std::vector<int> placed(int ranks) const {
    return devices_of_ranks(ranks, static_cast<int>(machine_.devices.size()), request_.devices);
  }

  EngineRequest request_;
  CudaMachine machine_;
  std::unique_ptr<NcclLibrary> library_;
  Message no_library_;
  std::unique_ptr<NcclCommunicators> communicators_;  // of the run before, for the next one
};

// One all-reduce of all ranks, each timed on its stream.
void all_reduce(const NcclLibrary& library, const NcclCommunicators& communicators, const Job& job,
                std::vector<NcclRank>& ranks) {
  library.check(library.group_start(), "ncclGroupStart");
  try {
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      NcclRank& one = ranks[rank];
      cuda_use(one.device);
      one.begin.set(one.stream.get());
      library.check(
          library.all_reduce(one.input.data(), one.out(), job.schedule.count, type_of(job.type),
                             operator_of(job.op), communicators[rank], one.stream.get()),
          "ncclAllReduce");
    }
  } catch (const Error&) {
    library.group_end();  // or what comes next would still belong to it
    throw;
  }
  library.check(library.group_end(), "ncclGroupEnd");
  for (NcclRank& one : ranks) {
    cuda_use(one.device);
    one.end.set(one.stream.get());
  }
}

// Till all ranks are done. Nothing is seen of how far they are, so that all may take the timeout.
void wait(const Job& job, const std::vector<NcclRank>& ranks) {
  Backoff backoff(false);
  for (const NcclRank& one : ranks)
    while (!one.stream.is_idle()) {
      if (job.stop.stop_requested()) throw Error({"error.run.cancelled", {}});
      if (backoff.pause() < job.timeout) continue;
      throw Error({"error.nccl.timeout",
                   {{"timeout",
                     fmt::format("{:g} s", std::chrono::duration<double>(job.timeout).count())}}});
    }
}

void require_memory_of(const Job& job, const std::vector<int>& devices) {
  for (std::size_t rank = 0; rank < devices.size(); ++rank) {
    const bool in_place = job.inputs[rank].data() == job.outputs[rank].data();
    require_free_memory(devices[rank], job.inputs[rank].size() * (in_place ? 1 : 2));
  }
}

nanoseconds NcclEngine::run(const Job& job, Recorder* recorder) {
  if (const Availability can = availability(job.schedule.ranks); !can.ok) throw Error(can.why);
  const std::vector<int> devices = placed(job.schedule.ranks);
  require_memory_of(job, devices);
  std::vector<NcclRank> ranks;
  ranks.reserve(devices.size());
  for (std::size_t rank = 0; rank < devices.size(); ++rank)
    ranks.emplace_back(devices[rank], job.inputs[rank].size(),
                       job.inputs[rank].data() == job.outputs[rank].data());
  try {
    const OpaqueRun seen = run_on(job, devices, ranks);
    if (recorder != nullptr) recorder->keep_opaque(seen);
    return nanoseconds(std::ranges::max(seen.rank_times));
  } catch (const Error&) {
    // Before the memory goes that a rank which hangs still uses.
    if (communicators_) communicators_->abort();
    communicators_.reset();
    throw;
  }
}

OpaqueRun NcclEngine::run_on(const Job& job, const std::vector<int>& devices,
                             std::vector<NcclRank>& ranks) {
  if (!communicators_ || communicators_->devices() != devices) {
    communicators_.reset();
    communicators_ = std::make_unique<NcclCommunicators>(*library_, devices);
    connect(job, ranks);
  }
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    copy_to_device(ranks[rank].input.data(), job.inputs[rank], ranks[rank].stream.get());
  for (const NcclRank& one : ranks) one.stream.synchronize();
  all_reduce(*library_, *communicators_, job, ranks);
  wait(job, ranks);
  OpaqueRun seen{library_->version(), {}};
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    copy_to_host(job.outputs[rank], ranks[rank].out(), ranks[rank].stream.get());
    ranks[rank].stream.synchronize();
    seen.rank_times.push_back(ranks[rank].end.since(ranks[rank].begin).count());
  }
  return seen;
}

// NCCL connects its ranks at the first all-reduce, which therefore is not one that counts.
void NcclEngine::connect(const Job& job, std::vector<NcclRank>& ranks) {
  for (const NcclRank& one : ranks)
    if (one.input.bytes() > 0)
      cuda_check(cudaMemsetAsync(one.input.data(), 0, one.input.bytes(), one.stream.get()),
                 "cudaMemsetAsync");
  all_reduce(*library_, *communicators_, job, ranks);
  wait(job, ranks);
}

}  // namespace

std::unique_ptr<Engine> make_nccl_engine(const EngineRequest& request, const std::string& library) {
  return std::make_unique<NcclEngine>(request, library);
}

}  // namespace ringscope
