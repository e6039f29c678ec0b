// step: tensor cores, a warp at a time: ldmatrix and mma.sync, with three tiles on their way
// takes: k % 8 == 0 and n % 2 == 0
// needs: sm_80
//
// A warp computes 64x32 elements of the result from fragments of 16x16 in its registers. cp.async brings tiles of 64
// along k into shared memory, two ahead. Chunks of 16 bytes are swizzled, so that the eight rows that ldmatrix reads at
// a time lie in different banks.
//
// Expected: 300 to 500 TFLOP/s. mma.sync reaches about 0.6 of the peak on this architecture, because every operand goes
// through registers; and each thread spends instructions on asking for tiles.
//
// Found: not measured yet.
#include <cuda_bf16.h>

#include "../parts/launch.h"

namespace {

constexpr int kTile = 128, kDepth = 64, kStages = 3, kThreads = 256;
constexpr int kWarpRows = 64, kWarpColumns = 32, kDown = kWarpRows / 16, kRight = kWarpColumns / 8;

struct Memory {
  __nv_bfloat16 a[kStages][kTile * kDepth], b[kStages][kTile * kDepth];
};

__device__ __forceinline__ unsigned address_of(const __nv_bfloat16* tile, int row, int chunk) {
  return unsigned(__cvta_generic_to_shared(tile)) + unsigned(row * 128 + (chunk ^ row % 8) * 16);
}

// A tile, of which each thread asks for four chunks. What lies outside of the matrix becomes zeros.
__device__ __forceinline__ void ask(const __nv_bfloat16* tile, const __nv_bfloat16* from, int first, int rows,
                                    int start, int k) {
#pragma unroll
  for (int i = int(threadIdx.x); i < kTile * 8; i += kThreads) {
    int row = i / 8, chunk = i % 8;
    bool inside = first + row < rows && start + chunk * 8 < k;
    const __nv_bfloat16* place = inside ? &from[size_t(first + row) * k + start + chunk * 8] : from;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address_of(tile, row, chunk)),
                 "l"(__cvta_generic_to_global(place)), "r"(inside ? 16 : 0)
                 : "memory");
  }
}

__device__ __forceinline__ void load_fragments(unsigned (&to)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
}

__device__ __forceinline__ void multiply(float (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
      "%3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__global__ void __launch_bounds__(kThreads, 2)
    by_warps(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n, int k) {
  extern __shared__ __align__(128) unsigned char bytes[];
  Memory& memory = *reinterpret_cast<Memory*>(bytes);
  int first_row = int(blockIdx.y) * kTile, first_column = int(blockIdx.x) * kTile, steps = (k + kDepth - 1) / kDepth;
  int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
  int row = warp / 4 * kWarpRows, column = warp % 4 * kWarpColumns;
  auto fetch = [&](int step) {
    if (step < steps) {
      ask(memory.a[step % kStages], a, first_row, m, step * kDepth, k);
      ask(memory.b[step % kStages], b, first_column, n, step * kDepth, k);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  for (int step = 0; step + 1 < kStages; ++step) fetch(step);
  float sums[kDown][kRight][4] = {};
  for (int step = 0; step < steps; ++step) {
    asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2) : "memory");
    __syncthreads();  // the tiles of all threads are there, and all have done with the place that is filled next
    fetch(step + kStages - 1);
    const __nv_bfloat16 *tile_a = memory.a[step % kStages], *tile_b = memory.b[step % kStages];
#pragma unroll
    for (int chunk = 0; chunk < kDepth / 8; chunk += 2) {
      unsigned from_a[kDown][4], from_b[kRight / 2][4];
#pragma unroll
      for (int i = 0; i < kDown; ++i)
        load_fragments(from_a[i], address_of(tile_a, row + i * 16 + lane % 16, chunk + lane / 16));
#pragma unroll
      for (int j = 0; j < kRight / 2; ++j)
        load_fragments(from_b[j], address_of(tile_b, column + j * 16 + lane % 8 + lane / 16 * 8, chunk + lane / 8 % 2));
#pragma unroll
      for (int i = 0; i < kDown; ++i)
#pragma unroll
        for (int j = 0; j < kRight; ++j)
          multiply(sums[i][j], from_a[i], from_b[j / 2][j % 2 * 2], from_b[j / 2][j % 2 * 2 + 1]);
    }
  }
#pragma unroll
  for (int i = 0; i < kDown; ++i)
#pragma unroll
    for (int j = 0; j < kRight; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        int r = first_row + row + i * 16 + lane / 4 + half * 8, s = first_column + column + j * 8 + lane % 4 * 2;
        if (r < m && s < n)
          *reinterpret_cast<__nv_bfloat162*>(&c[size_t(r) * n + s]) =
              __floats2bfloat162_rn(sums[i][j][half * 2], sums[i][j][half * 2 + 1]);
      }
}

}  // namespace

extern "C" void solve(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n, int k) {
  must(cudaFuncSetAttribute(by_warps, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(Memory))),
       "shared memory");
  dim3 blocks((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  by_warps<<<blocks, kThreads, sizeof(Memory)>>>(a, b, c, m, n, k);
}
