// step: the copy engine brings tiles, and a warpgroup multiplies them from shared memory: TMA and wgmma
// takes: k % 8 == 0 and n % 2 == 0
// needs: sm_90a
//
// No operand goes through registers any more, and no thread computes an address: one thread names a rectangle of the
// matrix (../parts/tensor_map.h), and four warps together start products of 64x128x16 (../parts/wgmma.h). A warpgroup
// has a tile of 128x128; three tiles of 64 along k are in a ring, and two blocks share an SM.
//
// Expected: 500 TFLOP/s. What is left is that after each tile the four warps meet before one of them asks for the next.
//
// Found: not measured yet.
#include "../parts/tensor_map.h"
#include "store.h"

namespace {

using T = __nv_bfloat16;
constexpr int kRows = 128, kColumns = 128, kDepth = kTileDepth<T>, kStages = 3, kThreads = 128;

__device__ CUtensorMap maps[2];
MapsThere<2> there;

struct Memory {
  T a[kStages][kRows * kDepth], b[kStages][kColumns * kDepth];
  Barrier landed[kStages];
};

__global__ void __launch_bounds__(kThreads, 2) warpgroup(__nv_bfloat16* c, int m, int n, int k) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  Memory& memory = *reinterpret_cast<Memory*>(bytes);
  int row = int(blockIdx.y) * kRows, column = int(blockIdx.x) * kColumns, steps = (k + kDepth - 1) / kDepth;
  auto fetch = [&](int step) {
    int stage = step % kStages;
    if (step >= steps) return;
    expect_bytes(&memory.landed[stage], sizeof memory.a[0] + sizeof memory.b[0]);
    copy_box_in(memory.a[stage], &maps[0], step * kDepth, row, &memory.landed[stage]);
    copy_box_in(memory.b[stage], &maps[1], step * kDepth, column, &memory.landed[stage]);
  };
  if (threadIdx.x == 0) {
    for (Barrier& barrier : memory.landed) barrier_init(&barrier);
    for (int step = 0; step + 1 < kStages; ++step) fetch(step);
  }
  __syncthreads();
  float sums[2][kColumns / 8][4] = {};
  for (int step = 0; step < steps; ++step) {
    int stage = step % kStages;
    wait_for(&memory.landed[stage], unsigned(step / kStages % 2));
    begin_products();
#pragma unroll
    for (int half = 0; half < 2; ++half)
      multiply<T>(sums[half], tile_of(memory.a[stage] + half * 64 * kDepth), tile_of(memory.b[stage]));
    end_products();
    wait_for_products<1>();
    __syncthreads();  // all warps have done with the tiles of the step before: their place is free
    if (threadIdx.x == 0) fetch(step + kStages - 1);
  }
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    wait_for_sums(sums[half]);
    store_sums(c, m, n, row + half * 64, column, sums[half]);
  }
}

}  // namespace

extern "C" void solve(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n, int k) {
  there.bring(maps, {map_of(a, m, k, kRows), map_of(b, n, k, kColumns)});
  must(cudaFuncSetAttribute(warpgroup, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(Memory))),
       "shared memory");
  dim3 blocks((n + kColumns - 1) / kColumns, (m + kRows - 1) / kRows);
  warpgroup<<<blocks, kThreads, sizeof(Memory)>>>(c, m, n, k);
}
