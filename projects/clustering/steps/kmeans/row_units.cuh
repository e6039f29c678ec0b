// Rows of points in units of 16, as a warp reads them: to multiply them by centres, and to add them up.
//
// A unit lies in shared memory, a row of 64 coordinates after the other, and is read twice. A product with centres
// contracts coordinates: a lane wants four neighbours of row lane / 4. A sum is a product, too, of the rows by a matrix
// of ones and zeros that says which row belongs to which centre, and contracts rows: a lane wants one coordinate each
// of the rows lane % 4, lane % 4 + 4, and so on. Pieces of 16 bytes are swizzled so that eight lanes of either kind
// read different banks.
#pragma once

#include "prepared.cuh"

constexpr int kUnit = 16;

// By addresses in shared memory: a lane's own part of one is a register, and the rest is known when this is compiled.
// Of a swizzled index in an array the compiler keeps one register for each coordinate, more than there are.
__device__ inline float shared_float(unsigned address) {
  float x;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(address) : "memory");
  return x;
}
__device__ inline float4 shared_four(unsigned address) {
  float4 x;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(x.x), "=f"(x.y), "=f"(x.z), "=f"(x.w)
               : "r"(address)
               : "memory");
  return x;
}

struct alignas(256) Unit {
  float4 pieces[kUnit * 16];

  __device__ static int swizzle(int row) { return row % 2 * 4 + row / 2 % 2 * 2; }
  __device__ static int place(int row, int piece) { return row * 16 + (piece ^ swizzle(row)); }

  // By a warp: asks for so many rows, of the points that which(row) says; the last one fills the rest. Coordinates that
  // points do not have become zeros, up to kDepth.
  template <int kDepth, class Which>
  __device__ void ask(const Problem& p, int count, Which which) {
    constexpr int kPieces = kDepth / 4, kRowsAtOnce = 32 / kPieces;
    const int lane = lane_of_thread(), piece = lane % kPieces;
    const int mine = which(min(lane % kUnit, count - 1));
    unsigned first = unsigned(lane) / kPieces;
    asm volatile("" : "+r"(first));  // not eight numbers of rows, kept for the next time
    if (p.dimensions % 4 == 0 && reinterpret_cast<size_t>(p.coordinates) % 16 == 0) {
      const int bytes = piece * 4 < p.dimensions ? 16 : 0;
      const unsigned row_bytes = p.dimensions * sizeof(float);
      const char* from = reinterpret_cast<const char*>(p.coordinates + min(piece * 4, p.dimensions - 4));
      const unsigned to = shared_address(&pieces[place(lane / kPieces, piece)]);
#pragma unroll
      for (int i = 0; i < kUnit / kRowsAtOnce; ++i) {
        const int rows = i * kRowsAtOnce;  // before those of this turn: their bits of the swizzle are apart
        const unsigned which = __shfl_sync(~0u, mine, rows + first);
        asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2, %3;" ::"r"(
                         (to ^ swizzle(rows) * 16) + rows * 256),
                     "l"(__cvta_generic_to_global(from + size_t(which) * row_bytes)), "r"(bytes), "l"(kEvictFirst)
                     : "memory");
      }
    } else {
#pragma unroll 1
      for (int i = 0; i < kUnit / kRowsAtOnce; ++i) {
        const int row = i * kRowsAtOnce + int(first);
        const float* from = p.coordinates + size_t(__shfl_sync(~0u, mine, row)) * p.dimensions + piece * 4;
        auto at = [&](int d) { return piece * 4 + d < p.dimensions ? from[d] : 0.0f; };
        pieces[place(row, piece)] = float4{at(0), at(1), at(2), at(3)};
      }
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  // Until so many at most of those that the lane has asked for are on their way.
  template <int kOnTheWay>
  __device__ static void wait() {
    asm volatile("cp.async.wait_group %0;" ::"n"(kOnTheWay) : "memory");
    __syncwarp();
  }
  __device__ static void ask_for_none() { asm volatile("cp.async.commit_group;" ::: "memory"); }
};

// First factors of products in half precision, scaled, and how long the lane's two rows are.
template <int kDepth>
struct UnitHalves {
  unsigned halves[kDepth / 16][4];
  float squares[kRows];

  __device__ void read(const Unit& unit, float scale) {
    const int lane = lane_of_thread(), quad = lane / 4, q = lane % 4;
    // Unit::place, in bytes: one bit of the swizzle turns a sixteen, the other one a piece of it.
    const unsigned from = shared_address(&unit) + quad * 256 + ((q * 16) ^ (Unit::swizzle(quad) * 16));
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      squares[r] = 0;
#pragma unroll
      for (int sixteen = 0; sixteen < kDepth / 16; ++sixteen) {
        float4 x = shared_four((from ^ sixteen * 64) + r * 8 * 256);
        x.x *= scale, x.y *= scale, x.z *= scale, x.w *= scale;
        squares[r] += x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w;
        const __half2 first = __floats2half2_rn(x.x, x.y), second = __floats2half2_rn(x.z, x.w);
        halves[sixteen][r] = reinterpret_cast<const unsigned&>(first);
        halves[sixteen][2 + r] = reinterpret_cast<const unsigned&>(second);
      }
    }
  }
};

// The same rows as first factors of sums: sixteen coordinates, tile by tile, times eight rows. Of tile t the lane has
// the coordinates 8 · t + lane / 4 and, if there are more than 32, 32 more; of the rows lane % 4 and four further.
template <int kDepth>
struct UnitColumns {
  static constexpr int kTiles = kDepth < 32 ? kDepth / 8 : 4, kHalves = kDepth > 32 ? 2 : 1;

  // Where a lane's coordinates begin, in bytes of a unit.
  __device__ static unsigned place_of(unsigned lane) {
    const unsigned quad = lane / 4, q = lane % 4;
    return q * 256 + (quad / 4 ^ Unit::swizzle(q)) * 16 + quad % 4 * 4;
  }
  // Of eight rows, from 8 · i on: [four rows further · 2 + 32 coordinates further].
  __device__ static void read(unsigned from, int i, int tile, float (&x)[4]) {
#pragma unroll
    for (int j = 0; j < 4; ++j)
      x[j] = j % 2 < kHalves ? shared_float((from ^ tile * 32) + i * 8 * 256 + j / 2 * 4 * 256 + j % 2 * 128) : 0.0f;
  }
};
