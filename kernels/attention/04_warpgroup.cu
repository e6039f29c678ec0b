// step: the copy engine brings tiles, two warpgroups multiply them from shared memory: TMA and wgmma
// takes: head % 64 == 0 and head <= 128
// needs: sm_90a
//
// One thread asks for tiles and is as far ahead as the ring is long (roles.h). A warpgroup has 64 queries: it computes
// 128 scores of each, the weights, and the products of these with values.
//
// Expected: 450 TFLOP/s for 128 columns. While a warpgroup computes 64 exponentials for each thread, it has no product
// under way. The other warpgroup may have, but nothing sees to it.
//
// Found (H100): 419 to 498 TFLOP/s for 128 columns and 4,096 positions or more, 301 to 360 for 64.
#include "roles.h"

namespace {

template <int kHead>
constexpr int kStages = kHead == 64 ? 8 : 4;

__device__ CUtensorMap maps[4];
MapsThere<4> there;

template <int kHead>
__global__ void __launch_bounds__(kThreads, 1) by_warpgroups(int length, bool causal, float scale) {
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
  int which = warpgroup - 1, row = work.first + which * 64;
  float result[kHead / 8][4] = {}, scores[kKeys / 8][4] = {};
  Rows rows;
  wait_for(&memory.q_landed, 0);
  for (int tile = work.tiles - 1; tile >= 0; --tile) {
    float correction[2];
    start_scores(scores, memory, which, place);
    wait_for_sums(scores);
    leave(&memory.used[place.stage]);
    place.next();
    if (tile == work.tiles - 1) keep_to(scores, row + int(threadIdx.x) % 128 / 32 * 16, tile * kKeys, length, causal);
    weigh(scores, rows, scale, correction);
    scale_rows(result, correction);
    unsigned weights[kKeys / 16][4];
    pack_weights(scores, weights);
    start_result(result, weights, memory, place);
    wait_for_sums(result);
    leave(&memory.used[place.stage]);
    place.next();
  }
  send_result<kHead>(result, rows, memory.q[which], &maps[3], row, work.head);  // its queries are not needed any more
  if (threadIdx.x % 128 == 0) wait_until_written();
}

template <int kHead>
void launch(const Bf16* q, const Bf16* k, const Bf16* v, Bf16* out, int heads, int length, int causal) {
  constexpr int kBytes = int(sizeof(Memory<kHead, kStages<kHead>>));
  bring_maps<kHead>(there, maps, q, k, v, out, heads, length);
  must(cudaFuncSetAttribute(by_warpgroups<kHead>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes),
       "shared memory");
  by_warpgroups<kHead>
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
