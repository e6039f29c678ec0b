// What every block needs of the centres, worked out once.
#pragma once

#include "answer.cuh"
#include "shares.cuh"

struct Prepared {
  uint4 halves[kMostCentres * Centres::kPieces];  // as they lie in Centres
  uint4 of_shares[kShares * 32][2];               // by shares, what each lane wants of one (best_of_share.cuh)
  float starts[kMostCentres];                     // -|h'|²/2; of rows without a centre, a score that none has
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
    if (piece == 0) prepared.starts[row] = row < p.clusters ? -0.5f * rounded.of_halves : -FLT_MAX / 2;
  }
  squares = block_max(squares), off = block_max(off);
  if (threadIdx.x == 0) prepared.most[blockIdx.x] = squares, prepared.most_off[blockIdx.x] = off;
  if (threadIdx.x == 0 && blockIdx.x == 0) prepared.scale = scale;
}

// Scores have the starts of rounded centres: h·h' - |h'|²/2 is half of |h|² less the square of the distance between the
// halves. Those are e = |r| + |r'| from the point and the centre together, so half of a square of a distance d is off
// by at most e·d + e²/2: by less than with the start of the centre itself, where |x| |r'| is in the place of d |r'|.
struct ScoreBounds : Bounds {
  // Five products of 16 coordinates take 5 times 18 · 2^-23 of the larger ones (halves.cuh). Of a score of zero, what
  // says which of eight centres it is takes 2^-146.
  static constexpr float kOfProducts = 0x1.7p-17f;

  // By all threads. Those before it have read what the one before left.
  __device__ ScoreBounds() {
    __shared__ float2 of_warp[kFinders / 32];
    const bool has = threadIdx.x < kFinders;
    float most = has ? prepared.most[threadIdx.x] : 0.0f, most_off = has ? prepared.most_off[threadIdx.x] : 0.0f;
    for (int lanes = 16; lanes > 0; lanes /= 2) {
      most = fmaxf(most, __shfl_xor_sync(~0u, most, lanes));
      most_off = fmaxf(most_off, __shfl_xor_sync(~0u, most_off, lanes));
    }
    if (has && threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = {most, most_off};
    __syncthreads();
    for (int warp = 0; warp < kFinders / 32; ++warp)
      most = fmaxf(most, of_warp[warp].x), most_off = fmaxf(most_off, of_warp[warp].y);
    centre = 1.001f * sqrtf(most), difference = 1.001f * sqrtf(most_off);
  }
  // How far below the best score, of a point of this length, the score of a nearer centre may be. It is at most as far
  // from the point as the best one's centre. `lift` is what the score has been lifted by; `of_sums`: what may be
  // missing of the larger of products and starts.
  __device__ float doubt_at(float length, float off, float score, float lift, float of_sums) const {
    const float sums = 2.05f * (length + 0.5f * centre) * centre * of_sums, rounding = off + difference;
    const float square = (length + off) * (length + off) + 2 * (lift - score) + sums;
    float distance;  // of the halves; that of the point is `rounding` more at most
    asm("sqrt.approx.f32 %0, %1;" : "=f"(distance) : "f"(fmaxf(square, 0)));
    return 2.01f * rounding * (distance + 2 * rounding) + sums + 0x1p-100f;
  }
  __device__ float doubt_of_lifted(float length, float off, float score) const {
    return doubt_at(length, off, score, lift(), kOfProducts);
  }
  // Of a product of four times 16 coordinates, with the number of one of eight centres in the last bits of a score
  // (2^-20): less than 2^-15. Halves take at most 2^-11 of a coordinate that they have a number for, and 2^-25 of a
  // very small one.
  __device__ float doubt_in_share(float length, float score) const {
    return doubt_at(length, length * 0x1p-11f + 0x1p-21f, score, 0, 0x1p-15f);
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
