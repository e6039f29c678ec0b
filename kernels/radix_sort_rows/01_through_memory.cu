// step: a block for each row, whose keys pass through memory for each digit
// needs: sm_80
//
// The block counts a digit of its row, and then moves the keys, a tile at a time: in shared memory they come into the
// order of the digit, and from there go behind those of the tiles before. No block waits for another.
//
// Expected: a fifth of the roof. Each digit reads the keys twice and writes them once.
//
// Found (H200, 2026-11-29), for 2^26 keys: 5.8 ms in rows of 1,024, whose tiles of 4,096 are a quarter full; 1.31 ms in
// rows of 4,096; 1.77 in rows of 16,384.
#include "../radix_sort/places.h"

namespace {

constexpr int kThreads = 256, kEach = 16, kTile = kThreads * kEach;

struct Room {
  Places<kThreads / 32> places;
  unsigned sorted[kTile];
  unsigned counts[kBins], next[kBins];  // of the row: how often a digit occurs, where its next key goes
  unsigned of_warps[kBins / 32];
};

__device__ void sort_by_digit(const unsigned* from, unsigned* to, int columns, int shift, Room& room) {
  int thread = int(threadIdx.x);
  room.counts[thread] = 0;
  __syncthreads();
  for (int i = thread; i < columns; i += kThreads) atomicAdd(&room.counts[digit_of(from[i], shift)], 1u);
  __syncthreads();
  room.next[thread] = sum_of_bins_before(room.counts[thread], room.of_warps);
  for (int begin = 0; begin < columns; begin += kTile) {
    int first = begin + thread / 32 * (32 * kEach) + thread % 32;
    unsigned keys[kEach];
#pragma unroll
    for (int k = 0; k < kEach; ++k) keys[k] = first + k * 32 < columns ? from[first + k * 32] : 0xffffffffu;
    count_in_warps(keys, shift, room.places);
    counts_to_places(room.places);
    put_in_order(keys, shift, room.places, room.sorted);
    room.next[thread] -= room.places.starts[thread];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      unsigned key = room.sorted[thread + k * kThreads];
      unsigned place = room.next[digit_of(key, shift)] + unsigned(thread + k * kThreads);
      if (place < unsigned(columns)) to[place] = key;
    }
    __syncthreads();
    room.next[thread] += room.places.starts[thread] + room.places.totals[thread];
  }
  __syncthreads();
}

__global__ void __launch_bounds__(kThreads) sort_row(const unsigned* in, unsigned* out, unsigned* spare, int columns) {
  __shared__ Room room;
  size_t row = size_t(blockIdx.x) * columns;
  for (int pass = 0; pass < 4; ++pass)
    sort_by_digit(pass == 0 ? in + row : (pass % 2 ? spare : out) + row, (pass % 2 ? out : spare) + row, columns,
                  pass * 8, room);
}

}  // namespace

extern "C" void solve(const unsigned* in, unsigned* out, unsigned* spare, int rows, int columns) {
  sort_row<<<rows, kThreads>>>(in, out, spare, columns);
}
