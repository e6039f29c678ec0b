// What every block needs of the centres, worked out once.
#pragma once

#include "answer.cuh"
#include "shares.cuh"

struct Prepared {
  uint4 halves[kMostCentres * Centres::kPieces];  // as they lie in Centres
  uint4 of_shares[kShares * 32][2];               // by shares, what each lane wants of one (best_of_share.cuh)
  float starts[kMostCentres];                     // -|c|²/2; of rows without a centre, a score that none has
  float most[kFinders], most_off[kFinders];       // of the rows of a block: |c|² and the square of what rounding took
  float scale;
};
__device__ Prepared prepared;

// The whole rows of centres are copied, so the last product has some of all of its columns.
__device__ inline int rows_of(const Problem& p) { return Centres::rows(p); }

// Of so many numbers, by the block: each thread's part of it. Several loads are on their way at once.
__device__ inline float largest_of(const float* numbers, int count) {
  float largest = 0;
  int begin = 0;
  if (reinterpret_cast<size_t>(numbers) % sizeof(float4) == 0) {
    begin = count / 4 * 4;
#pragma unroll 8
    for (int i = threadIdx.x; i < count / 4; i += kBlockThreads) {
      const float4 four = reinterpret_cast<const float4*>(numbers)[i];
      largest = fmaxf(fmaxf(fmaxf(fabsf(four.x), fabsf(four.y)), fmaxf(fabsf(four.z), fabsf(four.w))), largest);
    }
  }
  for (int i = begin + threadIdx.x; i < count; i += kBlockThreads) largest = fmaxf(largest, fabsf(numbers[i]));
  return largest;
}

__global__ void __launch_bounds__(kBlockThreads) prepare(Problem p, const float* centres, Answer answer) {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");  // if the next one asks for that (behind.cuh)
  begin_sums(p, answer);
  const float scale = scale_for(block_max(largest_of(centres, p.clusters * p.dimensions)));
  constexpr int kRowsOfBlock = kMostCentres / kFinders;
  float squares = 0, off = 0;
  if (threadIdx.x < kRowsOfBlock * Centres::kPieces) {
    const int row = blockIdx.x * kRowsOfBlock + threadIdx.x / Centres::kPieces, piece = threadIdx.x % Centres::kPieces;
    float x[8] = {};
    if (row < p.clusters) read_eight(p, centres + size_t(row) * p.dimensions, piece * 8, scale, x);
    Rounded<8> rounded(x);
    Centres::put(prepared.halves, row, piece, rounded.halves);
    unsigned* lanes =
        reinterpret_cast<unsigned*>(prepared.of_shares[share_of(row) * 32 + place_in_share(row) * 4 + piece % 2 * 2]);
    for (int i = 0; i < 4; ++i)
      lanes[i / 2 * 8 + piece / 2 * 2 + i % 2] = reinterpret_cast<const unsigned&>(rounded.halves[i]);
    rounded.add_up(Centres::kPieces);
    squares = rounded.squares, off = rounded.off;
    if (piece == 0) prepared.starts[row] = row < p.clusters ? -0.5f * squares : -FLT_MAX / 2;
  }
  squares = block_max(squares), off = block_max(off);
  if (threadIdx.x == 0) prepared.most[blockIdx.x] = squares, prepared.most_off[blockIdx.x] = off;
  if (threadIdx.x == 0 && blockIdx.x == 0) prepared.scale = scale;
}

// Of scores that are compared as integers. Five products of 16 coordinates take 5 times 18 · 2^-23 of the larger ones
// (halves.cuh), and what says which of eight centres it is 2^-20: less than 2^-15 together. Of a score of zero it takes
// 2^-146.
struct ScoreBounds : Bounds {
  static constexpr float kOfProducts = 0x1.7p-17f;

  __device__ ScoreBounds() {
    const bool has = threadIdx.x < kFinders;
    centre = 1.001f * sqrtf(block_max(has ? prepared.most[threadIdx.x] : 0.0f));
    difference = 1.001f * sqrtf(block_max(has ? prepared.most_off[threadIdx.x] : 0.0f));
  }
  __device__ float doubt(float length, float off) const { return doubt_of(length, off, 0x1p-15f) + 0x1p-100f; }
  // Of a share's score without its number, of a point whose best score, lifted, is known. Of a nearer centre that is at
  // most as far as the best one, so the two are at most twice the distance from the point apart, which is what rounding
  // of the point is multiplied by.
  __device__ float doubt_at(float length, float off, float score) const {
    const float most = doubt_of(length, off, kOfProducts),
                squares = length * length + centre * centre - 2 * score + most;
    return most - 2.05f * off * fmaxf(centre - 1.001f * sqrtf(fmaxf(squares, 0)), 0);
  }
  // Added to all scores: the largest is hardly ever negative then, and floats that are not are in the order of
  // their bits.
  __device__ float lift() const { return 0.5f * centre * centre; }
};

// By all threads of the block. They wait for `landed` before they use the halves.
__device__ inline void copy_halves(const Problem& p, uint4* to, Barrier* landed) {
  if (threadIdx.x != 0) return;
  barrier_init(landed);
  const unsigned bytes = rows_of(p) * kTileBytes;
  expect_bytes(landed, bytes);
  copy_in(to, prepared.halves, bytes, landed);
}
