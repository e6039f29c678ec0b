// step: exponentials while products are under way, of the warpgroup itself and of the other
// takes: head % 64 == 0 and head <= 128
// needs: sm_90a
//
// An SM computes 16 exponentials in a cycle. For 128 columns, the exponentials of a tile take half as long as its
// products do; for 64, as long. So neither may wait for the other (overlap.h).
//
// Expected: 600 TFLOP/s for 128 columns, 450 for 64.
//
// Found (H100): 477 to 582 TFLOP/s for 128 columns and 4,096 positions or more, a seventh more than before; 309 to 362
// for 64, 1 to 3 % more. Without turns it is as fast for 128 columns and 3 % faster for 64: what helps is the next
// product of the warpgroup itself.
#include "overlap.h"

namespace {

template <int kHead>
constexpr int kStages = kHead == 64 ? 8 : 4;

__device__ CUtensorMap maps[4];
MapsThere<4> there;

template <int kHead>
__global__ void __launch_bounds__(kThreads, 1) overlapping(int length, bool causal, float scale) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  auto& memory = *reinterpret_cast<Memory<kHead, kStages<kHead>>*>(bytes);
  Work work(int(blockIdx.y), int(gridDim.x - 1 - blockIdx.x), length, causal);  // the longest first
  int warpgroup = int(threadIdx.x) / 128;
  if (threadIdx.x == 0) memory.init();
  __syncthreads();
  RingPlace<kStages<kHead>> place;
  if (warpgroup == 0) {
    give_up_registers<kRegistersOfAsker>();
    if (threadIdx.x == 0) ask_for(work, memory, place, 0, maps);
    return;
  }
  take_registers<kRegistersOfComputer>();
  Turns turns{warpgroup - 1};
  float result[kHead / 8][4] = {};
  Rows rows;
  turns.begin();
  attend<kHead>(result, rows, work, memory, place, 0, turns, length, causal, scale);
  turns.end();
  send_result<kHead>(result, rows, memory.q[turns.which], &maps[3], work.first + turns.which * 64, work.head);
  if (threadIdx.x % 128 == 0) wait_until_written();
}

template <int kHead>
void launch(const Bf16* q, const Bf16* k, const Bf16* v, Bf16* out, int heads, int length, int causal) {
  constexpr int kBytes = int(sizeof(Memory<kHead, kStages<kHead>>));
  bring_maps<kHead>(there, maps, q, k, v, out, heads, length);
  must(cudaFuncSetAttribute(overlapping<kHead>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes), "shared memory");
  overlapping<kHead>
      <<<dim3((length + kQueries - 1) / kQueries, heads), kThreads, kBytes>>>(length, causal, scale_of<kHead>());
}

}  // namespace

extern "C" void solve(const Bf16* q, const Bf16* k, const Bf16* v, Bf16* out, int heads, int length, int head,
                      int causal) {
  if (head == 64)
    launch<64>(q, k, v, out, heads, length, causal);
  else
    launch<128>(q, k, v, out, heads, length, causal);
}
