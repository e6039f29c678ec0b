// Tiles by the copy engine: one thread of the block asks for them, and no thread computes an address or meets the
// others at a barrier of the block.
//
//     landed[stage]   the copy engine tells that the tiles are there
//     used[stage]     each warp tells that it has done with them
//
// The thread that asks multiplies, too. While its warp begins step s, it asks for step s + 1, into the place that step
// s + 1 - kStages has left: two steps ago with three places, so that others are rarely behind.
#pragma once

#include "../parts/tensor_map.h"
#include "multiply_transposed.h"

template <int kRows, int kColumns, int kStages, int kThreads>
struct Ring {
  float a[kStages][kRows * kTileDepth], b[kStages][kTileDepth * kColumns];
  Barrier landed[kStages], used[kStages];

  __device__ void init() {
    for (int stage = 0; stage < kStages; ++stage)
      barrier_init(&landed[stage]), barrier_init(&used[stage], kThreads / 32);
  }
  // With kTransposed, the rows of a are along m.
  template <bool kTransposed>
  __device__ void fetch(const CUtensorMap* maps, int row, int column, int step) {
    int stage = step % kStages;
    if (step >= kStages) wait_for(&used[stage], unsigned(step / kStages - 1) % 2);
    expect_bytes(&landed[stage], sizeof a[0] + sizeof b[0]);
    if constexpr (kTransposed)
      copy_box_in(a[stage], &maps[0], row, step * kTileDepth, &landed[stage]);
    else
      copy_box_in(a[stage], &maps[0], step * kTileDepth, row, &landed[stage]);
    copy_box_in(b[stage], &maps[1], column, step * kTileDepth, &landed[stage]);
  }
  __device__ void leave(int stage) {
    __syncwarp();
    if (threadIdx.x % 32 == 0)
      asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(shared_address(&used[stage]))
                   : "memory");
  }
};

// Where warps have shared the depth of a tile: what each of them has summed, for the one that stores it. Warp `part`
// stores the rows from part * kShare on of each thread.
template <int kWidth, int kSplit, int kTileThreads>
struct Parts {
  static constexpr int kShare = kRowsOfThread / kSplit, kVectors = kWidth / 4;
  float4 sums[kSplit][kSplit > 1 ? kSplit - 1 : 1][kShare][kVectors][kTileThreads];

  __device__ void exchange(float (&own)[kRowsOfThread][kWidth], int part) {
    int thread = int(threadIdx.x) % kTileThreads;
    __syncthreads();  // the ring has been read: this lies in its place
#pragma unroll
    for (int i = 0; i < kRowsOfThread; ++i) {
      int to = i / kShare;
      if (to == part) continue;
#pragma unroll
      for (int j = 0; j < kVectors; ++j)
        sums[to][part - (part > to)][i % kShare][j][thread] = {own[i][j * 4], own[i][j * 4 + 1], own[i][j * 4 + 2],
                                                               own[i][j * 4 + 3]};
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kRowsOfThread; ++i) {
      if (i / kShare != part) continue;
#pragma unroll
      for (int other = 0; other < kSplit - 1; ++other)
#pragma unroll
        for (int j = 0; j < kVectors; ++j) {
          const float4 more = sums[i / kShare][other][i % kShare][j][thread];
          own[i][j * 4] += more.x, own[i][j * 4 + 1] += more.y, own[i][j * 4 + 2] += more.z,
              own[i][j * 4 + 3] += more.w;
        }
    }
  }
};

// kSplit warps share the depth of each tile. With kTransposed, the rows of a are along m, and kUnroll are steps along
// k; otherwise they are chunks of four.
template <int kRows, int kColumns, int kWidth, int kStages, int kThreads, int kSplit = 1, int kUnroll = 1,
          bool kTransposed = false, Order kOrder = Order::Rows>
__device__ __forceinline__ void product_by_ring(const CUtensorMap* maps, float* c, int m, int n, int k, int down,
                                                int across) {
  using Warp = Lanes<kWidth>;
  constexpr int kWarpsAcross = kColumns / Warp::kColumns, kTileThreads = kThreads / kSplit;
  static_assert(kRows / Warp::kRows * kWarpsAcross * 32 == kTileThreads, "a warp for each part");
  using Memory = Ring<kRows, kColumns, kStages, kThreads>;
  extern __shared__ __align__(1024) unsigned char bytes[];
  auto& ring = *reinterpret_cast<Memory*>(bytes);
  int warp = int(threadIdx.x) % kTileThreads / 32, part = int(threadIdx.x) / kTileThreads, row, column;
  int steps = (k + kTileDepth - 1) / kTileDepth;
  place_of(int(blockIdx.x), down, across, row, column);
  row *= kRows, column *= kColumns;
  if (threadIdx.x == 0) {
    ring.init();
    ring.template fetch<kTransposed>(maps, row, column, 0);
  }
  __syncthreads();
  int warp_row = warp / kWarpsAcross * Warp::kRows, warp_column = warp % kWarpsAcross * Warp::kColumns;
  float sums[kRowsOfThread][kWidth] = {};
  int stage = 0;
  for (int step = 0, round = 0; step < steps; ++step) {
    if (threadIdx.x == 0 && step + 1 < steps) ring.template fetch<kTransposed>(maps, row, column, step + 1);
    __syncwarp();  // the lanes compute together again
    wait_for(&ring.landed[stage], unsigned(round));
    constexpr int kShare = kTileDepth / kSplit;
    if constexpr (kTransposed)
      multiply_transposed<kWidth, kRows, kColumns, kShare, kUnroll>(
          sums, &ring.a[stage][part * kShare * kRows + warp_row],
          &ring.b[stage][part * kShare * kColumns + warp_column]);
    else
      multiply<kWidth, kColumns, kShare / 4, kUnroll, kOrder>(sums, &ring.a[stage][warp_row * kTileDepth],
                                                              &ring.b[stage][warp_column], unsigned(part * kShare / 4));
    ring.leave(stage);
    if (++stage == kStages) stage = 0, round ^= 1;
  }
  if constexpr (kSplit > 1) {
    using Exchange = Parts<kWidth, kSplit, kTileThreads>;
    static_assert(sizeof(Exchange) <= sizeof ring.a + sizeof ring.b, "barriers stay where they are");
    reinterpret_cast<Exchange*>(bytes)->exchange(sums, part);
  }
  constexpr int kOwn = kRowsOfThread / kSplit;
  if constexpr (kTransposed)
    store_one_by_one<kWidth>(c, m, n, row + warp_row, column + warp_column, sums, part * kOwn, kOwn);
  else
    store<kWidth>(c, m, n, row + warp_row, column + warp_column, sums, part * kOwn, kOwn);
}

template <int kRows, int kColumns, bool kTransposed = false>
void bring_maps(MapsThere<2>& there, const CUtensorMap (&maps)[2], const float* a, const float* b, int m, int n,
                int k) {
  constexpr auto kFloat = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  there.bring(maps, {kTransposed ? map_of(a, kFloat, 4, k, m, kTileDepth, kRows, CU_TENSOR_MAP_SWIZZLE_NONE)
                                 : map_of(a, kFloat, 4, m, k, kRows, kTileDepth, CU_TENSOR_MAP_SWIZZLE_128B),
                     map_of(b, kFloat, 4, k, n, kTileDepth, kColumns, CU_TENSOR_MAP_SWIZZLE_NONE)});
}
