// XORWOW (G. Marsaglia, "Xorshift RNGs", 2003, section 3.1) with cuRAND's seeding and splitting: sequences are 2^67
// numbers apart (cuRAND library guide, "Bit Generation with XORWOW and MRG32k3a generators").
#pragma once

#include "states.h"

namespace warpwise {
namespace random {

static __device__ const unsigned int xorwow_jumps[128][5] = {
#define XORWOW_JUMP(a, b, c, d, e) {a, b, c, d, e},
#include "xorwow_jumps.inc"
#undef XORWOW_JUMP
};

constexpr unsigned int kXorwowWeyl = 362437;

WARPWISE_RANDOM void xorwow_step(unsigned int (&v)[5]) {
  const unsigned int t = v[0] ^ v[0] >> 2;
  v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
  v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}

// v becomes the sum of A^i v over the bits i of the polynomial, where A is one step.
static inline __device__ void xorwow_jump(unsigned int (&v)[5], const unsigned int (&polynomial)[5]) {
  unsigned int sum[5] = {};
  for (int word = 0; word < 5; ++word) {
    unsigned int bits = polynomial[word];
    for (int i = 0; i < 32; ++i, bits >>= 1) {
      const unsigned int wanted = 0u - (bits & 1);
#pragma unroll
      for (int j = 0; j < 5; ++j) sum[j] ^= v[j] & wanted;
      xorwow_step(v);
    }
  }
#pragma unroll
  for (int j = 0; j < 5; ++j) v[j] = sum[j];
}

// Advances by n times the distance of the table's row `first`, which doubles from row to row.
static inline __device__ void xorwow_jumps_from(unsigned int (&v)[5], unsigned long long n, int first) {
  for (int k = first; n; ++k, n >>= 1)
    if (n & 1) xorwow_jump(v, xorwow_jumps[k]);
}

}  // namespace random
}  // namespace warpwise

static inline __device__ void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  warpwise::random::xorwow_jumps_from(state->v, n, 0);
  state->d += warpwise::random::kXorwowWeyl * static_cast<unsigned int>(n);
}
// 2^67 steps leave d as it is: they add a multiple of 2^32.
static inline __device__ void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  warpwise::random::xorwow_jumps_from(state->v, n, 64);
}

static inline __device__ void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                          curandStateXORWOW_t* state) {
  // The salts and factors are cuRAND's own; Marsaglia's initial words receive the halves of the seed alternately.
  const unsigned int low = 1099087573u * (static_cast<unsigned int>(seed) ^ 0xaad26b49u);
  const unsigned int high = 2591861531u * (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu);
  state->d = 6615241u + low + high;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  warpwise::random::forget_second(state);
}

WARPWISE_RANDOM unsigned int curand(curandStateXORWOW_t* state) {
  warpwise::random::xorwow_step(state->v);
  return state->v[4] + (state->d += warpwise::random::kXorwowWeyl);
}
