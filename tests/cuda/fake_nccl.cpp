// A library with NCCL's calls, which adds up f32 and i32 on the host when a group ends, and writes
// the result by way of the stand-in for CUDA.
#include <cuda_runtime_api.h>
#include <nccl.h>

#include <cstddef>
#include <vector>

struct ncclComm {
  int rank = 0;
};

namespace {

struct Call {
  const void* from;
  void* to;
  std::size_t count;
  cudaStream_t stream;
};
std::vector<Call>& group() {
  static std::vector<Call> calls;
  return calls;
}

}  // namespace

extern "C" {

ncclResult_t ncclCommInitAll(ncclComm_t* all, int count, const int*) {
  for (int rank = 0; rank < count; ++rank) all[rank] = new ncclComm{rank};
  return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t one) {
  delete one;
  return ncclSuccess;
}
ncclResult_t ncclGroupStart() {
  group().clear();
  return ncclSuccess;
}
ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t, cudaStream_t stream) {
  if (type != ncclFloat32 || op != ncclSum) return ncclInvalidArgument;
  group().push_back({from, to, count, stream});
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
  if (group().empty()) return ncclSuccess;
  std::vector<float> sum(group().front().count, 0);
  for (const Call& call : group()) {
    cudaStreamSynchronize(call.stream);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<const float*>(call.from)[i];
  }
  for (const Call& call : group()) {
    cudaMemcpyAsync(call.to, sum.data(), sum.size() * sizeof(float), cudaMemcpyHostToDevice,
                    call.stream);
    cudaStreamSynchronize(call.stream);
  }
  return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t) { return "what the fake says"; }

}  // extern "C"
