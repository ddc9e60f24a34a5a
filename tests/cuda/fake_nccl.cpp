// A library with NCCL's calls, which adds up on the host when a group ends, in the order of ranks,
// and writes the result by way of the stand-in for CUDA. Built three times: as it should be, with
// an old version's number, and without ncclAllReduce.
#include "tests/cuda/fake_nccl.h"

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <cstddef>
#include <span>
#include <vector>

#include "core/data/element.h"
#include "core/data/element_operations.h"
#include "tests/cuda/world.h"

struct ncclComm {
  int rank = 0;
};

extern "C" {
ringscope::FakeNccl fake_nccl;
}

namespace {

using namespace ringscope;

struct Call {
  const void* from;
  void* to;
  std::size_t count;
  ncclDataType_t type;
  ncclRedOp_t op;
  cudaStream_t stream;
};
std::vector<Call>& group() {
  static std::vector<Call> calls;
  return calls;
}

ncclResult_t answer(const char* call) {
  return fake_nccl.fails == call ? ncclInternalError : ncclSuccess;
}

template <class T>
T reduced(ncclRedOp_t op, T own, T received) {
  if (op == ncclMin) return widen(received) < widen(own) ? received : own;
  if (op == ncclMax) return widen(own) < widen(received) ? received : own;
  if constexpr (is_floating<T>) {
    return narrow<T>(op == ncclProd ? widen(own) * widen(received) : widen(own) + widen(received));
  } else {
    return op == ncclProd ? WrappedProduct<T>{}(own, received) : WrappedSum<T>{}(own, received);
  }
}

// A floating mean scales what comes in, an integer one divides the sum, as NCCL does.
template <class T>
T scaled(ncclRedOp_t op, T input, std::size_t ranks) {
  if constexpr (is_floating<T>)
    if (op == ncclAvg)
      return narrow<T>(widen(input) *
                       widen(narrow<T>(computed<T>{1} / static_cast<computed<T>>(ranks))));
  return input;
}
template <class T>
T finished(ncclRedOp_t op, T sum, std::size_t ranks) {
  if constexpr (!is_floating<T>)
    if (op == ncclAvg) return static_cast<T>(sum / static_cast<std::int64_t>(ranks));
  return sum;
}

template <class T>
ncclResult_t all_reduce(std::span<const Call> calls) {
  const Call& first = calls.front();
  std::vector<T> sum(first.count);
  for (std::size_t rank = 0; rank < calls.size(); ++rank) {
    cudaStreamSynchronize(calls[rank].stream);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      const T input = scaled(first.op, static_cast<const T*>(calls[rank].from)[i], calls.size());
      sum[i] = rank == 0 ? input : reduced(first.op, sum[i], input);
    }
  }
  for (T& element : sum) element = finished(first.op, element, calls.size());
  for (const Call& call : calls) {
    if (first.count == 0) break;
    if (cudaMemcpyAsync(call.to, sum.data(), sum.size() * sizeof(T), cudaMemcpyHostToDevice,
                        call.stream) != cudaSuccess)
      return ncclUnhandledCudaError;
    cudaStreamSynchronize(call.stream);
  }
  return ncclSuccess;
}

ncclResult_t all_reduce_of(std::span<const Call> calls) {
  switch (calls.front().type) {
    case ncclFloat16: return all_reduce<f16>(calls);
    case ncclBfloat16: return all_reduce<bf16>(calls);
    case ncclFloat32: return all_reduce<float>(calls);
    case ncclFloat64: return all_reduce<double>(calls);
    case ncclInt8: return all_reduce<std::int8_t>(calls);
    case ncclUint8: return all_reduce<std::uint8_t>(calls);
    case ncclInt32: return all_reduce<std::int32_t>(calls);
    case ncclInt64: return all_reduce<std::int64_t>(calls);
    default: return ncclInvalidArgument;
  }
}

}  // namespace

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  *version = FAKE_NCCL_VERSION;
  return answer("ncclGetVersion");
}
ncclResult_t ncclCommInitAll(ncclComm_t* all, int count, const int*) {
  if (answer("ncclCommInitAll") != ncclSuccess) return ncclSystemError;
  for (int rank = 0; rank < count; ++rank) all[rank] = new ncclComm{rank};
  fake_nccl.communicators += count;
  fake_nccl.made += count;
  return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t one) {
  delete one;
  --fake_nccl.communicators;
  return ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t one) {
  ++fake_nccl.aborted;
  world().end_hangs();
  return ncclCommDestroy(one);
}
ncclResult_t ncclGroupStart() {
  if (answer("ncclGroupStart") != ncclSuccess) return ncclInternalError;
  ++fake_nccl.open_groups;
  group().clear();
  return ncclSuccess;
}
#ifndef FAKE_WITHOUT_ALL_REDUCE
ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t, cudaStream_t stream) {
  group().push_back({from, to, count, type, op, stream});
  return answer("ncclAllReduce");
}
#endif
ncclResult_t ncclGroupEnd() {
  --fake_nccl.open_groups;
  if (answer("ncclGroupEnd") != ncclSuccess || answer("ncclAllReduce") != ncclSuccess)
    return ncclInternalError;
  for (const Call& call : group())
    if (fake_nccl.hangs) world().hang(call.stream);
  return group().empty() || fake_nccl.hangs ? ncclSuccess : all_reduce_of(group());
}
const char* ncclGetErrorString(ncclResult_t) { return "what the fake says"; }

}  // extern "C"
