// MRG32k3a (P. L'Ecuyer, "Good Parameters and Implementations for Combined Multiple Recursive Random Number Generators",
// 1999) as cuRAND seeds and splits it: subsequences are 2^76 numbers apart, sequences 2^127 (L'Ecuyer et al., "An
// Object-Oriented Random-Number Package with Many Long Streams and Substreams", 2002).
#pragma once

#include "states.h"

namespace warpwise {
namespace random {

constexpr unsigned long long kMrgModulus[2] = {4294967087ull, 4294944443ull};

struct MrgMatrix {
  unsigned int at[3][3];
};

// One step of each component, and 2^76 and 2^127 of them: the matrix multiplied by itself as often, modulo m1 or m2.
static __device__ const MrgMatrix mrg_steps[3][2] = {
    {{{{0, 1, 0}, {0, 0, 1}, {4294156359u, 1403580, 0}}}, {{{0, 1, 0}, {0, 0, 1}, {4293573854u, 0, 527612}}}},
    {{{{82758667u, 1871391091u, 4127413238u}, {3672831523u, 69195019u, 1871391091u}, {3672091415u, 3528743235u, 69195019u}}},
     {{{1511326704u, 3759209742u, 1610795712u}, {4292754251u, 1511326704u, 3889917532u}, {3859662829u, 4292754251u, 3708466080u}}}},
    {{{{2427906178u, 3580155704u, 949770784u}, {226153695u, 1230515664u, 3580155704u}, {1988835001u, 986791581u, 1230515664u}}},
     {{{1464411153u, 277697599u, 1610723613u}, {32183930u, 1464411153u, 1022607788u}, {2824425944u, 32183930u, 2093834863u}}}},
};

// a·b + c·d + e·f modulo m, every factor below 2^32.
template <int Component>
WARPWISE_RANDOM unsigned int mrg_sum(unsigned long long a, unsigned int b, unsigned long long c, unsigned int d,
                                     unsigned long long e, unsigned int f) {
  constexpr unsigned long long m = kMrgModulus[Component];
  return static_cast<unsigned int>((a * b % m + c * d % m + e * f % m) % m);
}

// The state advanced n times by `step`.
template <int Component> static inline __device__ void mrg_jump(unsigned int (&s)[3], MrgMatrix step, unsigned long long n) {
  for (; n; n >>= 1) {
    if (n & 1) {
      unsigned int moved[3];
#pragma unroll
      for (int i = 0; i < 3; ++i)
        moved[i] = mrg_sum<Component>(step.at[i][0], s[0], step.at[i][1], s[1], step.at[i][2], s[2]);
#pragma unroll
      for (int i = 0; i < 3; ++i) s[i] = moved[i];
    }
    MrgMatrix twice;
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j)
        twice.at[i][j] = mrg_sum<Component>(step.at[i][0], step.at[0][j], step.at[i][1], step.at[1][j], step.at[i][2], step.at[2][j]);
    step = twice;
  }
}

static inline __device__ void mrg_skip(curandStateMRG32k3a_t* state, int distance, unsigned long long n) {
  mrg_jump<0>(state->s1, mrg_steps[distance][0], n);
  mrg_jump<1>(state->s2, mrg_steps[distance][1], n);
}

}  // namespace random
}  // namespace warpwise

static inline __device__ void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) { warpwise::random::mrg_skip(state, 0, n); }
static inline __device__ void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  warpwise::random::mrg_skip(state, 1, n);
}
static inline __device__ void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  warpwise::random::mrg_skip(state, 2, n);
}

static inline __device__ void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                          curandStateMRG32k3a_t* state) {
  // Seed 0 is L'Ecuyer's own start; the salts of the others are cuRAND's.
  const unsigned long long low = seed ? static_cast<unsigned int>(seed) ^ 0x55555555u : 1;
  const unsigned long long high = seed ? static_cast<unsigned int>(seed >> 32) ^ 0xaaaaaaaau : 1;
  using warpwise::random::kMrgModulus;
  state->s1[0] = state->s1[2] = static_cast<unsigned int>(low * 12345 % kMrgModulus[0]);
  state->s1[1] = static_cast<unsigned int>(high * 12345 % kMrgModulus[0]);
  state->s2[0] = state->s2[2] = static_cast<unsigned int>(high * 12345 % kMrgModulus[1]);
  state->s2[1] = static_cast<unsigned int>(low * 12345 % kMrgModulus[1]);
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
  warpwise::random::forget_second(state);
}

// The next number, 1 to m1.
WARPWISE_RANDOM double curand_MRG32k3a(curandStateMRG32k3a_t* state) {
  using namespace warpwise::random;
  const unsigned int a = mrg_sum<0>(1403580, state->s1[1], 4294967087u - 810728u, state->s1[0], 0, 0);
  const unsigned int b = mrg_sum<1>(527612, state->s2[2], 4294944443u - 1370589u, state->s2[0], 0, 0);
  state->s1[0] = state->s1[1], state->s1[1] = state->s1[2], state->s1[2] = a;
  state->s2[0] = state->s2[1], state->s2[1] = state->s2[2], state->s2[2] = b;
  return a > b ? a - b : a - b + static_cast<unsigned int>(kMrgModulus[0]);
}
// Scaled to the range of 32 bits.
WARPWISE_RANDOM unsigned int curand(curandStateMRG32k3a_t* state) {
  return static_cast<unsigned int>(curand_MRG32k3a(state) * 1.000000048662);
}
