// A tile of the result by a cluster of kShares blocks, each of which has a share of k.
//
// A product of 128x8192x8192 has 64 tiles of 128x128, and an SM has nothing to do that has no tile. Here each block of
// a cluster multiplies its share of k. Then the sums are added: chunk q of 64 columns belongs to block q % kShares, and
// the others write their sums of it into that block's shared memory, where the ring was. So nothing goes through
// memory, and the additions have the same order in every run.
#pragma once

#include "../parts/cluster.h"
#include "persistent.h"

__device__ __forceinline__ void store_four_remote(float* slot, unsigned block, const float (&four)[4]) {
  asm volatile("st.shared::cluster.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(remote_address(slot, block)), "f"(four[0]),
               "f"(four[1]), "f"(four[2]), "f"(four[3])
               : "memory");
}

// Where the sums of the other blocks lie: [chunk of this block][sender][eight of columns][thread][4].
constexpr int kSummers = kMultipliers * 128;
template <int kShares>
__device__ __forceinline__ float* received(void* ring, int chunk, int sender, int eight) {
  int part = (chunk / kShares * (kShares - 1) + sender) * (kChunk / 8) + eight;
  return static_cast<float*>(ring) + (part * kSummers + int(threadIdx.x) - 128) * 4;
}

template <int kShares, int kEights>
__device__ __forceinline__ void send_sums(const float (&sums)[kEights][4], void* ring, int rank) {
#pragma unroll
  for (int chunk = 0; chunk < kEights / 8; ++chunk) {
    int owner = chunk % kShares, sender = (rank - owner + kShares) % kShares - 1;
    if (owner == rank) continue;
#pragma unroll
    for (int j = 0; j < kChunk / 8; ++j)
      store_four_remote(received<kShares>(ring, chunk, sender, j), unsigned(owner), sums[chunk * 8 + j]);
  }
}

template <int kShares, int kChunkIndex = 0, int kEights>
__device__ __forceinline__ void add_and_send(float (&sums)[kEights][4], void* ring, int rank,
                                             __nv_bfloat16 (&out)[2][64 * kChunk], int& turn, const CUtensorMap* map,
                                             int row, int column) {
  if constexpr (kChunkIndex < kEights / 8) {
    if (kChunkIndex % kShares == rank) {
#pragma unroll
      for (int sender = 0; sender < kShares - 1; ++sender)
#pragma unroll
        for (int j = 0; j < kChunk / 8; ++j) {
          float4 other = *reinterpret_cast<float4*>(received<kShares>(ring, kChunkIndex, sender, j));
          float(&mine)[4] = sums[kChunkIndex * 8 + j];
          mine[0] += other.x, mine[1] += other.y, mine[2] += other.z, mine[3] += other.w;
        }
      send_chunk<kChunkIndex * 8>(sums, out[turn], map, row, column + kChunkIndex * kChunk);
      turn ^= 1;
    }
    add_and_send<kShares, kChunkIndex + 1>(sums, ring, rank, out, turn, map, row, column);
  }
}

// A cluster for each tile.
template <int kColumns, int kStages, int kShares>
__device__ __forceinline__ void shared_product(const CUtensorMap* maps, Tiles tiles, int k) {
  using Memory = PersistentMemory<kColumns, kStages>;
  static_assert(kColumns / kChunk % kShares == 0, "each block has as many chunks");
  static_assert(kColumns / kChunk / kShares * (kShares - 1) * kChunk * kSummers * 2 <= int(sizeof(Memory::ring)));
  extern __shared__ __align__(1024) unsigned char bytes[];
  auto& memory = *reinterpret_cast<Memory*>(bytes);
  int warpgroup = int(threadIdx.x) / 128, steps = (k + kTileDepth - 1) / kTileDepth, row, column;
  int rank = int(cluster_rank()), begin = steps * rank / kShares, end = steps * (rank + 1) / kShares;
  if (threadIdx.x == 0) memory.barriers.init();
  __syncthreads();
  tiles.place_of(int(blockIdx.x) / kShares, kColumns, row, column);
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
  float sums[kColumns / 8][4];
  multiply_tiles<kColumns>(sums, memory.ring, memory.barriers, place, warpgroup - 1, end - begin);
  cluster_barrier();  // no block uses its ring any more
  send_sums<kShares>(sums, &memory.ring, rank);
  cluster_barrier();  // all sums are there
  add_and_send<kShares>(sums, &memory.ring, rank, memory.out[warpgroup - 1], turn, &maps[2], row + (warpgroup - 1) * 64,
                        column);
  if (threadIdx.x % 128 == 0) wait_until_written();
}
