// make_int4(x, y, z, w) and the other constructors of vector types.
#pragma once

#include "vector_types.h"

#ifdef __cplusplus
#define WARPWISE_MAKERS(name, element, align2, align4)                                                    \
  static inline __host__ __device__ name##1 make_##name##1(element x) { return name##1{x}; }              \
  static inline __host__ __device__ name##2 make_##name##2(element x, element y) { return name##2{x, y}; } \
  static inline __host__ __device__ name##3 make_##name##3(element x, element y, element z) {             \
    return name##3{x, y, z};                                                                              \
  }                                                                                                       \
  static inline __host__ __device__ name##4 make_##name##4(element x, element y, element z, element w) {  \
    return name##4{x, y, z, w};                                                                           \
  }
WARPWISE_VECTOR_TYPES(WARPWISE_MAKERS)
#undef WARPWISE_MAKERS
#define WARPWISE_WIDE(name, element)                                                                                   \
  static inline __host__ __device__ name##4_16a make_##name##4_16a(element x, element y, element z, element w) {       \
    return name##4_16a{x, y, z, w};                                                                                    \
  }                                                                                                                    \
  static inline __host__ __device__ name##4_32a make_##name##4_32a(element x, element y, element z, element w) {       \
    return name##4_32a{x, y, z, w};                                                                                    \
  }
WARPWISE_WIDE_TYPES(WARPWISE_WIDE)
#undef WARPWISE_WIDE
#endif
