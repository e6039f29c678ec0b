// step: blocks that stay, the longest work first, heads whose keys fit into L2
// takes: head % 64 == 0 and head <= 128
// needs: sm_90a
//
// With a mask, the last queries see all keys and the first see a tile. A block that stays takes works in the order of
// their length, forwards in one round and backwards in the next, so that all end at about the same time. While it sends
// one result, the next keys come.
//
// Heads come in groups whose keys and values fill half of L2 at most, or each block would bring them from memory again.
//
// With a mask and many tiles that loses: works differ more than rounds even out, and from 4,096 positions on it took up
// to 19 % longer than step 05. There each block has one work, the longest first, and the hardware gives the next block
// to the SM that is free.
//
// Expected: a tenth more with a mask, a twentieth without.
//
// Found (H100): at 1,024 positions 7 to 13 % more than step 05, with a mask and without; without one from 4,096 on as
// much as it, between 1 % less and 3 % more. With a mask from 4,096 on it has not been measured since a block has one
// work there.
#include "overlap.h"

namespace {

template <int kHead>
constexpr int kStages = kHead == 64 ? 8 : 4;

constexpr int kMostInRounds = 16;  // blocks of queries of a head with a mask, for works to come in rounds

template <int kHead>
struct Kept : Memory<kHead, kStages<kHead>> {
  alignas(1024) Bf16 out[kComputers][kParts<kHead>][64 * 64];
};

__device__ CUtensorMap maps[4];
MapsThere<4> there;

struct Order {
  int heads, blocks, group;  // of queries, in a head; heads of a group

  // The n-th work of this block: -1 if there is none.
  __device__ int number(int round) const {
    int width = int(gridDim.x), place = int(blockIdx.x);
    int number = round * width + (round % 2 ? width - 1 - place : place);
    return number < heads * blocks ? number : -1;
  }
  __device__ Work work(int number, int length, bool causal) const {
    int first = number / (group * blocks) * group, width = min(group, heads - first), within = number - first * blocks;
    return Work(first + within % width, blocks - 1 - within / width, length, causal);
  }
};

template <int kHead>
__global__ void __launch_bounds__(kThreads, 1) stays(Order order, int length, bool causal, float scale) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  auto& memory = *reinterpret_cast<Kept<kHead>*>(bytes);
  int warpgroup = int(threadIdx.x) / 128, number;
  if (threadIdx.x == 0) memory.init();
  __syncthreads();
  RingPlace<kStages<kHead>> place;
  if (warpgroup == 0) {
    give_up_registers<kRegistersOfAsker>();
    if (threadIdx.x != 0) return;
    for (int round = 0; (number = order.number(round)) >= 0; ++round)
      ask_for<kHead, kStages<kHead>>(order.work(number, length, causal), memory, place, round % 2, maps);
    return;
  }
  take_registers<kRegistersOfComputer>();
  Turns turns{warpgroup - 1};
  turns.begin();
  for (int round = 0; (number = order.number(round)) >= 0; ++round) {
    const Work work = order.work(number, length, causal);
    float result[kHead / 8][4] = {};
    Rows rows;
    attend<kHead, kStages<kHead>>(result, rows, work, memory, place, round % 2, turns, length, causal, scale);
    if (threadIdx.x % 128 == 0) wait_until_read();  // the result before
    meet(warpgroup);
    send_result<kHead>(result, rows, memory.out[turns.which], &maps[3], work.first + turns.which * 64, work.head);
  }
  turns.end();
  if (threadIdx.x % 128 == 0) wait_until_written();
}

template <int kHead>
void launch(const Bf16* q, const Bf16* k, const Bf16* v, Bf16* out, int heads, int length, int causal) {
  constexpr int kBytes = int(sizeof(Kept<kHead>));
  bring_maps<kHead>(there, maps, q, k, v, out, heads, length);
  int cache = 0, blocks = (length + kQueries - 1) / kQueries;
  must(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0), "L2");
  const long long of_head = 2ll * length * kHead * int(sizeof(Bf16)), fit = cache / 2 / of_head;
  const long long works = (long long)heads * blocks;
  Order order{heads, blocks, fit < 1 ? 1 : fit < heads ? int(fit) : heads};
  Launch how = persistent(stays<kHead>, kThreads, kBytes, 1, works);
  if (causal && blocks > kMostInRounds) order.group = 1, how.blocks = int(works);
  run(stays<kHead>, how, order, length, causal, scale_of<kHead>());
}

}  // namespace

extern "C" void solve(const Bf16* q, const Bf16* k, const Bf16* v, Bf16* out, int heads, int length, int head,
                      int causal) {
  if (head == 64)
    launch<64>(q, k, v, out, heads, length, causal);
  else
    launch<128>(q, k, v, out, heads, length, causal);
}
