#include "tests/cuda/stand_in.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <span>

#include "core/engine/cuda_kernels.h"
#include "tests/cuda/registration.h"
#include "tests/cuda/shadow_memory.h"

// What CUDA hands out by pointer is ours to define.
struct CUstream_st {
  int device = 0;
  std::size_t actor = 0;
  ringscope::VectorClock clock;  // of what is in it by now
  struct Work {
    std::function<bool()> is_ready;
    std::function<void()> run;
  };
  std::deque<Work> work;
};
struct CUevent_st {
  int device = 0;
  ringscope::VectorClock clock;
  std::shared_ptr<bool> reached;  // of the last record; null before one
  std::shared_ptr<std::uint64_t> time = std::make_shared<std::uint64_t>(0);  // the device's, then
};

namespace ringscope {
namespace {

constexpr std::size_t host = 0;  // the actor

struct Range {
  const void* data;
  std::uint64_t bytes;
  bool writes;
};

class World {
 public:
  explicit World(const StandInSettings& settings)
      : settings(settings),
        random_(settings.seed),
        used_(static_cast<std::size_t>(settings.devices)) {}
  // What a broken context did not take back is lost to the engine, not to the test.
  ~World() {
    for (const auto& [address, allocation] : memory_) std::free(reinterpret_cast<void*>(address));
    for (void* const data : host_memory) std::free(data);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  StandInSettings settings;
  StandInReport report;
  int current = 0;
  cudaError_t last_error = cudaSuccess;
  cudaError_t broken = cudaSuccess;  // for good
  std::set<std::pair<int, int>> enabled;
  std::map<cudaStream_t, std::unique_ptr<CUstream_st>> streams;
  std::map<cudaEvent_t, std::unique_ptr<CUevent_st>> events;
  std::set<void*> host_memory;
  VectorClock host_clock;

  cudaError_t answer(cudaError_t result) {
    if (result != cudaSuccess) last_error = result;
    return result;
  }
  void fault(const std::string& text) { report.faults.push_back(text); }
  bool is_device(int device) const { return device >= 0 && device < settings.devices; }

  // Whether the call of that number is to fail.
  bool fails(const std::optional<std::uint64_t>& which, std::uint64_t& count, cudaError_t how) {
    const bool now = which && *which == count;
    ++count;
    if (now && settings.fails_for_good) broken = how;
    return now;
  }

  // --- Memory

  void* allocate(std::uint64_t bytes) {
    std::uint64_t& used = used_[static_cast<std::size_t>(current)];
    if (bytes > settings.memory - used) return nullptr;
    used += bytes;
    void* const data = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    std::memset(data, 0xCD, bytes);
    memory_.emplace(reinterpret_cast<std::uintptr_t>(data),
                    Allocation{current, bytes, ShadowMemory(bytes)});
    return data;
  }
  void give_back(void* data) {
    const auto found = memory_.find(reinterpret_cast<std::uintptr_t>(data));
    if (found == memory_.end()) return fault("gives back what is not there");
    drain();  // as the runtime does
    used_[static_cast<std::size_t>(found->second.device)] -= found->second.bytes;
    memory_.erase(found);
    std::free(data);
  }
  std::uint64_t free_memory() const {
    return settings.memory - used_[static_cast<std::size_t>(current)];
  }
  std::size_t live_allocations() const { return memory_.size(); }

  // `device` < 0: the driver's own copies reach all memory.
  void check(const Range& range, int device, std::size_t actor, const VectorClock& clock,
             const std::string& who) {
    if (range.bytes == 0) return;
    const auto at = reinterpret_cast<std::uintptr_t>(range.data);
    auto found = memory_.upper_bound(at);
    if (found == memory_.begin()) return fault(who + " uses memory that is not there");
    --found;
    Allocation& allocation = found->second;
    const std::uint64_t begin = at - found->first, end = begin + range.bytes;
    if (begin >= allocation.bytes) return fault(who + " uses memory that is not there");
    if (end > allocation.bytes) return fault(who + " goes past the end of its memory");
    if (device >= 0 && device != allocation.device &&
        !enabled.contains({device, allocation.device}))
      return fault(who + " on device " + std::to_string(device) + " uses memory of device " +
                   std::to_string(allocation.device) + " without peer access");
    const std::string wrong = range.writes ? allocation.shadow.write(begin, end, actor, clock)
                                           : allocation.shadow.read(begin, end, actor, clock);
    if (!wrong.empty()) fault(who + ' ' + wrong);
  }

  // --- Streams

  // Puts work into a stream; what it reads and writes is held against all that came before.
  void put(cudaStream_t stream, const std::string& who, const std::vector<Range>& ranges,
           int device, std::function<void()> run) {
    CUstream_st& in = *streams.at(stream);
    in.clock.learn(host_clock);
    in.clock.step(in.actor);
    for (const Range& range : ranges) check(range, device, in.actor, in.clock, who);
    in.work.push_back({[] { return true; }, std::move(run)});
  }
  bool is_known(cudaStream_t stream) {
    if (streams.contains(stream)) return true;
    fault("uses a stream that is not there");
    return false;
  }

  // The last work of a stream never begins.
  void hang(cudaStream_t stream) {
    streams.at(stream)->work.push_back({[] { return false; }, [] {}});
  }

  // One step of some stream that can go on; false where none can.
  bool go_on() {
    if (broken != cudaSuccess) {
      for (const auto& [handle, stream] : streams) stream->work.clear();
      return false;
    }
    std::vector<CUstream_st*> ready;
    for (const auto& [handle, stream] : streams)
      if (!stream->work.empty() && stream->work.front().is_ready()) ready.push_back(stream.get());
    if (ready.empty()) return false;
    CUstream_st& chosen = *ready[random_() % ready.size()];
    const auto work = std::move(chosen.work.front());
    chosen.work.pop_front();
    work.run();
    return true;
  }
  void drain() {
    while (go_on()) {
    }
  }
  cudaError_t query(bool is_done, const VectorClock& clock) {
    if (broken != cudaSuccess) return answer(broken);
    if (!is_done) {
      go_on();
      return cudaErrorNotReady;
    }
    host_clock.learn(clock);
    return cudaSuccess;
  }

  // Nanoseconds of a device's own timer: each goes a little differently.
  std::uint64_t timer(int device) const {
    const auto now =
        static_cast<double>(std::chrono::steady_clock::now().time_since_epoch().count() - began_);
    const double own = now * (1 + 20e-6 * device) + 1e9 * (device + 1);
    return static_cast<std::uint64_t>(own) / settings.timer_step * settings.timer_step;
  }

  std::size_t new_actor() { return ++actors_; }

 private:
  struct Allocation {
    int device;
    std::uint64_t bytes;
    ShadowMemory shadow;
  };

  std::mt19937_64 random_;
  std::vector<std::uint64_t> used_;              // [device] bytes
  std::map<std::uintptr_t, Allocation> memory_;  // by address
  std::size_t actors_ = host;
  const std::int64_t began_ = std::chrono::steady_clock::now().time_since_epoch().count();
};

std::unique_ptr<World>& world_slot() {
  static std::unique_ptr<World> slot;
  return slot;
}
World& world() {
  if (!world_slot()) world_slot() = std::make_unique<World>(StandInSettings{});
  return *world_slot();
}

// --- Kernels

template <class T>
Range written(T* data) {
  return {data, sizeof(T), true};
}

void put_pass(ElementType type, const PassLaunch& launch, cudaStream_t stream) {
  const std::uint64_t bytes = launch.count * bytes_of(type);
  const PassRecord record = launch.record;
  std::vector<Range> ranges{{launch.received, bytes, false}};
  if (launch.reduces) ranges.push_back({launch.own, bytes, false});
  ranges.push_back({launch.dst, bytes, true});
  if (record.stamp != nullptr) {
    ranges.push_back({record.ticket, sizeof *record.ticket, false});
    ranges.push_back(written(record.ticket));
    if (record.first) ranges.push_back({&record.stamp->begun, sizeof(std::uint64_t), false});
    if (record.first) ranges.push_back(written(&record.stamp->begun));
    if (record.last) ranges.push_back(written(&record.stamp->landed));
    ranges.push_back({record.kept, record.kept_count * sizeof(KeptCell), false});
  }
  for (const void* const data :
       {static_cast<const void*>(launch.dst), static_cast<const void*>(launch.own),
        static_cast<const void*>(launch.received)})
    if (reinterpret_cast<std::uintptr_t>(data) % bytes_of(type) != 0)
      world().fault("a pass over elements that lie off their boundary");
  const int device = stream->device;
  world().put(stream, "pass", ranges, device, [=] {
    World& all = world();
    if (record.stamp != nullptr && record.first)
      record.stamp->begun = std::min(record.stamp->begun, all.timer(device));
    const std::span dst(launch.dst, bytes);
    const std::span received(launch.received, bytes);
    if (launch.reduces)
      reduce_pass(type, launch.pass, dst, std::span(launch.own, bytes), received);
    else
      copy_pass(type, launch.pass, dst, received);
    if (record.stamp == nullptr) return;
    if (record.last) record.stamp->landed = all.timer(device);
    for (std::uint32_t i = 0; i < record.kept_count; ++i)
      std::memcpy(record.kept[i].to, record.kept[i].from, record.kept[i].bytes);
  });
  // The table of cells has been written before anything is put into a stream.
  if (record.stamp == nullptr) return;
  CUstream_st& in = *world().streams.at(stream);
  for (std::uint32_t i = 0; i < record.kept_count; ++i) {
    const KeptCell& cell = record.kept[i];
    world().check({cell.from, cell.bytes, false}, device, in.actor, in.clock, "keeping");
    world().check({cell.to, cell.bytes, true}, device, in.actor, in.clock, "keeping");
  }
}

void put_stamp(const StampLaunch& launch, cudaStream_t stream) {
  const int device = stream->device;
  world().put(stream, "stamp", {written(launch.where)}, device,
              [=] { *launch.where = world().timer(device); });
}

void put_sleep(const SleepLaunch& launch, cudaStream_t stream) {
  const int device = stream->device;
  std::vector<Range> ranges;
  if (launch.from != nullptr) ranges = {written(launch.from), written(launch.to)};
  world().put(stream, "sleep", ranges, device, [=] {
    const std::uint64_t from = world().timer(device);
    std::uint64_t now = from;
    while (now - from < launch.nanoseconds && *launch.halt == 0) now = world().timer(device);
    if (launch.from == nullptr) return;
    *launch.from = from;
    *launch.to = now;
  });
}

cudaError_t put_kernel(const std::string& name, void** arguments, cudaStream_t stream) {
  if (name == "ringscope_stamp")
    put_stamp(*static_cast<const StampLaunch*>(arguments[0]), stream);
  else if (name == "ringscope_sleep")
    put_sleep(*static_cast<const SleepLaunch*>(arguments[0]), stream);
  else if (const std::string pass = "ringscope_pass_"; name.starts_with(pass))
    put_pass(element_type_named(name.substr(pass.size())).value(),
             *static_cast<const PassLaunch*>(arguments[0]), stream);
  else
    return cudaErrorInvalidDeviceFunction;
  return cudaSuccess;
}

}  // namespace

StandIn::StandIn(const StandInSettings& settings) {
  world_slot() = std::make_unique<World>(settings);
}
StandIn::~StandIn() { world_slot().reset(); }

StandInReport StandIn::report() const {
  StandInReport report = world().report;
  if (world().live_allocations() > 0)
    report.faults.push_back("memory of a device was not given back");
  if (!world().host_memory.empty()) report.faults.push_back("host memory was not given back");
  if (!world().streams.empty()) report.faults.push_back("a stream was not given back");
  if (!world().events.empty()) report.faults.push_back("an event was not given back");
  return report;
}

}  // namespace ringscope

using ringscope::Range;
using ringscope::registered_kernels;
using ringscope::world;

extern "C" {

// --- Devices

cudaError_t cudaGetDeviceCount(int* count) {
  *count = world().settings.no_devices == cudaSuccess ? world().settings.devices : 0;
  return world().answer(world().settings.no_devices);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (!world().is_device(device)) return world().answer(cudaErrorInvalidDevice);
  *properties = {};
  std::strcpy(properties->name, "Stand-in");
  properties->multiProcessorCount = 8;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (!world().is_device(device)) return world().answer(cudaErrorInvalidDevice);
  world().current = device;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = device != peer && !world().settings.no_peer.contains({device, peer}) ? 1 : 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  const std::pair pair(world().current, peer);
  if (world().settings.refuses_peers || world().settings.no_peer.contains(pair))
    return world().answer(cudaErrorPeerAccessUnsupported);
  return world().answer(world().enabled.insert(pair).second ? cudaSuccess
                                                            : cudaErrorPeerAccessAlreadyEnabled);
}

// --- Memory

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  auto& all = world();
  if (all.fails(all.settings.fail_allocation, all.report.allocations, cudaErrorMemoryAllocation))
    return all.answer(cudaErrorMemoryAllocation);
  *data = all.allocate(bytes);
  return all.answer(*data != nullptr ? cudaSuccess : cudaErrorMemoryAllocation);
}
cudaError_t cudaFree(void* data) {
  if (data != nullptr) world().give_back(data);
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** data, std::size_t bytes, unsigned) {
  auto& all = world();
  if (all.fails(all.settings.fail_allocation, all.report.allocations, cudaErrorMemoryAllocation))
    return all.answer(cudaErrorMemoryAllocation);
  *data = std::malloc(bytes);
  all.host_memory.insert(*data);
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* data) {
  if (data == nullptr) return cudaSuccess;
  if (world().host_memory.erase(data) == 0)
    world().fault("gives back host memory that is not there");
  std::free(data);
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = world().free_memory();
  *total = world().settings.memory;
  return cudaSuccess;
}

// --- Streams and events

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  auto made = std::make_unique<CUstream_st>();
  made->device = world().current;
  made->actor = world().new_actor();
  *stream = made.get();
  world().streams[*stream] = std::move(made);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (!world().is_known(stream)) return cudaErrorInvalidResourceHandle;
  world().drain();  // it goes on by itself till it is empty
  world().streams.erase(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  auto& all = world();
  if (!all.is_known(stream)) return all.answer(cudaErrorInvalidResourceHandle);
  if (all.broken != cudaSuccess) return all.answer(all.broken);
  while (!stream->work.empty())
    if (!all.go_on()) {
      all.fault("waits for a stream that never goes on");
      return all.answer(cudaErrorUnknown);
    }
  all.host_clock.learn(stream->clock);
  return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  if (!world().is_known(stream)) return world().answer(cudaErrorInvalidResourceHandle);
  return world().query(stream->work.empty(), stream->clock);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  auto& all = world();
  if (!all.is_known(stream) || !all.events.contains(event))
    return all.answer(cudaErrorInvalidResourceHandle);
  if (event->reached == nullptr) all.fault("waits for an event that was not recorded");
  const bool drops = all.settings.drop_wait && *all.settings.drop_wait == all.report.waits;
  ++all.report.waits;
  if (drops || event->reached == nullptr) return cudaSuccess;
  stream->clock.learn(event->clock);
  stream->work.push_back({[reached = event->reached] { return *reached; }, [] {}});
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  auto made = std::make_unique<CUevent_st>();
  made->device = world().current;
  *event = made.get();
  world().events[*event] = std::move(made);
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (world().events.erase(event) == 0) world().fault("gives back an event that is not there");
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  auto& all = world();
  if (!all.is_known(stream) || !all.events.contains(event) || event->device != stream->device)
    return all.answer(cudaErrorInvalidResourceHandle);
  if (all.broken != cudaSuccess) return all.answer(all.broken);
  event->reached = std::make_shared<bool>(false);
  all.put(stream, "event", {}, stream->device,
          [reached = event->reached, time = event->time, device = stream->device] {
            *reached = true;
            *time = world().timer(device);
          });
  event->clock = stream->clock;
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (!world().events.contains(event)) return world().answer(cudaErrorInvalidResourceHandle);
  return world().query(event->reached == nullptr || *event->reached, event->clock);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  if (!*begin->reached || !*end->reached) return cudaErrorNotReady;
  *milliseconds = static_cast<float>(*end->time - *begin->time) / 1e6f;
  return cudaSuccess;
}

// --- Work

cudaError_t cudaMemcpyAsync(void* dst, const void* src, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  auto& all = world();
  if (!all.is_known(stream)) return all.answer(cudaErrorInvalidResourceHandle);
  if (all.broken != cudaSuccess) return all.answer(all.broken);
  if (all.fails(all.settings.fail_copy, all.report.copies, cudaErrorIllegalAddress))
    return all.answer(cudaErrorIllegalAddress);
  std::vector<Range> ranges;
  if (kind != cudaMemcpyHostToDevice) ranges.push_back({src, bytes, false});
  if (kind != cudaMemcpyDeviceToHost) ranges.push_back({dst, bytes, true});
  all.put(stream, "copy", ranges, stream->device, [=] { std::memcpy(dst, src, bytes); });
  return cudaSuccess;
}
cudaError_t cudaMemcpyPeerAsync(void* dst, int, const void* src, int, std::size_t bytes,
                                cudaStream_t stream) {
  auto& all = world();
  if (!all.is_known(stream)) return all.answer(cudaErrorInvalidResourceHandle);
  if (all.broken != cudaSuccess) return all.answer(all.broken);
  if (all.fails(all.settings.fail_copy, all.report.copies, cudaErrorIllegalAddress))
    return all.answer(cudaErrorIllegalAddress);
  all.put(stream, "peer copy", {{src, bytes, false}, {dst, bytes, true}}, -1,
          [=] { std::memcpy(dst, src, bytes); });
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* dst, int value, std::size_t bytes, cudaStream_t stream) {
  auto& all = world();
  if (!all.is_known(stream)) return all.answer(cudaErrorInvalidResourceHandle);
  if (all.broken != cudaSuccess) return all.answer(all.broken);
  all.put(stream, "memset", {{dst, bytes, true}}, stream->device,
          [=] { std::memset(dst, value, bytes); });
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t, cudaStream_t stream) {
  auto& all = world();
  if (!all.is_known(stream) || stream->device != all.current)
    return all.answer(cudaErrorInvalidResourceHandle);
  if (all.broken != cudaSuccess) return all.answer(all.broken);
  if (all.fails(all.settings.fail_launch, all.report.launches, cudaErrorLaunchFailure))
    return all.answer(cudaErrorLaunchFailure);
  if (grid.x == 0 || block.x == 0 || block.x > 1024)
    return all.answer(cudaErrorInvalidConfiguration);
  const auto found = registered_kernels().find(function);
  if (found == registered_kernels().end()) return all.answer(cudaErrorInvalidDeviceFunction);
  const cudaError_t result = ringscope::put_kernel(found->second, arguments, stream);
  if (all.settings.hang_launch && *all.settings.hang_launch + 1 == all.report.launches)
    all.hang(stream);
  return all.answer(result);
}

// --- Errors

cudaError_t cudaGetLastError() { return std::exchange(world().last_error, cudaSuccess); }
const char* cudaGetErrorName(cudaError_t error) {
  static const std::map<cudaError_t, const char*> names{
      {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation"},
      {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver"},
      {cudaErrorNoDevice, "cudaErrorNoDevice"},
      {cudaErrorLaunchFailure, "cudaErrorLaunchFailure"},
      {cudaErrorIllegalAddress, "cudaErrorIllegalAddress"},
      {cudaErrorPeerAccessUnsupported, "cudaErrorPeerAccessUnsupported"}};
  const auto found = names.find(error);
  return found == names.end() ? "cudaErrorUnknown" : found->second;
}
const char* cudaGetErrorString(cudaError_t) { return "what the stand-in says"; }

}  // extern "C"
