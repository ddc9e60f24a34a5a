#include "core/engine/engine.h"

#include <array>
#include <utility>

#if defined(RINGSCOPE_NCCL)
#include "core/engine/nccl_engine.h"
#endif

namespace ringscope {
namespace {

#if !defined(RINGSCOPE_CUDA) || !defined(RINGSCOPE_NCCL)
// Stands for an engine that this program was built without.
class AbsentEngine : public Engine {
 public:
  AbsentEngine(std::string_view name, Message why) : name_(name), why_(std::move(why)) {}

  std::string_view name() const override { return name_; }
  Availability availability(int) const override { return {false, why_}; }
  int auto_slices(int, std::uint64_t) const override { return 1; }
  std::vector<std::string> devices(int) const override { return {}; }
  std::chrono::nanoseconds run(const Job&, Recorder*) override { throw Error(why_); }

 private:
  std::string_view name_;
  Message why_;
};
#endif

std::unique_ptr<Engine> make_host(const EngineRequest&) { return make_host_engine(); }

std::unique_ptr<Engine> make_cuda(const EngineRequest& request) {
#if defined(RINGSCOPE_CUDA)
  return make_cuda_engine(request);
#else
  (void)request;
  return std::make_unique<AbsentEngine>("cuda", Message{"error.cuda.not_built", {}});
#endif
}

std::unique_ptr<Engine> make_nccl(const EngineRequest& request) {
#if defined(RINGSCOPE_NCCL)
  return make_nccl_engine(request);
#else
  (void)request;
  return std::make_unique<AbsentEngine>("nccl", Message{"error.nccl.not_built", {}});
#endif
}

constexpr std::array<EngineRow, 3> table{{
    {"host", make_host, false, true},
    {"cuda", make_cuda, true, false},
    {"nccl", make_nccl, true, false},
}};

}  // namespace

int choose_slices(const Engine& engine, const Algorithm& algorithm, const ScheduleRequest& request,
                  ElementType type) {
  if (algorithm.one_slice) return 1;
  const std::int32_t chunks = algorithm.chunks(request);
  const Extent last = cut(request.count, chunks, chunks - 1);
  return engine.auto_slices(request.ranks, last.count * bytes_of(type));
}

std::span<const EngineRow> engines() { return table; }

std::unique_ptr<Engine> make_engine(std::string_view name, const EngineRequest& request) {
  std::string known;
  for (const EngineRow& row : table) {
    known += (known.empty() ? "" : ", ") + std::string(row.name);
    if (row.name != name) continue;
    if (!request.devices.empty() && !row.has_devices)
      throw Error({"error.devices.unused", {{"engine", std::string(name)}}}, Blame::usage);
    if (request.paced && !row.has_ports)
      throw Error({"error.port.engine", {{"engine", std::string(name)}}}, Blame::usage);
    return row.make(request);
  }
  throw Error({"error.engine.unknown", {{"name", std::string(name)}, {"known", known}}},
              Blame::usage);
}

}  // namespace ringscope
