// step: a block with roles: one warpgroup asks for tiles, two multiply, and none waits for all
// takes: k % 8 == 0 and n % 2 == 0
// needs: sm_90a
//
// A tile of 128x256 uses each element that comes from shared memory twice as often as one of 128x128 does. Its sums
// fill 128 registers of 256 threads. The warpgroup that asks for tiles gives most of its registers to the others
// (roles.h).
//
// Expected: 0.9 of cuBLAS. The tensor cores pause only while a block writes its result and the next begins.
//
// Found (H100): 634 TFLOP/s at 4096³, 475 at 2048³, 453 at 8192³.
#include "../parts/product_ring.h"
#include "store.h"

namespace {

using T = __nv_bfloat16;
constexpr int kColumns = 256, kStages = 4;

__device__ CUtensorMap maps[2];
MapsThere<2> there;

struct Memory {
  Ring<T, kColumns, kStages> ring;
  RingBarriers<kStages> barriers;
};

__global__ void __launch_bounds__(kThreads, 1) roles(__nv_bfloat16* c, int m, int n, int k) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  Memory& memory = *reinterpret_cast<Memory*>(bytes);
  int row = int(blockIdx.y) * kRows, column = int(blockIdx.x) * kColumns, steps = steps_along<T>(k);
  int warpgroup = int(threadIdx.x) / 128;
  if (threadIdx.x == 0) memory.barriers.init();
  __syncthreads();
  RingPlace<kStages> place;
  if (warpgroup == 0) {
    give_up_registers<40>();
    if (threadIdx.x == 0) bring_tiles(memory.ring, memory.barriers, place, maps, row, column, 0, steps);
  } else {
    take_registers<232>();
    float sums[kColumns / 8][4];
    multiply_tiles(sums, memory.ring, memory.barriers, place, warpgroup - 1, steps);
    store_sums(c, m, n, row + (warpgroup - 1) * 64, column, sums);
  }
}

}  // namespace

extern "C" void solve(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n, int k) {
  there.bring(maps, {map_of(a, m, k, kRows), map_of(b, n, k, kColumns)});
  must(cudaFuncSetAttribute(roles, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(Memory))), "shared memory");
  dim3 blocks((n + kColumns - 1) / kColumns, (m + kRows - 1) / kRows);
  roles<<<blocks, kThreads, sizeof(Memory)>>>(c, m, n, k);
}
