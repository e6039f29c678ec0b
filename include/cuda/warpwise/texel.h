// The instruction that reads or writes a value of a texture's or surface's element type, and the conversion to that
// type.
//
// A texture instruction returns four words of one kind: signed, unsigned or float. An element type of the program
// (char, uchar4, float2 ...) takes as many as it has components, each truncated to its width.
#pragma once

#include "vector_types.h"

template <class> struct __warpwise_texel;  // for types that textures do not have: undefined

#define __WARPWISE_TEXEL(scalar, name, quad)                                                                              \
  template <> struct __warpwise_texel<scalar> {                                                                          \
    typedef quad four;                                                                                                    \
    static __device__ scalar from(const quad& q) { return (scalar)q.x; }                                                  \
  };                                                                                                                      \
  template <> struct __warpwise_texel<name##1> {                                                                         \
    typedef quad four;                                                                                                    \
    static __device__ name##1 from(const quad& q) { name##1 v; v.x = (scalar)q.x; return v; }                             \
  };                                                                                                                      \
  template <> struct __warpwise_texel<name##2> {                                                                         \
    typedef quad four;                                                                                                    \
    static __device__ name##2 from(const quad& q) { name##2 v; v.x = (scalar)q.x; v.y = (scalar)q.y; return v; }          \
  };                                                                                                                      \
  template <> struct __warpwise_texel<name##4> {                                                                         \
    typedef quad four;                                                                                                    \
    static __device__ name##4 from(const quad& q) {                                                                       \
      name##4 v;                                                                                                          \
      v.x = (scalar)q.x; v.y = (scalar)q.y; v.z = (scalar)q.z; v.w = (scalar)q.w;                                         \
      return v;                                                                                                           \
    }                                                                                                                     \
  };
__WARPWISE_TEXEL(signed char, char, int4)
__WARPWISE_TEXEL(unsigned char, uchar, uint4)
__WARPWISE_TEXEL(short, short, int4)
__WARPWISE_TEXEL(unsigned short, ushort, uint4)
__WARPWISE_TEXEL(int, int, int4)
__WARPWISE_TEXEL(unsigned int, uint, uint4)
__WARPWISE_TEXEL(float, float, float4)
template <> struct __warpwise_texel<char> {
  typedef int4 four;
  static __device__ char from(const int4& q) { return (char)q.x; }
};
#undef __WARPWISE_TEXEL
