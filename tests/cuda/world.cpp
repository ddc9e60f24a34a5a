#include "tests/cuda/world.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

namespace ringscope {
namespace {

std::int64_t steady_now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

std::unique_ptr<World>& world_slot() {
  static std::unique_ptr<World> slot;
  return slot;
}

}  // namespace

World& world() {
  if (!world_slot()) world_slot() = std::make_unique<World>(StandInSettings{});
  return *world_slot();
}

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

World::World(const StandInSettings& the_settings)
    : settings(the_settings),
      random_(settings.seed),
      used_(static_cast<std::size_t>(settings.devices)),
      began_(steady_now()) {}

World::~World() {
  for (const auto& [address, allocation] : memory_) std::free(reinterpret_cast<void*>(address));
  for (void* const data : host_memory) std::free(data);
}

bool World::fails(const std::optional<std::uint64_t>& which, std::uint64_t& count,
                  cudaError_t how) {
  const bool now = which && *which == count;
  ++count;
  if (now && settings.failing == Failing::for_good) broken = how;
  return now;
}

bool World::fails_at_once(const std::optional<std::uint64_t>& which, std::uint64_t& count,
                          cudaError_t how, cudaStream_t stream) {
  if (!fails(which, count, how)) return false;
  if (settings.failing != Failing::when_run) return true;
  stream->work.push_back({[] { return true; }, [this, how] { broken = how; }});
  return false;
}

void* World::allocate(std::uint64_t bytes) {
  std::uint64_t& used = used_[static_cast<std::size_t>(current)];
  if (bytes > settings.memory - used) return nullptr;
  used += bytes;
  void* const data = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  std::memset(data, 0xCD, bytes);
  memory_.emplace(reinterpret_cast<std::uintptr_t>(data),
                  Allocation{current, bytes, ShadowMemory(bytes)});
  return data;
}

void World::give_back(void* data) {
  const auto found = memory_.find(reinterpret_cast<std::uintptr_t>(data));
  if (found == memory_.end()) return fault("gives back what is not there");
  drain();  // as the runtime does
  used_[static_cast<std::size_t>(found->second.device)] -= found->second.bytes;
  memory_.erase(found);
  std::free(data);
}

void World::check(const Range& range, int device, std::size_t actor, const VectorClock& clock,
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
  if (device >= 0 && device != allocation.device && !enabled.contains({device, allocation.device}))
    return fault(who + " on device " + std::to_string(device) + " uses memory of device " +
                 std::to_string(allocation.device) + " without peer access");
  const std::string wrong = range.writes ? allocation.shadow.write(begin, end, actor, clock)
                                         : allocation.shadow.read(begin, end, actor, clock);
  if (!wrong.empty()) fault(who + ' ' + wrong);
}

void World::put(cudaStream_t stream, const std::string& who, const std::vector<Range>& ranges,
                int device, std::function<void()> run) {
  CUstream_st& in = *streams.at(stream);
  in.clock.learn(host_clock);
  in.clock.step(in.actor);
  for (const Range& range : ranges) check(range, device, in.actor, in.clock, who);
  in.work.push_back({[] { return true; }, std::move(run)});
}

bool World::is_known(cudaStream_t stream) {
  if (streams.contains(stream)) return true;
  fault("uses a stream that is not there");
  return false;
}

void World::hang(cudaStream_t stream) {
  hangs_ = true;
  streams.at(stream)->work.push_back({[this] { return !hangs_; }, [] {}});
}

bool World::go_on() {
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

void World::drain() {
  while (go_on()) {
  }
  if (hangs_) fault("waits for a device that hangs");
}

cudaError_t World::query(bool is_done, const VectorClock& clock) {
  if (broken != cudaSuccess) return answer(broken);
  if (!is_done) {
    go_on();
    return cudaErrorNotReady;
  }
  host_clock.learn(clock);
  return cudaSuccess;
}

std::uint64_t World::timer(int device) const {
  const auto now = static_cast<double>(steady_now() - began_);
  const double own = now * (1 + 20e-6 * device) + 1e9 * (device + 1);
  return static_cast<std::uint64_t>(own) / settings.timer_step * settings.timer_step;
}

}  // namespace ringscope
