// Attention by blocks with roles (../parts/roles.h): one thread asks for tiles, two warpgroups have 64 queries each.
//
// Tiles of 128 keys and of as many values come through one ring, by turns, the last of the sequence first:
//
//     keys n, values n, keys n - 1, values n - 1, …
//
// Where there is a mask, only the last tile needs it: tiles of queries and of keys are as long, and begin together. The
// same is true of the end of the sequence.
//
//     scores = q · keysᵀ        a from shared memory, b with its rows along k: as a matrix product
//     result += weights · values   a from registers, where the weights are; the rows of b are along its columns
//
// A tile is kParts rectangles of 64 columns, one after the other, swizzled (../parts/wgmma.h).
#pragma once

#include "../parts/roles.h"
#include "../parts/store_matrices.h"
#include "../parts/tensor_map.h"
#include "../parts/wgmma.h"
#include "online.h"

using Bf16 = __nv_bfloat16;

constexpr int kThreads = 384, kComputers = 2;           // warpgroups that compute
constexpr int kQueries = kComputers * 64, kKeys = 128;  // of a block, of a tile
constexpr int kRegistersOfAsker = 24, kRegistersOfComputer = 240;

template <int kHead>
constexpr int kParts = kHead / 64;

template <int kHead, int kStages>
struct Memory {
  Bf16 q[kComputers][kParts<kHead>][64 * 64];
  Bf16 ring[kStages][kParts<kHead>][kKeys * 64];
  Barrier q_landed, q_used, landed[kStages], used[kStages];

  __device__ void init() {
    barrier_init(&q_landed), barrier_init(&q_used, kComputers * 4);
    for (int stage = 0; stage < kStages; ++stage)
      barrier_init(&landed[stage]), barrier_init(&used[stage], kComputers * 4);
  }
};

// What a block computes at a time: kQueries rows of a head.
struct Work {
  int head, first, tiles;  // first query; tiles of keys that they see

  __device__ Work(int head, int block, int length, bool causal) : head(head), first(block * kQueries) {
    int keys = causal ? min(length, first + kQueries) : length;
    tiles = (keys + kKeys - 1) / kKeys;
  }
};

template <int kHead>
__device__ __forceinline__ void ask_for_tile(Bf16 (&to)[kParts<kHead>][kKeys * 64], const CUtensorMap* map, int row,
                                             int head, Barrier* landed) {
  expect_bytes(landed, sizeof to);
#pragma unroll
  for (int part = 0; part < kParts<kHead>; ++part) copy_box_in(to[part], map, part * 64, row, head, landed);
}

// One thread. `q_round`: 0 for the first work, then 1, 0, …
template <int kHead, int kStages>
__device__ __forceinline__ void ask_for(const Work& work, Memory<kHead, kStages>& memory, RingPlace<kStages>& place,
                                        unsigned q_round, const CUtensorMap* maps) {
  wait_for(&memory.q_used, q_round ^ 1);
  expect_bytes(&memory.q_landed, sizeof memory.q);
  for (int half = 0; half < kComputers; ++half)
    for (int part = 0; part < kParts<kHead>; ++part)
      copy_box_in(memory.q[half][part], &maps[0], part * 64, work.first + half * 64, work.head, &memory.q_landed);
  for (int tile = work.tiles - 1; tile >= 0; --tile)
    for (int which = 1; which <= 2; ++which, place.next()) {  // keys, then values
      wait_for(&memory.used[place.stage], place.round ^ 1);
      ask_for_tile<kHead>(memory.ring[place.stage], &maps[which], tile * kKeys, work.head, &memory.landed[place.stage]);
    }
}

// The scores of 64 queries with the keys of a place of the ring, started as a group of products.
template <int kHead, int kStages>
__device__ __forceinline__ void start_scores(float (&scores)[kKeys / 8][4], Memory<kHead, kStages>& memory, int which,
                                             const RingPlace<kStages>& place) {
  wait_for(&memory.landed[place.stage], place.round);
  begin_products();
  multiply<Bf16, 0>(scores, tile_of(memory.q[which][0]), tile_of(memory.ring[place.stage][0]));
  if constexpr (kParts<kHead> == 2)
    multiply<Bf16, 1>(scores, tile_of(memory.q[which][1]), tile_of(memory.ring[place.stage][1]));
  end_products();
}

template <int kHead, int kStages>
__device__ __forceinline__ void start_result(float (&result)[kHead / 8][4], const unsigned (&weights)[kKeys / 16][4],
                                             Memory<kHead, kStages>& memory, const RingPlace<kStages>& place) {
  constexpr int kRowBytes = 128;
  wait_for(&memory.landed[place.stage], place.round);
  begin_products();
#pragma unroll
  for (int i = 0; i < kKeys / 16; ++i)
    product_from_registers(result, weights[i],
                           along(columns_of(memory.ring[place.stage][0], kKeys * kRowBytes), i * 16 * kRowBytes));
  end_products();
}

// One lane of each warp tells that it has done with a place.
__device__ __forceinline__ void leave(Barrier* used) {
  if (threadIdx.x % 32 == 0) arrive(used);
}

// 64 rows of the result through shared memory, from where the copy engine takes them. It leaves out those beyond the
// sequence's end.
template <int kHead>
__device__ __forceinline__ void send_result(float (&result)[kHead / 8][4], const Rows& rows,
                                            Bf16 (&room)[kParts<kHead>][64 * 64], const CUtensorMap* map, int row,
                                            int head) {
  int thread = int(threadIdx.x) % 128, lane = thread % 32, r = thread / 32 * 16 + lane % 16;
  float inverse[2];
  finish(rows, inverse);
  scale_rows(result, inverse);
#pragma unroll
  for (int part = 0; part < kParts<kHead>; ++part)
#pragma unroll
    for (int j = 0; j < 8; j += 2) {
      const float(&left)[4] = result[part * 8 + j], (&right)[4] = result[part * 8 + j + 1];
      store_matrices(&room[part][r * 64 + ((j + lane / 16) ^ r % 8) * 8], rounded({left[0], left[1]}),
                     rounded({left[2], left[3]}), rounded({right[0], right[1]}), rounded({right[2], right[3]}));
    }
  show_to_copy_engine();
  meet(int(threadIdx.x) / 128);
  if (thread == 0) {
    for (int part = 0; part < kParts<kHead>; ++part) copy_box_out(map, part * 64, row, head, room[part]);
    end_copies_out();
  }
}

// The maps of a kernel: q, k, v, and the result.
template <int kHead>
void bring_maps(MapsThere<4>& there, const CUtensorMap (&maps)[4], const Bf16* q, const Bf16* k, const Bf16* v,
                const Bf16* out, int heads, int length) {
  there.bring(maps, {map_of_planes(q, heads, length, kHead, 64), map_of_planes(k, heads, length, kHead, kKeys),
                     map_of_planes(v, heads, length, kHead, kKeys), map_of_planes(out, heads, length, kHead, 64)});
}
