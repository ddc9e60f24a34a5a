// A job with its buffers, to be run by the CUDA engine on the stand-in, and by the host engine.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "core/data/inputs.h"
#include "core/engine/engine.h"
#include "tests/cuda/stand_in.h"

namespace ringscope {

// How a schedule is run.
struct CudaWay {
  bool in_place = false;
  bool lockstep = false;
  std::vector<int> devices = {};
};

// What is to be run, on random inputs.
class CudaJob {
 public:
  CudaJob(Schedule schedule, ElementType type, Operator op, const CudaWay& way = {})
      : schedule_(std::move(schedule)),
        plan_(make_plan(schedule_, way.lockstep)),
        way_(way),
        job_(schedule_, plan_) {
    InputSpec& spec = spec_;
    spec.kind = DataKind::random;
    spec.type = type;
    spec.op = op;
    spec.ranks = schedule_.ranks;
    spec.count = schedule_.count;
    const std::uint64_t bytes = schedule_.count * bytes_of(type);
    for (int rank = 0; rank < schedule_.ranks; ++rank) {
      filled_.emplace_back(bytes);
      fill_input(spec, rank, 0, filled_.back());
    }
    inputs_ = outputs_ = filled_;
    for (std::vector<std::byte>& output : outputs_)
      if (!way.in_place) std::fill(output.begin(), output.end(), std::byte{0x77});
    job_.type = type;
    job_.op = op;
    job_.lockstep = way.lockstep;
    for (std::size_t rank = 0; rank < inputs_.size(); ++rank) {
      job_.inputs.push_back(way.in_place ? outputs_[rank] : inputs_[rank]);
      job_.outputs.push_back(outputs_[rank]);
    }
  }
  CudaJob(const CudaJob&) = delete;
  CudaJob& operator=(const CudaJob&) = delete;

  Job& job() { return job_; }
  const Schedule& schedule() const { return schedule_; }
  const Plan& plan() const { return plan_; }
  const InputSpec& inputs() const { return spec_; }
  const std::vector<std::vector<std::byte>>& outputs() const { return outputs_; }

  std::chrono::nanoseconds run_on_host(Recorder* recorder = nullptr) {
    return make_host_engine()->run(job_, recorder);
  }
  std::chrono::nanoseconds run_on_cuda(Recorder* recorder = nullptr) {
    return make_engine("cuda", {way_.devices})->run(job_, recorder);
  }

 private:
  Schedule schedule_;
  Plan plan_;
  CudaWay way_;
  InputSpec spec_;
  std::vector<std::vector<std::byte>> filled_, inputs_, outputs_;
  Job job_;
};

inline Schedule schedule_of(std::string_view algorithm, std::int32_t ranks, std::uint64_t count,
                            std::int32_t slices = 1) {
  return algorithm_named(algorithm).make({.ranks = ranks, .count = count, .slices = slices});
}

// What the run leaves of a record; why it stopped, where it did.
inline Trace recorded(CudaJob& job, std::optional<Message>* stopped = nullptr) {
  Recorder recorder(job.schedule(), job.plan(), job.job().type, Clock::steady);
  for (std::int32_t rank = 0; rank < job.schedule().ranks; ++rank)
    recorder.keep_input(rank, job.job().inputs[static_cast<std::size_t>(rank)]);
  Trace trace;
  try {
    trace.nanoseconds = job.run_on_cuda(&recorder).count();
  } catch (const Error& error) {
    REQUIRE(stopped != nullptr);
    *stopped = error.message();
  }
  std::move(recorder).finish(trace);
  return trace;
}

}  // namespace ringscope
