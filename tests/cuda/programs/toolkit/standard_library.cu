// libcu++: barriers, pipelines, atomics, latches and semaphores of a block and of the device; and the parts of cuda::std
// that kernels use.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/optional>
#include <cuda/std/tuple>

#include <cstdio>
#include <new>

namespace cg = cooperative_groups;

void tell(const char* what, bool right) { std::printf("%s: %s\n", what, right ? "right" : "WRONG"); }

// Two halves of the block pass numbers to each other through barriers in shared memory.
__global__ void hand_over(int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier filled, emptied;
  __shared__ int buffer[32];
  if (threadIdx.x == 0) {
    init(&filled, blockDim.x);
    init(&emptied, blockDim.x);
  }
  __syncthreads();
  int lane = threadIdx.x % 32, sum = 0;
  for (int turn = 0; turn < 5; ++turn) {
    if (threadIdx.x < 32) {
      buffer[lane] = turn * 100 + lane;
      (void)filled.arrive();
      emptied.arrive_and_wait();
    } else {
      filled.arrive_and_wait();
      sum += buffer[31 - lane];
      (void)emptied.arrive();
    }
  }
  if (threadIdx.x >= 32) out[lane] = sum;
}

// A copy that a barrier waits for.
__global__ void copy_with_barrier(const int* in, int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barrier;
  __shared__ alignas(16) int tile[128];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof tile), barrier);
  barrier.arrive_and_wait();
  out[threadIdx.x] = tile[127 - threadIdx.x];
}

// Copies run two stages ahead of the sums.
__global__ void staged(const int* in, int tiles, int* out) {
  constexpr int kStages = 2, kTile = 64;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  __shared__ alignas(16) int buffer[kStages][kTile];
  auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int compute = 0, fetch = 0; compute < tiles; ++compute) {
    for (; fetch < tiles && fetch < compute + kStages; ++fetch) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, buffer[fetch % kStages], in + fetch * kTile, sizeof buffer[0], pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum += buffer[compute % kStages][kTile - 1 - threadIdx.x];
    pipeline.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// Blocks pass tickets on through an atomic and wait for their turn.
__global__ void in_turn(cuda::atomic<int, cuda::thread_scope_device>* turn, int* order) {
  if (threadIdx.x == 0) {
    int mine = gridDim.x - 1 - blockIdx.x;
    while (turn->load(cuda::memory_order_acquire) != mine) {}
    order[mine] = blockIdx.x;
    turn->store(mine + 1, cuda::memory_order_release);
  }
}

__global__ void count(int* plain, cuda::atomic<long long, cuda::thread_scope_system>* total, unsigned* peak) {
  cuda::atomic_ref<int, cuda::thread_scope_device> counter(*plain);
  counter.fetch_add(2, cuda::memory_order_relaxed);
  total->fetch_add(threadIdx.x);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*peak).fetch_max(threadIdx.x * 3);
}

__global__ void latch_and_semaphore(int* out) {
  using Latch = cuda::latch<cuda::thread_scope_block>;
  using Semaphore = cuda::counting_semaphore<cuda::thread_scope_block, 4>;
  __shared__ alignas(Latch) char latch_storage[sizeof(Latch)];
  __shared__ alignas(Semaphore) char semaphore_storage[sizeof(Semaphore)];
  __shared__ int inside, most, number;
  auto& ready = *reinterpret_cast<Latch*>(latch_storage);
  auto& places = *reinterpret_cast<Semaphore*>(semaphore_storage);
  if (threadIdx.x == 0) {
    new (&ready) Latch(blockDim.x);
    new (&places) Semaphore(4);
    inside = most = 0;
  }
  __syncthreads();
  if (threadIdx.x == 7) number = 42;
  ready.arrive_and_wait();
  places.acquire();
  atomicMax(&most, atomicAdd(&inside, 1) + 1);
  atomicSub(&inside, 1);
  places.release();
  __syncthreads();
  if (threadIdx.x == 0) out[0] = number, out[1] = most >= 1 && most <= 4;
}

__global__ void standard(int* out) {
  cuda::std::array<int, 4> numbers{1, 2, 3, 4};
  auto [a, b] = cuda::std::make_tuple(numbers[0] + numbers[3], 2.5f);
  cuda::std::optional<int> maybe;
  if (threadIdx.x == 0) maybe = 7;
  cuda::std::complex<float> z(3, 4);
  out[0] = a, out[1] = static_cast<int>(b * 2), out[2] = maybe.value_or(-1), out[3] = static_cast<int>(cuda::std::abs(z));
}

__global__ void groups(const int* in, int* out) {
  __shared__ int tile[64];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof tile);
  cg::wait(block);
  auto half = cg::tiled_partition<16>(block);
  int sum = cg::reduce(half, tile[threadIdx.x], cg::plus<int>());
  if (half.thread_rank() == 0) out[half.meta_group_rank()] = sum;
}

template <class T>
T* managed(size_t count) {
  T* memory = nullptr;
  cudaMallocManaged(&memory, count * sizeof(T));
  for (size_t i = 0; i < count; ++i) new (memory + i) T{};
  return memory;
}

int main() {
  constexpr int n = 64 * 6;
  int *in = managed<int>(n), *out = managed<int>(n);
  for (int i = 0; i < n; ++i) in[i] = i * i % 251;

  hand_over<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  bool right = true;
  for (int lane = 0; lane < 32; ++lane) right &= out[lane] == 1000 + 5 * (31 - lane);
  tell("barrier", right);

  copy_with_barrier<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  right = true;
  for (int i = 0; i < 128; ++i) right &= out[i] == in[127 - i];
  tell("memcpy_async with a barrier", right);

  staged<<<1, 64>>>(in, n / 64, out);
  cudaDeviceSynchronize();
  right = true;
  for (int i = 0; i < 64; ++i) {
    int sum = 0;
    for (int t = 0; t < n / 64; ++t) sum += in[t * 64 + 63 - i];
    right &= out[i] == sum;
  }
  tell("pipeline", right);

  auto* turn = managed<cuda::atomic<int, cuda::thread_scope_device>>(1);
  in_turn<<<6, 32>>>(turn, out);
  cudaDeviceSynchronize();
  right = true;
  for (int i = 0; i < 6; ++i) right &= out[i] == 5 - i;
  tell("atomic, block after block", right);

  int* plain = managed<int>(1);
  unsigned* peak = managed<unsigned>(1);
  auto* total = managed<cuda::atomic<long long, cuda::thread_scope_system>>(1);
  count<<<4, 64>>>(plain, total, peak);
  cudaDeviceSynchronize();
  tell("atomic_ref", *plain == 512 && total->load() == 4 * 63 * 32 && *peak == 189);

  latch_and_semaphore<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  tell("latch and semaphore", out[0] == 42 && out[1] == 1);

  standard<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  tell("cuda::std", out[0] == 5 && out[1] == 5 && out[2] == 7 && out[3] == 5);

  groups<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  right = true;
  for (int g = 0; g < 4; ++g) {
    int sum = 0;
    for (int i = 0; i < 16; ++i) sum += in[g * 16 + i];
    right &= out[g] == sum;
  }
  tell("cooperative groups", right);
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
