// Blocks with roles (product_ring.h) that stay: each has many tiles of the result, one after the other.
//
// The warpgroup that asks for tiles does not wait for a result to be written: it goes on with the next tile of the
// result while the others write, as far as the ring is long. Results leave through shared memory: 64 columns at a time,
// rounded, swizzled, and then the copy engine takes them, whole lines of memory, and leaves out what lies outside.
//
// Tiles of the result come in groups of kGroup rows of tiles, column by column. The hundred blocks that run at a time
// thus work on about a square, and what one of them reads the others find in L2.
//
// Sums become results by `scales`: scales.at(row, column) is what a thread needs of its 2 rows and 16 columns of a
// chunk, and its (j, half, low, high) are two neighbours of the result.
#pragma once

#include "product_ring.h"
#include "store_matrices.h"

constexpr int kGroup = 16, kChunk = 64;  // rows of tiles; columns that leave at a time

// A result is its sum.
struct Unscaled {
  struct Chunk {
    __device__ float2 operator()(int, int, float low, float high) const { return {low, high}; }
  };
  __device__ Chunk at(int, int) const { return {}; }
};

// A result is its sum, times a number of its row and one of its column.
struct Scaled {
  const float *of_rows, *of_columns;
  int m, n;

  struct Chunk {
    float of_row[2];
    float2 of_columns[kChunk / 8];
    __device__ float2 operator()(int j, int half, float low, float high) const {
      return {low * of_row[half] * of_columns[j].x, high * of_row[half] * of_columns[j].y};
    }
  };
  // n is even.
  __device__ Chunk at(int row, int column) const {
    Chunk chunk;
#pragma unroll
    for (int half = 0; half < 2; ++half) chunk.of_row[half] = row + half * 8 < m ? of_rows[row + half * 8] : 0;
#pragma unroll
    for (int j = 0; j < kChunk / 8; ++j)
      chunk.of_columns[j] =
          column + j * 8 < n ? *reinterpret_cast<const float2*>(&of_columns[column + j * 8]) : float2{0, 0};
    return chunk;
  }
};

struct Tiles {
  int down, across;

  __device__ int count() const { return down * across; }
  template <int kHeight = kGroup>
  __device__ void place_of(int tile, int rows_of_tile, int columns_of_tile, int& row, int& column) const {
    int group = tile / (kHeight * across), first = group * kHeight, height = min(kHeight, down - first);
    int within = tile - first * across;
    row = (first + within % height) * rows_of_tile, column = within / height * columns_of_tile;
  }
};

template <class T, int kColumns, int kStages>
struct PersistentMemory {
  Ring<T, kColumns, kStages> ring;
  __nv_bfloat16 out[kMultipliers][2][64 * kChunk];  // two places for each warpgroup: one is filled, one is on its way
  RingBarriers<kStages> barriers;
};

// Maps: a, b, and the result.
__device__ __forceinline__ void bring_maps(const CUtensorMap* maps) {
  for (int map = 0; map < 3; ++map) bring_map(&maps[map]);
}

// 64x64 sums of a warpgroup, those from sums[kFirst] on, to (row, column) of the result. `out`: one of two places.
template <int kFirst, class Sum, int kEights, class Scales>
__device__ __forceinline__ void send_chunk(const Sum (&sums)[kEights][4], __nv_bfloat16* out, const CUtensorMap* map,
                                           int row, int column, const Scales& scales) {
  int thread = int(threadIdx.x) % 128, lane = thread % 32, upper = thread / 32 * 16;
  const auto result = scales.at(row + upper + lane / 4, column + lane % 4 * 2);
  if (thread == 0) wait_until_read<1>();  // what left from this place, the time before last
  meet(int(threadIdx.x) / 128);
#pragma unroll
  for (int j = 0; j < kChunk / 8; j += 2) {
    const Sum(&left)[4] = sums[kFirst + j], (&right)[4] = sums[kFirst + j + 1];
    int r = upper + lane % 16, chunk = j + lane / 16;
    store_matrices(&out[r * kChunk + (chunk ^ r % 8) * 8], rounded(result(j, 0, float(left[0]), float(left[1]))),
                   rounded(result(j, 1, float(left[2]), float(left[3]))),
                   rounded(result(j + 1, 0, float(right[0]), float(right[1]))),
                   rounded(result(j + 1, 1, float(right[2]), float(right[3]))));
  }
  show_to_copy_engine();
  meet(int(threadIdx.x) / 128);
  if (thread == 0) {
    copy_box_out(map, column, row, out);
    end_copies_out();
  }
}

// All of them. `turn`: which of the two places is next.
template <int kFirst = 0, class Sum, int kEights, class Scales>
__device__ __forceinline__ void send_chunks(const Sum (&sums)[kEights][4], __nv_bfloat16 (&out)[2][64 * kChunk],
                                            int& turn, const CUtensorMap* map, int row, int column,
                                            const Scales& scales) {
  if constexpr (kFirst < kEights) {
    send_chunk<kFirst>(sums, out[turn], map, row, column + kFirst * 8, scales);
    turn ^= 1;
    send_chunks<kFirst + kChunk / 8>(sums, out, turn, map, row, column, scales);
  }
}

// Maps: a, b, and the result.
template <class T, int kColumns, int kStages, class Scales = Unscaled>
__device__ __forceinline__ void persistent_product(const CUtensorMap* maps, Tiles tiles, int k,
                                                   const Scales& scales = {}) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  auto& memory = *reinterpret_cast<PersistentMemory<T, kColumns, kStages>*>(bytes);
  int warpgroup = int(threadIdx.x) / 128, steps = steps_along<T>(k), row, column;
  if (threadIdx.x == 0) bring_maps(maps), memory.barriers.init();
  __syncthreads();
  RingPlace<kStages> place;
  if (warpgroup == 0) {
    give_up_registers<40>();
    if (threadIdx.x == 0)
      for (int tile = int(blockIdx.x); tile < tiles.count(); tile += int(gridDim.x)) {
        tiles.place_of(tile, kRows, kColumns, row, column);
        bring_tiles(memory.ring, memory.barriers, place, maps, row, column, 0, steps);
      }
    __syncwarp();
  } else {
    take_registers<232>();
    int turn = 0;
    for (int tile = int(blockIdx.x); tile < tiles.count(); tile += int(gridDim.x)) {
      tiles.place_of(tile, kRows, kColumns, row, column);
      row += (warpgroup - 1) * 64;
      typename SumOf<T>::Type sums[kColumns / 8][4];
      multiply_tiles(sums, memory.ring, memory.barriers, place, warpgroup - 1, steps);
      send_chunks(sums, memory.out[warpgroup - 1], turn, &maps[2], row, column, scales);
    }
    if (threadIdx.x % 128 == 0) wait_until_written();
    __syncwarp();
  }
}
