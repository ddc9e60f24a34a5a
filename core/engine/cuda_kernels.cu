#include <cuda_fp16.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "core/data/element_operations.h"
#include "core/engine/cuda_kernels.h"

namespace ringscope {

template <>
RINGSCOPE_ELEMENTWISE float widen<F16Bits>(F16Bits value) {
  return __half2float(__ushort_as_half(value.bits));
}
template <>
RINGSCOPE_ELEMENTWISE F16Bits narrow<F16Bits>(float value) {
  return value != value ? canonical_nan<F16Bits>()
                        : F16Bits{__half_as_ushort(__float2half_rn(value))};
}

namespace {

// A pass takes one block a multiprocessor, on which there is room for two: while the blocks of one
// pass end (with a record they wait then, for a microsecond or two), those of another lane's keep
// the memory busy. One pass alone has 8 MB of loads under way on an H200, about twice what its
// memory moves in the time of a load.
constexpr unsigned block_threads = 512;
constexpr unsigned blocks_a_multiprocessor = 1, room_for_blocks = 2;
constexpr unsigned vector_bytes = 16;
constexpr int in_flight = 4;  // loads of a thread under way at once, from each operand

struct alignas(vector_bytes) Vector {
  std::uint32_t words[4];
};

__device__ std::uint64_t device_time() {
  std::uint64_t time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time)::"memory");
  return time;
}

// --- One pass

template <class E, bool reads_own, class Body>
__device__ __forceinline__ E combined(E own, E received, Body body) {
  return narrow<E>(body(reads_own ? widen<E>(own) : computed<E>{}, widen<E>(received)));
}

template <class E, bool reads_own, class Body>
__device__ __forceinline__ Vector combined_vectors(const Vector& own, const Vector& received,
                                                   Body body) {
  constexpr unsigned each = vector_bytes / sizeof(E);
  E a[each], b[each];
  memcpy(b, &received, sizeof b);
  if constexpr (reads_own)
    memcpy(a, &own, sizeof a);
  else
    memcpy(a, &received, sizeof a);
#pragma unroll
  for (unsigned i = 0; i < each; ++i) b[i] = combined<E, reads_own>(a[i], b[i], body);
  Vector result;
  memcpy(&result, b, sizeof b);
  return result;
}

// Elements [begin, end), one by one.
template <class E, bool reads_own, class Body>
__device__ __forceinline__ void pass_elements(const PassLaunch& launch, std::uint64_t begin,
                                              std::uint64_t end, Body body) {
  auto* const dst = reinterpret_cast<E*>(launch.dst);
  const auto* const own = reinterpret_cast<const E*>(launch.own);
  const auto* const received = reinterpret_cast<const E*>(launch.received);
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = begin + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < end;
       i += threads)
    dst[i] = combined<E, reads_own>(reads_own ? own[i] : received[i], received[i], body);
}

// Whole vectors from element `begin` on, all on boundaries; grid-stride, several loads under way.
template <class E, bool reads_own, class Body>
__device__ __forceinline__ void pass_vectors(const PassLaunch& launch, std::uint64_t begin,
                                             std::uint64_t vectors, Body body) {
  auto* const dst = reinterpret_cast<Vector*>(launch.dst + begin * sizeof(E));
  const auto* const own = reinterpret_cast<const Vector*>(launch.own + begin * sizeof(E));
  const auto* const received = reinterpret_cast<const Vector*>(launch.received + begin * sizeof(E));
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i + (in_flight - 1) * threads < vectors; i += in_flight * threads) {
    Vector a[in_flight], b[in_flight];
#pragma unroll
    for (int j = 0; j < in_flight; ++j) {
      b[j] = received[i + j * threads];
      if constexpr (reads_own) a[j] = own[i + j * threads];
    }
#pragma unroll
    for (int j = 0; j < in_flight; ++j)
      dst[i + j * threads] = combined_vectors<E, reads_own>(a[j], b[j], body);
  }
  for (; i < vectors; i += threads) {
    const Vector b = received[i];
    Vector a = b;
    if constexpr (reads_own) a = own[i];
    dst[i] = combined_vectors<E, reads_own>(a, b, body);
  }
}

template <class E, bool reads_own, class Body>
__device__ __forceinline__ void pass_all(const PassLaunch& launch, Body body) {
  const auto offset = [](const std::byte* at) {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(at) % vector_bytes);
  };
  const unsigned at = offset(launch.dst);
  const bool alike = offset(launch.received) == at && (!reads_own || offset(launch.own) == at) &&
                     at % sizeof(E) == 0;
  if (!alike) return pass_elements<E, reads_own>(launch, 0, launch.count, body);
  constexpr unsigned each = vector_bytes / sizeof(E);
  const std::uint64_t before = (vector_bytes - at) % vector_bytes / sizeof(E);
  const std::uint64_t head = before < launch.count ? before : launch.count;
  const std::uint64_t vectors = (launch.count - head) / each;
  pass_vectors<E, reads_own>(launch, head, vectors, body);
  pass_elements<E, reads_own>(launch, 0, head, body);
  pass_elements<E, reads_own>(launch, head + vectors * each, launch.count, body);
}

// --- What is taken down

__device__ __forceinline__ void note_begin(const PassRecord& record) {
  if (record.stamp == nullptr || !record.first) return;
  if (threadIdx.x == 0)
    atomicMin(reinterpret_cast<unsigned long long*>(&record.stamp->begun), device_time());
  __syncthreads();
}

// The last block to be done notes the time, and then keeps the elements that the record wants: all
// blocks have written by then. Their bytes are read past the first cache, which other blocks'
// writes do not reach.
__device__ __forceinline__ void note_end(const PassRecord& record) {
  if (record.stamp == nullptr) return;
  __shared__ bool is_last;
  __syncthreads();
  // Fences of one thread hold for what its whole block wrote before, and reads after, the barriers.
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(record.ticket, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  if (threadIdx.x == 0) {
    *record.ticket = 0;
    if (record.last) record.stamp->landed = device_time();
  }
  for (std::uint32_t cell = 0; cell < record.kept_count; ++cell) {
    const KeptCell kept = record.kept[cell];
    const auto* const from = reinterpret_cast<const volatile unsigned char*>(kept.from);
    for (std::uint64_t i = threadIdx.x; i < kept.bytes; i += blockDim.x)
      reinterpret_cast<unsigned char*>(kept.to)[i] = from[i];
  }
}

template <class T>
__device__ __forceinline__ void pass(ElementType type, const PassLaunch& launch) {
  note_begin(launch.record);
  if (launch.reduces)
    reduce_with<T>(launch.pass, [&](auto element, auto body) {
      pass_all<typename decltype(element)::type, true>(launch, body);
    });
  else if (!copy_scales(type, launch.pass))
    pass_all<std::conditional_t<std::is_same_v<T, F16Bits>, std::uint16_t, T>, false>(
        launch, [](auto, auto received) { return received; });
  else if constexpr (is_floating<T>)
    pass_all<T, false>(launch,
                       ScaledCopy<computed<T>>{input_scale<computed<T>>(launch.pass, true)});
  note_end(launch.record);
}

}  // namespace

#define RINGSCOPE_PASS_KERNEL(name, T)                                         \
  extern "C" __global__ void __launch_bounds__(block_threads, room_for_blocks) \
      ringscope_pass_##name(const __grid_constant__ PassLaunch launch) {       \
    pass<T>(ElementType::name, launch);                                        \
  }
RINGSCOPE_PASS_KERNEL(f16, F16Bits)
RINGSCOPE_PASS_KERNEL(bf16, bf16)
RINGSCOPE_PASS_KERNEL(f32, float)
RINGSCOPE_PASS_KERNEL(f64, double)
RINGSCOPE_PASS_KERNEL(i8, std::int8_t)
RINGSCOPE_PASS_KERNEL(u8, std::uint8_t)
RINGSCOPE_PASS_KERNEL(i32, std::int32_t)
RINGSCOPE_PASS_KERNEL(i64, std::int64_t)
#undef RINGSCOPE_PASS_KERNEL

extern "C" __global__ void ringscope_stamp(const StampLaunch launch) {
  *launch.where = device_time();
}

extern "C" __global__ void ringscope_timer_steps(const TimerStepsLaunch launch) {
  constexpr int most_reads = 10'000;  // of a timer that stands still
  std::uint64_t last = device_time();
  for (std::uint32_t i = 0; i < launch.count; ++i) {
    std::uint64_t now = last;
    for (int read = 0; read < most_reads && now == last; ++read) now = device_time();
    launch.times[i] = last = now;
  }
}

extern "C" __global__ void ringscope_sleep(const SleepLaunch launch) {
  const std::uint64_t from = device_time();
  std::uint64_t now = from;
  while (now - from < launch.nanoseconds && *launch.halt == 0) {
    __nanosleep(500);
    now = device_time();
  }
  if (launch.from != nullptr) *launch.from = from;
  if (launch.to != nullptr) *launch.to = now;
}

namespace {

template <class Launch>
cudaError_t start(const void* kernel, unsigned blocks, unsigned threads, Launch launch,
                  cudaStream_t stream) {
  void* arguments[] = {&launch};
  return cudaLaunchKernel(kernel, dim3(blocks), dim3(threads), arguments, 0, stream);
}

}  // namespace

cudaError_t launch_pass(ElementType type, const PassLaunch& launch, int multiprocessors,
                        cudaStream_t stream) {
  static const std::array kernels{&ringscope_pass_f16, &ringscope_pass_bf16, &ringscope_pass_f32,
                                  &ringscope_pass_f64, &ringscope_pass_i8,   &ringscope_pass_u8,
                                  &ringscope_pass_i32, &ringscope_pass_i64};
  const std::uint64_t a_block = std::uint64_t{block_threads} * vector_bytes * in_flight;
  const std::uint64_t wanted = (launch.count * bytes_of(type) + a_block - 1) / a_block;
  const std::uint64_t most =
      std::uint64_t{blocks_a_multiprocessor} * static_cast<unsigned>(std::max(multiprocessors, 1));
  const auto blocks = static_cast<unsigned>(std::clamp<std::uint64_t>(wanted, 1, most));
  return start(reinterpret_cast<const void*>(kernels[static_cast<std::size_t>(type)]), blocks,
               block_threads, launch, stream);
}

cudaError_t launch_stamp(const StampLaunch& launch, cudaStream_t stream) {
  return start(reinterpret_cast<const void*>(&ringscope_stamp), 1, 1, launch, stream);
}

cudaError_t launch_timer_steps(const TimerStepsLaunch& launch, cudaStream_t stream) {
  return start(reinterpret_cast<const void*>(&ringscope_timer_steps), 1, 1, launch, stream);
}

cudaError_t launch_sleep(const SleepLaunch& launch, cudaStream_t stream) {
  return start(reinterpret_cast<const void*>(&ringscope_sleep), 1, 1, launch, stream);
}

}  // namespace ringscope
