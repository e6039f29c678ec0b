// A tile of the result by a cluster of kShares blocks, each of which has a share of k.
//
// A product of 128x8192x8192 has 64 tiles of 128x128, and an SM has nothing to do that has no tile. Here each block of
// a cluster multiplies its share of k. Then the sums are added: chunk q of 64 columns belongs to block q % kShares, and
// the others write their sums of it into that block's shared memory, where the ring was. So nothing goes through
// memory, and the additions have the same order in every run.
#pragma once

#include "cluster.h"
#include "product_persistent.h"

template <class Sum>
__device__ __forceinline__ void store_four_remote(Sum* slot, unsigned block, const Sum (&four)[4]) {
  const unsigned(&words)[4] = reinterpret_cast<const unsigned(&)[4]>(four);
  asm volatile("st.shared::cluster.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(remote_address(slot, block)), "r"(words[0]),
               "r"(words[1]), "r"(words[2]), "r"(words[3])
               : "memory");
}

// Where the sums of the other blocks lie: [chunk of this block][sender][eight of columns][thread][4].
constexpr int kSummers = kMultipliers * 128;
template <int kShares, class Sum>
__device__ __forceinline__ Sum* received(void* ring, int chunk, int sender, int eight) {
  int part = (chunk / kShares * (kShares - 1) + sender) * (kChunk / 8) + eight;
  return static_cast<Sum*>(ring) + (part * kSummers + int(threadIdx.x) - 128) * 4;
}

template <int kShares, class Sum, int kEights>
__device__ __forceinline__ void send_sums(const Sum (&sums)[kEights][4], void* ring, int rank) {
#pragma unroll
  for (int chunk = 0; chunk < kEights / 8; ++chunk) {
    int owner = chunk % kShares, sender = (rank - owner + kShares) % kShares - 1;
    if (owner == rank) continue;
#pragma unroll
    for (int j = 0; j < kChunk / 8; ++j)
      store_four_remote(received<kShares, Sum>(ring, chunk, sender, j), unsigned(owner), sums[chunk * 8 + j]);
  }
}

template <int kShares, int kChunkIndex = 0, class Sum, int kEights, class Scales>
__device__ __forceinline__ void add_and_send(Sum (&sums)[kEights][4], void* ring, int rank,
                                             __nv_bfloat16 (&out)[2][64 * kChunk], int& turn, const CUtensorMap* map,
                                             int row, int column, const Scales& scales) {
  if constexpr (kChunkIndex < kEights / 8) {
    if (kChunkIndex % kShares == rank) {
#pragma unroll
      for (int sender = 0; sender < kShares - 1; ++sender)
#pragma unroll
        for (int j = 0; j < kChunk / 8; ++j) {
          const uint4 other = *reinterpret_cast<uint4*>(received<kShares, Sum>(ring, kChunkIndex, sender, j));
          const Sum(&four)[4] = reinterpret_cast<const Sum(&)[4]>(other);
#pragma unroll
          for (int i = 0; i < 4; ++i) sums[kChunkIndex * 8 + j][i] += four[i];
        }
      send_chunk<kChunkIndex * 8>(sums, out[turn], map, row, column + kChunkIndex * kChunk, scales);
      turn ^= 1;
    }
    add_and_send<kShares, kChunkIndex + 1>(sums, ring, rank, out, turn, map, row, column, scales);
  }
}

// A cluster for each tile.
template <class T, int kColumns, int kStages, int kShares, class Scales = Unscaled>
__device__ __forceinline__ void shared_product(const CUtensorMap* maps, Tiles tiles, int k, const Scales& scales = {}) {
  using Memory = PersistentMemory<T, kColumns, kStages>;
  static_assert(kColumns / kChunk % kShares == 0, "each block has as many chunks");
  static_assert(kColumns / kChunk / kShares * (kShares - 1) * kChunk * kSummers * 2 <= int(sizeof(Memory::ring)));
  extern __shared__ __align__(1024) unsigned char bytes[];
  auto& memory = *reinterpret_cast<Memory*>(bytes);
  int warpgroup = int(threadIdx.x) / 128, steps = steps_along<T>(k), row, column;
  int rank = int(cluster_rank()), begin = steps * rank / kShares, end = steps * (rank + 1) / kShares;
  if (threadIdx.x == 0) bring_maps(maps), memory.barriers.init();
  __syncthreads();
  tiles.place_of(int(blockIdx.x) / kShares, kRows, kColumns, row, column);
  RingPlace<kStages> place;
  if (warpgroup == 0) {
    give_up_registers<40>();
    if (threadIdx.x == 0) bring_tiles(memory.ring, memory.barriers, place, maps, row, column, begin, end);
    __syncwarp();
    cluster_barrier();
    cluster_barrier();
    return;
  }
  take_registers<232>();
  int turn = 0;
  typename SumOf<T>::Type sums[kColumns / 8][4];
  multiply_tiles(sums, memory.ring, memory.barriers, place, warpgroup - 1, end - begin);
  cluster_barrier();  // no block uses its ring any more
  send_sums<kShares>(sums, &memory.ring, rank);
  cluster_barrier();  // all sums are there
  add_and_send<kShares>(sums, &memory.ring, rank, memory.out[warpgroup - 1], turn, &maps[2], row + (warpgroup - 1) * 64,
                        column, scales);
  if (threadIdx.x % 128 == 0) wait_until_written();
}
