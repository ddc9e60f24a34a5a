// An engine runs a schedule on real buffers from its plan alone; it never knows which algorithm it
// runs.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/schedule/plan.h"
#include "core/trace/recorder.h"
#include "core/trace/trace.h"

namespace ringscope {

struct Availability {
  bool ok = true;
  Message why;  // where not ok
};

// What is to be run, besides the schedule and its plan.
struct Job {
  Job(const Schedule& the_schedule, const Plan& the_plan)
      : schedule(the_schedule), plan(the_plan) {}

  const Schedule& schedule;
  const Plan& plan;
  ElementType type = ElementType::f32;
  Operator op = Operator::sum;
  bool lockstep = false;
  Trouble trouble;
  Pace pace;  // of every rank's ports
  std::chrono::nanoseconds timeout =
      std::chrono::seconds(10);  // a rank that stalls longer stops the run
  std::stop_token stop;
  // [rank]: the buffers. In place both are the same memory.
  std::vector<std::span<const std::byte>> inputs;
  std::vector<std::span<std::byte>> outputs;
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::string_view name() const = 0;
  virtual Availability availability(int ranks) const = 0;
  // False where it is a vendor's own all-reduce, of which only results and time are seen.
  virtual bool shows_transfers() const { return true; }
  // What 'auto' slices means here, for chunks of that many bytes: one slice up to 256 KiB.
  virtual int auto_slices(int ranks, std::uint64_t chunk_bytes) const = 0;
  // What each rank runs on, as in Provenance::devices.
  virtual std::vector<std::string> devices(int ranks) const = 0;
  // Runs the job once and returns its time. With a recorder every transfer is recorded. Where a
  // rank stalls, dies or throws the others stop, nothing hangs, and an Error names rank, round and
  // chunk; what was recorded till then stays in the recorder.
  virtual std::chrono::nanoseconds run(const Job& job, Recorder* recorder) = 0;
};

// The slices of a chunk where nobody says a number.
int choose_slices(const Engine& engine, const Algorithm& algorithm, const ScheduleRequest& request,
                  ElementType type);

// What a person asks of an engine, of those that have it.
struct EngineRequest {
  std::vector<int> devices;  // GPUs: [rank], its device; empty: each its own while there are enough
  bool paced = false;        // ports are to be held to a rate
};

// The table: one row an engine, be it available or not.
struct EngineRow {
  std::string_view name;
  std::unique_ptr<Engine> (*make)(const EngineRequest& request);
  bool has_devices = false;
  bool has_ports = false;  // that can be paced
};
std::span<const EngineRow> engines();
// Throws Error (usage) that lists the names, or for a request that says nothing to that engine.
std::unique_ptr<Engine> make_engine(std::string_view name, const EngineRequest& request = {});

std::unique_ptr<Engine> make_host_engine();
// Of a build with CUDA only.
std::unique_ptr<Engine> make_cuda_engine(const EngineRequest& request);

}  // namespace ringscope
