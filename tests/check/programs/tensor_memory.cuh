// What the programs about tensor memory share: one warpgroup, 64 columns, products of 128 x 64 by k = 16 of halves in shared memory.
#pragma once
#include <cuda/ptx>
#include <cuda_fp16.h>

namespace ptx = cuda::ptx;

constexpr uint32_t kColumns = 64;
constexpr uint32_t kShape = 1 << 4 | kColumns / 8 << 17 | 128 / 16 << 24;

struct Operands {
  alignas(128) __half a[128 * 16], b[64 * 16];
};

__device__ inline void fill(Operands& o) {
  for (int i = threadIdx.x; i < 128 * 16; i += blockDim.x) o.a[i] = __half(1.0f);
  for (int i = threadIdx.x; i < 64 * 16; i += blockDim.x) o.b[i] = __half(2.0f);
  ptx::fence_proxy_async(ptx::space_shared);
}
__device__ inline uint64_t descriptor(const __half* matrix) {
  return __cvta_generic_to_shared(matrix) >> 4 | uint64_t{128 / 16} << 16 | uint64_t{256 / 16} << 32 | uint64_t{1} << 46;
}
__device__ inline uint32_t get_columns(uint32_t* place) {
  if (threadIdx.x < 32) ptx::tcgen05_alloc(ptx::cta_group_1, place, uint32_t{kColumns});
  ptx::tcgen05_fence_before_thread_sync();
  __syncthreads();
  ptx::tcgen05_fence_after_thread_sync();
  return *place;
}
__device__ inline void give_back(uint32_t columns) {
  ptx::tcgen05_fence_before_thread_sync();
  __syncthreads();
  if (threadIdx.x < 32) ptx::tcgen05_dealloc(ptx::cta_group_1, columns, uint32_t{kColumns});
}
__device__ inline void finish(uint64_t* done) {
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(done, 1);
    ptx::tcgen05_commit(ptx::cta_group_1, done);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(done, 0)) {
  }
  ptx::tcgen05_fence_after_thread_sync();
}
