// The built-in vector types (CUDA C++ programming guide, "Built-in Vector Types"): one to four elements.
// Two and four elements are aligned to their size, at most 16 bytes; three elements as one element.
#pragma once

#define __VECTOR_TYPES_H__

#include "host_defines.h"

// VECTORS(name, element, alignment of 2, alignment of 4)
#define WARPWISE_VECTOR_TYPES(VECTORS) \
  VECTORS(char, signed char, 2, 4) \
  VECTORS(uchar, unsigned char, 2, 4) \
  VECTORS(short, short, 4, 8) \
  VECTORS(ushort, unsigned short, 4, 8) \
  VECTORS(int, int, 8, 16) \
  VECTORS(uint, unsigned int, 8, 16) \
  VECTORS(long, long, 16, 16) \
  VECTORS(ulong, unsigned long, 16, 16) \
  VECTORS(longlong, long long, 16, 16) \
  VECTORS(ulonglong, unsigned long long, 16, 16) \
  VECTORS(float, float, 8, 16) \
  VECTORS(double, double, 16, 16)

#define WARPWISE_VECTORS(name, element, align2, align4)                        \
  struct name##1 { element x; };                                               \
  struct __attribute__((aligned(align2))) name##2 { element x, y; };           \
  struct name##3 { element x, y, z; };                                         \
  struct __attribute__((aligned(align4))) name##4 { element x, y, z, w; };     \
  typedef struct name##1 name##1;                                              \
  typedef struct name##2 name##2;                                              \
  typedef struct name##3 name##3;                                              \
  typedef struct name##4 name##4;
WARPWISE_VECTOR_TYPES(WARPWISE_VECTORS)
#undef WARPWISE_VECTORS

// Four elements of 8 bytes with an alignment in their name (CUDA 13): 16 bytes, like name4, or all 32.
#define WARPWISE_WIDE_TYPES(WIDE)                                                                                 \
  WIDE(long, long) WIDE(ulong, unsigned long) WIDE(longlong, long long) WIDE(ulonglong, unsigned long long) WIDE(double, double)
#define WARPWISE_WIDE(name, element)                                                                              \
  struct __attribute__((aligned(16))) name##4_16a { element x, y, z, w; };                                        \
  struct __attribute__((aligned(32))) name##4_32a { element x, y, z, w; };                                        \
  typedef struct name##4_16a name##4_16a;                                                                         \
  typedef struct name##4_32a name##4_32a;
WARPWISE_WIDE_TYPES(WARPWISE_WIDE)
#undef WARPWISE_WIDE

// Extents of a grid or block; omitted ones are 1.
struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;
