// Philox4x32-10 (J. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011) with cuRAND's counter: the
// low half of the 128-bit counter is the position in a sequence, in fours, the high half the sequence.
#pragma once

#include "states.h"

namespace warpwise {
namespace random {

WARPWISE_RANDOM uint4 philox(uint4 c, uint2 key) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
    c = make_uint4(static_cast<unsigned int>(b >> 32) ^ c.y ^ key.x, static_cast<unsigned int>(b),
                   static_cast<unsigned int>(a >> 32) ^ c.w ^ key.y, static_cast<unsigned int>(a));
    key.x += 0x9e3779b9u;  // the golden ratio and the square root of 3, less 1
    key.y += 0xbb67ae85u;
  }
  return c;
}

WARPWISE_RANDOM void philox_advance(curandStatePhilox4_32_10_t* state, unsigned long long fours, unsigned long long sequences) {
  const unsigned long long low = static_cast<unsigned long long>(state->ctr.y) << 32 | state->ctr.x;
  const unsigned long long high = static_cast<unsigned long long>(state->ctr.w) << 32 | state->ctr.z;
  const unsigned long long new_low = low + fours, new_high = high + sequences + (new_low < low ? 1 : 0);
  state->ctr = make_uint4(static_cast<unsigned int>(new_low), static_cast<unsigned int>(new_low >> 32),
                          static_cast<unsigned int>(new_high), static_cast<unsigned int>(new_high >> 32));
  state->output = philox(state->ctr, state->key);
}

}  // namespace random
}  // namespace warpwise

WARPWISE_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned int place = state->STATE + static_cast<unsigned int>(n & 3);
  state->STATE = place & 3;
  warpwise::random::philox_advance(state, n / 4 + place / 4, 0);
}
WARPWISE_RANDOM void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  warpwise::random::philox_advance(state, 0, n);
}

WARPWISE_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                 curandStatePhilox4_32_10_t* state) {
  state->ctr = make_uint4(0, 0, 0, 0);
  state->key = make_uint2(static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32));
  state->STATE = 0;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  warpwise::random::forget_second(state);
}

WARPWISE_RANDOM unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const uint4 all = state->output;
  const unsigned int place = state->STATE;
  if (place == 3) warpwise::random::philox_advance(state, 1, 0);
  state->STATE = (place + 1) & 3;
  return place == 0 ? all.x : place == 1 ? all.y : place == 2 ? all.z : all.w;
}

// The next four numbers, from any position.
WARPWISE_RANDOM uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const uint4 a = state->output;
  warpwise::random::philox_advance(state, 1, 0);
  const uint4 b = state->output;
  switch (state->STATE) {
    case 0: return a;
    case 1: return make_uint4(a.y, a.z, a.w, b.x);
    case 2: return make_uint4(a.z, a.w, b.x, b.y);
    default: return make_uint4(a.w, b.x, b.y, b.z);
  }
}
