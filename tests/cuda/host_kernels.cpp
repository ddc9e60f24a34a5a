#include "tests/cuda/host_kernels.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "core/engine/cuda_kernels.h"
#include "tests/cuda/world.h"

namespace ringscope {
namespace {

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

void put_timer_steps(const TimerStepsLaunch& launch, cudaStream_t stream) {
  const int device = stream->device;
  world().put(stream, "timer", {{launch.times, launch.count * sizeof(std::uint64_t), true}}, device,
              [=] {
                std::uint64_t last = world().timer(device);
                for (std::uint64_t& time : std::span(launch.times, launch.count)) {
                  do time = world().timer(device);
                  while (time == last);
                  last = time;
                }
              });
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

}  // namespace

cudaError_t put_kernel(const std::string& name, void** arguments, cudaStream_t stream) {
  if (name == "ringscope_stamp")
    put_stamp(*static_cast<const StampLaunch*>(arguments[0]), stream);
  else if (name == "ringscope_timer_steps")
    put_timer_steps(*static_cast<const TimerStepsLaunch*>(arguments[0]), stream);
  else if (name == "ringscope_sleep")
    put_sleep(*static_cast<const SleepLaunch*>(arguments[0]), stream);
  else if (const std::string pass = "ringscope_pass_"; name.starts_with(pass))
    put_pass(element_type_named(name.substr(pass.size())).value(),
             *static_cast<const PassLaunch*>(arguments[0]), stream);
  else
    return cudaErrorInvalidDeviceFunction;
  return cudaSuccess;
}

}  // namespace ringscope
