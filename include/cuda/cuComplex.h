// Complex numbers as pairs: cuFloatComplex and cuDoubleComplex.
#pragma once

#include <math.h>

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// A pair with these components, in C and C++.
#ifdef __cplusplus
#define WARPWISE_PAIR(C, re, im) (C{re, im})
#else
#define WARPWISE_PAIR(C, re, im) ((C){re, im})
#endif

// Division by Smith's method (Communications of the ACM 5, 1962), which has no intermediate overflow.
#define WARPWISE_COMPLEX(T, C, f, fabs_, sqrt_)                                                                        \
  static inline __host__ __device__ T cuCreal##f(C a) { return a.x; }                                                  \
  static inline __host__ __device__ T cuCimag##f(C a) { return a.y; }                                                  \
  static inline __host__ __device__ C cuConj##f(C a) { return WARPWISE_PAIR(C, a.x, -a.y); }                           \
  static inline __host__ __device__ C cuCadd##f(C a, C b) { return WARPWISE_PAIR(C, a.x + b.x, a.y + b.y); }           \
  static inline __host__ __device__ C cuCsub##f(C a, C b) { return WARPWISE_PAIR(C, a.x - b.x, a.y - b.y); }           \
  static inline __host__ __device__ C cuCmul##f(C a, C b) { return WARPWISE_PAIR(C, a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }\
  static inline __host__ __device__ C cuCdiv##f(C a, C b) {                                                            \
    if (fabs_(b.x) >= fabs_(b.y)) {                                                                                    \
      const T r = b.y / b.x, d = b.x + b.y * r;                                                                        \
      return WARPWISE_PAIR(C, (a.x + a.y * r) / d, (a.y - a.x * r) / d);                                               \
    }                                                                                                                  \
    const T r = b.x / b.y, d = b.x * r + b.y;                                                                          \
    return WARPWISE_PAIR(C, (a.x * r + a.y) / d, (a.y * r - a.x) / d);                                                 \
  }                                                                                                                    \
  static inline __host__ __device__ C cuCfma##f(C a, C b, C c) { return cuCadd##f(cuCmul##f(a, b), c); }               \
  static inline __host__ __device__ T cuCabs##f(C a) {                                                                 \
    const T x = fabs_(a.x), y = fabs_(a.y), big = x > y ? x : y, small = x > y ? y : x;                                \
    if (big == 0 || big > (sizeof(T) == 4 ? 0x1.fffffep127 : 0x1.fffffffffffffp1023)) return big;                      \
    const T r = small / big;                                                                                           \
    return big * sqrt_(1 + r * r);                                                                                     \
  }
WARPWISE_COMPLEX(float, cuFloatComplex, f, fabsf, sqrtf)
WARPWISE_COMPLEX(double, cuDoubleComplex, , fabs, sqrt)
#undef WARPWISE_COMPLEX
static inline __host__ __device__ cuFloatComplex make_cuFloatComplex(float re, float im) { return WARPWISE_PAIR(cuFloatComplex, re, im); }
static inline __host__ __device__ cuDoubleComplex make_cuDoubleComplex(double re, double im) { return WARPWISE_PAIR(cuDoubleComplex, re, im); }
static inline __host__ __device__ cuComplex make_cuComplex(float re, float im) { return WARPWISE_PAIR(cuComplex, re, im); }
static inline __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return WARPWISE_PAIR(cuDoubleComplex, a.x, a.y); }
static inline __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return WARPWISE_PAIR(cuFloatComplex, (float)a.x, (float)a.y);
}
#undef WARPWISE_PAIR
