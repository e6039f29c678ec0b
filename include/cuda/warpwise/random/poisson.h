// Poisson numbers by cuRAND's three methods: multiplication of uniform numbers for a small mean (D. Knuth, "The Art of
// Computer Programming", volume 2, 3.4.1), a rounded normal number for a large one, and between them rejection with a
// logistic approximation of the incomplete gamma function, whose constants are cuRAND's.
#pragma once

#include "distributions.h"

namespace warpwise {
namespace random {

template <class State> static inline __device__ unsigned int poisson_by_products(State* state, float mean) {
  unsigned int factors = 0;
  for (float product = expf(mean); factors == 0 || product > 1.0f; ++factors) product *= curand_uniform(state);
  return factors - 1;
}

// The approximation's two parameters depend on the mean alone.
struct GammaCurve {
  float mean, slope, shift;
};
WARPWISE_RANDOM float fast_rsqrt(float x) {
  asm("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}
WARPWISE_RANDOM float fast_reciprocal(float x) {
  asm("rcp.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}
WARPWISE_RANDOM float fast_exp(float x) {
  x = static_cast<float>(x * 1.4426950408889634);
  asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}
WARPWISE_RANDOM float fast_log(float x) {
  asm("lg2.approx.ftz.f32 %0, %0;" : "+f"(x));
  return static_cast<float>(x * 0.69314718055994530942);
}
WARPWISE_RANDOM GammaCurve gamma_curve(float mean) {
  return {mean, 1.43248035075540910f * fast_rsqrt(mean - 0.12400979329415655f) + 0.00025361074907033f,
          0.21096734870196546f * fast_rsqrt(mean - 1.97381164089999420f) + 0.94201734077887530f};
}
WARPWISE_RANDOM float below(const GammaCurve& curve, float x) {
  const float t = 1.0f + fast_exp(curve.slope * (curve.mean - x) - curve.shift);
  return fast_reciprocal(t * t);
}
WARPWISE_RANDOM float where(const GammaCurve& curve, float y) {
  const float t = curve.shift + fast_log(fast_rsqrt(y) - 1.0f);
  return -t * fast_reciprocal(curve.slope) + curve.mean;
}
// log((n - 1)!), by Stirling's series from 9 on. (Coefficients: J. Hart et al., "Computer Approximations", 1968, no. 5404.)
static inline __device__ double log_factorial_before(int n) {
  constexpr double kSmall[9] = {0, 0, 0.6931471805599453, 1.791759469228055, 3.1780538303479458, 4.787491742782046,
                                6.579251212010101, 8.525161361065415, 10.604602902745251};
  const double a = fabs(static_cast<float>(n));
  if (n <= 8) return kSmall[static_cast<int>(a) - 1];
  const double s = 1.0 / a, t = s * s;
  double sum = -0.1633436431e-2;
  sum = sum * t + 0.83645878922e-3;
  sum = sum * t - 0.5951896861197e-3;
  sum = sum * t + 0.793650576493454e-3;
  sum = sum * t - 0.277777777735865004e-2;
  sum = sum * t + 0.833333333333331018375e-1;
  sum = sum * s + 0.918938533204672;
  const double half_log = 0.5 * log(a), product = half_log * (a - 0.5);
  return (product - a) + (product + sum);
}

template <class State> static inline __device__ unsigned int poisson_by_rejection(State* state, float mean) {
  const GammaCurve curve = gamma_curve(mean);
  const float log_mean = fast_log(mean);
  for (;;) {
    const float x = floorf(where(curve, curand_uniform(state)));
    const float height = (below(curve, x + 1.0f) - below(curve, x)) * 1.3f;
    const float z = curand_uniform(state) * height;
    const float wanted = fast_exp(-mean + x * log_mean - static_cast<float>(log_factorial_before(static_cast<int>(1.0f + x))));
    if (z < wanted && height >= 1e-20) return static_cast<unsigned int>(x);
  }
}

constexpr double kFewProducts = 64, kNearlyNormal = 4000;

}  // namespace random
}  // namespace warpwise

#define WARPWISE_POISSON(State)                                                                              \
  static inline __device__ unsigned int curand_poisson(State* state, double lambda) {                        \
    using namespace warpwise::random;                                                                        \
    if (lambda < kFewProducts) return poisson_by_products(state, static_cast<float>(lambda));                \
    if (lambda <= kNearlyNormal) return poisson_by_rejection(state, static_cast<float>(lambda));             \
    return static_cast<unsigned int>(sqrt(lambda) * curand_normal_double(state) + lambda + 0.5);             \
  }
WARPWISE_POISSON(curandStateXORWOW_t)
WARPWISE_POISSON(curandStatePhilox4_32_10_t)
WARPWISE_POISSON(curandStateMRG32k3a_t)
#undef WARPWISE_POISSON

static inline __device__ uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double lambda) {
  using namespace warpwise::random;
  if (lambda > kNearlyNormal) {
    const double4 v = curand_normal4_double(state);
    const double root = sqrt(lambda);
    return make_uint4(static_cast<unsigned int>(root * v.x + lambda + 0.5), static_cast<unsigned int>(root * v.y + lambda + 0.5),
                      static_cast<unsigned int>(root * v.z + lambda + 0.5), static_cast<unsigned int>(root * v.w + lambda + 0.5));
  }
  const unsigned int x = curand_poisson(state, lambda), y = curand_poisson(state, lambda), z = curand_poisson(state, lambda),
                     w = curand_poisson(state, lambda);
  return make_uint4(x, y, z, w);
}
