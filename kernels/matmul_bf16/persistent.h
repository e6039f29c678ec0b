// Blocks with roles (roles.h) that stay: each has many tiles of the result, one after the other.
//
// The warpgroup that asks for tiles does not wait for a result to be written: it goes on with the next tile of the
// result while the others write, as far as the ring is long. Results leave through shared memory: 64 columns at a time,
// rounded, swizzled, and then the copy engine takes them, whole lines of memory, and leaves out what lies outside.
//
// Tiles of the result come in groups of kGroup rows of tiles, column by column. The hundred blocks that run at a time
// thus work on about a square, and what one of them reads the others find in L2.
#pragma once

#include "roles.h"

constexpr int kGroup = 16, kChunk = 64;  // rows of tiles; columns that leave at a time

struct Tiles {
  int down, across;

  __device__ int count() const { return down * across; }
  __device__ void place_of(int tile, int columns_of_tile, int& row, int& column) const {
    int group = tile / (kGroup * across), first = group * kGroup, height = min(kGroup, down - first);
    int within = tile - first * across;
    row = (first + within % height) * kRows, column = within / height * columns_of_tile;
  }
};

template <int kColumns, int kStages>
struct PersistentMemory {
  Ring<kColumns, kStages> ring;
  __nv_bfloat16 out[kMultipliers][2][64 * kChunk];  // two places for each warpgroup: one is filled, one is on its way
  RingBarriers<kStages> barriers;
};

__device__ __forceinline__ void meet(int warpgroup) {  // the threads of a warpgroup
  asm volatile("bar.sync %0, 128;" ::"r"(warpgroup) : "memory");
}

// Four matrices of 8x8 from the registers of a warp: rows of 16 bytes, whose addresses the lanes give.
__device__ __forceinline__ void store_matrices(void* to, unsigned a, unsigned b, unsigned c, unsigned d) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(to)), "r"(a),
               "r"(b), "r"(c), "r"(d)
               : "memory");
}

__device__ __forceinline__ unsigned rounded(float low, float high) {
  __nv_bfloat162 both = __floats2bfloat162_rn(low, high);
  return reinterpret_cast<unsigned&>(both);
}

// 64x64 sums of a warpgroup, those from sums[first] on, to (row, column) of the result. `out`: one of two places.
template <int kFirst, int kEights>
__device__ __forceinline__ void send_chunk(const float (&sums)[kEights][4], __nv_bfloat16* out, const CUtensorMap* map,
                                           int row, int column) {
  int thread = int(threadIdx.x) % 128, lane = thread % 32;
  if (thread == 0) wait_until_read<1>();  // what left from this place, the time before last
  meet(int(threadIdx.x) / 128);
#pragma unroll
  for (int j = 0; j < kChunk / 8; j += 2) {
    const float(&left)[4] = sums[kFirst + j], (&right)[4] = sums[kFirst + j + 1];
    int r = thread / 32 * 16 + lane % 16, chunk = j + lane / 16;
    store_matrices(&out[r * kChunk + (chunk ^ r % 8) * 8], rounded(left[0], left[1]), rounded(left[2], left[3]),
                   rounded(right[0], right[1]), rounded(right[2], right[3]));
  }
  show_to_copy_engine();
  meet(int(threadIdx.x) / 128);
  if (thread == 0) {
    copy_box_out(map, column, row, out);
    end_copies_out();
  }
}

// All of them. `turn`: which of the two places is next.
template <int kFirst = 0, int kEights>
__device__ __forceinline__ void send_chunks(const float (&sums)[kEights][4], __nv_bfloat16 (&out)[2][64 * kChunk],
                                            int& turn, const CUtensorMap* map, int row, int column) {
  if constexpr (kFirst < kEights) {
    send_chunk<kFirst>(sums, out[turn], map, row, column + kFirst * 8);
    turn ^= 1;
    send_chunks<kFirst + kChunk / 8>(sums, out, turn, map, row, column);
  }
}

// Maps: a, b, and the result.
template <int kColumns, int kStages>
__device__ __forceinline__ void persistent_product(const CUtensorMap* maps, Tiles tiles, int k) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  auto& memory = *reinterpret_cast<PersistentMemory<kColumns, kStages>*>(bytes);
  int warpgroup = int(threadIdx.x) / 128, steps = (k + kTileDepth - 1) / kTileDepth, row, column;
  if (threadIdx.x == 0) memory.barriers.init();
  __syncthreads();
  RingPlace<kStages> place;
  if (warpgroup == 0) {
    give_up_registers<40>();
    if (threadIdx.x != 0) return;
    for (int tile = int(blockIdx.x); tile < tiles.count(); tile += int(gridDim.x)) {
      tiles.place_of(tile, kColumns, row, column);
      bring_tiles(memory.ring, memory.barriers, place, maps, row, column, 0, steps);
    }
    return;
  }
  take_registers<232>();
  int turn = 0;
  for (int tile = int(blockIdx.x); tile < tiles.count(); tile += int(gridDim.x)) {
    tiles.place_of(tile, kColumns, row, column);
    float sums[kColumns / 8][4];
    multiply_tiles<kColumns>(sums, memory.ring, memory.barriers, place, warpgroup - 1, steps);
    send_chunks(sums, memory.out[warpgroup - 1], turn, &maps[2], row + (warpgroup - 1) * 64, column);
  }
  if (threadIdx.x % 128 == 0) wait_until_written();
}
