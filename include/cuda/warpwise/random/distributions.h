// Distributions over the generators' bits (cuRAND library guide, "Distributions" of the device API). The mapping from
// bits to numbers is cuRAND's. Uniform numbers agree to the last bit, the others up to the rounding of logarithm, sine
// and cosine.
#pragma once

#include "mrg32k3a.h"
#include "philox.h"
#include "xorwow.h"

namespace warpwise {
namespace random {

// (0, 1], never 0: half a step is added.
WARPWISE_RANDOM float unit(unsigned int x) { return x * 0x1p-32f + 0x1p-33f; }
WARPWISE_RANDOM double unit53(unsigned int x, unsigned int y) {
  return (static_cast<unsigned long long>(x) ^ static_cast<unsigned long long>(y) << 21) * 0x1p-53 + 0x1p-54;
}

// G. Box and M. Muller (1958): two normal numbers from two uniform ones.
WARPWISE_RANDOM float2 normals(float u, float angle) {
  const float length = sqrtf(-2.0f * logf(u));
  float s, c;
  __sincosf(angle, &s, &c);
  return make_float2(s * length, c * length);
}
WARPWISE_RANDOM double2 normals(double u, double half_turns) {
  const double length = sqrt(-2.0 * log(u));
  double s, c;
  sincospi(half_turns, &s, &c);
  return make_double2(s * length, c * length);
}
WARPWISE_RANDOM float2 normals(unsigned int x, unsigned int y) {
  constexpr float kTurn = 2.3283064e-10f * 6.2831855f;  // 2 pi / 2^32
  return normals(unit(x), y * kTurn + kTurn / 2);
}
WARPWISE_RANDOM double2 normals(uint4 x) {
  const unsigned long long y = static_cast<unsigned long long>(x.z) ^ static_cast<unsigned long long>(x.w) << 21;
  return normals(unit53(x.x, x.y), y * 0x1p-52 + 0x1p-53);
}

template <class State> WARPWISE_RANDOM float2 normal_pair(State* state) {
  const unsigned int x = curand(state), y = curand(state);
  return normals(x, y);
}
WARPWISE_RANDOM float2 normal_pair(curandStateMRG32k3a_t* state);
template <class State> WARPWISE_RANDOM uint4 four(State* state) {
  const unsigned int x = curand(state), y = curand(state), z = curand(state), w = curand(state);
  return make_uint4(x, y, z, w);
}
WARPWISE_RANDOM uint4 four(curandStatePhilox4_32_10_t* state) { return curand4(state); }
template <class State> WARPWISE_RANDOM double2 normal_pair_double(State* state) { return normals(four(state)); }
WARPWISE_RANDOM double2 normal_pair_double(curandStateMRG32k3a_t* state);

// The first of a pair now, the second at the next call.
template <class State> WARPWISE_RANDOM float one_of(State* state, int kind, float mean, float deviation) {
  if (state->boxmuller_flag == kind) {
    state->boxmuller_flag = kNoneWaits;
    return state->boxmuller_extra;
  }
  const float2 pair = normal_pair(state);
  const bool log_normal = kind == kLogNormalWaits;
  state->boxmuller_extra = log_normal ? expf(mean + deviation * pair.y) : pair.y;
  state->boxmuller_flag = kind;
  return log_normal ? expf(mean + deviation * pair.x) : pair.x;
}
template <class State> WARPWISE_RANDOM double one_of_double(State* state, int kind, double mean, double deviation) {
  if (state->boxmuller_flag_double == kind) {
    state->boxmuller_flag_double = kNoneWaits;
    return state->boxmuller_extra_double;
  }
  const double2 pair = normal_pair_double(state);
  const bool log_normal = kind == kLogNormalWaits;
  state->boxmuller_extra_double = log_normal ? exp(mean + deviation * pair.y) : pair.y;
  state->boxmuller_flag_double = kind;
  return log_normal ? exp(mean + deviation * pair.x) : pair.x;
}

}  // namespace random
}  // namespace warpwise

// --- uniform -----------------------------------------------------------------------------------
WARPWISE_RANDOM float curand_uniform(curandStateXORWOW_t* state) { return warpwise::random::unit(curand(state)); }
WARPWISE_RANDOM double curand_uniform_double(curandStateXORWOW_t* state) {
  const unsigned int x = curand(state), y = curand(state);
  return warpwise::random::unit53(x, y);
}
WARPWISE_RANDOM float curand_uniform(curandStatePhilox4_32_10_t* state) { return warpwise::random::unit(curand(state)); }
WARPWISE_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  using warpwise::random::unit;
  const uint4 x = curand4(state);
  return make_float4(unit(x.x), unit(x.y), unit(x.z), unit(x.w));
}
// 32 bits only, and up to 1: cuRAND's Philox differs from its XORWOW here.
WARPWISE_RANDOM double curand_uniform_double(curandStatePhilox4_32_10_t* state) { return curand(state) * 0x1p-32 + 0x1p-32; }
WARPWISE_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  using warpwise::random::unit53;
  const uint4 x = curand4(state);
  return make_double2(unit53(x.x, x.y), unit53(x.z, x.w));
}
WARPWISE_RANDOM double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
  const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return make_double4(a.x, a.y, b.x, b.y);
}
WARPWISE_RANDOM double curand_uniform_double(curandStateMRG32k3a_t* state) {
  return curand_MRG32k3a(state) * 2.3283065498378288e-10;  // 1 / (m1 + 1)
}
WARPWISE_RANDOM float curand_uniform(curandStateMRG32k3a_t* state) { return static_cast<float>(curand_uniform_double(state)); }

namespace warpwise {
namespace random {
WARPWISE_RANDOM float2 normal_pair(curandStateMRG32k3a_t* state) {
  const float u = curand_uniform(state), v = curand_uniform(state);
  return normals(u, v * 6.2831855f);
}
WARPWISE_RANDOM double2 normal_pair_double(curandStateMRG32k3a_t* state) {
  const double u = curand_uniform_double(state), v = curand_uniform_double(state);
  return normals(u, v * 2.0);
}
}  // namespace random
}  // namespace warpwise

// --- normal and log-normal, for each generator --------------------------------------------------
#define WARPWISE_NORMALS(State)                                                                          \
  WARPWISE_RANDOM float curand_normal(State* state) {                                                    \
    return warpwise::random::one_of(state, warpwise::random::kNormalWaits, 0, 1);                        \
  }                                                                                                      \
  WARPWISE_RANDOM float2 curand_normal2(State* state) { return warpwise::random::normal_pair(state); }   \
  WARPWISE_RANDOM double curand_normal_double(State* state) {                                            \
    return warpwise::random::one_of_double(state, warpwise::random::kNormalWaits, 0, 1);                 \
  }                                                                                                      \
  WARPWISE_RANDOM double2 curand_normal2_double(State* state) {                                          \
    return warpwise::random::normal_pair_double(state);                                                  \
  }                                                                                                      \
  WARPWISE_RANDOM float curand_log_normal(State* state, float mean, float stddev) {                      \
    return warpwise::random::one_of(state, warpwise::random::kLogNormalWaits, mean, stddev);             \
  }                                                                                                      \
  WARPWISE_RANDOM float2 curand_log_normal2(State* state, float mean, float stddev) {                    \
    const float2 v = curand_normal2(state);                                                              \
    return make_float2(expf(mean + stddev * v.x), expf(mean + stddev * v.y));                            \
  }                                                                                                      \
  WARPWISE_RANDOM double curand_log_normal_double(State* state, double mean, double stddev) {            \
    return warpwise::random::one_of_double(state, warpwise::random::kLogNormalWaits, mean, stddev);      \
  }                                                                                                      \
  WARPWISE_RANDOM double2 curand_log_normal2_double(State* state, double mean, double stddev) {          \
    const double2 v = curand_normal2_double(state);                                                      \
    return make_double2(exp(mean + stddev * v.x), exp(mean + stddev * v.y));                             \
  }
WARPWISE_NORMALS(curandStateXORWOW_t)
WARPWISE_NORMALS(curandStatePhilox4_32_10_t)
WARPWISE_NORMALS(curandStateMRG32k3a_t)
#undef WARPWISE_NORMALS

WARPWISE_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  const float2 a = warpwise::random::normals(x.x, x.y), b = warpwise::random::normals(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
WARPWISE_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float stddev) {
  const float4 v = curand_normal4(state);
  return make_float4(expf(mean + stddev * v.x), expf(mean + stddev * v.y), expf(mean + stddev * v.z), expf(mean + stddev * v.w));
}
WARPWISE_RANDOM double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
  const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return make_double4(a.x, a.y, b.x, b.y);
}
WARPWISE_RANDOM double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* state, double mean, double stddev) {
  const double4 v = curand_normal4_double(state);
  return make_double4(exp(mean + stddev * v.x), exp(mean + stddev * v.y), exp(mean + stddev * v.z), exp(mean + stddev * v.w));
}
